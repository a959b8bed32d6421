/* SPDX-License-Identifier: MIT */
/* quoted: a line of a command, or of another text whose blanks count, with what stands beside it: a
 * bar where a line of the text begins, a mark where one goes on that was too long. */
#ifndef ASSENT_UI_QUOTED_H
#define ASSENT_UI_QUOTED_H

#include "ui/rect.h"
#include "ui/theme.h"
#include "ui/wrap.h"

#define QUOTED_COLUMNS 2 /* before the text */

/* Draws that line of the text, broken as WRAP_BLANKS for a row so wide less QUOTED_COLUMNS. */
void quoted_draw(const struct theme *theme, struct rect row, enum theme_element beside,
                 enum theme_element element, const char *text, const struct wrap *wrap,
                 size_t line);

#endif
