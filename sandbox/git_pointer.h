/* SPDX-License-Identifier: MIT */
/* git_pointer: files in which git names a directory: .git of a linked working tree or a submodule,
 * commondir of a linked working tree's own directory. Read as git reads them, to the letter: what
 * is taken for another directory than git's is a way round. */
#ifndef ASSENT_SANDBOX_GIT_POINTER_H
#define ASSENT_SANDBOX_GIT_POINTER_H

#include <stdbool.h>

#define GIT_POINTER_DOT_GIT "gitdir: "
#define GIT_POINTER_COMMON ""

/* The physical directory that `file`, or what it is a symlink to, names after `prefix`, relative to
 * `base`, a physical one; NULL when it names none that exists. The caller frees. */
char *git_pointer_read(const char *file, const char *prefix, const char *base);
/* The path by which it names that: absolute, but with what it leads through. */
char *git_pointer_path(const char *file, const char *prefix, const char *base);
/* Is it a file that nobody has for a pointer who means well, and that git may read otherwise than
 * git_pointer_read()? */
bool git_pointer_is_odd(const char *file, const char *prefix, const char *base);
/* Would git take this directory for one of its own? It has HEAD; and objects and refs, or a
 * commondir that leads to where they are. What is in them is not asked for. */
bool git_pointer_is_repository(const char *directory);

#endif
