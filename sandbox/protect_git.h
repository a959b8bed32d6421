/* SPDX-License-Identifier: MIT */
/*
 * protect_git: the parts of git repositories that make git run code: hooks, configuration and
 * what it includes, pointers to other repositories. Everything else stays writable, so that add,
 * commit, switch and stash work.
 */
#ifndef ASSENT_SANDBOX_PROTECT_GIT_H
#define ASSENT_SANDBOX_PROTECT_GIT_H

#include <stdbool.h>

#include "sandbox/protect.h"

struct protect_git {
    struct protect *protect;
    const char *home; /* where ~ in a configuration leads, or NULL */
    bool all;         /* the whole of .git is read-only */
};

/* For the repository that `root` is, if any. */
void protect_git_root(const struct protect_git *git, const char *root);
/* For one that was found beneath a root: `bare`, or the name .git in that directory. */
void protect_git_found(const struct protect_git *git, const char *directory, bool bare);

#endif
