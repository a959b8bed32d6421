/* SPDX-License-Identifier: MIT */
/* overlay_full: a document on the screen, scrolled: the full view of a request or call, the trail,
 * the help. */
#ifndef ASSENT_UI_OVERLAY_FULL_H
#define ASSENT_UI_OVERLAY_FULL_H

#include "ui/document.h"
#include "ui/overlay.h"

/* Takes what `text` holds, and leaves it empty; so do the other two. */
struct overlay *overlay_full_new(const char *title, struct document *text);
/* One that is not scrolled: any key, click or paste closes it, and so does a request that is due.
 * What begins a line goes on to the prompt line, and what asks for help shows that; no other key
 * does anything else. `foot` (copied) says what closes it. */
struct overlay *overlay_full_new_brief(const char *title, const char *foot, struct document *text);
/* Columns of its DOCUMENT_ROWS on the screen as it is now. */
size_t overlay_full_row_columns(const struct console *console);
/* Shows another text instead. */
void overlay_full_set(struct overlay *overlay, struct document *text);
/* `closed` is called when it is freed; at most one. */
void overlay_full_on_close(struct overlay *overlay, void (*closed)(void *argument), void *argument);
/* The request of that call, which it is read over, is gone: goes on without it, and says so. False:
 * it is no such text. */
bool overlay_full_outlive(struct overlay *overlay, uint64_t call);
/* Looks for that text (not empty), as if the operator had. */
void overlay_full_find(struct overlay *overlay, const char *text);
/* Starts at the end instead of the start. */
void overlay_full_to_end(struct overlay *overlay);

#endif
