/* SPDX-License-Identifier: MIT */
/* pen: the style that text is written in, as SGR sets it. */
#ifndef ASSENT_UI_TERM_PEN_H
#define ASSENT_UI_TERM_PEN_H

#include "base/strbuf.h"
#include "ui/term/grid.h"
#include "ui/term/scan.h"

/* Applies CSI … m. 38 and 48 are taken in the forms with semicolons and with colons (with or
 * without a colour space); 58 (underline colour) is parsed and has no effect. SGR never touches
 * GRID_PROTECTED. */
void pen_apply(struct grid_style *pen, const struct scan_sequence *sequence);

/* Appends the parameters that give this pen after a reset, beginning with "0". */
void pen_describe(const struct grid_style *pen, struct strbuf *out);

#endif
