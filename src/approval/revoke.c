/* SPDX-License-Identifier: MIT */
/* revoke: what the operator takes back: grants and rules, and the calls that they let pass but that
 * have not started. */
#include "config.h"

#include <stdlib.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"

/* Approved, and not started: it waits for its record to be on the disk. */
static bool is_queued(const struct call *call, const struct session *session,
                      enum decision_source source)
{
    return call->session == session && call->state == CALL_RECORDING &&
           call->decision.source == source;
}

bool orchestrator_revoke(struct orchestrator *orchestrator, struct session *session,
                         uint64_t grant_id)
{
    const struct grant *grant = grants_find_id(session->grants, grant_id);
    if (grant == NULL)
        return false;
    cleanup_free char *key = xstrdup(grant->key);
    orchestrator->recheck = true; /* what waits may tell of it */
    grants_revoke(session->grants, grant_id);
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        bool by_it = entry->call.decision.grant_id == grant_id || /* or by one of several */
                     entry_holds_key(entry->call.keys, key);
        if (is_queued(&entry->call, session, DECIDED_BY_CACHE) && by_it &&
            leases_cover(&entry->call) == 0)
            entry->taken_back = true;
    }
    return true;
}

bool orchestrator_revoke_rule(struct orchestrator *orchestrator, struct session *session,
                              size_t index)
{
    size_t count = strv_length((const char *const *)session->rule_lines);
    cleanup_free char *line = index < count ? xstrdup(session->rule_lines[index]) : NULL;
    if (!session_remove_rule(session, index))
        return false;
    memory_tell_taken_back(orchestrator, session, line);
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        if (!is_queued(&entry->call, session, DECIDED_BY_RULE))
            continue;
        arrival_judge_requirement(entry);
        entry->taken_back = entry->call.requirement.kind != REQUIREMENT_SKIP;
    }
    return true;
}
