/* SPDX-License-Identifier: MIT */
/* closed: what no sandboxed command may read, whatever else it may: secrets of the operator by
 * their customary places, and Assent's own files. */
#ifndef ASSENT_SANDBOX_CLOSED_H
#define ASSENT_SANDBOX_CLOSED_H

#include "sandbox/policy.h"

/* Adds them as entries without access. Places come from this process's environment (HOME, XDG_…),
 * which is the operator's. */
void closed_add_defaults(struct sandbox_policy *policy);
/* Adds those that lie in a workspace. */
void closed_add_workspace(struct sandbox_policy *policy, const char *workspace);

#endif
