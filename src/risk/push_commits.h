/* SPDX-License-Identifier: MIT */
/*
 * push_commits: how to see which commits a `git push` sends, and which it takes away where it goes.
 * Only git can tell, and it is not run here: where the repository is an agent's it could run code.
 */
#ifndef ASSENT_RISK_PUSH_COMMITS_H
#define ASSENT_RISK_PUSH_COMMITS_H

#include <stdbool.h>

#include "risk/push_refs.h"

/* Ranges as git-log(1) takes them, untrusted, quoted for a shell; both owned. */
struct push_commits {
    char *sent; /* "refs/remotes/origin/main..HEAD~1" */
    char *lost; /* the other way round; NULL: by its words it takes none away */
};

/* Of one branch that goes to a remote of that name; `branch` is what HEAD names. What is there is
 * taken to be what was last fetched. False: it writes more than one, deletes, or cannot be said. */
bool push_commits_find(const struct push_words *words, const char *remote, const char *branch,
                       struct push_commits *commits);
void push_commits_clear(struct push_commits *commits);

#endif
