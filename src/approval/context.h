/* SPDX-License-Identifier: MIT */
/*
 * context: the turn context, what is in force when a call arrives.
 *
 * Immutable and shared by reference: a change of policy makes a new context for calls that arrive
 * from then on, and never alters one that a call already holds.
 */
#ifndef ASSENT_APPROVAL_CONTEXT_H
#define ASSENT_APPROVAL_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sandbox/policy.h"
#include "sandbox/select.h"

enum approval_policy_kind {
    APPROVAL_UNTRUSTED,
    APPROVAL_ON_FAILURE,
    APPROVAL_ON_REQUEST,
    APPROVAL_REJECT,
    APPROVAL_NEVER,
};

struct approval_policy {
    enum approval_policy_kind kind;
    /* Only for APPROVAL_REJECT: prompts of these categories are refused without being shown. */
    bool reject_sandbox_approval;
    bool reject_rules;
    bool reject_elicitations;
    /* on-request asks again after a sandbox denial (default true). */
    bool escalate_on_request;
    /* The first prompt also asks for one run without the sandbox after a denial that the sandbox
     * itself reported, and says so; such a denial then brings no second prompt (default false). */
    bool first_covers_retry;
};

/* "untrusted", "on-failure", "on-request", "reject", "never". */
const char *approval_policy_name(enum approval_policy_kind kind);
/* Also takes "reject:sandbox_approval,rules,elicitations" (any of them; "reject" alone means all
 * three). escalate_on_request is set. -1 with a message that lists the names when it is none of
 * them; `policy` is left alone then. */
int approval_policy_parse(const char *text, struct approval_policy *policy, struct error *error);

struct turn_context {
    unsigned references;
    struct approval_policy approval;
    struct sandbox_policy *sandbox;     /* owned */
    enum sandbox_preference preference; /* auto, require, forbid */
    char *root;                         /* workspace root, absolute and physical */
    int64_t default_timeout_ms;         /* for calls that name none; 0: no limit */
    int64_t max_timeout_ms;             /* what a call may ask for at most */
};

/* Takes a copy of `approval`, a deep copy of `sandbox` and of `root`. One reference. */
struct turn_context *turn_context_new(const struct approval_policy *approval,
                                      const struct sandbox_policy *sandbox,
                                      enum sandbox_preference preference, const char *root);
struct turn_context *turn_context_ref(struct turn_context *context);
void turn_context_unref(struct turn_context **context);

/* Directories whose files an agent may have written: the workspace root, and what the policy lets
 * be written. NULL-terminated; caller frees with strv_free(). */
char **turn_context_writable_roots(const struct turn_context *context);

#endif
