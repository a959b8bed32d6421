/* SPDX-License-Identifier: MIT */
/* patch_text: the colours of a patch's lines. */
#ifndef ASSENT_UI_PATCH_TEXT_H
#define ASSENT_UI_PATCH_TEXT_H

#include "base/strbuf.h"
#include "ui/theme.h"
#include "ui/wrap.h"

/* The element of one line. */
enum theme_element patch_text_line(const char *line, size_t length);
/* The element of one wrapped line of a patch's text; a line that goes on looks like its begin. */
enum theme_element patch_text_element(const char *text, const struct wrap *wrap, size_t line);
/* Adds lines of an untrusted patch for the terminal of a pane, in their colours. */
void patch_text_paint(struct strbuf *out, const struct theme *theme, const char *text,
                      size_t length);

#endif
