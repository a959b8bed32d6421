/* SPDX-License-Identifier: MIT */
/*
 * code_file: files of a workspace that something runs later: builds, tests, package managers,
 * shells. What lets an agent change files without asking stops at them.
 */
#ifndef ASSENT_COMMAND_CODE_FILE_H
#define ASSENT_COMMAND_CODE_FILE_H

#include <stdbool.h>

/* By its name or by a directory on the way. No file is looked at. */
bool code_file_named(const char *path);
/* By its name, by a directory on the way, or because it is executable or no regular file. */
bool code_file_runs(const char *path);

#endif
