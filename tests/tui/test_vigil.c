/* SPDX-License-Identifier: MIT */
/* Requests that wait while nobody looks. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "ui/console_int.h"

#define SECOND_MS ((int64_t)1000)
#define MINUTE_MS ((int64_t)60000)

static int start(void **state)
{
    static const struct tui_options options = {
        .alert = true, .escalate_ms = MINUTE_MS, .away_ms = 10 * MINUTE_MS};
    struct tui *tui = XNEW(struct tui);

    tui_start(tui, 24, 80, &options);
    *state = tui;
    return 0;
}

/* How often that was sent since the last time. */
static int sent(struct tui *tui, const char *bytes)
{
    int count = 0;

    for (const char *at = strbuf_str(&tui->raw); *at && (at = strstr(at, bytes)) != NULL; at++)
        count++;
    strbuf_reset(&tui->raw);
    return count;
}

static void a_new_request_is_told_of_when_nobody_types(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "l");
    tui_request(tui, "echo secret", RISK_LOW);
    tui_settle(tui);
    assert_int_equal(sent(tui, "\x1b]9;"), 0); /* the operator is there */
    tui_advance(tui, 6 * SECOND_MS);
    tui_request(tui, "echo secret", RISK_LOW);
    tui_settle(tui);
    assert_non_null(strstr(strbuf_str(&tui->raw), "\x1b]9;2 requests wait for your answer\x1b\\"));
    assert_int_equal(sent(tui, "\x1b]9;"), 1);
}

static void who_is_not_heard_is_told_again(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    strbuf_reset(&tui->raw);
    tui_advance(tui, 59 * SECOND_MS);
    assert_int_equal(sent(tui, "\x1b]9;"), 0);
    tui_advance(tui, 2 * SECOND_MS);
    assert_non_null(strstr(strbuf_str(&tui->raw), "\x1b]9;1 request still waits"));
    assert_non_null(strchr(strbuf_str(&tui->raw), '\a'));
    assert_true(tui_shows(tui, " 1 waiting for 1 min "));
    strbuf_reset(&tui->raw);
    tui_advance(tui, 50 * SECOND_MS);
    assert_int_equal(sent(tui, "\x1b]9;"), 0);
    tui_advance(tui, 12 * SECOND_MS); /* at twice the time */
    assert_int_equal(sent(tui, "\x1b]9;"), 1);
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* The minutes go on where nothing else happens: between one reminder and the next. */
static void how_long_it_has_waited_goes_on(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_advance(tui, 2 * MINUTE_MS + SECOND_MS);
    assert_true(tui_shows(tui, " 1 waiting for 2 min "));
    strbuf_reset(&tui->raw);
    tui_sleep(tui, MINUTE_MS);
    assert_true(tui_shows(tui, " 1 waiting for 3 min "));
    assert_int_equal(sent(tui, "\x1b]9;"), 0);
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, " 2 waiting, oldest 3 min "));
}

static void nobody_there_is_no_approval(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_advance(tui, 6 * MINUTE_MS);
    tui_keys(tui, "z"); /* somebody is there */
    tui_advance(tui, 9 * MINUTE_MS);
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_advance(tui, MINUTE_MS + SECOND_MS);
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_TIMED_OUT);
    assert_non_null(strstr(fake_core_decision(tui->core, 0)->message, "nobody was at the console"));
    assert_true(tui_shows(tui, "not answered in time"));
    assert_int_equal(orchestrator_waiting_count(tui->core), 0);
}

/* A notification is read where anybody may see it: it holds our words alone. */
static void notifications_hold_no_request(void **state)
{
    struct tui *tui = *state;

    free(tui->agent->name);
    tui->agent->name = xstrdup("evil;\x1b]0;x");
    tui_request(tui, "echo secret", RISK_HIGH);
    tui_settle(tui);
    tui_advance(tui, 11 * MINUTE_MS);
    for (const char *at = strbuf_str(&tui->raw); (at = strstr(at, "\x1b]9;")) != NULL; at++) {
        size_t length = strcspn(at + 1, "\x1b");

        assert_null(memmem(at, length, "secret", 6));
        assert_null(memmem(at, length, "evil", 4));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, tui_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_request_is_told_of_when_nobody_types),
        TEST(who_is_not_heard_is_told_again),
        TEST(how_long_it_has_waited_goes_on),
        TEST(nobody_there_is_no_approval),
        TEST(notifications_hold_no_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
