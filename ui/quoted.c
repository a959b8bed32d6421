/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/quoted.h"

#include "ui/render.h"

void quoted_draw(const struct theme *theme, struct rect row, enum theme_element beside,
                 enum theme_element element, const char *text, const struct wrap *wrap, size_t line)
{
    const struct wrap_line *at = &wrap->lines[line];
    const char *mark = theme_glyph(theme, GLYPH_GOES_ON);
    int end;

    render_string(theme, row, 0, beside, at->continued ? mark : theme_glyph(theme, GLYPH_BAR));
    end = render_text(theme, row, QUOTED_COLUMNS, element, text + at->start, at->length);
    /* The column that a wide character leaves would pass for a blank. */
    if (wrap_is_torn(wrap, text, line))
        render_string(theme, row, end, beside, mark);
}
