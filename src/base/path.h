/* SPDX-License-Identifier: MIT */
/* path: questions about absolute paths as text; no file is looked at. */
#ifndef ASSENT_BASE_PATH_H
#define ASSENT_BASE_PATH_H

#include <limits.h>
#include <stdbool.h>

/* Is `path` the directory `root` or beneath it? Both absolute, without "." and ".." and double or
 * trailing slashes; links are the caller's business. */
bool path_is_beneath(const char *path, const char *root);
/* "DIRECTORY/NAME"; false, with a path that is cut off, when that is longer than a path may be. */
bool path_join(char path[PATH_MAX], const char *directory, const char *name);
/* "." or "..", as each directory lists them. */
bool path_is_dots(const char *name);
/* Does it stand in a directory of programs that only root fills? */
bool path_is_system_program(const char *path);

#endif
