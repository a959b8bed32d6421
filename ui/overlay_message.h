/* SPDX-License-Identifier: MIT */
/* overlay_message: a line of text that the operator writes to an agent. */
#ifndef ASSENT_UI_OVERLAY_MESSAGE_H
#define ASSENT_UI_OVERLAY_MESSAGE_H

#include "ui/overlay.h"

/* Opens over the topmost overlay. Enter closes it and calls `done` with the overlay below and the
 * text; Escape only closes it. */
void overlay_message_open(struct console *console, const char *title, const char *keys,
                          void (*done)(struct overlay *below, struct console *console,
                                       const char *message));

#endif
