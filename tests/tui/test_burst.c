/* SPDX-License-Identifier: MIT */
/* Text that comes in one piece, as a paste without brackets does, decides nothing and changes
 * nothing, wherever the keyboard is. */
#include "config.h"

#include "fake_lab.h"
#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "approval/grants.h"
#include "ui/console_int.h"

#define F4 "\x1bOS"
#define F6 "\x1b[17~"
#define F7 "\x1b[18~"
#define F8 "\x1b[19~"
#define F9 "\x1b[20~"
#define F10 "\x1b[21~"
#define DROPPED "Keys that come all at once change nothing, and were dropped."

static void nothing_is_stopped(void **state)
{
    static const char *const pieces[] = {F4 F4, F8 F8, F10 F10, "\x1bx\x1bx", "\x1bk\x1bk"};
    struct tui *tui = *state;

    tui_running(tui, "make", true);
    tui_settle(tui);
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        tui_keys(tui, pieces[i]);
        assert_true(tui_shows(tui, DROPPED));
        tui_advance(tui, 100);
    }
    tui_keys(tui, F4); /* by itself it asks */
    assert_true(tui_shows(tui, "once more ends c1"));
    tui_advance(tui, 100);
    tui_keys(tui, "x" F4);
    assert_int_equal(fake_core_cancels(tui->core), 0);
    assert_false(tui->agent->stopped);
    assert_int_equal(tui->quit_status, -1);
}

/* In a hurry any number of keys are pressed: the brake holds, and is let go by a key alone. */
static void the_brake_holds(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, F7 F7 F7);
    assert_true(orchestrator_is_frozen(tui->core));
    tui_keys(tui, F7 "x");
    assert_true(orchestrator_is_frozen(tui->core));
    tui_advance(tui, 100);
    tui_keys(tui, F7);
    assert_false(orchestrator_is_frozen(tui->core));
}

static void a_line_changes_nothing(void **state)
{
    static const char *const lines[] = {
        ":policy never\r",
        ":network on\r",
        ":sandbox danger-full-access\r:sandbox danger-full-access\r",
        ":stop codex\r:stop codex\r",
        ":quit\r:quit\r",
    };
    struct tui *tui = *state;
    const struct turn_context *before = tui->own->context;

    tui_running(tui, "make", true);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        tui_keys(tui, lines[i]);
        assert_true(
            tui_shows(tui, "This line came all at once: read it. Enter once more runs it."));
        tui_keys(tui, "\x1b");
        tui_advance(tui, 100);
    }
    assert_ptr_equal(tui->own->context, before);
    assert_false(tui->agent->stopped);
    assert_int_equal(tui->quit_status, -1);
    tui_keys(tui, ":freeze\r:thaw\r");
    assert_true(orchestrator_is_frozen(tui->core));
}

/* Else the brake could not be pulled from a line of which all that is typed comes in pieces. */
static void a_line_that_came_at_once_can_be_cleared(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", true);
    tui_keys(tui, ":policy never\r");
    assert_true(tui_shows(tui, "Enter once more runs it."));
    tui_keys(tui, "\x15:freeze\r");
    assert_true(orchestrator_is_frozen(tui->core));
    assert_string_equal(line_editor_text(tui->console->prompt), "");
}

/* The question is asked of a finger, and its answer comes in one piece. */
static void nor_does_the_second_line_of_a_question(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":sandbox danger-full-access\r");
    assert_true(tui_shows(tui, "once more lets commands run WITHOUT the sandbox"));
    tui_keys(tui, ":sandbox danger-full-access\r");
    assert_int_equal(tui->own->context->sandbox->mode, SANDBOX_WORKSPACE_WRITE);
    tui_advance(tui, 100);
    tui_keys(tui, "\r");
    assert_int_equal(tui->own->context->sandbox->mode, SANDBOX_DANGER_FULL_ACCESS);
}

/* What only shows, and what runs a command of the operator's own, does so at once. */
static void what_only_shows_shows(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, ":trust\r");
    assert_false(tui_shows(tui, "came all at once"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    tui_keys(tui, "make\r");
    assert_non_null(orchestrator_find_call(tui->core, 1));
}

static void nothing_is_taken_back(void **state)
{
    static const char *const one[] = {"one", NULL};
    struct tui *tui = *state;

    grants_add(tui->agent->grants, one, "make one", 1, NULL);
    tui_keys(tui, F6);
    tui_advance(tui, 100);
    tui_keys(tui, "jr");
    assert_int_equal(grants_count(tui->agent->grants), 1);
    assert_true(tui_shows(tui, DROPPED));
    tui_advance(tui, 100);
    tui_keys(tui, "r");
    assert_int_equal(grants_count(tui->agent->grants), 0);
}

static void nothing_is_marked_in_the_inbox(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_request_inside(tui, "ls", RISK_LOW);
    tui_settle(tui);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    tui_keys(tui, "  ");
    assert_true(tui_shows(tui, "Keys that come all at once are no answer, and were dropped."));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(tui_decision(tui)->prompt, 1); /* the row at the cursor, which stayed */
}

static void no_wide_rule_is_added(void **state)
{
    static struct rule_suggestion wide[] = {
        {.rule = "one()", .words = "make one", .approved = 3, .high = true}};
    static struct fake_lab lab = {.suggestions = wide, .suggestion_count = 1};
    struct tui *tui = *state;

    fake_lab_give(&tui->console->setup.hooks, &lab);
    tui_keys(tui, ":suggest\r");
    tui_wait_guard(tui);
    tui_keys(tui, "p");
    assert_true(tui_shows(tui, "adds it all the same"));
    tui_advance(tui, 100);
    tui_keys(tui, "\r\r");
    assert_null(fake_core_rule(tui->core));
    assert_true(tui_shows(tui, DROPPED));
    tui_keys(tui, "q");
}

/* "n", and then what was to be written comes with its Enter. */
static void a_message_is_sent_by_a_key_of_its_own(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "n");
    tui_advance(tui, 100);
    tui_keys(tui, "no\r");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "The text is kept; the key that came at once with it was dropped"));
    tui_advance(tui, 100);
    tui_keys(tui, "\r");
    assert_string_equal(tui_decision(tui)->message, "no");
}

static void what_an_answer_is_about_is_not_chosen(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "l+");
    assert_true(tui_shows(tui, "Keys that come all at once are no answer, and were dropped."));
    tui_no_decision(tui);
}

static void nothing_is_kept_inside(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "in the sandbox");
    assert_true(tui_shows(tui, "Keys that come all at once are no answer, and were dropped."));
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "i");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED_SANDBOXED);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_stopped),
        TEST(the_brake_holds),
        TEST(a_line_changes_nothing),
        TEST(a_line_that_came_at_once_can_be_cleared),
        TEST(nor_does_the_second_line_of_a_question),
        TEST(what_only_shows_shows),
        TEST(nothing_is_taken_back),
        TEST(nothing_is_marked_in_the_inbox),
        TEST(no_wide_rule_is_added),
        TEST(a_message_is_sent_by_a_key_of_its_own),
        TEST(what_an_answer_is_about_is_not_chosen),
        TEST(nothing_is_kept_inside),
    };

    return cmocka_run_group_tests_name("burst", tests, NULL, NULL);
}
