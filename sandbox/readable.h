/* SPDX-License-Identifier: MIT */
/*
 * readable: Landlock rules for everything beneath a path but what is closed there.
 *
 * A rule can not take away what another one gives, so the directories that lead to something
 * closed get none: each of their other entries gets its own. What somebody outside makes in such a
 * directory later has no rule, whatever its name: a closed file stays unreadable when it is
 * replaced, or comes into being, while the command runs.
 */
#ifndef ASSENT_SANDBOX_READABLE_H
#define ASSENT_SANDBOX_READABLE_H

#include <stdbool.h>

#include "sandbox/landlock.h"
#include "sandbox/shut.h"

struct readable {
    const struct shut *shut;
    bool devices;           /* /dev is readable too */
    const char *const *own; /* left out, with /proc and /dev: what the command gets of its own will
                             * lie there, and what lies there on the host is not its business.
                             * NULL: nothing is; NULL-terminated */
};

/* `path` is physical. 0 or -errno. */
int readable_allow(struct landlock *landlock, const struct readable *readable, const char *path);

#endif
