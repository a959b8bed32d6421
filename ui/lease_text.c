/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/lease_text.h"

#include <inttypes.h>

#include "approval/decision_words.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"

#define MINUTE_MS ((int64_t)60 * 1000)
#define FIRST_MINUTES 10
#define FIRST_RUNS 5
#define LEASE_KINDS 4

static const uint64_t minutes_offered[] = {1, 2, 5, 10, 15, 30, 60, 120, 240, 480};
static const uint64_t runs_offered[] = {1, 2, 3, 5, 10, 20, 50, 100};

char *lease_text_offer(const struct lease *lease, bool host)
{
    unsigned long long runs = lease->runs;

    if (lease->kind != LEASE_RUNS)
        return decision_words_lease(lease, host);
    if (host)
        return xasprintf(
            P_("now and %llu more connection", "now and %llu more connections", lease->runs), runs);
    return xasprintf(P_("now and %llu more time", "now and %llu more times", lease->runs), runs);
}

/* In the order in which they are chosen: what it is about comes first. How many there are. */
static size_t kinds_of(uint64_t call, bool call_first, enum lease_kind kinds[LEASE_KINDS])
{
    size_t count = 0;

    kinds[count++] = LEASE_SESSION;
    if (call != 0 && call_first)
        kinds[count++] = LEASE_CALL;
    kinds[count++] = LEASE_TIME;
    kinds[count++] = LEASE_RUNS;
    if (call != 0 && !call_first)
        kinds[count++] = LEASE_CALL;
    return count;
}

struct lease_place lease_place(enum lease_kind kind, uint64_t call, bool call_first)
{
    enum lease_kind kinds[LEASE_KINDS];
    struct lease_place place = {.of = kinds_of(call, call_first, kinds)};

    while (place.at + 1 < place.of && kinds[place.at] != kind)
        place.at++;
    return place;
}

void lease_turn(struct lease *lease, uint64_t call, bool call_first, int direction)
{
    enum lease_kind kinds[LEASE_KINDS];
    struct lease_place place = lease_place(lease->kind, call, call_first);

    kinds_of(call, call_first, kinds);
    *lease =
        (struct lease){.kind = kinds[(place.at + (direction > 0 ? 1 : place.of - 1)) % place.of]};
    if (lease->kind == LEASE_CALL)
        lease->call = call;
    else if (lease->kind == LEASE_TIME)
        lease->duration_ms = FIRST_MINUTES * MINUTE_MS;
    else if (lease->kind == LEASE_RUNS)
        lease->runs = FIRST_RUNS;
}

static uint64_t step(const uint64_t *offered, size_t count, uint64_t value, int direction)
{
    size_t at = 0;

    while (at + 1 < count && offered[at] < value)
        at++;
    if (direction > 0 && at + 1 < count)
        at++;
    else if (direction < 0 && at > 0)
        at--;
    return offered[at];
}

bool lease_change(struct lease *lease, int direction)
{
    if (lease->kind == LEASE_TIME)
        lease->duration_ms =
            MINUTE_MS * (int64_t)step(minutes_offered, COUNT(minutes_offered),
                                      (uint64_t)(lease->duration_ms / MINUTE_MS), direction);
    else if (lease->kind == LEASE_RUNS)
        lease->runs = step(runs_offered, COUNT(runs_offered), lease->runs, direction);
    return lease->kind == LEASE_TIME || lease->kind == LEASE_RUNS;
}
