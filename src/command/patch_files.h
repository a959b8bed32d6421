/* SPDX-License-Identifier: MIT */
/*
 * patch_files: carries a patch out, on all of its files or on none.
 *
 * No link is followed on the way to a file, and only regular files are touched. New contents are
 * staged beside the files and synced, then put in place by renames (renameat2(2): the file system
 * must know RENAME_EXCHANGE and RENAME_NOREPLACE); a file that is not the one that was read any
 * more, or a rename that fails, takes everything back. A file that a patch adds or moves to must
 * not be there yet. What is killed half-way leaves files named .assent-patch-* behind, which hold
 * what was replaced.
 */
#ifndef ASSENT_COMMAND_PATCH_FILES_H
#define ASSENT_COMMAND_PATCH_FILES_H

#include "base/error.h"
#include "command/patch.h"

/* `cwd` is absolute and physical. 0, or -1 with a message (translated: it is for the command's own
 * output) and nothing changed. */
int patch_files_apply(const struct patch *patch, const char *cwd, struct error *error);

#endif
