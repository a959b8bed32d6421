/* SPDX-License-Identifier: MIT */
/* loader_git: what git is told to run, and the repositories that it is sent to. For loader.c. */
#ifndef ASSENT_COMMAND_LOADER_GIT_H
#define ASSENT_COMMAND_LOADER_GIT_H

#include <stdbool.h>
#include <stddef.h>

#include "command/loader.h"

/* Is it, a path without links, in a directory that agents write? */
bool loader_is_of_agents(const char *path, const struct loader_context *context);
/* Does that command, of `count` words that begin with git, have to do with a repository beside that
 * of the root? */
bool loader_git_is_elsewhere(const char *const *words, size_t count,
                             const struct loader_context *context);
/* Is one of its words what git runs, or may it be? */
bool loader_git_runs_words(const char *const *words, size_t count);

#endif
