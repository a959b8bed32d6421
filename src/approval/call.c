/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/call.h"

#include <string.h>
#include <strings.h>

#include <stddef.h>

#include "base/alloc.h"
#include "base/array.h"

static const char *const state_names[] = {
    [CALL_RECEIVED] = "received", [CALL_ASKING] = "asking",     [CALL_RECORDING] = "recording",
    [CALL_RUNNING] = "running",   [CALL_FINISHED] = "finished",
};

static const char *const tool_names[] = {
    [CALL_SHELL] = "shell",
    [CALL_APPLY_PATCH] = "apply_patch",
    [CALL_NETWORK] = "network",
    [CALL_PERMISSIONS] = "permissions",
};

static const char *const review_names[] = {
    [REVIEW_NONE] = "none",
    [REVIEW_APPROVED] = "approved",
    [REVIEW_APPROVED_FOR_SESSION] = "approved_for_session",
    [REVIEW_APPROVED_AMENDMENT] = "approved_amendment",
    [REVIEW_DENIED] = "denied",
    [REVIEW_ABORT] = "abort",
    [REVIEW_TIMED_OUT] = "timed_out",
    [REVIEW_APPROVED_SANDBOXED] = "approved_sandboxed",
    [REVIEW_APPROVED_PATH] = "approved_path",
    [REVIEW_APPROVED_PATH_FOR_SESSION] = "approved_path_for_session",
};

static const char *const source_names[] = {
    [DECIDED_BY_USER] = "user", [DECIDED_BY_CONFIG] = "config", [DECIDED_BY_CACHE] = "cache",
    [DECIDED_BY_RULE] = "rule", [DECIDED_BY_CLIENT] = "client", [DECIDED_BY_STOP] = "stopped",
    [DECIDED_BY_END] = "ended",
};

static const char *const canceller_names[] = {
    [CANCELLED_BY_NOBODY] = "nobody",
    [CANCELLED_BY_CLIENT] = "client",
    [CANCELLED_BY_OPERATOR] = "operator",
    [CANCELLED_BY_CONSOLE] = "console",
};

static const char *const sandbox_names[] = {
    [ATTEMPT_TURN_DEFAULT] = "turn_default",
    [ATTEMPT_PERMISSIONS] = "permissions",
    [ATTEMPT_UNSANDBOXED] = "unsandboxed",
};

/* One row for each state, one column for each that may follow it. */
static const bool transitions[CALL_FINISHED + 1][CALL_FINISHED + 1] = {
    [CALL_RECEIVED] = {[CALL_ASKING] = true, [CALL_RECORDING] = true, [CALL_FINISHED] = true},
    [CALL_ASKING] = {[CALL_RECORDING] = true, [CALL_FINISHED] = true},
    [CALL_RECORDING] = {[CALL_RUNNING] = true, [CALL_FINISHED] = true},
    /* To asking or recording: the sandbox denied the first attempt and a second is asked about,
     * or is covered by what the operator said before. */
    [CALL_RUNNING] = {[CALL_ASKING] = true, [CALL_RECORDING] = true, [CALL_FINISHED] = true},
};

const char *call_state_name(enum call_state state)
{
    return (size_t)state < COUNT(state_names) ? state_names[state] : "unknown";
}

const char *call_tool_name(enum call_tool tool)
{
    return (size_t)tool < COUNT(tool_names) ? tool_names[tool] : "unknown";
}

const char *review_kind_name(enum review_kind kind)
{
    return (size_t)kind < COUNT(review_names) ? review_names[kind] : "unknown";
}

const char *canceller_name(enum canceller canceller)
{
    return (size_t)canceller < COUNT(canceller_names) ? canceller_names[canceller] : "unknown";
}

const char *decision_source_name(enum decision_source source)
{
    return (size_t)source < COUNT(source_names) ? source_names[source] : "unknown";
}

const char *attempt_sandbox_name(enum attempt_sandbox sandbox)
{
    return (size_t)sandbox < COUNT(sandbox_names) ? sandbox_names[sandbox] : "unknown";
}

bool review_kind_approves(enum review_kind kind)
{
    return kind == REVIEW_APPROVED || kind == REVIEW_APPROVED_FOR_SESSION ||
           kind == REVIEW_APPROVED_AMENDMENT || kind == REVIEW_APPROVED_SANDBOXED ||
           kind == REVIEW_APPROVED_PATH || kind == REVIEW_APPROVED_PATH_FOR_SESSION;
}

bool call_transition_allowed(enum call_state from, enum call_state to)
{
    return (size_t)from < COUNT(transitions) && (size_t)to < COUNT(transitions[0]) &&
           transitions[from][to];
}

static bool review_kind_refuses(enum review_kind kind)
{
    return kind == REVIEW_DENIED || kind == REVIEW_ABORT || kind == REVIEW_TIMED_OUT;
}

int call_exit_status(const struct call *call)
{
    if (review_kind_refuses(call->decision.kind))
        return EXIT_STATUS_REFUSED;
    if ((call->agent_tool != NULL || call->reach != NULL) && call->failure == NULL &&
        review_kind_approves(call->decision.kind))
        return 0;
    if (call->attempt_count == 0 || call->broken_off)
        return EXIT_STATUS_FAILED;

    const struct run_result *result = &call->attempts[call->attempt_count - 1].result;
    if (result->timed_out)
        return EXIT_STATUS_TIMED_OUT;
    if (result->outcome == RUN_SIGNALED)
        return 128 + result->signal;
    return result->code;
}

bool call_is_compound(const struct call *call)
{
    return call->line != NULL && strpbrk(call->line, ";&|\n") != NULL;
}

bool call_ends_with_last(const struct call *call)
{
    const char *line = call->line != NULL ? call->line : "";
    bool chain = strpbrk(line, ";|\n") == NULL;
    for (const char *at = line; chain && (at = strchr(at, '&')) != NULL; at += 2)
        chain = at[1] == '&' || (at > line && at[-1] == '>');
    return !chain;
}

static const char *const offer_kinds[] = {
    [OFFER_UNKNOWN] = "unknown",
    [OFFER_ALLOW_ONCE] = "allow_once",
    [OFFER_ALLOW_ALWAYS] = "allow_always",
    [OFFER_REJECT_ONCE] = "reject_once",
    [OFFER_REJECT_ALWAYS] = "reject_always",
};

const char *offer_kind_name(enum offer_kind kind)
{
    return offer_kinds[kind];
}

enum offer_kind offer_kind_parse(const char *name)
{
    for (size_t i = OFFER_ALLOW_ONCE; name != NULL && i <= OFFER_REJECT_ALWAYS; i++)
        if (strcmp(offer_kinds[i], name) == 0)
            return (enum offer_kind)i;
    return OFFER_UNKNOWN;
}

bool offer_kind_denies(enum offer_kind kind)
{
    return kind == OFFER_REJECT_ONCE || kind == OFFER_REJECT_ALWAYS;
}

bool call_client_comes_from(const struct call_client *client, pid_t root, pid_t session)
{
    if (root != 0 && client->tree == root)
        return true;
    for (const pid_t *from = client->lineage; from != NULL && *from != 0; from++)
        if (root != 0 && (*from == root || *from == -root || (session != 0 && *from == -session)))
            return true;
    return false;
}

bool call_client_is_same(const struct call_client *one, const struct call_client *other)
{
    const char *name = one->name != NULL ? one->name : "";
    return one->tree == other->tree &&
           strcasecmp(name, other->name != NULL ? other->name : "") == 0;
}

pid_t *call_lineage_copy(const pid_t *lineage)
{
    size_t count = 0;
    if (lineage == NULL)
        return NULL;
    while (lineage[count] != 0)
        count++;
    pid_t *copy = xcalloc(count + 1, sizeof(*copy));
    memcpy(copy, lineage, count * sizeof(*copy));
    return copy;
}
