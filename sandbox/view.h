/* SPDX-License-Identifier: MIT */
/*
 * view: the file system as the command sees it.
 *
 * Everything stays where it is and becomes read-only; writable roots are put back, /dev, /proc,
 * /tmp and the user's runtime directory become the command's own, closed paths are covered. Runs
 * in the command's mount namespace, before anything of the command does.
 */
#ifndef ASSENT_SANDBOX_VIEW_H
#define ASSENT_SANDBOX_VIEW_H

#include <stdbool.h>

#include "base/error.h"
#include "sandbox/policy.h"
#include "sandbox/shut.h"

/* Where the namespace's own writable places are, NULL-terminated; they may be written to whatever
 * the policy says, because nothing of them outlives the command or leaves it. */
struct view {
    const char *own[8];
    struct shut shut; /* what is closed, as it lies in the view */
};

struct view_setup {
    const struct sandbox_policy *policy;
    bool own_processes;         /* a PID namespace: /proc becomes its own */
    const char *home;           /* the operator's home directory, or NULL */
    const char *const *visible; /* more paths that stay visible in an own /tmp; NULL-terminated */
};

/* Builds it. -1 with the step that failed. */
int view_build(const struct view_setup *setup, struct view *view, struct error *error);

/* Adds the temporary places that the policy lets be written. */
void view_add_tmp(const struct sandbox_policy *policy, struct view *view);

/* Is there a place for temporary files of the command's own? (Not when /tmp was granted.) */
bool view_has_own_tmp(const struct sandbox_policy *policy);

#endif
