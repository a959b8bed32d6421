/* SPDX-License-Identifier: MIT */
/* operator: what the operator's own lines do: run a command through the orchestrator as an agent
 * would, or ":name" for the console itself. */
#ifndef ASSENT_UI_OPERATOR_H
#define ASSENT_UI_OPERATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/desk.h"

struct console;

/* Takes a line from the prompt. Problems are told in the trail. */
void operator_line(struct console *console, const char *line);
/* Is it a command that changes something, and not one that runs or shows? */
bool operator_line_changes(const char *line);
/* Does it look like a search, "/word", that was typed where nothing is searched? What begins with
 * the path of a program does not. */
bool operator_line_searches(const char *line);
/* Asks for a command (argv) to be run on a terminal. Returns the call's id, 0 when refused. */
uint64_t operator_run(struct console *console, const char *const *argv);
/* The desk whose answers stand in the trail, and over the panes. */
struct desk operator_desk(struct console *console);

#endif
