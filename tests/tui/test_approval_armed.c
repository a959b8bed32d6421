/* SPDX-License-Identifier: MIT */
/* Between the key of an answer and the Enter that confirms it: what other keys do then. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "base/strbuf.h"

#define ESC "\x1b"
#define CTRL_A "\x01"
#define PAGE_DOWN "\x1b[6~"
#define WHEEL_DOWN "\x1b[<65;5;5M"
#define NOT_YET "Not allowed yet. Choose an answer."

static void arm(struct tui *tui)
{
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "Enter confirms: "));
}

static void escape(struct tui *tui)
{
    tui_keys(tui, ESC);
    tui_advance(tui, 100);
}

/* Esc then closes what is read, and puts nothing aside. */
static void a_key_that_looks_looks(void **state)
{
    static const struct {
        const char *key, *shown;
    } rows[] = {{"v", "everything about c1"},
                {CTRL_A, "everything about c1"},
                {"?", "When a request is shown"}};
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_request(tui, "make clean", RISK_HIGH);
    for (size_t i = 0; i < COUNT(rows); i++) {
        arm(tui);
        tui_keys(tui, rows[i].key);
        assert_true(tui_shows(tui, rows[i].shown));
        tui_advance(tui, 1000);
        escape(tui);
        assert_false(tui_shows(tui, rows[i].shown));
        assert_true(tui_shows(tui, "c1 asks. May it run"));
        assert_true(tui_shows(tui, NOT_YET));
        assert_false(tui_shows(tui, "Enter confirms"));
        tui_keys(tui, "\r"); /* neither is it confirmed, nor is the mark's answer given */
        tui_no_decision(tui);
        tui_advance(tui, 2000);
    }
}

static void a_key_that_scrolls_scrolls(void **state)
{
    struct tui *tui = *state;
    cleanup_strbuf struct strbuf command = STRBUF_INIT;

    for (int i = 0; i < 12; i++)
        strbuf_addf(&command, "echo %d\n", i);
    strbuf_addstr(&command, "rm -rf end");
    tui_request(tui, strbuf_str(&command), RISK_HIGH);
    tui_settle(tui);
    tui_wait_guard(tui);
    for (int i = 0; i < 13; i++)
        tui_keys(tui, PAGE_DOWN);
    assert_true(tui_shows(tui, "rm -rf end"));
    arm(tui);
    tui_keys(tui, "\x1b[H");
    assert_true(tui_shows(tui, "echo 0"));
    assert_true(tui_shows(tui, NOT_YET));
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    tui_advance(tui, 2000);
    arm(tui);
    tui_keys(tui, WHEEL_DOWN);
    assert_false(tui_shows(tui, "echo 0"));
    assert_true(tui_shows(tui, NOT_YET));
    tui_keys(tui, "\r");
    tui_no_decision(tui);
}

/* What would only take the answer back is not offered as more than that. */
static void the_foot_offers_what_works(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    assert_true(tui_shows(tui, "e change  v view everything  Esc put aside  ? help"));
    arm(tui);
    assert_true(tui_shows(tui, " v view everything  Esc back  ? help"));
    assert_false(tui_shows(tui, "change"));
    tui_keys(tui, "e");
    assert_true(tui_shows(tui, NOT_YET));
    assert_true(tui_shows(tui, "e change  v view everything  Esc put aside  ? help"));
}

/* The first Esc takes the answer back alone; the next one puts aside, and then the key that was
 * meant for this request is none for the one that comes up. */
static void a_second_esc_puts_aside(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_request(tui, "make clean", RISK_LOW);
    arm(tui);
    escape(tui);
    assert_true(tui_shows(tui, NOT_YET));
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    tui_advance(tui, 2000);
    escape(tui);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_keys(tui, "y"); /* it goes on until nothing is pressed for a moment */
    tui_no_decision(tui);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_key_that_looks_looks),
        TEST(a_key_that_scrolls_scrolls),
        TEST(the_foot_offers_what_works),
        TEST(a_second_esc_puts_aside),
    };

    return cmocka_run_group_tests_name("approval armed", tests, NULL, NULL);
}
