/* SPDX-License-Identifier: MIT */
/*
 * typing: a request does not come up over the prompt line while that is being typed. It says that
 * it waits, and comes up once the line is sent, emptied or left alone: no key that is typed there
 * is lost, and none becomes an answer.
 */
#ifndef ASSENT_UI_TYPING_H
#define ASSENT_UI_TYPING_H

#include <stdbool.h>

#include "approval/call.h"

struct console;

/* A key, or a paste, was for the prompt line. */
void typing_note(struct console *console);
/* Is the line being typed, so that the request of that call waits? Says so, once of each; the turn
 * that ends it comes by itself. */
bool typing_holds(struct console *console, const struct call *call);
/* The operator asks for what waits. */
void typing_over(struct console *console);
/* Has the operator typed since? */
bool typing_was_last(const struct console *console);

#endif
