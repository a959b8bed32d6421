/* SPDX-License-Identifier: MIT */
/*
 * exec: asks a running console to run one command, passes its output on as it comes, and ends as
 * the command did.
 */
#ifndef ASSENT_AGENTS_EXEC_H
#define ASSENT_AGENTS_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct exec_options {
    char *const *argv;         /* of the command */
    const char *patch;         /* the text of a patch, which is asked for instead; or NULL */
    const char *session;       /* a name to show, or NULL */
    const char *justification; /* or NULL */
    /* As in struct client_setup. */
    const char *config_directory;
    const char *const *socket_directories;
    bool escalate; /* ask to run without the sandbox */
    bool tty, pass_stdin;
    bool json;          /* print the result object instead of the output */
    int64_t timeout_ms; /* 0: none asked for */
};

/* Exit statuses that are ours; the others are the command's. */
enum { EXEC_FAILED = 125 };

/* Runs to the end; returns the exit status. Says on standard error what went wrong. */
int exec_run(const struct exec_options *options);

#endif
