/* SPDX-License-Identifier: MIT */
/* room: which questions the operator is asked, and which wait for room: how many prompts a session
 * may have open, and who of those that share one is next. */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "approval/orchestrator-int.h"

/* Prompts that are open in the session of one that waits for room. */
struct share {
    size_t of_tree;  /* of the processes that it comes from */
    size_t of_asker; /* of these: of the same name */
};

/* Many ask in a session that is shared, each by the name that it claims: that tells apart who comes
 * from the same processes, but nobody gets more room by taking another name. */
static struct share share_of(const struct call_entry *entry)
{
    const struct orchestrator *orchestrator = entry->orchestrator;
    const struct call *call = &entry->call;
    const char *name = call->client.name != NULL ? call->client.name : "";
    struct share share = {0};
    for (size_t i = 0; i < orchestrator->waiting_count; i++) {
        const struct call *other = &orchestrator->waiting[i]->call;
        const char *others = other->client.name != NULL ? other->client.name : "";
        if (other->session != call->session || other->client.tree != call->client.tree)
            continue;
        share.of_tree++;
        share.of_asker += strcmp(name, others) == 0;
    }
    return share;
}

static bool is_less(const struct share *one, const struct share *other)
{
    return one->of_tree != other->of_tree ? one->of_tree < other->of_tree
                                          : one->of_asker < other->of_asker;
}

/* What the operator has put aside takes no place that others could have; of the processes that it
 * comes from it does, or who floods would be asked about for as long as requests are put aside. */
static bool session_has_room(const struct orchestrator *orchestrator, const struct session *session)
{
    return session->open_prompts - session->aside_prompts < orchestrator->max_open_prompts;
}

bool room_is_free(const struct call_entry *entry)
{
    const struct orchestrator *orchestrator = entry->orchestrator;
    return session_has_room(orchestrator, entry->call.session) &&
           share_of(entry).of_tree < orchestrator->max_open_prompts;
}

/* Of those that wait for room in the session, and may have it, the oldest of who has the fewest
 * prompts open: one that floods does not keep the others back that ask in the same session. */
static struct call_entry *next_for_room(const struct orchestrator *orchestrator,
                                        const struct session *session)
{
    struct call_entry *next = NULL;
    struct share least = {orchestrator->max_open_prompts, 0};
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        if (!entry->held || entry->call.session != session)
            continue;
        struct share share = share_of(entry);
        if (is_less(&share, &least)) {
            next = entry;
            least = share;
        }
    }
    return next;
}

static void fill(struct orchestrator *orchestrator, struct session *session)
{
    struct call_entry *next;
    session->filled_at = orchestrator->moment;
    while (session_has_room(orchestrator, session) &&
           (next = next_for_room(orchestrator, session)) != NULL)
        transition_fire(next, EVENT_ROOM);
}

void room_give(struct orchestrator *orchestrator)
{
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        if (!entry->held || !entry->looked_at)
            continue;
        transition_fire(entry, EVENT_ROOM);
        i -= entry->call.state == CALL_FINISHED;
    }
    /* By what waits and not by sessions: of those there may be as many, in each turn. */
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        const struct call_entry *entry = orchestrator->open[i];
        struct session *session = entry->call.session;
        if (!entry->held || session->filled_at == orchestrator->moment ||
            !session_has_room(orchestrator, session))
            continue;
        fill(orchestrator, session);
        i = SIZE_MAX; /* some have perhaps left the list: from its start again */
    }
}

void room_set_aside(struct call_entry *entry, bool aside)
{
    if (entry->aside == aside)
        return;
    entry->aside = aside;
    entry->call.session->aside_prompts += aside ? 1U : -1U;
    loop_wake(entry->orchestrator->loop);
}

void orchestrator_put_aside(struct orchestrator *orchestrator, uint64_t prompt_id, bool aside)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (entry != NULL)
        room_set_aside(entry, aside);
}

size_t orchestrator_held_count(const struct orchestrator *orchestrator)
{
    size_t count = 0;
    for (size_t i = 0; i < orchestrator->open_count; i++)
        count += orchestrator->open[i]->held;
    return count;
}

void orchestrator_look_at(struct orchestrator *orchestrator, uint64_t call_id)
{
    struct call_entry *entry = entry_find(orchestrator, call_id);
    if (entry == NULL || !entry->held)
        return;
    entry->looked_at = true;
    loop_wake(orchestrator->loop);
}
