/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/wait_limit.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/fd.h"

#ifdef __linux__
#include <sys/timerfd.h>

static int timer_open(void)
{
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

static int timer_tell(int fd, int64_t at_ms)
{
    /* A time of 0 would switch the timer off. */
    int64_t at = at_ms > 0 ? at_ms : 1;
    struct itimerspec time = {.it_value = {(time_t)(at / 1000), (long)(at % 1000 * 1000000)}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &time, NULL);
}

/* Has it run out, and has not been set anew since? */
static bool timer_take(int fd)
{
    uint64_t times;
    return read(fd, &times, sizeof times) == (ssize_t)sizeof times;
}

#else
#include <sys/types.h>

#include <sys/event.h>
#include <sys/time.h>

#include "base/clock.h"

/* A day: far times may be refused, and a wait may end early. */
#define LEFT_MS_MAX (24 * 3600 * 1000)

static int timer_open(void)
{
    int fd = kqueue();
    if (fd >= 0)
        fd_set_cloexec(fd, true);
    return fd;
}

static int timer_tell(int fd, int64_t at_ms)
{
    int64_t left = at_ms - clock_monotonic_ms(NULL);
    if (left > LEFT_MS_MAX)
        left = LEFT_MS_MAX;
    struct kevent timer;
    EV_SET(&timer, 1, EVFILT_TIMER, EV_ADD | EV_ONESHOT, 0, (intptr_t)(left > 0 ? left : 1), NULL);
    return kevent(fd, &timer, 1, NULL, 0, NULL);
}

static bool timer_take(int fd)
{
    struct timespec now = {0, 0};
    struct kevent timer;
    return kevent(fd, NULL, 0, &timer, 1, &now) == 1;
}

#endif

int wait_limit_open(struct wait_limit *limit)
{
    *limit = (struct wait_limit){.fd = timer_open(), .set_ms = WAIT_LIMIT_NONE};
    return limit->fd >= 0 ? 0 : -1;
}

void wait_limit_close(struct wait_limit *limit)
{
    fd_close(&limit->fd);
}

int wait_limit_set(struct wait_limit *limit, int64_t at_ms)
{
    if (at_ms >= limit->set_ms)
        return 0;
    bool told = timer_tell(limit->fd, at_ms) == 0;
    limit->set_ms = told ? at_ms : WAIT_LIMIT_NONE;
    return told ? 0 : -1;
}

void wait_limit_reached(struct wait_limit *limit)
{
    if (timer_take(limit->fd))
        limit->set_ms = WAIT_LIMIT_NONE;
}
