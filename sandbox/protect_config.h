/* SPDX-License-Identifier: MIT */
/*
 * protect_config: what the configuration of a repository, of a linked worktree, and the operator's
 * own have git run or obey beside themselves: hooks elsewhere, programs, files that are included.
 *
 * `base`: where git is when it looks for what is named by a relative path, the top of a working
 * tree; NULL: none. True where there is such a path: the operator's leads into each repository.
 */
#ifndef ASSENT_SANDBOX_PROTECT_CONFIG_H
#define ASSENT_SANDBOX_PROTECT_CONFIG_H

#include <stdbool.h>

#include "sandbox/protect_git.h"

bool protect_config_of_operator(const struct protect_git *search, const char *base);
/* `directory` has a config.worktree. */
bool protect_config_of_worktree(const struct protect_git *search, const char *directory,
                                const char *base);
/* Of the repository `directory` and the operator; and what its hooks are links to. */
bool protect_config_of_repository(const struct protect_git *search, const char *directory,
                                  const char *base);
/* The same for each base that it can have. Who pushes to a repository runs its hooks, and then git
 * is in its own directory. It may also say itself where its working tree is. */
bool protect_config_everywhere(const struct protect_git *search, const char *directory,
                               const char *worktree);

#endif
