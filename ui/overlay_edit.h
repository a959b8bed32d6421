/* SPDX-License-Identifier: MIT */
/* overlay_edit: a command is edited, over the request for it, in as many rows as it needs. */
#ifndef ASSENT_UI_OVERLAY_EDIT_H
#define ASSENT_UI_OVERLAY_EDIT_H

#include "base/error.h"
#include "ui/overlay.h"

/* `take` gets what was made of the text: 0 closes the editor, -1 leaves it open with the message.
 * `below` is the overlay that it was opened over. */
void overlay_edit_open(struct console *console, const char *text,
                       int (*take)(struct overlay *below, struct console *console, const char *text,
                                   struct error *error));

#endif
