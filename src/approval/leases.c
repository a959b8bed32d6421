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

/* What holds until the command ends that wants to reach a host is for no other. */
static char *key_within(const struct call *call, const struct lease *lease)
{
    return call->reach != NULL && lease->kind == LEASE_CALL
               ? reach_key_within(call->reach, call->reach->command)
               : NULL;
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
    cleanup_free char *within = key_within(call, lease);
    const char *const alone[] = {within, NULL};
    const char *const *keys = within != NULL ? alone : (const char *const *)call->keys;
    uint64_t id = grants_add(call->session->grants, keys, call->prompt->command, call->id, lease);
    changes_granted(entry);
    return id;
}

static uint64_t cover(struct session *session, const struct reach *reach, uint64_t command,
                      bool use)
{
    cleanup_free char *within = reach_key_within(reach, command);
    cleanup_free char *any = reach_key(reach);
    uint64_t id = grants_cover(session->grants, (const char *const[]){within, NULL}, use);
    return id != 0 ? id : grants_cover(session->grants, (const char *const[]){any, NULL}, use);
}

uint64_t leases_cover(const struct call *call)
{
    return call->reach != NULL
               ? cover(call->session, call->reach, call->reach->command, false)
               : grants_cover(call->session->grants, (const char *const *)call->keys, false);
}

uint64_t leases_cover_reach(const struct call *command, const struct reach *reach)
{
    return cover(command->session, reach, command->id, false);
}

uint64_t leases_use(struct orchestrator *orchestrator, const struct call *call)
{
    loop_timer_start(orchestrator->lease_timer, 0);
    return call->reach != NULL
               ? cover(call->session, call->reach, call->reach->command, true)
               : grants_cover(call->session->grants, (const char *const *)call->keys, true);
}

uint64_t leases_use_reach(struct orchestrator *orchestrator, const struct call *command,
                          const struct reach *reach)
{
    loop_timer_start(orchestrator->lease_timer, 0);
    return cover(command->session, reach, command->id, true);
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
