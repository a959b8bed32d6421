/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void the_system_is_the_default(void **state)
{
    (void)state;
    int64_t first = clock_monotonic_ms(NULL);
    assert_true(clock_monotonic_ms(NULL) >= first);
    time_t now = time(NULL);
    int64_t wall = clock_wall_ms(NULL) / 1000;
    assert_true(wall >= now - 1 && wall <= time(NULL) + 1); /* its clock is a coarser one */
}

static void a_fake_clock_stands_still(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 5000);
    assert_int_equal(clock_monotonic_ms(&fake.clock), 5000);
    assert_int_equal(clock_wall_ms(&fake.clock), 5000);
    fake.now_ms += 17;
    assert_int_equal(clock_monotonic_ms(&fake.clock), 5017);
}

static void utc_is_formatted(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } examples[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {1795252087123, "2026-11-21T09:08:07.123Z"},
        {951782400000, "2000-02-29T00:00:00.000Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
        {-86400000, "1969-12-31T00:00:00.000Z"},
        {INT64_MAX, "292278994-08-17T07:12:55.807Z"},
    };
    char out[32];
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        clock_format_utc(examples[i].ms, out);
        assert_string_equal(out, examples[i].text);
    }
}

static void utc_is_read_back(void **state)
{
    (void)state;
    char text[32];
    /* Step over leap days, ends of months and centuries. */
    for (int64_t day = 0; day < 200000; day += 17) {
        int64_t ms = day * 86400000 + (day * 7919123) % 86400000;
        clock_format_utc(ms, text);
        assert_int_equal(clock_parse_utc(text, strlen(text)), ms);
    }
    static const char *const wrong[] = {"",
                                        "2026-11-21",
                                        "2026-11-21T09:08:07.123",
                                        "2026-13-21T09:08:07.123Z",
                                        "2026-11-21 09:08:07.123Z",
                                        "2026-11-21T09:08:07.12xZ",
                                        "1969-12-31T23:59:59.999Z"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(clock_parse_utc(wrong[i], strlen(wrong[i])), -1);
}

static void days_begin_where_we_are(void **state)
{
    (void)state;
    struct clock_fake fake;
    setenv("TZ", "EET-02", 1); /* two hours east */
    tzset();
    clock_fake_init(&fake, 1795252087123);
    assert_int_equal(clock_day_start(&fake.clock), 1795212000000);
    unsetenv("TZ");
    tzset();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_system_is_the_default), cmocka_unit_test(a_fake_clock_stands_still),
        cmocka_unit_test(utc_is_formatted),          cmocka_unit_test(utc_is_read_back),
        cmocka_unit_test(days_begin_where_we_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
