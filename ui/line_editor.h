/* SPDX-License-Identifier: MIT */
/*
 * line_editor: one line of text being typed, with a history. Knows nothing of the screen: a view
 * asks for what to show.
 *
 * The text is what the operator typed or pasted, well-formed UTF-8; a paste may bring newlines
 * and controls, which are kept and shown as marks.
 */
#ifndef ASSENT_UI_LINE_EDITOR_H
#define ASSENT_UI_LINE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Longest line; what is typed beyond is not taken. */
#define LINE_EDITOR_MAX ((size_t)64 * 1024)
#define LINE_EDITOR_HISTORY 200 /* lines that are remembered */

struct line_editor;

struct line_editor *line_editor_new(void);
void line_editor_free(struct line_editor **editor);

/* Moving, erasing and typing; false when the key means nothing to an editor. */
bool line_editor_key(struct line_editor *editor, uint32_t key, unsigned modifiers);
/* Inserts at the cursor; bytes that are not UTF-8 become U+FFFD, and CR
 * and CR LF a newline. False when it was too long. */
bool line_editor_insert(struct line_editor *editor, const char *bytes, size_t length);

const char *line_editor_text(const struct line_editor *editor); /* valid until the next change */
size_t line_editor_cursor(const struct line_editor *editor);    /* in bytes of that text */
void line_editor_set(struct line_editor *editor, const char *text);
/* Empties the line; with `remember`, what it held becomes the newest line of the history. */
void line_editor_clear(struct line_editor *editor, bool remember);
/* Puts the line before (-1) or after (+1) in the history in place of the text; what was being
 * typed is kept behind the newest. */
void line_editor_history(struct line_editor *editor, int direction);

/* What to show in `columns` columns: appends safe text to `out` and returns the column of the
 * cursor in it (below `columns`). */
int line_editor_view(struct line_editor *editor, int columns, struct strbuf *out);

#endif
