/* SPDX-License-Identifier: MIT */
/* under: what an attempt is confined by: its policy, its sandbox, and both in words. */
#include "config.h"

#include <inttypes.h>

#include "approval/orchestrator-int.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "sandbox/select.h"

struct sandbox_policy *attempt_policy(const struct call_entry *entry, enum attempt_sandbox sandbox,
                                      struct error *error)
{
    const struct sandbox_policy *turn = entry->call.context->sandbox;
    switch (sandbox) {
    case ATTEMPT_UNSANDBOXED:
        return sandbox_policy_new_danger_full_access();
    case ATTEMPT_PERMISSIONS:
        if (entry->offered_policy != NULL)
            return sandbox_policy_copy(entry->offered_policy);
        if (entry->given_policy != NULL)
            return sandbox_policy_copy(entry->given_policy);
        return sandbox_policy_with_additional(turn, entry->call.spec->additional, error);
    case ATTEMPT_TURN_DEFAULT:
        break;
    }
    return sandbox_policy_copy(turn);
}

int attempt_type(const struct call_entry *entry, enum attempt_sandbox sandbox,
                 const struct sandbox_policy *policy, enum sandbox_type *type, struct error *error)
{
    *type = SANDBOX_TYPE_NONE;
    if (sandbox == ATTEMPT_UNSANDBOXED)
        return 0;
    return select_type(entry->call.context->preference, policy, &entry->orchestrator->capability,
                       type, error);
}

bool attempt_may_stay(const struct call_entry *entry)
{
    const struct call *call = &entry->call;
    const struct sandbox_policy *turn = call->context->sandbox;
    enum sandbox_type type;
    /* Of a second try only one that the operator has made of it. */
    bool asks = entry->retry ? call->attempts[0].command != NULL
                             : call->spec->permissions == SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    if (!asks || entry->sandbox != ATTEMPT_UNSANDBOXED || call->tool != CALL_SHELL ||
        call->agent_tool != NULL)
        return false;
    return sandbox_policy_is_restricted(turn) &&
           attempt_type(entry, ATTEMPT_TURN_DEFAULT, turn, &type, NULL) == 0 &&
           type != SANDBOX_TYPE_NONE;
}

static struct wording *input_under(uint64_t call)
{
    cleanup_free char *name = xasprintf("c%" PRIu64, call);
    struct wording *text = wording_new();
    wording_add(text, N_("what %s runs under, which gets it"), name);
    return text;
}

static struct wording *widened_under(const struct call_entry *entry, enum attempt_sandbox sandbox)
{
    struct wording *under =
        prompt_under(entry->call.context, sandbox, entry->call.spec->additional);
    struct wording *text = wording_from(N_("from now on all that this session runs: "));
    wording_append(text, under);
    wording_free(&under);
    return text;
}

struct wording *attempt_describe(const struct call_entry *entry, enum attempt_sandbox sandbox)
{
    if (entry->call.input_for != 0)
        return input_under(entry->call.input_for);
    if (entry->call.widens)
        return widened_under(entry, sandbox);
    if (entry->call.reach != NULL)
        return wording_from(N_("the sandbox as before; connections to this host and port alone"));
    if (entry->call.wants_words)
        return wording_from(N_("nothing runs; your words go to whoever asks"));
    if (entry->call.agent_tool != NULL && entry->call.session->confined)
        return wording_from(
            N_("the agent itself, in its sandbox: what that does not allow fails all the same"));
    if (entry->call.agent_tool != NULL)
        return wording_from(
            N_("the agent itself, without a sandbox of ours: it can do all that you can do"));
    if (entry->call.tool == CALL_APPLY_PATCH && sandbox == ATTEMPT_UNSANDBOXED)
        return wording_from(N_("no sandbox: it changes the files shown, and no others"));
    return prompt_under(entry->call.context, sandbox,
                        entry->offered_more != NULL ? entry->offered_more
                        : entry->given_more != NULL ? entry->given_more
                                                    : entry->call.spec->additional);
}
