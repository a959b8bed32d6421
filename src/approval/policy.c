/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/policy.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"

/* What a row of the heuristics answers; ASK is a prompt of the category "sandbox approval". */
enum answer { ALLOW, ASK, FORBID };

/* Kinds of command, in the order in which they are tried. */
enum situation {
    KNOWN_SAFE,
    DANGEROUS,
    LEAVES_SANDBOX,
    OTHER_RESTRICTED,
    OTHER_UNRESTRICTED,
};

#define POLICY_KINDS (APPROVAL_NEVER + 1)

static const enum answer heuristics[][POLICY_KINDS] = {
    [KNOWN_SAFE] = {[APPROVAL_NEVER] = ALLOW,
                    [APPROVAL_ON_FAILURE] = ALLOW,
                    [APPROVAL_ON_REQUEST] = ALLOW,
                    [APPROVAL_REJECT] = ALLOW,
                    [APPROVAL_UNTRUSTED] = ALLOW},
    [DANGEROUS] = {[APPROVAL_NEVER] = FORBID,
                   [APPROVAL_ON_FAILURE] = ASK,
                   [APPROVAL_ON_REQUEST] = ASK,
                   [APPROVAL_REJECT] = ASK,
                   [APPROVAL_UNTRUSTED] = ASK},
    [LEAVES_SANDBOX] = {[APPROVAL_NEVER] = FORBID,
                        [APPROVAL_ON_FAILURE] = ASK,
                        [APPROVAL_ON_REQUEST] = ASK,
                        [APPROVAL_REJECT] = ASK,
                        [APPROVAL_UNTRUSTED] = ASK},
    [OTHER_RESTRICTED] = {[APPROVAL_NEVER] = ALLOW,
                          [APPROVAL_ON_FAILURE] = ALLOW,
                          [APPROVAL_ON_REQUEST] = ALLOW,
                          [APPROVAL_REJECT] = ALLOW,
                          [APPROVAL_UNTRUSTED] = ASK},
    [OTHER_UNRESTRICTED] = {[APPROVAL_NEVER] = ALLOW,
                            [APPROVAL_ON_FAILURE] = ALLOW,
                            [APPROVAL_ON_REQUEST] = ALLOW,
                            [APPROVAL_REJECT] = ALLOW,
                            [APPROVAL_UNTRUSTED] = ASK},
};

/* For tools without a requirement of their own: restricted sandbox or not, each policy. */
static const enum answer defaults[2][POLICY_KINDS] = {
    [false] = {[APPROVAL_NEVER] = ALLOW,
               [APPROVAL_ON_FAILURE] = ALLOW,
               [APPROVAL_ON_REQUEST] = ALLOW,
               [APPROVAL_REJECT] = ALLOW,
               [APPROVAL_UNTRUSTED] = ASK},
    [true] = {[APPROVAL_NEVER] = ALLOW,
              [APPROVAL_ON_FAILURE] = ALLOW,
              [APPROVAL_ON_REQUEST] = ASK,
              [APPROVAL_REJECT] = ASK,
              [APPROVAL_UNTRUSTED] = ASK},
};

void approval_requirement_clear(struct approval_requirement *requirement)
{
    wording_free(&requirement->reason);
    strv_free(&requirement->amendment);
    free(requirement->rule);
    free(requirement->shadow.rule);
    *requirement = (struct approval_requirement){.kind = REQUIREMENT_SKIP};
}

static void require(struct approval_requirement *requirement, enum requirement_kind kind,
                    enum prompt_category category, const struct wording *reason)
{
    *requirement = (struct approval_requirement){
        .kind = kind,
        .category = category,
        .cause = category == PROMPT_RULE ? PROMPT_BY_RULE : PROMPT_BY_POLICY,
        .reason = wording_copy(reason)};
}

static void forbid(struct approval_requirement *requirement, enum prompt_category category,
                   const char *reason)
{
    *requirement = (struct approval_requirement){
        .kind = REQUIREMENT_FORBIDDEN, .category = category, .reason = wording_from(reason)};
}

/* A prompt that the policy may refuse to show: never at all, reject by category. */
static void require_prompt(const struct approval_policy *policy,
                           struct approval_requirement *requirement, enum prompt_category category,
                           const struct wording *reason)
{
    if (policy->kind == APPROVAL_NEVER) {
        forbid(requirement, category, N_("approval policy is never, and "));
        wording_append(requirement->reason, reason);
    } else if (policy->kind == APPROVAL_REJECT && category == PROMPT_SANDBOX &&
               policy->reject_sandbox_approval) {
        forbid(requirement, category, N_("approval policy rejected sandbox approval prompt"));
    } else if (policy->kind == APPROVAL_REJECT && category == PROMPT_RULE && policy->reject_rules) {
        forbid(requirement, category, N_("approval policy rejected rules approval prompt"));
    } else if (policy->kind == APPROVAL_REJECT && category == PROMPT_ELICITATION &&
               policy->reject_elicitations) {
        forbid(requirement, category, N_("approval policy rejected elicitation prompt"));
    } else {
        require(requirement, REQUIREMENT_NEEDS_APPROVAL, category, reason);
    }
}

static void require_prompt_saying(const struct approval_policy *policy,
                                  struct approval_requirement *requirement, const char *words)
{
    struct wording *reason = wording_from(words);
    require_prompt(policy, requirement, PROMPT_SANDBOX, reason);
    wording_free(&reason);
}

void policy_default_requirement(const struct approval_policy *policy,
                                const struct sandbox_policy *sandbox,
                                struct approval_requirement *requirement)
{
    if (defaults[sandbox_policy_is_restricted(sandbox)][policy->kind] == ALLOW)
        require(requirement, REQUIREMENT_SKIP, PROMPT_SANDBOX, NULL);
    else
        require_prompt_saying(policy, requirement, N_("the approval policy asks for it"));
}

void policy_agent_tool_requirement(const struct approval_policy *policy,
                                   const struct sandbox_policy *sandbox, const char *why,
                                   struct approval_requirement *requirement)
{
    if (sandbox_policy_is_restricted(sandbox))
        require_prompt_saying(policy, requirement, why);
    else
        policy_default_requirement(policy, sandbox, requirement);
}

void policy_elicitation_requirement(const struct approval_policy *policy, const char *why,
                                    struct approval_requirement *requirement)
{
    struct wording *reason = wording_from(why);
    require_prompt(policy, requirement, PROMPT_ELICITATION, reason);
    wording_free(&reason);
}

static enum situation situation_of(const struct sandbox_policy *sandbox, bool asks_to_leave,
                                   const struct command_verdict *verdict)
{
    bool restricted = sandbox_policy_is_restricted(sandbox);
    bool leaves = asks_to_leave && restricted;
    /* What is known to be safe is so inside the sandbox; leaving it is another matter. */
    if (verdict->known_safe && !leaves && !verdict->dangerous)
        return KNOWN_SAFE;
    if (verdict->dangerous)
        return DANGEROUS;
    if (leaves)
        return LEAVES_SANDBOX;
    return restricted ? OTHER_RESTRICTED : OTHER_UNRESTRICTED;
}

static const char *situation_reason(enum situation situation, const struct command_verdict *verdict)
{
    switch (situation) {
    case DANGEROUS:
        return verdict->danger_reason != NULL ? verdict->danger_reason
                                              : N_("the command is dangerous");
    case LEAVES_SANDBOX:
        return N_("the agent asks for more than the sandbox gives");
    case KNOWN_SAFE:
    case OTHER_RESTRICTED:
    case OTHER_UNRESTRICTED:
        break;
    }
    if (verdict->of_home)
        return N_("it names your home directory as ~, which nothing allows unasked");
    if (verdict->of_use)
        return N_("it uses more of the shell than plain commands, which nothing allows unasked");
    return verdict->opaque ? N_("what it runs cannot be known for certain")
                           : N_("it is none of the commands that run unasked");
}

static enum prompt_cause situation_cause(enum situation situation)
{
    if (situation == DANGEROUS)
        return PROMPT_BY_DANGER;
    return situation == LEAVES_SANDBOX ? PROMPT_BY_ESCALATION : PROMPT_BY_POLICY;
}

static void heuristic_requirement(const struct approval_policy *policy,
                                  const struct sandbox_policy *sandbox, bool asks_to_leave,
                                  const struct command_verdict *verdict,
                                  struct approval_requirement *requirement)
{
    enum situation situation = situation_of(sandbox, asks_to_leave, verdict);
    if (heuristics[situation][policy->kind] == ALLOW)
        require(requirement, REQUIREMENT_SKIP,
                situation == KNOWN_SAFE && verdict->safe_by_rule ? PROMPT_RULE : PROMPT_SANDBOX,
                NULL);
    else
        require_prompt_saying(policy, requirement, situation_reason(situation, verdict));
    requirement->cause = situation_cause(situation);
    if (requirement->kind != REQUIREMENT_FORBIDDEN)
        requirement->amendment = strv_copy((const char *const *)verdict->amendment);
}

/* The deciding rule's own reason, or ours. The caller frees. */
static struct wording *rule_reason(const struct command_verdict *verdict)
{
    if (verdict->rule_reason != NULL)
        return wording_copy(verdict->rule_reason);
    return wording_from(verdict->rule == RULE_FORBIDDEN ? N_("a rule forbids this command")
                                                        : N_("a rule asks for approval"));
}

static void rule_requirement(const struct approval_policy *policy,
                             const struct command_verdict *verdict,
                             struct approval_requirement *requirement)
{
    struct wording *reason = rule_reason(verdict);
    if (verdict->rule == RULE_FORBIDDEN)
        require(requirement, REQUIREMENT_FORBIDDEN, PROMPT_RULE, reason);
    else
        require_prompt(policy, requirement, PROMPT_RULE, reason);
    wording_free(&reason);
}

void policy_shell_requirement(const struct approval_policy *policy,
                              const struct sandbox_policy *sandbox, bool asks_to_leave,
                              const struct command_verdict *verdict,
                              struct approval_requirement *requirement)
{
    bool leaves = asks_to_leave && sandbox_policy_is_restricted(sandbox);
    switch (verdict->rule) {
    case RULE_FORBIDDEN:
    case RULE_PROMPT:
        rule_requirement(policy, verdict, requirement);
        return;
    case RULE_ALLOW:
        /* A rule that keeps the sandbox does not let a command out of it. */
        if (leaves && !verdict->all_allowed_by_rule)
            break;
        require(requirement, REQUIREMENT_SKIP, PROMPT_RULE, NULL);
        requirement->bypass_sandbox = verdict->all_allowed_by_rule;
        return;
    case RULE_NONE:
        break;
    }
    heuristic_requirement(policy, sandbox, asks_to_leave, verdict, requirement);
}

const char *prompt_cause_name(enum prompt_cause cause)
{
    static const char *const names[] = {
        [PROMPT_BY_POLICY] = "policy",
        [PROMPT_BY_RULE] = "rule",
        [PROMPT_BY_DANGER] = "danger",
        [PROMPT_BY_ESCALATION] = "escalation",
        [PROMPT_BY_DENIAL] = "sandbox_denial",
        [PROMPT_BY_INPUT] = "input",
        [PROMPT_BY_EDIT] = "edit",
        [PROMPT_BY_NETWORK] = "network",
        [PROMPT_BY_PATCH] = "patch",
        [PROMPT_BY_PERMISSIONS] = "permissions",
        [PROMPT_BY_AGENT_TOOL] = "agent_tool",
        [PROMPT_BY_ELICITATION] = "elicitation",
    };
    return (size_t)cause < COUNT(names) ? names[cause] : "unknown";
}

bool policy_may_ask_retry(const struct approval_policy *policy)
{
    switch (policy->kind) {
    case APPROVAL_UNTRUSTED:
    case APPROVAL_ON_FAILURE:
        return true;
    case APPROVAL_ON_REQUEST:
        return policy->escalate_on_request;
    case APPROVAL_REJECT:
        return !policy->reject_sandbox_approval;
    case APPROVAL_NEVER:
        break;
    }
    return false;
}
