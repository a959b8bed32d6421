/* SPDX-License-Identifier: MIT */
/* operator: what the operator's own lines do: run a command through the orchestrator as an agent
 * would, or ":name" for the console itself. */
#ifndef ASSENT_UI_OPERATOR_H
#define ASSENT_UI_OPERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct console;

/* Takes a line from the prompt. Problems are told in the trail. */
void operator_line(struct console *console, const char *line);
/* Asks for a command (argv) to be run on a terminal. Returns the call's id, 0 when refused. */
uint64_t operator_run(struct console *console, const char *const *argv);
/* Stops a call that has not finished. */
void operator_stop(struct console *console, struct call *call);
/* The n-th command of the console: how it is written and what it does; false behind the last. */
bool operator_command_at(size_t index, const char **usage, const char **what);

#endif
