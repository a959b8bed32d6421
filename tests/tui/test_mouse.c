/* SPDX-License-Identifier: MIT */
/* The mouse over calls, panes and a request. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "ui/console_int.h"

#define F12 "\x1b[24~"

static int start_with_mouse(void **state)
{
    const struct tui_options options = {.mouse = true};
    struct tui *tui = XNEW(struct tui);

    tui_start(tui, 24, 80, &options);
    *state = tui;
    return 0;
}

static void press(struct tui *tui, int button, const char *text)
{
    cleanup_free char *bytes = NULL;
    int row, column;

    assert_true(tui_find(tui, text, &row, &column));
    bytes = xasprintf("\x1b[<%d;%d;%dM", button, column + 1, row + 1);
    tui_keys(tui, bytes);
}

#define CLICK 0
#define WHEEL_UP 64
#define WHEEL_DOWN 65

static void it_selects_calls(void **state)
{
    struct tui *tui = *state;
    struct call *first = tui_running(tui, "make one", false);
    struct call *second = tui_running(tui, "make two", false);

    fake_core_output(tui->core, first, "words of the first\n");
    tui_settle(tui);
    assert_int_equal(tui->console->selected, second->id);
    press(tui, CLICK, "make one");
    assert_int_equal(tui->console->selected, first->id);
    press(tui, CLICK, "make two");
    assert_int_equal(tui->console->selected, second->id);
    press(tui, CLICK, "words of the first");
    assert_int_equal(tui->console->selected, first->id);
}

static void the_wheel_scrolls_a_pane(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);

    for (int i = 1; i <= 100; i++) {
        cleanup_free char *line = xasprintf("line %03d\n", i);

        fake_core_output(tui->core, call, line);
    }
    tui_settle(tui);
    press(tui, WHEEL_UP, "line 099");
    assert_false(tui_shows(tui, "line 100"));
    assert_true(tui_shows(tui, "line 097"));
    press(tui, WHEEL_DOWN, "line 097");
    assert_true(tui_shows(tui, "line 100"));
}

/* In a pane it is the program's, or else the terminal's. */
static void in_a_pane_it_is_not_ours(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "vim", true);
    assert_int_equal(outer_mouse(tui->outer), 1);
    tui_keys(tui, F12);
    assert_int_equal(outer_mouse(tui->outer), 0);
    tui_keys(tui, F12);
    assert_int_equal(outer_mouse(tui->outer), 1);
}

/* A click marks, another one answers: under the guard, and never two in a row. */
static void it_marks_answers(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    press(tui, CLICK, "allow once");
    tui_wait_guard(tui);
    press(tui, CLICK, "allow once");
    press(tui, CLICK, "allow once");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    press(tui, CLICK, "allow once");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED);
}

/* Only the left button answers; those at the side have codes of their own. */
static void other_buttons_do_nothing(void **state)
{
    static const int others[] = {1, 2, 66, 67, 128, 129, 130, 131};
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        for (int again = 0; again < 3; again++) {
            tui_wait_guard(tui);
            press(tui, others[i], "allow once");
        }
        assert_int_equal(fake_core_decisions(tui->core), 0);
    }
    tui_keys(tui, "\x1b[20~"); /* the inbox */
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        tui_wait_guard(tui);
        press(tui, others[i], "once");
        assert_int_equal(fake_core_decisions(tui->core), 0);
    }
}

static void high_risk_takes_one_more(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "rm -rf /", RISK_HIGH);
    tui_settle(tui);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fake_core_decisions(tui->core), 0);
        tui_wait_guard(tui);
        press(tui, CLICK, "\xe2\x86\xb5 allow once");
    }
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start_with_mouse, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(it_selects_calls), TEST(the_wheel_scrolls_a_pane), TEST(in_a_pane_it_is_not_ours),
        TEST(it_marks_answers), TEST(other_buttons_do_nothing), TEST(high_risk_takes_one_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
