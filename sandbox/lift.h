/* SPDX-License-Identifier: MIT */
/*
 * lift: write permission in a directory that its owner may not write to, for a moment.
 *
 * Who owns a directory of mode 555 can make it 755, a sandboxed command too, and then make there
 * what is protected and does not exist yet. So placeholders (placeholder.h) are made and removed
 * there as well. A directory says by its mode that it is lifted: by a combination that nobody gives
 * to one by chance, and that tells what its mode was. So who is killed meanwhile leaves nothing
 * that the next could not put right, and several that lift one at once need no lock: whoever finds
 * the permission taken back lifts it again. One that has a bit of that combination anyway is not
 * lifted. (That it could not be searched either is not told:
 * there the owner's right to that may stay, if two meet or one is killed.)
 *
 * To mount the directory over itself read-only, so that nobody can change its mode, is no other
 * way: each file and directory in it that can be written to would need a mount of its own.
 */
#ifndef ASSENT_SANDBOX_LIFT_H
#define ASSENT_SANDBOX_LIFT_H

#include <stdbool.h>
#include <sys/stat.h>

/* Calls `act`, and for as long as it returns -EACCES once more with `directory` lifted, if that is
 * the user's own and no part of the path is a symlink. Returns what it returned last. The mode is
 * afterwards what it was. */
int lift_for(const char *directory, int (*act)(void *argument), void *argument);
/* Was it lifted by somebody who was killed, or is it just now? */
bool lift_is_on(const struct stat *status);
/* Takes that back; who is still at work there lifts it again. */
void lift_undo(const char *directory);

#endif
