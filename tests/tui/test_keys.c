/* SPDX-License-Identifier: MIT */
/* Keys that the operator has chosen: they do it, the others do not any more, and the screen says
 * so. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "ui/console_int.h"

static const char *const chosen[] = {"approve=Y",       "deny=Ctrl-D",   "view=f",
                                     "freeze=Ctrl-T",   "leave-pane=F6", "grants=Ctrl-G",
                                     "inbox-approve=Y", "view-close=z",  NULL};

static int start(void **state)
{
    static struct tui tui;
    const struct tui_options options = {.keys = chosen};

    tui_start(&tui, 24, 80, &options);
    *state = &tui;
    return 0;
}

static int stop(void **state)
{
    tui_stop(*state);
    return 0;
}

static void ready_request(struct tui *tui)
{
    tui_request_inside(tui, "make install", RISK_MEDIUM);
    tui_settle(tui);
    tui_wait_guard(tui);
}

static void a_request_is_answered_by_the_chosen_key(void **state)
{
    struct tui *tui = *state;

    ready_request(tui);
    assert_true(tui_shows(tui, "Y       allow once"));
    assert_true(tui_shows(tui, "Ctrl-D  deny"));
    assert_false(tui_shows(tui, "y       allow once"));
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    tui_wait_guard(tui);
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_keys(tui, "Y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED);
    ready_request(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x04");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_DENIED);
}

/* Chosen or not, a key has to wait until the request has been on the screen. */
static void a_chosen_key_is_guarded_as_well(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make install", RISK_MEDIUM);
    tui_keys(tui, "Y");
    tui_keys(tui, "Y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

static void high_risk_still_takes_enter(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "rm -rf /srv", RISK_HIGH);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "Y");
    tui_keys(tui, "Y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    tui_keys(tui, "Y");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

static void the_brake_works_over_a_request(void **state)
{
    struct tui *tui = *state;

    ready_request(tui);
    tui_keys(tui, "\x1b[18~"); /* F7, which is nothing now */
    assert_false(orchestrator_is_frozen(tui->core));
    tui_keys(tui, "\x14");
    assert_true(orchestrator_is_frozen(tui->core));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

static void the_inbox_has_them_too(void **state)
{
    struct tui *tui = *state;

    ready_request(tui);
    tui_keys(tui, "\x1b[20~");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "Y once"));
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_keys(tui, "Y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

static void the_help_shows_them(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "?");
    tui_keys(tui, "/what holds without\r");
    assert_true(tui_shows(tui, "Ctrl-G              show what holds without a question"));
    tui_keys(tui, "q"); /* which closed it */
    assert_true(tui_shows(tui, "show what holds without a question"));
    tui_keys(tui, "z");
    assert_false(tui_shows(tui, "show what holds without a question"));
}

static void the_names_of_all_actions_are_listed(void **state)
{
    struct tui *tui = *state;

    tui_stop(tui);
    tui_start(tui, 200, 100, &(struct tui_options){.keys = chosen});
    tui_keys(tui, ":keys\r");
    for (unsigned i = 1; i < ACTION_COUNT; i++) {
        cleanup_free char *row = xasprintf(" %s ", keymap_name((enum action)i));

        if (!tui_shows(tui, row))
            fail_msg("\"%s\" is not listed", keymap_name((enum action)i));
    }
    assert_true(tui_shows(tui, "Y                   approve"));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(a_request_is_answered_by_the_chosen_key),
        TEST(a_chosen_key_is_guarded_as_well),
        TEST(high_risk_still_takes_enter),
        TEST(the_brake_works_over_a_request),
        TEST(the_inbox_has_them_too),
        TEST(the_help_shows_them),
        TEST(the_names_of_all_actions_are_listed),
    };

    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
