/* SPDX-License-Identifier: MIT */
/*
 * typing: a request does not come up over the prompt line while that is being typed. It says that
 * it waits, and comes up once the line is sent, emptied or left alone: no key that is typed there
 * is lost, and none becomes an answer. Nor does it cover at once what a command there has told.
 */
#ifndef ASSENT_UI_TYPING_H
#define ASSENT_UI_TYPING_H

#include <stdbool.h>

#include "approval/call.h"

struct console;
struct input_event;

/* A key, or a paste, was for the prompt line. */
void typing_note(struct console *console);
/* Is the line being typed, so that the request of that call waits? Says so, once of each; the turn
 * that ends it comes by itself. */
bool typing_holds(struct console *console, const struct call *call);
/* The operator asks for what waits. */
void typing_over(struct console *console);
/* A command has told what became of it: what waits comes up a few seconds later, or with a key. */
void typing_told(struct console *console);
/* Does a request wait for that? */
bool typing_shows_result(const struct console *console);
/* The same, and this is no key that ends it: who types on blindly has not read it. */
bool typing_drops(const struct console *console, const struct input_event *event);
/* Another key ends it. True when a request has waited for it. */
bool typing_result_over(struct console *console);
/* Has the operator typed since? */
bool typing_was_last(const struct console *console);

#endif
