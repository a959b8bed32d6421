/* SPDX-License-Identifier: MIT */
/* overlay_full: text of any length, in blocks under headings, scrolled: the full view of a request
 * or call, the trail, the help. */
#ifndef ASSENT_UI_OVERLAY_FULL_H
#define ASSENT_UI_OVERLAY_FULL_H

#include <stdbool.h>

#include "ui/overlay.h"
#include "ui/theme.h"

struct overlay *overlay_full_new(const char *title);
/* One that is not scrolled: any key, click or paste closes it and does nothing else, and so does a
 * request that is due. `foot` (copied) says so. */
struct overlay *overlay_full_new_brief(const char *title, const char *foot);

enum full_kind {
    FULL_WORDS,     /* our words, broken between words */
    FULL_TABLE,     /* our words, in columns: blanks are kept */
    FULL_UNTRUSTED, /* a bar stands beside every line, so that it cannot pass for a heading */
    FULL_QUOTED,    /* the same for what is read as words: broken between them */
    FULL_PATCH,     /* the same, in the colours of a patch */
    FULL_ROWS,      /* the same, a row for each line: broken between words, and then indented */
};
/* Adds a block. `heading` (our words) may be NULL; `text` is safe to show and may hold newlines.
 * Both are copied. */
void overlay_full_add(struct overlay *overlay, const char *heading, enum full_kind kind,
                      enum theme_element element, const char *text);
/* Takes all blocks out. */
void overlay_full_clear(struct overlay *overlay);
/* `closed` is called when it is freed; at most one. */
void overlay_full_on_close(struct overlay *overlay, void (*closed)(void *argument), void *argument);
/* Sets *seen once the last line of the block that was added last has been on the screen; `seen`
 * belongs to an overlay below this one. */
void overlay_full_watch(struct overlay *overlay, bool *seen);
/* Starts at the end instead of the start. */
void overlay_full_to_end(struct overlay *overlay);

#endif
