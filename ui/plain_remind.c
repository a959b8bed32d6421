/* SPDX-License-Identifier: MIT */
/*
 * plain_remind: what other lines push out of sight is asked again, and who has come to wait behind
 * the request that is asked about is said. Neither touches the question: what has been typed of an
 * answer stays. Both are bounded, whatever a flood does.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/call_text.h"
#include "ui/operator_agent.h"
#include "ui/plain_int.h"

#define BURST 8          /* lines behind the question that make it worth asking again */
#define QUIET_MS 1500    /* without a line: the burst is over */
#define LONGEST_MS 20000 /* a flood without end is interrupted */

struct plain_reminder {
    struct plain *plain;
    struct loop_timer *timer;
    size_t lines, looked;        /* since the question was printed, and when we looked last */
    int64_t since_ms;            /* of the burst */
    int64_t told_ms;             /* when waiting ones were told of last */
    uint64_t told, asked;        /* the newest prompt that was told of; which was asked about */
    struct loop_timer *announce; /* some wait to be told of */
};

static int64_t now_of(const struct plain_reminder *reminder)
{
    return loop_now_ms(reminder->plain->setup.loop);
}

/* ---- the question again ------------------------------------------------------------------- */

static void burst_over(void *argument)
{
    struct plain_reminder *reminder = argument;
    const struct call *call = plain_request_asked(reminder->plain);
    bool goes_on =
        reminder->lines != reminder->looked && now_of(reminder) - reminder->since_ms < LONGEST_MS;

    if (call == NULL)
        return;
    if (goes_on) {
        reminder->looked = reminder->lines;
        loop_timer_start(reminder->timer, QUIET_MS);
        return;
    }
    plain_print_question(reminder->plain, call);
    plain_reminder_asked(reminder);
}

void plain_reminder_line(struct plain_reminder *reminder)
{
    if (reminder->plain->question == PLAIN_NOTHING || ++reminder->lines != BURST)
        return;
    reminder->looked = reminder->lines;
    reminder->since_ms = now_of(reminder);
    loop_timer_start(reminder->timer, QUIET_MS);
}

void plain_reminder_asked(struct plain_reminder *reminder)
{
    reminder->lines = 0;
    loop_timer_stop(reminder->timer);
}

/* ---- who waits ---------------------------------------------------------------------------- */

static const struct call *newest_waiting(const struct plain *plain)
{
    size_t count = orchestrator_waiting_count(plain->setup.orchestrator);
    const struct call *newest = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct call *call = orchestrator_waiting_at(plain->setup.orchestrator, i);

        if (call->prompt != NULL && (newest == NULL || call->prompt->id > newest->prompt->id))
            newest = call;
    }
    return newest;
}

static void say_waiting(void *argument)
{
    struct plain_reminder *reminder = argument;
    struct plain *plain = reminder->plain;
    const struct call *call = newest_waiting(plain);
    size_t behind = orchestrator_question_count(plain->setup.orchestrator);
    cleanup_free char *agent = NULL;

    if (call == NULL || call->prompt->id <= reminder->told || call->prompt->id == plain->prompt)
        return;
    behind -= plain_request_asked(plain) != NULL;
    agent = operator_agent_label(plain->setup.orchestrator, call, 40);
    plain_say(plain,
              P_("c%" PRIu64 " %s asks as well: %zu more waits.",
                 "c%" PRIu64 " %s asks as well: %zu more wait.", behind),
              call->id, agent, behind);
    reminder->told = call->prompt->id;
    reminder->told_ms = now_of(reminder);
}

/* A request that is printed says itself how many wait. */
void plain_reminder_follow(struct plain_reminder *reminder)
{
    const struct call *call = newest_waiting(reminder->plain);
    uint64_t newest = call != NULL ? call->prompt->id : 0;
    int64_t rest = reminder->told_ms + QUIET_MS - now_of(reminder);

    if (newest <= reminder->told)
        return;
    if (reminder->asked != reminder->plain->prompt)
        reminder->told = newest;
    else if (!loop_timer_running(reminder->announce))
        loop_timer_start(reminder->announce, rest > 0 ? rest : 0);
    reminder->asked = reminder->plain->prompt;
}

/* ---- its life ----------------------------------------------------------------------------- */

struct plain_reminder *plain_reminder_new(struct plain *plain)
{
    struct plain_reminder *reminder = XNEW(struct plain_reminder);

    reminder->plain = plain;
    reminder->told_ms = -QUIET_MS;
    reminder->timer = loop_timer_new(plain->setup.loop, burst_over, reminder);
    reminder->announce = loop_timer_new(plain->setup.loop, say_waiting, reminder);
    return reminder;
}

void plain_reminder_free(struct plain_reminder **place)
{
    struct plain_reminder *reminder = *place;

    if (reminder == NULL)
        return;
    loop_timer_free(&reminder->timer);
    loop_timer_free(&reminder->announce);
    free(reminder);
    *place = NULL;
}
