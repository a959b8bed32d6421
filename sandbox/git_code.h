/* SPDX-License-Identifier: MIT */
/*
 * git_code: what of a repository git would run, or be made to run something by: its hooks, and of
 * its configuration all but what is known to do nothing (git_harmless.h).
 */
#ifndef ASSENT_SANDBOX_GIT_CODE_H
#define ASSENT_SANDBOX_GIT_CODE_H

#include <stdbool.h>

#include "sandbox/protect.h"

/* `harmless`: what may stay of a configuration; NULL: nothing of it, or it is none. */
typedef void git_code_found(const char *path, const char *harmless, void *argument);

/* Calls `found` with each such path of the repository `directory`; it may rename it. Neither its
 * submodules' and linked worktrees' nor what its commondir leads to are looked at. */
void git_code_visit(const struct protect *protect, const char *directory, git_code_found *found,
                    void *argument);
/* Gives it another name, and puts `harmless` in its place where that is not NULL, in a file that
 * nobody has open. False when it is still there, or when a part of the way to it is a symlink now:
 * that could lead to what is somebody else's. */
bool git_code_set_aside(const struct protect *protect, const char *path, const char *harmless);

#endif
