/* SPDX-License-Identifier: MIT */
/* view_trail: the newest lines of the trail. */
#include "config.h"

#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/view.h"

void view_trail_draw(struct console *console)
{
    struct rect rect = console->layout.trail;
    size_t count = trail_count(console->trail);
    size_t shown = count < (size_t)rect.rows ? count : (size_t)rect.rows;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_TEXT);
    for (size_t i = 0; i < shown; i++) {
        const struct trail_line *line = trail_at(console->trail, count - shown + i);
        struct rect row = rect_row(rect, rect.rows - (int)shown + (int)i);

        render_cut(console->theme, row, 1, row.columns - 2, line->element, line->text);
    }
}
