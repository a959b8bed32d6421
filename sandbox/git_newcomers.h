/* SPDX-License-Identifier: MIT */
/*
 * git_newcomers: repositories that come into being while a command runs, until it ends.
 *
 * Each is the command's to work with, hooks and configuration included, whoever made it: who makes
 * a directory the kernel does not tell, and the command's own clones have to work. What git would
 * run of it is set aside at the end (git_leftover.h). A server runs for hours, though, and whoever
 * uses git there meanwhile runs what the command has put there: so a look is taken every second,
 * and the operator is told at once.
 */
#ifndef ASSENT_SANDBOX_GIT_NEWCOMERS_H
#define ASSENT_SANDBOX_GIT_NEWCOMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/strset.h"
#include "sandbox/nested.h"
#include "sandbox/protect.h"
#include "sandbox/report.h"

struct git_newcomers {
    const struct protect *protect;
    const struct report *report;
    struct timespec since; /* the last look */
    int64_t due_ms;
    struct nested nested;
    char **repositories;
    size_t count;
    size_t told;         /* paths */
    struct strset known; /* they, and the paths that were told of */
};

/* Before the command starts. `protect`: NULL where nothing is protected. */
void git_newcomers_open(struct git_newcomers *newcomers, const struct protect *protect,
                        const struct report *report);
/* Milliseconds until the next look; -1: never. */
int git_newcomers_time_left(const struct git_newcomers *newcomers);
/* Takes a look, and tells of what git would run. */
void git_newcomers_look(struct git_newcomers *newcomers);
void git_newcomers_free(struct git_newcomers *newcomers);

#endif
