/* SPDX-License-Identifier: MIT */
/*
 * placeholder: something to mount over where a protected path does not exist.
 *
 * Made on the host before the command starts, removed when the last command that uses it has
 * ended. Who uses placeholders in a directory holds a shared lock on a byte that stands for it,
 * whatever console or terminal it comes from, and whoever then gets the exclusive lock removes them
 * all: there is no register that could be wrong after a crash, because a lock ends with its holder.
 * The bytes are those of one file of the user's (locks of open file descriptions, fcntl(2): it has
 * no content), in the host's /dev/shm: no command sees that, since each has a /dev of its own, in
 * which it stays closed when it is given /dev/shm; none can hold a lock that others wait for.
 *
 * In a working tree a placeholder is a socket that nobody listens on: git neither shows nor adds
 * one, and opening it fails at once. A placeholder is known by its mode (sticky and read-only for
 * all), which nobody gives to such a thing by chance.
 */
#ifndef ASSENT_SANDBOX_PLACEHOLDER_H
#define ASSENT_SANDBOX_PLACEHOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/strset.h"

/* The directory of that file, for printf: the user's number. */
#define PLACEHOLDER_LOCKS "/dev/shm/assent-%u"

enum placeholder_kind {
    PLACEHOLDER_NONE,
    PLACEHOLDER_SOCKET,
    PLACEHOLDER_FILE,      /* where git itself looks, and wants a file */
    PLACEHOLDER_DIRECTORY, /* for .git inside a larger repository: git passes over it */
};

struct placeholder_directory {
    char *path;
    off_t byte;        /* that stands for it */
    bool locked;       /* else nothing is removed by us */
    size_t first, end; /* of the paths those in it are among these, `end` exclusive */
};

struct placeholders {
    int locks; /* that file; 0: not open yet, -1: can not be had */
    struct placeholder_directory *directories;
    size_t directory_count;
    struct strset known; /* their paths */
    char **paths;        /* made or found there */
    size_t path_count;
    char *socket, *file; /* the last of its kind that was made as a file of its own, without
                            content; the next are links to it */
};

bool placeholder_is(const struct stat *status);
/* Puts one at `path`, or uses the one that is there. 0; 1 when something real is there by now;
 * -errno. `content` is that of a file (at most 2 bytes), or NULL. The caller's umask is 0. */
int placeholders_make(struct placeholders *placeholders, enum placeholder_kind kind,
                      const char *path, const char *content);
/* Removes those that nobody else uses, and frees. `covered`: they are mounted over in this
 * namespace, which is undone first. */
void placeholders_remove(struct placeholders *placeholders, bool covered);
/* Removes the one at that path, if there is one that nobody uses: somebody was killed who did. */
void placeholder_reclaim(const char *path);
/* Removes those from the `first` one on that nobody else uses; the others stay in use. */
void placeholders_remove_from(struct placeholders *placeholders, size_t first, bool covered);

#endif
