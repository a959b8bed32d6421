/* SPDX-License-Identifier: MIT */
/*
 * wait_limit: ends the wait of an event loop at a time of the monotonic clock, the only use that
 * loop has for the system's timers.
 *
 * Most turns have the limit of the turn before: the system is told only what it does not know, so
 * that a key costs no system call for it. On Linux that is a timerfd, set to a time and not to a
 * distance from now; libevent's own timer would be set anew before each wait.
 */
#ifndef ASSENT_BASE_WAIT_LIMIT_H
#define ASSENT_BASE_WAIT_LIMIT_H

#include <stdint.h>

#define WAIT_LIMIT_NONE INT64_MAX

struct event_base;
struct event_config;
struct wait_limit;

/* What a base needs for limits that are exact; before it is made. */
void wait_limit_configure(struct event_config *config);
/* Over a base that outlives it. NULL: the system gave none, see errno. */
struct wait_limit *wait_limit_new(struct event_base *base);
void wait_limit_free(struct wait_limit **limit);

/* The wait that comes ends when CLOCK_MONOTONIC is at that many milliseconds, at once if it is
 * past; WAIT_LIMIT_NONE: whenever something happens. It may end at the time of an earlier call as
 * well: to take that back would cost more than to wait once more. */
void wait_limit_set(struct wait_limit *limit, int64_t at_ms);

#endif
