/* SPDX-License-Identifier: MIT */
/*
 * mounts: the mount system calls that a file-system view is made with.
 *
 * A subtree is taken as a detached clone while everything is still writable, the whole tree is
 * then made read-only at once, and the clone is put back where it was: no new root, no loop over
 * the mounts.
 */
#ifndef ASSENT_SANDBOX_MOUNTS_H
#define ASSENT_SANDBOX_MOUNTS_H

#include <stdbool.h>

/* A detached private clone of what `path` (followed) names, submounts included. The descriptor,
 * or -errno. */
int mounts_clone(const char *path);
/* The same of one directory or file without what is mounted beneath it, read-only. */
int mounts_clone_single_readonly(const char *path);
/* Makes a detached clone read-only, submounts included. 0 or -errno. */
int mounts_set_readonly(int mount);
/* The same, and without devices. */
int mounts_set_inert(int mount);
/* Makes every mount read-only and stops receiving mounts from the host. 0 or -errno. */
int mounts_close_all(void);
/* Puts a detached clone over `target` (followed) and closes it. 0 or -errno. */
int mounts_attach(int mount, const char *target);

/* Once all mounts are closed: */

/* Covers `path` by a read-only view of itself. 0 or -errno. */
int mounts_cover_readonly(const char *path);
/* Covers `path` by a read-only view of `source`, without what is mounted beneath that. */
int mounts_cover_readonly_with(const char *source, const char *path);
/* What closed paths are covered by: nobody may read them. They lie in the command's own /dev. */
#define MOUNTS_CLOSED_DIRECTORY "/dev/.closed"
#define MOUNTS_CLOSED_FILE "/dev/.closed-file"

/* Covers a path so that nothing can be read or written there; not through a symlink. 0, -ENOENT, or
 * another -errno. */
int mounts_close_path(const char *path);
/* Is that what covers it? */
bool mounts_is_closed(const char *path);
/* Covers `path`, a physical one, which lies under something covered, by a writable view of itself.
 * -ELOOP when there is a symlink in it. */
int mounts_cover_writable(const char *path);
/* Makes the symlink `path` itself a mount point. */
int mounts_pin_link(const char *path);
/* Makes `path` a mount point of itself, so that nobody in here can rename or remove it. */
int mounts_pin(const char *path);
/* A new memory file system over `path`; `options` as in mount(8). 0 or -errno. */
int mounts_new_tmpfs(const char *path, const char *options);

#endif
