/* SPDX-License-Identifier: MIT */
/* fd: descriptors. Every descriptor that Assent makes is close-on-exec from birth. */
#ifndef ASSENT_BASE_FD_H
#define ASSENT_BASE_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

int fd_set_cloexec(int fd, bool on);  /* 0 or -errno */
int fd_set_nonblock(int fd, bool on); /* 0 or -errno */

/* Whether poll(2) tells any of the events (POLLIN, POLLOUT) of it now, or that the other end hung
 * up. A signal that is handled meanwhile changes nothing: it ends a poll even of no time,
 * signal(7). */
bool fd_is_ready(int fd, short events);

/* Does such an errno value say that there is no room for another descriptor now? Later there may
 * be: who tries again at once only keeps the machine busy. */
bool fd_none_left(int number);

/* Writes everything to a blocking descriptor, through EINTR and short writes. 0 or -errno. */
int fd_write_all(int fd, const void *bytes, size_t length);

/* Reads a whole file, at most `limit` bytes, only if it is a regular file, without blocking and
 * without following a final symlink when `nofollow`. Returns the bytes (NUL added, not counted;
 * the caller frees) or NULL with errno set (EFBIG over the limit, EINVAL not a regular file). */
char *fd_read_file(const char *path, size_t limit, bool nofollow, size_t *length);

/* Replaces `path` by the bytes so that a reader sees the old or the new content, never a part:
 * temporary file beside it, fsync, rename, fsync of the directory. The file has that mode,
 * whatever the umask. 0 or -errno. */
int fd_replace_file(const char *path, const void *bytes, size_t length, mode_t mode);
/* The same for what can be made anew, and is checked when it is read: without waiting for the disk,
 * so that the machine's end may leave anything in it. */
int fd_replace_cache(const char *path, const void *bytes, size_t length, mode_t mode);

/* S_IFREG, S_IFDIR … (inode(7)) of what has that name, S_IFLNK of a symlink; 0 when nothing has. */
mode_t fd_file_type(const char *path);

/* mkdir -p with `mode` for what it creates. 0 or -errno. */
int fd_make_directories(const char *path, mode_t mode);

/* Closes all from `first` on. */
void fd_close_from(int first);
/* Closes and sets to -1; does nothing for -1. Never touches errno. */
void fd_close(int *fd);

#define cleanup_fd __attribute__((cleanup(fd_close)))

#endif
