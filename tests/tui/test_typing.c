/* SPDX-License-Identifier: MIT */
/* Keys around the moment at which a request comes up: none of them is lost without a word, and none
 * becomes a command that nobody meant. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/console_int.h"

static const char *typed(const struct tui *tui)
{
    return line_editor_text(tui->console->prompt);
}

static void deny(struct tui *tui)
{
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    tui_wait_guard(tui);
    assert_null(tui->console->overlay);
}

static void a_letter_typed_just_before_is_dropped(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "y");
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "What you typed as this came up was dropped."));
    assert_string_equal(typed(tui), "");
    deny(tui);
    tui_keys(tui, "\r");
    assert_int_equal(orchestrator_call_count(tui->core), 1);
}

static void a_key_that_came_too_soon_is_told(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "That key came too soon"));
    assert_string_equal(typed(tui), "");
}

/* In the same breath as the request. */
static void a_key_that_finds_no_request_yet_is_told(void **state)
{
    struct tui *tui = *state;

    fake_core_call(tui->core, tui->agent, "make");
    tui_request(tui, "make test", RISK_LOW);
    tui_keys(tui, "y");
    assert_string_equal(typed(tui), "");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "What you typed as this came up was dropped.") ||
                tui_shows(tui, "That key came too soon"));
}

/* A command of which a request cut off the end stays, but the next Enter only asks. */
static void a_line_cut_in_two_is_not_run_at_once(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "rm -rf build");
    tui_wait_guard(tui);
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_keys(tui, "/x\r");
    deny(tui);
    assert_string_equal(typed(tui), "rm -rf build");
    tui_keys(tui, "\r");
    assert_int_equal(orchestrator_call_count(tui->core), 1);
    assert_true(tui_shows(tui, "A request came up while you typed this"));
    tui_keys(tui, "\r");
    assert_int_equal(orchestrator_call_count(tui->core), 2);
    assert_string_equal(orchestrator_call_at(tui->core, 1)->spec->argv[2], "rm -rf build");
}

/* Whoever goes on writing has read what stands there. */
static void a_line_that_is_gone_on_with_runs(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "rm -rf build");
    tui_wait_guard(tui);
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    deny(tui);
    tui_keys(tui, "/x\r");
    assert_string_equal(orchestrator_call_at(tui->core, 1)->spec->argv[2], "rm -rf build/x");
}

/* An agent has the operator write, takes its question back and asks for something else. */
static void an_answer_that_is_written_on_allows_nothing(void **state)
{
    struct tui *tui = *state;
    struct call *question = tui_request(tui, "What is your name?", RISK_LOW);

    tui_wait_guard(tui);
    tui_keys(tui, "n");
    tui_keys(tui, "Jane ");
    assert_true(tui_shows(tui, "Tell the agent why"));
    fake_core_withdraw(tui->core, question);
    tui_settle(tui);
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "What you typed as this came up was dropped."));
    for (int i = 0; i < 4; i++) {
        tui_wait_guard(tui);
        tui_keys(tui, "y");
    }
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_string_equal(typed(tui), "");
    for (int i = 0; i < 5; i++)
        tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_letter_typed_just_before_is_dropped),
        TEST(a_key_that_came_too_soon_is_told),
        TEST(a_key_that_finds_no_request_yet_is_told),
        TEST(a_line_cut_in_two_is_not_run_at_once),
        TEST(a_line_that_is_gone_on_with_runs),
        TEST(an_answer_that_is_written_on_allows_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
