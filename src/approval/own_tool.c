/* SPDX-License-Identifier: MIT */
/* own_tool: calls of tools that the agent runs itself, input and questions of the agent's. */
#include "config.h"

#include "approval/orchestrator-int.h"
#include "approval/policy.h"
#include "base/i18n.h"

/* Nothing of what surrounds a command is ours to give when the agent runs it itself. */
int own_tool_check(const struct call_entry *entry, struct error *error)
{
    const struct command_spec *spec = entry->call.spec;
    enum sandbox_permissions expected =
        entry->call.widens ? SANDBOX_PERMISSIONS_WITH_ADDITIONAL : SANDBOX_PERMISSIONS_USE_DEFAULT;
    if (entry->call.agent_tool == NULL || (spec->permissions == expected && spec->env == NULL &&
                                           !spec->tty && spec->standard_input == STDIN_NULL))
        return 0;
    return error_set(error, 0,
                     "agent_tool: env, tty, stdin and sandbox_permissions are for commands that "
                     "the console runs");
}

/* Input for a command that runs: unasked while a sandbox holds what that does with it. */
static bool is_input_for_confined(const struct call_entry *entry)
{
    const struct call_entry *target = entry_find(entry->orchestrator, entry->call.input_for);
    return target != NULL && target->call.session == entry->call.session &&
           target->sandbox != ATTEMPT_UNSANDBOXED &&
           entry->call.context->approval.kind != APPROVAL_UNTRUSTED;
}

static const char *why_to_ask(const struct call *call)
{
    if (call->widens)
        return N_("it would hold for all that follows");
    if (call->wants_words)
        return N_("only your own words answer it");
    return call->input_for != 0 ? N_("what it is sent can be anything")
                                : N_("no sandbox holds what it does");
}

void own_tool_assess(struct call *call)
{
    const char *phrase = N_("uses a tool of the agent's own");
    if (call->widens)
        phrase = N_("lets all further commands do more");
    else if (call->input_for != 0)
        phrase = N_("sends input to a command that runs");
    else if (call->wants_words)
        phrase = N_("asks you for words, which leave this machine as the agent likes");
    bool own = !call->widens && call->input_for == 0 && !call->wants_words;
    /* One key must not open more for a whole session. */
    assessment_of_deed(phrase, own ? call->agent_tool : "", call->widens ? RISK_HIGH : RISK_MEDIUM,
                       &call->assessment);
    if (call->widens)
        call->assessment.categories |= RISK_PRIVILEGE_ESCALATION;
    if (call->widens && call->spec->additional->network)
        call->assessment.categories |= RISK_NETWORK_ACCESS;
}

void own_tool_require(struct call_entry *entry)
{
    struct call *call = &entry->call;
    approval_requirement_clear(&call->requirement);
    if (call->input_for != 0 && is_input_for_confined(entry))
        return;
    if (call->in_person) {
        policy_elicitation_requirement(&call->context->approval, why_to_ask(call),
                                       &call->requirement);
        return;
    }
    policy_agent_tool_requirement(&call->context->approval, call->context->sandbox,
                                  why_to_ask(call), &call->requirement);
}
