/* SPDX-License-Identifier: MIT */
/*
 * exec_patch: the patch in a command that agents write into a shell where they have no tool for it:
 * `apply_patch PATCH`, `apply_patch` with the patch on standard input, and either in `bash -lc`,
 * with a here-document. There is no such program: it is sent as a patch, and shown as one.
 */
#ifndef ASSENT_AGENTS_EXEC_PATCH_H
#define ASSENT_AGENTS_EXEC_PATCH_H

#include "base/error.h"

/* 1 and its text (the caller frees) when the command is that and nothing else; 0 when it is another
 * command; -1 with a message when it means a patch and is none that can be sent. Standard input is
 * read to its end when the patch is to come from there. */
int exec_patch_find(char *const *argv, int input, char **patch, struct error *error);

#endif
