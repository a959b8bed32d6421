/* SPDX-License-Identifier: MIT */
/* git_pointer: files in which git names a directory: .git of a linked working tree or a submodule,
 * commondir of a linked working tree's own directory. Read as git reads them, to the letter: what
 * is taken for another directory than git's is a way round. */
#ifndef ASSENT_SANDBOX_GIT_POINTER_H
#define ASSENT_SANDBOX_GIT_POINTER_H

#define GIT_POINTER_DOT_GIT "gitdir: "
#define GIT_POINTER_COMMON ""

/* The physical directory that `file`, or what it is a symlink to, names after `prefix`, relative to
 * `base`; NULL when it names none that exists. The caller frees. */
char *git_pointer_read(const char *file, const char *prefix, const char *base);

#endif
