/* SPDX-License-Identifier: MIT */
/*
 * plain: the console as lines of text, for screen readers, TERM=dumb, and terminals in editors.
 * An observer of the orchestrator, like the full-screen console, with the same answers and guards.
 *
 * The terminal stays in its own line mode, so that keys are only seen with Enter. What replaces the
 * guards of the screen:
 *  - what was typed before a request was printed, or within the guard time afterwards, is thrown
 *    away;
 *  - an answer that allows names the request by its number ("y 3"): the rest of a line that was
 *    begun before it appeared is none;
 *  - the command has been printed to its end;
 *  - what is of high risk, or could not be printed as it is, takes the word "yes" as well.
 * Commands of the operator's begin with "!" for the same reason. Only printable text goes out.
 */
#ifndef ASSENT_UI_PLAIN_H
#define ASSENT_UI_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "approval/orchestrator.h"
#include "base/error.h"
#include "base/loop.h"
#include "ui/console_hooks.h"

struct console_restored;
struct plain;

struct plain_setup {
    struct loop *loop;
    struct orchestrator *orchestrator;
    struct session *session; /* of the operator's own commands */
    int input, output;       /* of the terminal; borrowed */
    int64_t guard_ms;
    struct console_hooks hooks;
    const char *directory;                   /* where the operator's commands start; absolute */
    const char *notify_command;              /* see notify_command.h; NULL: none */
    int64_t escalate_ms, away_ms;            /* see vigil.h; 0: never */
    const struct console_restored *restored; /* NULL: nothing; not needed after plain_new() */
    uint64_t command_call;                   /* of the command line, 0: none */
    bool exit_when_done;
    void (*quit)(void *argument, int status);
    void *argument;
};

/* NULL with a message when the output cannot be used. Strings must outlive it. */
struct plain *plain_new(const struct plain_setup *setup, struct error *error);
void plain_free(struct plain **plain); /* remove the observer first */
/* Ctrl-C: true when calls have not finished, which is said, and nothing ends; until the next line
 * once more does. */
bool plain_interrupt(struct plain *plain);
const struct observer *plain_observer(void); /* its argument is the struct plain */

#endif
