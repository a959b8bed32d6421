/* SPDX-License-Identifier: MIT */
/*
 * aside: what a command left that must not be obeyed gets another name, behind which it says so:
 * NAME.set-aside, NAME.set-aside-2 and so on. A command can have taken all the names that can be
 * guessed; then it is one that can not.
 */
#ifndef ASSENT_SANDBOX_ASIDE_H
#define ASSENT_SANDBOX_ASIDE_H

#include <limits.h>
#include <stdbool.h>

#define ASIDE_SUFFIX ".set-aside"

/* Renames `name` in the directory `from` to `as` in the directory `to`, or where that is taken to
 * such a name of it; nothing is replaced. The descriptors are as for renameat(2). */
bool aside_move(int from, const char *name, int to, const char *as);
/* Two names of that directory change places in one step. False where the file system can not, or
 * one of them is missing. */
bool aside_exchange(int directory, const char *one, const char *other);
/* Gives what is at `path` such a name, or where that fails removes it, if it is no directory. False
 * when it is still there. */
bool aside_put(const char *path);
/* Gives it such a name, which is stored, or fails. */
bool aside_rename(const char *path, char aside[PATH_MAX]);

#endif
