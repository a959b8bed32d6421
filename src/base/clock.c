/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/clock.h"

#include <stdio.h>
#include <time.h>

static int64_t system_ms(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t clock_monotonic_ms(const struct clock *clock)
{
    return clock ? clock->monotonic_ms(clock->argument) : system_ms(CLOCK_MONOTONIC);
}

int64_t clock_wall_ms(const struct clock *clock)
{
    return clock ? clock->wall_ms(clock->argument) : system_ms(CLOCK_REALTIME);
}

static int64_t fake_now_ms(void *argument)
{
    const struct clock_fake *fake = argument;
    return fake->now_ms;
}

void clock_fake_init(struct clock_fake *fake, int64_t start_ms)
{
    fake->clock = (struct clock){fake_now_ms, fake_now_ms, fake};
    fake->now_ms = start_ms;
}

void clock_format_utc(int64_t wall_ms, char out[32])
{
    int milliseconds = (int)(wall_ms % 1000);
    time_t seconds = (time_t)(wall_ms / 1000);
    if (milliseconds < 0) {
        milliseconds += 1000;
        seconds--;
    }
    struct tm tm;
    if (!gmtime_r(&seconds, &tm)) { /* a year that does not fit into an int */
        snprintf(out, 32, "%lldms", (long long)wall_ms);
        return;
    }
    snprintf(out, 32, "%04lld-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900LL, tm.tm_mon + 1,
             tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, milliseconds);
}
