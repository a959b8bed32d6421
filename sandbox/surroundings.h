/* SPDX-License-Identifier: MIT */
/*
 * surroundings: what lies beside a granted path in a temporary place.
 *
 * /tmp is the command's own, but a workspace in a temporary directory is next to what belongs to
 * it: that stays visible, read-only as everything outside. With restricted reads only what is
 * granted does, and also where there is too much beside it to be looked at.
 *
 * Landlock can not help here: what lets the command write to its own /tmp holds for everything
 * that is mounted in it. A read-only mount does not cover devices and named pipes, so devices are
 * switched off, and pipes are looked for and covered one by one.
 */
#ifndef ASSENT_SANDBOX_SURROUNDINGS_H
#define ASSENT_SANDBOX_SURROUNDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/policy.h"

/* The host's temporary places; NULL-terminated. */
extern const char *const SURROUNDINGS_TEMPORARY[];

struct surroundings_piece {
    char *path;
    int mount; /* a clone that waits for its place; -1: a root's, which is put back later */
    bool directory;
};

struct surroundings {
    const struct sandbox_policy *policy;
    bool beside; /* reads are not restricted */
    struct surroundings_piece *pieces;
    size_t count;
    char *refused; /* what was too much to look at the last time; NULL: nothing */
    char **pipes;  /* to be covered */
    size_t pipe_count;
};

/* While everything is still as the host has it. `paths` (NULL-terminated, or NULL) stay visible
 * too. */
void surroundings_take(struct surroundings *surroundings, const struct sandbox_policy *policy,
                       const char *const *paths);
/* Once /tmp and its like are the command's own. 0 or -errno, `*failed` being the path. */
int surroundings_place(struct surroundings *surroundings, const char **failed);
void surroundings_free(struct surroundings *surroundings);

#endif
