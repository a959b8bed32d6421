/* SPDX-License-Identifier: MIT */
/* scratch: a directory for temporary files of one command, where it can not have a /tmp of its own
 * (no mount namespace). */
#ifndef ASSENT_SANDBOX_SCRATCH_H
#define ASSENT_SANDBOX_SCRATCH_H

/* A new directory in /tmp that only the caller can enter; its path, which the caller frees, or
 * NULL with errno. It is the caller's for as long as *lock is open: one that nobody holds is
 * removed when the next one is made, so that none stays behind whoever was killed. */
char *scratch_make(int *lock);
/* Holds a directory of ours for as long as the descriptor is open; -1 when somebody else does, or
 * it is gone. The lock is on the directory itself: commands see only what is in it. */
int scratch_hold(const char *path);
/* Removes it with all that is in it, following no symlink. */
void scratch_remove(const char *path);

#endif
