/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/wait_limit.h"

#include <event2/event.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/timerfd.h>
#endif

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"

struct wait_limit {
    struct event *event;
    int64_t set_ms; /* what the system knows; WAIT_LIMIT_NONE: nothing */
    int fd;         /* a timerfd; -1 where there are none */
};

#ifdef __linux__

/* With PRECISE_TIMER libevent would set a timerfd of its own before each wait. */
void wait_limit_configure(struct event_config *config)
{
    (void)config;
}

static void limit_reached(evutil_socket_t fd, short what, void *argument)
{
    struct wait_limit *limit = argument;
    uint64_t times;
    (void)what;
    /* EAGAIN: it was set anew after it had run out. */
    if (read(fd, &times, sizeof times) == (ssize_t)sizeof times)
        limit->set_ms = WAIT_LIMIT_NONE;
}

static int limit_open(struct wait_limit *limit, struct event_base *base)
{
    limit->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (limit->fd < 0)
        return -1;
    limit->event = event_new(base, limit->fd, EV_READ | EV_PERSIST, limit_reached, limit);
    return limit->event != NULL ? event_add(limit->event, NULL) : -1;
}

static int limit_tell(const struct wait_limit *limit, int64_t at_ms)
{
    /* A time of 0 would switch the timer off. */
    int64_t at = at_ms > 0 ? at_ms : 1;
    struct itimerspec time = {.it_value = {(time_t)(at / 1000), (long)(at % 1000 * 1000000)}};
    return timerfd_settime(limit->fd, TFD_TIMER_ABSTIME, &time, NULL);
}

#else

/* By the coarse clock waits end up to a tick (4 ms) early, and the rest is spent spinning. */
void wait_limit_configure(struct event_config *config)
{
    event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
}

static void limit_reached(evutil_socket_t fd, short what, void *argument)
{
    struct wait_limit *limit = argument;
    (void)fd, (void)what;
    limit->set_ms = WAIT_LIMIT_NONE;
}

static int limit_open(struct wait_limit *limit, struct event_base *base)
{
    limit->fd = -1;
    limit->event = event_new(base, -1, 0, limit_reached, limit);
    return limit->event != NULL ? 0 : -1;
}

static int limit_tell(const struct wait_limit *limit, int64_t at_ms)
{
    int64_t left = at_ms - clock_monotonic_ms(NULL);
    left = left > 0 ? left : 0;
    struct timeval time = {(time_t)(left / 1000), (suseconds_t)(left % 1000 * 1000)};
    return event_add(limit->event, &time);
}

#endif

struct wait_limit *wait_limit_new(struct event_base *base)
{
    struct wait_limit *limit = XNEW(struct wait_limit);
    limit->set_ms = WAIT_LIMIT_NONE;
    if (limit_open(limit, base) < 0)
        wait_limit_free(&limit);
    return limit;
}

void wait_limit_free(struct wait_limit **place)
{
    struct wait_limit *limit = *place;
    if (limit == NULL)
        return;
    if (limit->event != NULL)
        event_free(limit->event);
    fd_close(&limit->fd);
    free(limit);
    *place = NULL;
}

void wait_limit_set(struct wait_limit *limit, int64_t at_ms)
{
    if (at_ms >= limit->set_ms)
        return;
    limit->set_ms = at_ms;
    if (limit_tell(limit, at_ms) < 0)
        log_warning("loop", "cannot limit a wait to %lld ms", (long long)at_ms);
}
