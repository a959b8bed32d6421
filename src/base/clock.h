/* SPDX-License-Identifier: MIT */
/* clock: what time it is, replaceable by a test. A NULL clock means the system's. */
#ifndef ASSENT_BASE_CLOCK_H
#define ASSENT_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct clock {
    int64_t (*monotonic_ms)(void *argument); /* milliseconds since an arbitrary start */
    int64_t (*wall_ms)(void *argument);      /* milliseconds since 1970-01-01 UTC */
    void *argument;
};

int64_t clock_monotonic_ms(const struct clock *clock);
int64_t clock_wall_ms(const struct clock *clock);

/* A clock that stands still until it is moved. */
struct clock_fake {
    struct clock clock; /* give this to whoever wants a clock */
    int64_t now_ms;     /* both clocks; set or add to it */
};
void clock_fake_init(struct clock_fake *fake, int64_t start_ms);

/* "2026-11-21T09:08:07.123Z" for wall-clock milliseconds; `out` has at least 32 bytes. */
void clock_format_utc(int64_t wall_ms, char out[32]);
/* "0.3 s", "2 min 5 s", "3 h 12 min". */
void clock_format_duration(int64_t milliseconds, char out[32]);
/* When the day that it is now began here, in wall-clock milliseconds. */
int64_t clock_day_start(const struct clock *clock);
/* Back from that, for the years 1970 to 9999; -1 for what is no such time. */
int64_t clock_parse_utc(const char *text, size_t length);

#endif
