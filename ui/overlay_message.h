/* SPDX-License-Identifier: MIT */
/* overlay_message: a line of text that the operator writes to an agent. */
#ifndef ASSENT_UI_OVERLAY_MESSAGE_H
#define ASSENT_UI_OVERLAY_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/overlay.h"

/* Why one is denied, or `count` are, of which `call` is the first: says how long that holds. Opens
 * over the topmost overlay, with what is `written` already, or NULL. Enter closes it and calls
 * `done` with the overlay below and the text; Escape only closes it. */
void overlay_message_deny(struct console *console, uint64_t call, size_t count, const char *written,
                          void (*done)(struct overlay *below, struct console *console,
                                       const char *message));
/* What is written so far of why, where that is topmost; NULL: it is not, or nothing is. */
const char *overlay_message_denial(const struct console *console);
/* The same for the answer to a question of an agent: keys do not count until the line has been on
 * the screen for the guard time and none came meanwhile; a `secret` is shown as stars. */
void overlay_message_answer(struct console *console, bool secret,
                            void (*done)(struct overlay *below, struct console *console,
                                         const char *message));

#endif
