/* SPDX-License-Identifier: MIT */
/*
 * git_index: whether git's index names only files of the working tree.
 *
 * Git believes its index: `git restore .` writes what stands there wherever it stands, hooks and
 * files above the working tree included. What git itself adds it checks by the same rules.
 */
#ifndef ASSENT_SANDBOX_GIT_INDEX_H
#define ASSENT_SANDBOX_GIT_INDEX_H

#include <stdbool.h>
#include <stddef.h>

/* Of an index, or of the shared part of one, of version 2 to 4. `hash`: bytes of an object's name,
 * 20 or 32. False also when it is not understood. */
bool git_index_is_harmless(const char *bytes, size_t size, size_t hash);
/* A path as an index names it, or nothing: in the working tree and not in .git, by the rules by
 * which git adds files. */
bool git_index_path_is_inside(const char *path);

#endif
