/* SPDX-License-Identifier: MIT */
/* console_hooks: what a console, drawn or in plain lines, asks of the program around it: its
 * settings, the operator's rule files, the record. */
#ifndef ASSENT_UI_CONSOLE_HOOKS_H
#define ASSENT_UI_CONSOLE_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

#include "approval/orchestrator.h"
#include "approval/rule_trial.h"
#include "base/error.h"

/* The operator's rule files; functions are NULL when there are none. */
struct console_rules {
    /* How the files differ from what is in force; caller frees. NULL when they do not. */
    char *(*changes)(void *argument);
    void (*reload)(void *argument);
    /* Rules of the project that are not trusted, as text; caller frees. NULL: none. */
    char *(*untrusted)(void *argument);
    int (*trust)(void *argument, bool trust, struct error *error);
    void *argument;
};

/* The record; `read` is NULL when there is none. */
struct console_record {
    /* Begins to read calls that hold a text ("approved": approved today; "stats": how often was
     * asked), for rows of so many columns; 0: one a line, however long. */
    void *(*read)(void *argument, const char *text, size_t columns);
    /* For a few milliseconds: NULL when there is more, or the rows; caller frees. */
    char *(*read_on)(void *reading);
    void (*read_end)(void *reading);
    void *argument;
};

/* What the record says of rules; `begin` is NULL when there is none. */
struct console_lab {
    /* Begins to read what the operator could make rules of (`suggest`), or else what those that
     * are in force did. */
    void *(*begin)(void *argument, bool suggest, struct error *error); /* NULL with a message */
    /* For a few milliseconds: true when there is more to do. */
    bool (*step)(void *lab);
    /* Afterwards: the n-th; NULL, false behind the last. Borrowed until `end`. */
    const struct rule_suggestion *(*suggestion)(const void *lab, size_t index);
    bool (*use)(const void *lab, size_t index, struct rule_use *use);
    void (*end)(void *lab);
    void *argument;
};

struct console_hooks {
    /* What the configuration makes of a sandbox mode for that workspace root; the caller frees.
     * NULL with a message when it makes nothing of it. */
    struct sandbox_policy *(*policy_of_mode)(void *argument, enum sandbox_mode mode,
                                             const char *root, struct error *error);
    /* The operator changed approval policy, sandbox or network: `context` is for sessions that
     * start from now on (those that are open have got theirs already). May be NULL. */
    void (*context_chosen)(void *argument, struct turn_context *context);
    void *argument; /* of these two */

    struct console_rules rules;
    struct console_record record;
    struct console_lab lab;
};

#endif
