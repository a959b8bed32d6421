/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/vigil.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/notify_command.h"

#define MINUTE_MS ((int64_t)60000)

struct vigil {
    struct vigil_setup setup;
    struct loop_timer *timer; /* something is due; the turn that it makes does the work */
    struct notify_command *command;
    int64_t present_ms;  /* when a key was pressed last */
    uint64_t newest;     /* prompt that was told of */
    uint64_t oldest;     /* prompt that `escalate_at` is for, 0: none */
    int64_t escalate_at; /* when it is told of again */
    int64_t overdue_ms;
};

static void timer_due(void *argument)
{
    (void)argument;
}

struct vigil *vigil_new(const struct vigil_setup *setup)
{
    struct vigil *vigil = XNEW(struct vigil);

    vigil->setup = *setup;
    vigil->present_ms = INT64_MIN / 2;
    vigil->timer = loop_timer_new(setup->loop, timer_due, vigil);
    if (setup->command != NULL && *setup->command != '\0')
        vigil->command = notify_command_new(setup->loop, setup->command);
    return vigil;
}

void vigil_free(struct vigil **place)
{
    struct vigil *vigil = *place;

    if (vigil == NULL)
        return;
    loop_timer_free(&vigil->timer);
    notify_command_free(&vigil->command);
    free(vigil);
    *place = NULL;
}

void vigil_present(struct vigil *vigil)
{
    vigil->present_ms = loop_now_ms(vigil->setup.loop);
}

int64_t vigil_overdue_ms(const struct vigil *vigil)
{
    return vigil->overdue_ms;
}

static const char *event_name(enum vigil_event event)
{
    static const char *const names[] = {
        [VIGIL_WAITING] = "waiting", [VIGIL_ESCALATED] = "escalated", [VIGIL_AWAY] = "away"};

    return names[event];
}

char *vigil_text(enum vigil_event event, size_t waiting)
{
    if (event == VIGIL_AWAY)
        return xstrdup(_("A request was denied: nobody was here to answer"));
    if (event == VIGIL_ESCALATED)
        return xasprintf(P_("%zu request still waits for your answer",
                            "%zu requests still wait for your answer", waiting),
                         waiting);
    return xasprintf(
        P_("%zu request waits for your answer", "%zu requests wait for your answer", waiting),
        waiting);
}

static void tell(struct vigil *vigil, enum vigil_event event)
{
    size_t waiting = orchestrator_question_count(vigil->setup.orchestrator);

    if (vigil->setup.alert != NULL)
        vigil->setup.alert(vigil->setup.argument, event, waiting);
    if (vigil->command != NULL)
        notify_command_run(vigil->command, event_name(event), waiting);
}

static void soonest(int64_t *due, int64_t when)
{
    *due = when < *due ? when : *due;
}

/* Nobody answered and nobody was at the keys: the agent is told so, and may ask again. */
static bool deny_if_away(struct vigil *vigil, const struct call *call, int64_t now, int64_t *due)
{
    int64_t since =
        call->prompt->opened_ms > vigil->present_ms ? call->prompt->opened_ms : vigil->present_ms;
    cleanup_free char *message = NULL;

    if (vigil->setup.away_ms <= 0)
        return false;
    if (now - since < vigil->setup.away_ms) {
        soonest(due, since + vigil->setup.away_ms);
        return false;
    }
    message = xasprintf("nobody was at the console to answer within %" PRId64
                        " s: go on with something else, and ask again later",
                        vigil->setup.away_ms / 1000);
    return orchestrator_decide(vigil->setup.orchestrator, call->prompt->id, call->prompt->revision,
                               REVIEW_TIMED_OUT, message, NULL) == 0;
}

static void look_at_newest(struct vigil *vigil, int64_t now)
{
    size_t count = orchestrator_waiting_count(vigil->setup.orchestrator);
    uint64_t newest = vigil->newest;

    for (size_t i = 0; i < count; i++) {
        const struct call *call = orchestrator_waiting_at(vigil->setup.orchestrator, i);

        if (call->prompt != NULL && call->prompt->id > newest)
            newest = call->prompt->id;
    }
    if (newest > vigil->newest && now - vigil->present_ms >= VIGIL_PRESENT_MS)
        tell(vigil, VIGIL_WAITING);
    vigil->newest = newest;
}

static void look_at_oldest(struct vigil *vigil, int64_t now, int64_t *due)
{
    const struct call *call = orchestrator_waiting_at(vigil->setup.orchestrator, 0);
    int64_t waited;

    vigil->overdue_ms = 0;
    if (vigil->setup.escalate_ms <= 0 || call == NULL || call->prompt == NULL) {
        vigil->oldest = 0;
        return;
    }
    waited = now - call->prompt->opened_ms;
    if (call->prompt->id != vigil->oldest) {
        vigil->oldest = call->prompt->id;
        vigil->escalate_at = call->prompt->opened_ms + vigil->setup.escalate_ms;
    }
    if (now >= vigil->escalate_at) {
        vigil->escalate_at = now + waited;
        tell(vigil, VIGIL_ESCALATED);
    }
    soonest(due, vigil->escalate_at);
    if (waited >= vigil->setup.escalate_ms) {
        vigil->overdue_ms = waited;
        soonest(due, now + MINUTE_MS - waited % MINUTE_MS); /* the minutes are shown */
    }
}

void vigil_follow(struct vigil *vigil)
{
    size_t count = orchestrator_waiting_count(vigil->setup.orchestrator);
    int64_t now = loop_now_ms(vigil->setup.loop), due = INT64_MAX;
    bool denied = false;

    for (size_t i = 0; i < count; i++) {
        const struct call *call = orchestrator_waiting_at(vigil->setup.orchestrator, i);

        if (call->prompt != NULL)
            denied = deny_if_away(vigil, call, now, &due) || denied;
    }
    if (denied)
        tell(vigil, VIGIL_AWAY);
    look_at_newest(vigil, now);
    look_at_oldest(vigil, now, &due);
    if (due == INT64_MAX)
        loop_timer_stop(vigil->timer);
    else
        loop_timer_start(vigil->timer, due > now ? due - now : 0);
}
