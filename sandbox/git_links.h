/* SPDX-License-Identifier: MIT */
/*
 * git_links: symlinks that a command leaves where git keeps its books and objects.
 *
 * Git writes through a symlink in the place of its index, its packed references, its logs, the
 * message that is being edited, and into or away what is in a directory that one leads to: the next
 * commit of the operator's would write what the command has prepared into any file of theirs. Git
 * itself makes no such symlinks today.
 *
 * A symlink came with the command when its change time says so, or that of a directory that it is
 * in: what is moved in with a directory is as old as before. Git changes some directories whenever
 * it works; those that were there when the command started, and could be looked into, are
 * remembered.
 */
#ifndef ASSENT_SANDBOX_GIT_LINKS_H
#define ASSENT_SANDBOX_GIT_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "base/strset.h"
#include "sandbox/report.h"

struct git_links {
    const struct report *report;
    struct timespec since; /* the command's start */
    struct strset known;   /* directories that were there then, each device, number and path */
    struct strset seen;    /* repositories that have been gone through since it has ended, each with
                              whether as new */
    size_t spent;          /* on that, in all */
    bool incomplete;       /* the bound was reached, and told of */
};

/* Before the command starts. `directory`: a repository, what .git is or leads to. */
void git_links_remember(struct git_links *links, const char *directory);
/* While it runs: removes the new symlinks in the repository's own directory, and tells of each. */
void git_links_remove(const struct git_links *links, const char *directory);
/* When nothing of it runs any more: also those in all directories beneath, those of submodules and
 * linked worktrees included. `moved`: the repository itself is new. */
void git_links_remove_beneath(struct git_links *links, const char *directory, bool moved);
void git_links_free(struct git_links *links);

/* At or after. */
bool git_links_is_later(const struct timespec *time, const struct timespec *since);

#endif
