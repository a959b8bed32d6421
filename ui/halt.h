/* SPDX-License-Identifier: MIT */
/* halt: the operator's brakes: all that runs stands still, or one agent gets nothing more. */
#ifndef ASSENT_UI_HALT_H
#define ASSENT_UI_HALT_H

#include <stdbool.h>

struct console;

void halt_freeze(struct console *console, bool freeze);
/* Stops the agent of the selected call: asks the first time, does it the second time in a row. */
void halt_stop_selected(struct console *console);
/* That key was meant for something else: an agent that would have been stopped goes on, and that is
 * said. */
void halt_go_back(struct console *console);
/* The second key does not come. Takes the console, as a timer's function does. */
void halt_disarm(void *console);

#endif
