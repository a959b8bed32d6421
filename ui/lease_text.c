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

static const uint64_t minutes_offered[] = {1, 2, 5, 10, 15, 30, 60, 120, 240, 480};
static const uint64_t runs_offered[] = {1, 2, 3, 5, 10, 20, 50, 100};

char *lease_text_offer(const struct lease *lease)
{
    unsigned long long runs = lease->runs;

    if (lease->kind != LEASE_RUNS)
        return decision_words_lease(lease);
    return xasprintf(P_("now and %llu more time", "now and %llu more times", lease->runs), runs);
}

static const struct lease for_session = {.kind = LEASE_SESSION};
static const struct lease for_minutes = {.kind = LEASE_TIME,
                                         .duration_ms = FIRST_MINUTES * MINUTE_MS};

void lease_next_kind(struct lease *lease, uint64_t call, bool call_first)
{
    struct lease for_call = {.kind = LEASE_CALL, .call = call};

    switch (lease->kind) {
    case LEASE_SESSION:
        *lease = call != 0 && call_first ? for_call : for_minutes;
        break;
    case LEASE_TIME:
        *lease = (struct lease){.kind = LEASE_RUNS, .runs = FIRST_RUNS};
        break;
    case LEASE_RUNS:
        *lease = call != 0 && !call_first ? for_call : for_session;
        break;
    case LEASE_CALL:
        *lease = call_first ? for_minutes : for_session;
        break;
    }
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
