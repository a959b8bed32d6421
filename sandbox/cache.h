/* SPDX-License-Identifier: MIT */
/*
 * cache: where build tools keep what they have downloaded.
 *
 * A command may not write to the operator's caches: what it leaves there would run in the next
 * build, perhaps unconfined. So the tools' own variables lead to caches of the session, which show
 * the operator's beneath (an overlay) and keep what is written to themselves. What a tool obeys or
 * executes from such a directory (cargo's config and bin) is the operator's, read-only.
 */
#ifndef ASSENT_SANDBOX_CACHE_H
#define ASSENT_SANDBOX_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "sandbox/policy.h"

/* Where they are: in a place that is made anew for each command, so that none that ran before can
 * have put a link in the way. */
#define CACHE_PARENT "/dev/shm"
#define CACHE_PLACE CACHE_PARENT "/.assent-cache"

/* The variables that lead there, "NAME=VALUE", NULL-terminated, static. */
extern const char *const CACHE_VARIABLES[];
/* Downloads: the operator's below, the session's above. */
struct cache_overlay {
    const char *name;  /* in CACHE_PLACE */
    const char *lower; /* in the home directory */
};
extern const struct cache_overlay CACHE_OVERLAYS[];
extern const size_t CACHE_OVERLAY_COUNT;

/* "private", "shared" or "none", for a policy that writes somewhere (no effect on others). Shared
 * ones are the operator's, writable as far as they exist now. False for any other name. */
bool cache_choose(struct sandbox_policy *policy, const char *name);
/* Does the policy redirect them? */
bool cache_is_private(const struct sandbox_policy *policy);

/* In the command's mount namespace, once it has its own /dev: makes the caches, over those in
 * `home` (NULL: over nothing). `source` is a detached mount of the session's directory for them,
 * taken over; -1: memory. While another command uses that directory it is memory as well, because
 * two overlays can not write to one. A cache that can not be overlaid is empty. 0, or -1 with the
 * step. */
int cache_mount(int source, const char *home, struct error *error);

#endif
