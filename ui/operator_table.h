/* SPDX-License-Identifier: MIT */
/* operator_table: the commands that the operator gives behind ":", at any console. */
#ifndef ASSENT_UI_OPERATOR_TABLE_H
#define ASSENT_UI_OPERATOR_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/desk.h"

enum command_effect {
    COMMAND_SHOWS,
    COMMAND_CHANGES,         /* decides, stops, or changes what holds */
    COMMAND_CHANGES_BY_WORD, /* the same with an argument, and shows without one */
};

struct operator_command {
    const char *name;
    const char *usage;          /* ":policy NAME" */
    const char *what;           /* what it does, for _() */
    enum command_effect effect; /* a command that is added does not compile without */
    bool needs_argument;
    /* NULL: each console does it in its own way, or not at all. */
    void (*run)(const struct desk *desk, const char *argument);
    const char *(*now)(const struct desk *desk); /* the argument that is in force; or NULL */
    const char *const *arguments; /* all that it takes, NULL-terminated; NULL: anything */
};

/* The n-th command; NULL behind the last. */
const struct operator_command *operator_command_at(size_t index);
/* The command of that name, or the only one that begins so; NULL otherwise. */
const struct operator_command *operator_command_find(const char *name, size_t length);
/* Does what stands behind the ":" change anything? */
bool operator_command_changes(const char *line);
/* ":log stats" for "stats": the command that takes that word; NULL: none does. The caller frees. */
char *operator_command_meant(const char *word, size_t length);
/* Is that more than a command of such a usage takes? What it would do is not what was meant then:
 * `:undo c3`, `:thaw c3`. */
bool operator_command_refuses(const char *usage, const char *argument);
/* Does it, or says what it needs; false, and nothing, when each console has its own way. */
bool operator_command_run(const struct operator_command *command, const struct desk *desk,
                          const char *argument);
/* Says what it is for; or, when it sets something that is `now` so, what there is to choose. */
void operator_command_usage(const struct operator_command *command, const struct desk *desk,
                            const char *now);

#endif
