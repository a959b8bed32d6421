/* SPDX-License-Identifier: MIT */
/*
 * protect: what stays read-only inside a writable root, because somebody else's program would run
 * code from it: git's hooks and configuration, the settings of agents, editors and shells.
 *
 * A path is protected by a read-only mount over it. That alone is passed by renaming a directory
 * above it and making the path anew, so each of those becomes a mount point too ("pinned"); and a
 * missing path has nothing to mount over, so it gets a placeholder first (placeholder.h).
 */
#ifndef ASSENT_SANDBOX_PROTECT_H
#define ASSENT_SANDBOX_PROTECT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "base/error.h"
#include "base/strset.h"
#include "sandbox/nested.h"
#include "sandbox/placeholder.h"
#include "sandbox/policy.h"

enum protect_kind {
    PROTECT_PIN,      /* can not be renamed or removed; its content is writable */
    PROTECT_READONLY, /* and its content is not */
    PROTECT_WRITABLE, /* writable again inside something read-only, and pinned */
    PROTECT_LINK,     /* a symlink: can not be renamed, removed or replaced */
};

struct protect_item {
    char *path;
    enum protect_kind kind;
    enum placeholder_kind missing; /* what a path that does not exist gets */
    const char *content;           /* of a placeholder file; static */
    bool lent;                     /* the placeholder is another command's, which removes it */
};

/* What may yet be looked at for symlinks. */
struct protect_links_left {
    size_t entries, links; /* each link is a mount or two */
};
#define PROTECT_LINKS_LEFT ((struct protect_links_left){.entries = 20000, .links = 1000})

struct protect {
    struct protect_item *items; /* in the order in which they are to be mounted */
    size_t count;
    struct strset known; /* the items, each a digit for its kind and its path */
    char **roots;        /* writable roots, physical; NULL-terminated */
    char **repositories; /* directories of repositories that were found, and each name .git: what
                            is not among them came into being later */
    size_t repository_count;
    struct strset known_repositories;
    char **pointers; /* names .git that are no directories, and lead to what git takes for no
                        repository: it may become one */
    size_t pointer_count;
    char **whole; /* repositories, and directories of submodules' ones, with too many names in them
                     to protect each: what is left is read-only */
    size_t whole_count;
    char **closed; /* files in directories beneath a root that are closed like those at its top */
    size_t closed_count;
    struct protect_links_left links_left; /* of what a command can have made, all together */
    bool shares_links;                    /* what is looked at now is such */
    bool links_incomplete;                /* there was more to look at */
    char *barred; /* the first directory that the user has no right to look into, but a command may
                     have or can give itself: a root, or one that was looked into; NULL: none */
    struct timespec since; /* when the search began, by the clock of file systems */
    struct nested nested;  /* the directories beneath the roots; none unless protect_nested */
};

/* Finds what is to be protected under the policy's writable roots, and what is to be closed in
 * them, as the file system is now. */
void protect_collect(const struct sandbox_policy *policy, const char *home,
                     struct protect *protect);
void protect_free(struct protect *protect);
/* Puts placeholders where something is missing. Where the user can not write, and can not change
 * that, nothing can be created by the command, and nothing is put. -1 with the path that failed, or
 * with a directory in which nobody could look. */
int protect_hold(struct protect *protect, struct placeholders *placeholders, struct error *error);
/* Mounts it; in the command's mount namespace, after the roots are writable. */
int protect_apply(const struct protect *protect, struct error *error);
/* Mounts one item anew, after somebody outside has replaced what it covered. 0 or -errno. */
int protect_apply_item(const struct protect_item *item);

/* For protect_git.c. Adds an item; `path` is copied. */
void protect_add(struct protect *protect, enum protect_kind kind, const char *path);
/* Forgets that it was added. */
void protect_forget(struct protect *protect, struct protect_item *item);
/* Adds what is at `path` if it is another command's placeholder, which no command may fill: as long
 * as it is there. False: it is none. */
bool protect_add_lent(struct protect *protect, const char *path);
/* Is that more than a command's start can wait for? Of one repository, which has added those from
 * `first` on, or of all. */
bool protect_is_crowded(const struct protect *protect, size_t first);
/* Of the repositories of one's submodules, or of all. */
bool protect_is_crowded_with_modules(const struct protect *protect, size_t first);
/* Makes the directory `path` read-only with all that is in it, whatever was added before, and
 * remembers that for an alarm. */
void protect_add_whole(struct protect *protect, const char *path);
/* Remembers for the alarm what is read-only already. */
void protect_note_whole(struct protect *protect, const char *path);
/* `directory` can not be looked into. Where nobody could change that nothing is noted. */
void protect_note_barred(struct protect *protect, const char *directory);
/* Was the path that is `length` bytes of `path` added with that kind? */
bool protect_has(const struct protect *protect, enum protect_kind kind, const char *path,
                 size_t length);
/* Is it, by what has been added, read-only with all that is in it? */
bool protect_is_kept(const struct protect *protect, const char *path);
/* Adds `path` as PROTECT_WRITABLE, if it lies in a writable root and no part of it is a link. */
void protect_add_writable(struct protect *protect, const char *path);
/* Adds `path` if nothing is there but perhaps somebody's placeholder. `content`: static, or NULL
 * for an empty file. */
bool protect_add_if_missing(struct protect *protect, enum placeholder_kind missing,
                            const char *path, const char *content);
/* Remembers a repository, or a name .git; false when it was known. */
bool protect_know_repository(struct protect *protect, const char *path);
void protect_know_pointer(struct protect *protect, const char *path);
/* Pins each directory between the root that `path` lies in and `path`, which is included when it
 * exists. False when it lies in no writable root. */
bool protect_pin_to(struct protect *protect, const char *path);
bool protect_is_root(const struct protect *protect, const char *directory);
/* The root that `path` lies in, the innermost; NULL: none. */
const char *protect_root_of(const struct protect *protect, const char *path);
/* Keeps the symlinks that `path` leads through, absolute, as they are. Stores where it ends,
 * without any; false: it leads to nothing. */
bool protect_keep_way(struct protect *protect, const char *path, char end[PATH_MAX]);
/* The same, and protects what is at its end where that is in a root, existing or not. `missing`:
 * what then holds the name. */
void protect_add_way(struct protect *protect, const char *path, enum placeholder_kind missing);
/* The same for each symlink in `directory`, a physical one, and so many directories deep: a program
 * that obeys what is in there obeys what the link leads to. */
enum { PROTECT_LINKS_HOME = 2, PROTECT_LINKS_DEEP = 4 };
void protect_add_links(struct protect *protect, const char *directory, int depth);
/* Protects the start-up files and settings of the home directory, and of the places that the
 * environment has them in, wherever they or what they lead to lie in a root. */
void protect_add_home(struct protect *protect, const char *home);

#endif
