/* SPDX-License-Identifier: MIT */
/* view_trail: the newest lines of the trail that have not been put away. */
#include "config.h"

#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/view.h"

void view_trail_draw(struct console *console)
{
    struct rect rect = console->layout.trail;
    int row = rect.rows;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_TEXT);
    for (size_t i = trail_count(console->trail); i-- > 0 && row > 0;) {
        const struct trail_line *line = trail_at(console->trail, i);

        if (!line->away)
            render_cut(console->theme, rect_row(rect, --row), 1, rect.columns - 2, line->element,
                       line->text);
    }
}
