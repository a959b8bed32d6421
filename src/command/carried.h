/* SPDX-License-Identifier: MIT */
/*
 * carried: commands that a program finds among its own words and runs: `find -exec rm {}`, `git
 * rebase --exec 'make test'`, `tmux new 'top'`. For whoever warns or asks: what is found here never
 * serves to allow. Programs that do nothing else are wrappers (wrapper.h).
 */
#ifndef ASSENT_COMMAND_CARRIED_H
#define ASSENT_COMMAND_CARRIED_H

#include <stdbool.h>
#include <stddef.h>

/* Nobody writes more of them into one command; whoever meets more looks no further and says so. */
#define CARRIED_MAX 100

struct carried {
    const char *const *words; /* of `count`; borrowed. Not used when there is a script */
    size_t count;
    char *script; /* what a shell reads; the caller frees. NULL: the words are run as they are */
    bool setting; /* it is the value of a setting, most of which are no commands */
};

/* The next command that words[0] (a program, wrappers are passed over) carries in its `count`
 * words. *at is where to look on, 0 to begin. False when there is none. */
bool carried_next(const char *const *words, size_t count, size_t *at, struct carried *carried);

/* What a shell reads of a line for an editor or a debugger: `!rm x`, `shell rm x`. It points into
 * the line; NULL: nothing. */
const char *carried_in_line(const char *line);

/* The line that a shell reads when a program uses this NAME=VALUE: GIT_PAGER='rm -rf x'. It points
 * into the assignment; NULL for variables that are no commands. */
const char *carried_in_variable(const char *assignment);

#endif
