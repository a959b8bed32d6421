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

/* A command of the console, as written behind ":". */
struct operator_command {
    const char *name;
    const char *usage; /* ":policy NAME" */
    const char *what;  /* what it does, for _() */
    bool needs_argument;
    void (*run)(struct console *console, const char *argument);
    const char *(*now)(const struct console *console); /* the argument that is in force; or NULL */
    const char *const *arguments; /* all that it takes, NULL-terminated; NULL: anything */
};

/* The n-th command; NULL behind the last. */
const struct operator_command *operator_command_at(size_t index);
/* The command of that name, or the only one that begins so; NULL otherwise. */
const struct operator_command *operator_command_find(const char *name, size_t length);

#endif
