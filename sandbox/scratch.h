/* SPDX-License-Identifier: MIT */
/* scratch: a directory for temporary files of one command, where it can not have a /tmp of its own
 * (no mount namespace). */
#ifndef ASSENT_SANDBOX_SCRATCH_H
#define ASSENT_SANDBOX_SCRATCH_H

/* A new directory in /tmp that only the caller can enter; its path, which the caller frees, or
 * NULL with errno. */
char *scratch_make(void);
/* Removes it with all that is in it, following no symlink. */
void scratch_remove(const char *path);

#endif
