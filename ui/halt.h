/* SPDX-License-Identifier: MIT */
/* halt: the operator's brakes: all that runs stands still, or one agent gets nothing more. */
#ifndef ASSENT_UI_HALT_H
#define ASSENT_UI_HALT_H

#include <stdbool.h>

struct console;
struct orchestrator;
struct session;

void halt_freeze(struct console *console, bool freeze);
/* Stops the agent of the selected call: asks the first time, does it the second time in a row. */
void halt_stop_selected(struct console *console);
/* That key was meant for something else. Takes the console, as a timer's function does. */
void halt_disarm(void *console);
/* Is it the session of an agent that is called so on the screen or by itself (whatever the case),
 * or has an id that begins so? */
bool halt_names_agent(const struct orchestrator *orchestrator, const struct session *session,
                      const char *name);
/* Stops every session of the agent called `name`, or of that session id; or lets it ask again.
 * False when there is none. */
bool halt_stop_agent(struct console *console, const char *name, bool stop);

#endif
