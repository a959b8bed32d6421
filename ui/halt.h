/* SPDX-License-Identifier: MIT */
/* halt: the operator's brakes: all that runs stands still, or one agent gets nothing more. */
#ifndef ASSENT_UI_HALT_H
#define ASSENT_UI_HALT_H

#include <stdbool.h>

struct console;

void halt_freeze(struct console *console, bool freeze);
/* Stops the agent of the selected call: asks the first time, does it the second time in a row. */
void halt_stop_selected(struct console *console);
/* Stops every session of the agent called `name`, or of that session id; or lets it ask again.
 * False when there is none. */
bool halt_stop_agent(struct console *console, const char *name, bool stop);

#endif
