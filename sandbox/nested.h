/* SPDX-License-Identifier: MIT */
/*
 * nested: git repositories and files of environment variables beneath a directory, as they are and
 * as they come into being.
 *
 * A search goes through all directories, the nearest first, and last those of installed
 * dependencies and the objects and references of bare repositories; not through symlinks, and not
 * into a .git unless `in_git`. It remembers them, so that afterwards only those are looked into
 * whose change time says that an entry was made, or that are others: what comes there by the rename
 * of a directory above is as old as before.
 */
#ifndef ASSENT_SANDBOX_NESTED_H
#define ASSENT_SANDBOX_NESTED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* Directories that are gone through before a command starts, and that it can make until we no
 * longer follow. */
enum { NESTED_MAX = 3000, NESTED_MAX_NEW = 20000 };

enum nested_kind {
    NESTED_WORKTREE, /* the directory has an entry .git, of whatever type */
    NESTED_BARE,     /* it is a repository itself */
    NESTED_CLOSED,   /* it has a file that is closed in a workspace (closed.h) */
    NESTED_BARRED,   /* what it has is not known (see below) */
};

typedef void nested_found(const char *directory, enum nested_kind kind, void *argument);

struct nested {
    char **directories; /* in the order of the search */
    ino_t *inodes;      /* theirs in the last look; 0: none */
    size_t count;
    size_t limit;    /* of `count`; more are not gone through */
    bool incomplete; /* the limit ended a search */
    bool barred;     /* the last root could not be looked into (nested_is_barred) */
    bool in_git;     /* `root` is git's own: each .git in it is looked into as well */
};

/* Is that a directory that can not be listed, or in which no name can be asked for? Who owns it can
 * give itself the right to both. */
bool nested_is_barred(const char *directory);
/* Does it lie among what was installed for a project, somebody else's code in great numbers? */
bool nested_is_dependency(const char *directory);
/* Goes through `root` (physical), which is not told itself. */
void nested_search(struct nested *nested, const char *root, nested_found *found, void *argument);
/* Knows the same directories, and has room for so many more. */
void nested_copy(struct nested *nested, const struct nested *from, size_t more);
/* Goes through what has changed since then, and through all when the search before was incomplete.
 * Tells of repositories in those directories whether they are new or not. */
void nested_search_changed(struct nested *nested, const struct timespec *since, nested_found *found,
                           void *argument);
/* Has any of the directories changed since then? `except`: those that do not count;
 * NULL-terminated. */
bool nested_has_changed(struct nested *nested, const struct timespec *since, char **except);
void nested_free(struct nested *nested);

#endif
