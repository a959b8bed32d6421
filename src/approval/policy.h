/* SPDX-License-Identifier: MIT */
/*
 * policy: must the operator be asked, and may a denied command be asked about again? Pure
 * functions over the approval policy, the sandbox policy and what is known of the command.
 */
#ifndef ASSENT_APPROVAL_POLICY_H
#define ASSENT_APPROVAL_POLICY_H

#include <stdbool.h>

#include "approval/context.h"
#include "base/wording.h"
#include "command/rules.h"

enum requirement_kind { REQUIREMENT_SKIP, REQUIREMENT_NEEDS_APPROVAL, REQUIREMENT_FORBIDDEN };

/* Why a prompt is needed, because reject{…} refuses by category. */
enum prompt_category { PROMPT_SANDBOX, PROMPT_RULE, PROMPT_ELICITATION };

/* Why somebody is asked, as the record counts it. */
enum prompt_cause {
    PROMPT_BY_POLICY,      /* it is not known to be safe, and the policy asks about all else */
    PROMPT_BY_RULE,        /* a rule asks */
    PROMPT_BY_DANGER,      /* it is dangerous */
    PROMPT_BY_ESCALATION,  /* it asks for more than the sandbox gives */
    PROMPT_BY_DENIAL,      /* the sandbox blocked the first attempt */
    PROMPT_BY_INPUT,       /* an agent feeds its input */
    PROMPT_BY_EDIT,        /* the operator changed it */
    PROMPT_BY_NETWORK,     /* a host */
    PROMPT_BY_PATCH,       /* a change of files */
    PROMPT_BY_PERMISSIONS, /* more for the whole session */
    PROMPT_BY_AGENT_TOOL,  /* the agent does it itself, by a tool that is no shell */
    PROMPT_BY_ELICITATION, /* a question that words answer */
};

/* What it would have been, had rules counted that only report. */
struct shadow_requirement {
    char *rule; /* "FILE:LINE" of the strictest that matches; NULL: none; owned */
    enum requirement_kind kind;
    bool bypass_sandbox;
};

struct approval_requirement {
    enum requirement_kind kind;
    bool bypass_sandbox; /* SKIP only: every constituent is allowed by an explicit rule */
    enum prompt_category category;
    enum prompt_cause cause; /* as far as rules and heuristics tell */
    struct wording *reason;  /* needs_approval and forbidden; owned; a sentence for the operator */
    char **amendment;        /* proposed prefix (argv), NULL when none; owned */
    char *rule; /* skip and forbidden: which rule said so, "FILE:LINE"; owned; NULL: none that is
                   known */
    struct shadow_requirement shadow;
};
void approval_requirement_clear(struct approval_requirement *requirement);

/* What rules and heuristics say of one command; filled in by src/command. `rule` is the strictest
 * over all constituents: RULE_ALLOW only when a rule allows each of them; when some are allowed
 * and no rule matches the others it is RULE_NONE, and the heuristics below are about the others. */

struct command_verdict {
    enum rule_decision rule;
    bool all_allowed_by_rule; /* every constituent matched an explicit allow that bypasses */
    bool known_safe;          /* plainly parsed, and read-only or allowed by a rule */
    bool safe_by_rule;        /* and that is not so without the rule */
    bool opaque;              /* a script of which it is not certain what it runs */
    bool of_home;             /* … but only because it names the home directory as ~ */
    bool of_use;              /* … but its commands are there to be read: a loop, a function */
    bool dangerous;
    const struct wording *rule_reason; /* which rule decided and why, or NULL; borrowed */
    const char *danger_reason;         /* why it is dangerous (our words), or NULL; borrowed */
    char **amendment;                  /* prefix that may be offered, or NULL; borrowed */
};

/* For a tool that brings no requirement of its own. */
void policy_default_requirement(const struct approval_policy *policy,
                                const struct sandbox_policy *sandbox,
                                struct approval_requirement *requirement);

/* For the shell tool. `asks_to_leave`: the call requires escalation or extra permissions. */
void policy_shell_requirement(const struct approval_policy *policy,
                              const struct sandbox_policy *sandbox, bool asks_to_leave,
                              const struct command_verdict *verdict,
                              struct approval_requirement *requirement);

/* For what an agent does itself by a tool that is no shell: nothing is known of it. `why` says what
 * speaks against it, N_. */
void policy_agent_tool_requirement(const struct approval_policy *policy,
                                   const struct sandbox_policy *sandbox, const char *why,
                                   struct approval_requirement *requirement);

/* For a question that only the operator answers, whatever the sandbox holds; `why` it is asked, N_.
 */
void policy_elicitation_requirement(const struct approval_policy *policy, const char *why,
                                    struct approval_requirement *requirement);

const char *prompt_cause_name(enum prompt_cause cause); /* "sandbox_denial" … */

/* May the operator be asked to run again without the sandbox after a denial? */
bool policy_may_ask_retry(const struct approval_policy *policy);

#endif
