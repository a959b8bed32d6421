/* SPDX-License-Identifier: MIT */
/*
 * push_target: where a `git push` sends to, and which branches it writes there, as its words and
 * the repository's configuration say. It is shown to the operator; nothing is decided by it.
 *
 * Files of the repository may be an agent's. They are read bounded and not through links, and where
 * git could find another address than the one here, or a second one, nothing is said.
 */
#ifndef ASSENT_RISK_PUSH_TARGET_H
#define ASSENT_RISK_PUSH_TARGET_H

#include <stdbool.h>

#include "risk/push_commits.h"

/* Each is NULL where it cannot be said. Untrusted, without passwords and tokens, in quotes where it
 * could be read as more words than one. */
struct push_target {
    char *refs;      /* "HEAD~1 -> main, topic", as push_refs() */
    char *remote;    /* "origin (git@host:me/x.git)", or an address alone */
    char *directory; /* where that is one of this machine: no host is needed. A path as git has it,
                        neither quoted nor masked */
    bool beside;     /* other commands run in the same script, which may need a host */
    struct push_commits commits; /* its `sent` is NULL where they cannot be said */
};

/* False: argv is no such command, or nothing can be said but why its commits are unknown. `cwd` is
 * physical; `environment` (NAME=VALUE, NULL-terminated) is what the command gets. */
bool push_target_find(const char *const *argv, const char *cwd, const char *const *environment,
                      struct push_target *target);
void push_target_clear(struct push_target *target);

#endif
