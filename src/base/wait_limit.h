/* SPDX-License-Identifier: MIT */
/*
 * wait_limit: ends the wait of an event loop at a time of the monotonic clock: a descriptor that
 * can be read from then on (man 2 timerfd_create; elsewhere man 2 kqueue, EVFILT_TIMER).
 *
 * Most turns of a loop have the limit of the turn before: the system is told only what it does not
 * know, so that a key costs no system call for it. A timer of libevent's, as exact, would be set
 * anew before each wait.
 */
#ifndef ASSENT_BASE_WAIT_LIMIT_H
#define ASSENT_BASE_WAIT_LIMIT_H

#include <stdint.h>

#define WAIT_LIMIT_NONE INT64_MAX

struct wait_limit {
    int fd;         /* -1: none */
    int64_t set_ms; /* what the system knows; WAIT_LIMIT_NONE: nothing */
};

/* 0, or -1 with errno. */
int wait_limit_open(struct wait_limit *limit);
void wait_limit_close(struct wait_limit *limit);

/* The wait that comes ends when CLOCK_MONOTONIC is at that many milliseconds, at once if it is
 * past; WAIT_LIMIT_NONE: whenever something happens. It may end at the time of an earlier call as
 * well: to take that back would cost more than to wait once more. Returns -1 if the system cannot:
 * then nothing ends a wait. */
int wait_limit_set(struct wait_limit *limit, int64_t at_ms);
/* The descriptor can be read: no more until the next time. */
void wait_limit_reached(struct wait_limit *limit);

#endif
