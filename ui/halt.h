/* SPDX-License-Identifier: MIT */
/* halt: the operator's brakes: all that runs stands still, or one agent gets nothing more. */
#ifndef ASSENT_UI_HALT_H
#define ASSENT_UI_HALT_H

#include <stdbool.h>

#include "ui/keymap.h"

struct console;

void halt_freeze(struct console *console, bool freeze);
/* Stops the agent of the selected call: asks the first time, does it the second time in a row. */
void halt_stop_selected(struct console *console);
/* The same for the selected call, which is asked about while it runs: nothing else is lost. */
void halt_stop_call(struct console *console);
/* Has a key or a command asked, and does it wait to be given once more? Nothing comes up over that.
 */
bool halt_asks(const struct console *console);
/* Does a request wait for that? It is drawn each second from then on, with how long it waits yet.
 */
bool halt_holds(struct console *console);
int halt_left_s(const struct console *console);
/* A key that was meant for something else: what would have been stopped goes on, and that is said.
 * `action`: what the key is for. */
void halt_go_back(struct console *console, enum action action);
/* The second key does not come. Takes the console, as a timer's function does. */
void halt_disarm(void *console);
/* Nothing that is done by the second key or the second line alone is asked any more: something else
 * was pressed. */
void halt_questions_over(struct console *console);
/* The same when too much time has gone by: whoever presses the key now must not take it for the
 * second one. Takes the console, as a timer's function does. */
void halt_time_over(void *console);
/* What was put aside for a line comes up again, once that is over and asks nothing any more. */
void halt_line_over(struct console *console);
/* A command or a key has asked: for a while. */
void halt_question_asked(struct console *console);

#endif
