/* SPDX-License-Identifier: MIT */
/*
 * shut: the policy's closed paths (entries without access), as they lie in the file system now.
 *
 * A path is closed by its name, existing or not: what leads there is followed once, so that the
 * name can be recognised in the directory that it is really in.
 */
#ifndef ASSENT_SANDBOX_SHUT_H
#define ASSENT_SANDBOX_SHUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sandbox/policy.h"

struct shut_path {
    char *path;   /* physical but for the last part; what a symlink leads to is listed too */
    mode_t type;  /* S_IFMT of what is there; 0: nothing */
    bool walled;  /* rules that leave its name out keep it closed, whatever the host puts there */
    bool watched; /* the user can make or replace it, and no wall is possible */
};

struct shut {
    struct shut_path *paths; /* sorted by path */
    size_t count;
};

/* `own`: places of the command's own; NULL-terminated. */
void shut_find(const struct sandbox_policy *policy, const char *const *own, struct shut *shut);
/* Adds a file that is covered by now, in a place where the command can write. */
void shut_add(struct shut *shut, const char *path);
void shut_free(struct shut *shut);
/* What is closed with the link at `path` because that leads to it; the caller frees. NULL: there is
 * no link, or it leads to nothing that would be. `writable`: the command can make such links. */
char *shut_target(const char *path, bool writable);
/* Is `path` (physical) one of them? */
bool shut_has(const struct shut *shut, const char *path);
/* Does one of them that is walled lie beneath it? */
bool shut_lies_beneath(const struct shut *shut, const char *path);

#endif
