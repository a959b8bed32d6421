/* SPDX-License-Identifier: MIT */
/*
 * spawn: starts the helper with the descriptors that it expects (sandbox/helper.h), on a PTY or on
 * pipes, by posix_spawn: what the console holds in memory and which threads it has do not matter.
 */
#ifndef ASSENT_RUN_SPAWN_H
#define ASSENT_RUN_SPAWN_H

#include <sys/types.h>

#include "base/error.h"
#include "run/runner.h"
#include "sandbox/command.h"

/* Our ends: non-blocking, close-on-exec, -1 where there is none. The caller owns them. */
struct spawn {
    pid_t pid;
    int input;  /* stdin pipe or terminal */
    int output; /* stdout, both merged, or terminal */
    int errors; /* stderr when apart */
    int status; /* status socket */
};

/* 0, or -1 with a message and nothing left open. */
int spawn_helper(const struct exec_request *request, const struct run_options *options,
                 struct spawn *spawn, struct error *error);

#endif
