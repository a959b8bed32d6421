/* SPDX-License-Identifier: MIT */
/* leases: how grants end while the console runs. */
#include "config.h"

#include "approval/orchestrator-int.h"
#include "base/alloc.h"

/* What happens when a lease ends late is only that the operator hears of it late: what is over
 * covers nothing, whether or not the timer has fired. */
static void expire(void *argument)
{
    struct orchestrator *orchestrator = argument;
    int64_t next = -1;
    for (size_t i = 0; i < orchestrator->session_count; i++) {
        int64_t left = grants_expire(orchestrator->sessions[i]->grants);
        if (left >= 0 && (next < 0 || left < next))
            next = left;
    }
    if (next >= 0)
        loop_timer_start(orchestrator->lease_timer, next);
}

void leases_open(struct orchestrator *orchestrator)
{
    orchestrator->lease_timer = loop_timer_new(orchestrator->loop, expire, orchestrator);
}

void leases_close(struct orchestrator *orchestrator)
{
    loop_timer_free(&orchestrator->lease_timer);
}

static void on_end(void *argument, const struct grant *grant, enum grant_end end)
{
    const struct session *session = argument;
    announce(session->orchestrator, grant_ended, session, grant, end);
}

void leases_watch(struct orchestrator *orchestrator, struct session *session)
{
    session->orchestrator = orchestrator;
    grants_on_end(session->grants, on_end, session);
}

uint64_t leases_grant(struct call_entry *entry)
{
    struct orchestrator *orchestrator = entry->orchestrator;
    const struct call *call = &entry->call;
    const struct lease *lease = &entry->answer_lease;
    if (lease->kind == LEASE_CALL) {
        const struct call_entry *holder = entry_find(orchestrator, lease->call);
        if (holder == NULL || holder->call.state == CALL_FINISHED)
            return 0; /* it ended while the operator answered: the answer holds for this call */
    }
    loop_timer_start(orchestrator->lease_timer, 0);
    const char *const *keys = (const char *const *)call->keys;
    uint64_t id = grants_add(call->session->grants, keys, call->prompt->command, call->id, lease);
    changes_granted(entry);
    return id;
}

uint64_t leases_use(struct orchestrator *orchestrator, struct session *session, char *const *keys)
{
    loop_timer_start(orchestrator->lease_timer, 0);
    return grants_cover(session->grants, (const char *const *)keys, true);
}

uint64_t leases_call(const struct call_entry *entry)
{
    const struct orchestrator *orchestrator = entry->orchestrator;
    if (entry->call.reach != NULL)
        return entry->call.reach->command;
    for (size_t i = orchestrator->open_count; i-- > 0;) {
        const struct call_entry *other = orchestrator->open[i];
        if (other->operator_started && other->call.state == CALL_RUNNING)
            return other->call.id;
    }
    return 0;
}

void leases_call_ended(struct orchestrator *orchestrator, uint64_t call)
{
    for (size_t i = 0; i < orchestrator->session_count; i++)
        grants_end_with_call(orchestrator->sessions[i]->grants, call);
}
