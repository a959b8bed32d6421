/* SPDX-License-Identifier: MIT */
/* closed: what no sandboxed command may read, whatever else it may: secrets of the operator by
 * their customary places, and Assent's own files. */
#ifndef ASSENT_SANDBOX_CLOSED_H
#define ASSENT_SANDBOX_CLOSED_H

#include "sandbox/policy.h"

/* Adds them as entries without access. Places come from this process's environment (HOME, XDG_…),
 * which is the operator's. */
void closed_add_defaults(struct sandbox_policy *policy);
/* Files of environment variables, whose customary place is any directory of a workspace;
 * NULL-terminated. */
extern const char *const CLOSED_IN_WORKSPACE[];
bool closed_is_name(const char *name);
/* Adds those at the top of a workspace, whether they are there or not. What lies deeper is found
 * when a command starts (protect.h). */
void closed_add_workspace(struct sandbox_policy *policy, const char *workspace);
/* Is its name closed at the top of `root`, beneath which `path` lies, and is there no entry for
 * what is nearer to it? */
bool closed_like_top(const struct sandbox_policy *policy, const char *root, const char *path);
/* The workspace at whose top this entry closes one of them, which the caller frees; NULL: it closes
 * something else, or nothing. */
char *closed_workspace(const struct policy_entry *entry);

#endif
