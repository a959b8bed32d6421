/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/limit.h"

#include <stdlib.h>

#include "base/alloc.h"

struct limit {
    struct loop *loop;
    struct loop_timer *timer;
    void (*over)(void *argument);
    void *argument;
    int64_t allowed_ms; /* 0: no limit, or no longer */
    int64_t begun_ms;
    int64_t spent_ms; /* running time up to the last change */
    int64_t since_ms; /* running since; meaningless while the clock stands */
    bool stands;
};

static void arm(struct limit *limit)
{
    if (limit->allowed_ms == 0 || limit->stands)
        return;
    int64_t left = limit->allowed_ms - limit->spent_ms;
    loop_timer_start(limit->timer, left > 0 ? left : 0);
}

static void on_timer(void *argument)
{
    struct limit *limit = argument;
    limit->allowed_ms = 0; /* once */
    limit->over(limit->argument);
}

struct limit *limit_new(struct loop *loop, int64_t allowed_ms, void (*over)(void *argument),
                        void *argument)
{
    struct limit *limit = XNEW(struct limit);
    limit->loop = loop;
    limit->timer = loop_timer_new(loop, on_timer, limit);
    limit->over = over;
    limit->argument = argument;
    limit->allowed_ms = allowed_ms;
    limit->begun_ms = limit->since_ms = loop_now_ms(loop);
    arm(limit);
    return limit;
}

void limit_free(struct limit **place)
{
    struct limit *limit = steal_pointer(place);
    if (limit == NULL)
        return;
    loop_timer_free(&limit->timer);
    free(limit);
}

int64_t limit_spent_ms(const struct limit *limit)
{
    return limit->spent_ms + (limit->stands ? 0 : loop_now_ms(limit->loop) - limit->since_ms);
}

int64_t limit_stood_ms(const struct limit *limit)
{
    return loop_now_ms(limit->loop) - limit->begun_ms - limit_spent_ms(limit);
}

void limit_stand(struct limit *limit, bool stand)
{
    if (stand == limit->stands)
        return;
    limit->spent_ms = limit_spent_ms(limit);
    limit->since_ms = loop_now_ms(limit->loop);
    limit->stands = stand;
    loop_timer_stop(limit->timer);
    arm(limit);
}

void limit_lift(struct limit *limit)
{
    limit->allowed_ms = 0;
    loop_timer_stop(limit->timer);
}
