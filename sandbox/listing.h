/* SPDX-License-Identifier: MIT */
/* listing: the entries of a directory, read by the system call alone: readdir() would make three
 * calls more for each directory, and many are gone through before a command starts. */
#ifndef ASSENT_SANDBOX_LISTING_H
#define ASSENT_SANDBOX_LISTING_H

#include <dirent.h>
#include <stdbool.h>

struct listing {
    char bytes[32768] __attribute__((aligned(8)));
    long length, at;
};

static inline void listing_start(struct listing *listing)
{
    listing->length = listing->at = 0;
}
/* The next entry of the directory `fd` but "." and "..", or NULL. */
const struct dirent64 *listing_next(struct listing *listing, int fd);
/* Is it a directory, without following a symlink? */
bool listing_is_directory(int fd, const struct dirent64 *entry);
/* Does the file system of `path` count the links of directories? Two mean then that there are no
 * directories in one. */
bool listing_counts_links(const char *path);

#endif
