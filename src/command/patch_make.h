/* SPDX-License-Identifier: MIT */
/* patch_make: the patch that turns one content of a file into another. Pure. */
#ifndef ASSENT_COMMAND_PATCH_MAKE_H
#define ASSENT_COMMAND_PATCH_MAKE_H

#include <stddef.h>

/* `old` is NULL for a file that is not there yet. What the contents share at the beginning and at
 * the end is left out, but for a few lines of context. The caller frees; NULL when the contents are
 * the same, or a patch cannot say it: a path with a line end. */
char *patch_make(const char *path, const char *old, size_t old_length, const char *text,
                 size_t length);

#endif
