/* SPDX-License-Identifier: MIT */
/*
 * setup: writes the settings of a client, after it has shown what changes, and takes exactly that
 * back. What was done is kept in the state directory (installed/) until then.
 */
#ifndef ASSENT_AGENTS_SETUP_H
#define ASSENT_AGENTS_SETUP_H

#include <stdbool.h>

#include "base/error.h"

/* How long ours waits for the operator: less than what the agent is told to wait. */
#define SETUP_WAIT "86000s"

struct setup_options {
    bool remove;       /* take back instead of write */
    bool dry_run;      /* only show */
    bool yes;          /* do not ask; without a terminal nothing is asked anyway */
    bool keep_shell;   /* leave the client its own shell */
    const char *what;  /* of ours that the client gets: "mcp" or "hook" */
    char *const *argv; /* how it starts that */
};

/* Prints on standard output. 0 when done, or when there was nothing to do; 1 when the operator said
 * no; -1 with a message, and nothing was changed. */
int setup_run(const char *client, const struct setup_options *options, struct error *error);

#endif
