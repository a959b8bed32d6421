/* SPDX-License-Identifier: MIT */
/* git_pointer: files in which git names a directory: .git of a linked working tree or a submodule,
 * commondir of a linked working tree's own directory. */
#ifndef ASSENT_SANDBOX_GIT_POINTER_H
#define ASSENT_SANDBOX_GIT_POINTER_H

/* The physical directory that the first line of `file` names after `prefix`, relative to `base`;
 * NULL when it names none that exists. The caller frees. */
char *git_pointer_read(const char *file, const char *prefix, const char *base);

#endif
