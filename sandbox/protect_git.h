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

/* For the repository that `root` is, if any, and with `nested` for those found beneath it, bare
 * ones among them. `all`: the whole of .git is read-only. `home` is where ~ in a configuration
 * leads, or NULL. */
void protect_git_collect(struct protect *protect, const char *root, const char *home, bool all,
                         bool nested);

#endif
