/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/clock.h"

#include <inttypes.h>
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

void clock_format_duration(int64_t milliseconds, char out[32])
{
    int64_t seconds = milliseconds / 1000;
    if (milliseconds < 60000)
        snprintf(out, 32, "%" PRId64 ".%" PRId64 " s", seconds, milliseconds / 100 % 10);
    else if (seconds < 3600)
        snprintf(out, 32, "%" PRId64 " min %" PRId64 " s", seconds / 60, seconds % 60);
    else
        snprintf(out, 32, "%" PRId64 " h %" PRId64 " min", seconds / 3600, seconds / 60 % 60);
}

/* Days since 1970-01-01 of a date of the Gregorian calendar; months count from March, so that the
 * day which comes and goes is the year's last. */
static int64_t days_of(int year, int month, int day)
{
    int since_march = (month + 9) % 12, count = year - (month <= 2);
    int64_t of_year = (153 * since_march + 2) / 5 + day - 1;
    return INT64_C(365) * count + count / 4 - count / 100 + count / 400 + of_year - 719468;
}

int64_t clock_parse_utc(const char *text, size_t length)
{
    static const char form[] = "0000-00-00T00:00:00.000Z";
    int fields[7] = {0};
    size_t field = 0;
    if (length != sizeof(form) - 1)
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (form[i] != '0' && text[i] != form[i])
            return -1;
        if (form[i] == '0' && (text[i] < '0' || text[i] > '9'))
            return -1;
        if (form[i] == '0')
            fields[field] = fields[field] * 10 + text[i] - '0';
        else
            field++;
    }
    if (fields[0] < 1970 || fields[1] < 1 || fields[1] > 12 || fields[2] < 1 || fields[2] > 31 ||
        fields[3] > 23 || fields[4] > 59 || fields[5] > 60)
        return -1;
    int64_t minutes = (days_of(fields[0], fields[1], fields[2]) * 24 + fields[3]) * 60 + fields[4];
    return (minutes * 60 + fields[5]) * 1000 + fields[6];
}

int64_t clock_day_start(const struct clock *clock)
{
    struct tm day;
    time_t now = (time_t)(clock_wall_ms(clock) / 1000);
    if (!localtime_r(&now, &day))
        return 0;
    day.tm_hour = day.tm_min = day.tm_sec = 0;
    day.tm_isdst = -1;
    return (int64_t)mktime(&day) * 1000;
}
