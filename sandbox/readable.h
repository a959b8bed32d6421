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

/* `devices`: /dev is readable too. `path` is physical. 0 or -errno. */
int readable_allow(struct landlock *landlock, const struct shut *shut, const char *path,
                   bool devices);

#endif
