/* SPDX-License-Identifier: MIT */
/* confine: what a process does to itself before it becomes the command: rules, capabilities,
 * system-call filter. In this order, once, from the process that will execute the command. */
#ifndef ASSENT_SANDBOX_CONFINE_H
#define ASSENT_SANDBOX_CONFINE_H

#include <stdbool.h>

#include "base/error.h"
#include "sandbox/policy.h"
#include "sandbox/shut.h"

struct confinement {
    const struct sandbox_policy *policy;
    int landlock_abi; /* to enforce; at least 1 */
    bool tcp;         /* not Landlock's business: the network is on, or a namespace of its own */
    bool own_devices; /* /dev is the command's own */
    unsigned filter;  /* enum filter_flags */
    bool own_group;   /* the command's process group has no members outside */
    const struct shut *shut; /* what is closed */
    const char *const *own;  /* places of the command's own, writable; NULL-terminated or NULL */
};

/* Makes the calling process confined for good. Returns the descriptor that connect() calls are
 * announced on (FILTER_MEDIATE), 0 without one, or -1 with the step that failed in `error`. */
int confine_self(const struct confinement *confinement, struct error *error);

#endif
