/* SPDX-License-Identifier: MIT */
/*
 * git_newcomers: repositories that come into being while a command runs, until it ends.
 *
 * Each is the command's to work with, whoever made it: who makes a directory the kernel does not
 * tell, and the command's own clones have to work. A server runs for hours, though, and whoever
 * uses git there meanwhile, or has a prompt that does, would run what the command has put there. So
 * looks are taken, soon after something was made (stir.h) and each second in any case, and what git
 * would run is set aside at once; the rest of what a command leaves when it ends (git_leftover.h).
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
#include "sandbox/stir.h"

/* How often the same path of a repository is set aside; then the command is to be ended, which
 * makes it again and again. Who sets up a repository by "git config" does so a dozen times, and who
 * makes the whole anew for each of their tests starts from nothing. */
enum { GIT_NEWCOMERS_AGAIN_MAX = 32 };

struct git_newcomers_code {
    char *path;
    uint64_t directory, born; /* that it is in: its inode, and when it was made */
    unsigned times;           /* that it was, or was to be, set aside there */
    bool told;
};

struct git_newcomers {
    const struct protect *protect;
    const struct report *report;
    struct timespec since; /* the last look */
    int64_t due_us;        /* the next look */
    int64_t pause_until_us;
    bool stirred; /* since the last look */
    struct stir stir;
    struct nested nested;
    size_t watched; /* of its directories */
    char **places;  /* directories of new repositories, and new names .git that lead to some */
    size_t count;
    struct strset known;             /* they, and what was told of in general */
    struct git_newcomers_code *code; /* what git would have run */
    size_t code_count;
    unsigned uncounted; /* times of what has no room there */
    bool found, endless;
};

/* Before the command starts. `protect`: NULL where nothing is protected. */
void git_newcomers_open(struct git_newcomers *newcomers, const struct protect *protect,
                        const struct report *report);
/* Milliseconds until the next look; -1: never. */
int git_newcomers_time_left(const struct git_newcomers *newcomers);
/* What is readable when it may be sooner, which git_newcomers_stir() is then to be told; -1: not
 * now. */
int git_newcomers_fd(const struct git_newcomers *newcomers);
void git_newcomers_stir(struct git_newcomers *newcomers);
/* Takes a look. True when there is something that git would run. */
bool git_newcomers_look(struct git_newcomers *newcomers);
/* Sets that aside, and tells of it once. The command goes on meanwhile: to stop its processes would
 * have a shell of it take its jobs for stopped, and hold up nothing that the next look does not
 * find. False when it is to be ended: it goes on making the same. */
bool git_newcomers_set_aside(struct git_newcomers *newcomers);
void git_newcomers_free(struct git_newcomers *newcomers);

#endif
