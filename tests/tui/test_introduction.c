/* SPDX-License-Identifier: MIT */
/* The introduction: any key closes it and does no more, and a request never waits for it. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/console_int.h"
#include "ui/restored_view.h"

#define TITLE "Assent: for the first time"

static int start(void **state)
{
    static struct tui tui;
    const struct tui_options options = {.introduce = true, .mouse = true};

    tui_start(&tui, 24, 80, &options);
    *state = &tui;
    return 0;
}

static int stop(void **state)
{
    tui_stop(*state);
    return 0;
}

static void looks_as_it_should(void **state)
{
    struct tui *tui = *state;

    tui_golden(tui, "introduction");
    tui_stop(tui);
    tui_start(tui, 50, 200, &(struct tui_options){.introduce = true, .theme = "light"});
    tui_golden(tui, "introduction-200x50-light");
}

/* What runs unasked is another thing under each policy. */
static void it_tells_of_the_policy_in_force(void **state)
{
    struct tui *tui = *state;

    assert_true(tui_shows(tui, "the same sandbox, unasked."));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 1000);
    tui_lines(tui, ":policy untrusted\r");
    tui_advance(tui, 100);
    tui_keys(tui, "?");
    assert_true(tui_shows(tui, "(policy untrusted)"));
    assert_false(tui_shows(tui, "sandbox, unasked."));
}

static void a_key_closes_it_and_does_nothing_else(void **state)
{
    static const char *const keys[] = {
        "\r", "\x1b", "\x11", " ", "\t", "\x1b[20~", "\x1by",
        "l",  "y",    ":",    "/", "!",  "\xc3\xa9", "\x1b[200~make test\x1b[201~"};
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        tui_stop(tui);
        start(state);
        assert_true(tui_shows(tui, TITLE));
        tui_keys(tui, keys[i]);
        tui_advance(tui, 50);
        assert_false(tui_shows(tui, TITLE));
        assert_null(tui->console->overlay);
        assert_string_equal(line_editor_text(tui->console->prompt), "");
        assert_int_equal(tui->quit_status, -1);
        assert_int_equal(orchestrator_call_count(tui->core), 0);
    }
}

static void who_asks_for_help_gets_it(void **state)
{
    static const char *const keys[] = {"\x1bOP", "?"}; /* F1 */
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        tui_stop(tui);
        start(state);
        tui_keys(tui, keys[i]);
        tui_advance(tui, 50);
        assert_false(tui_shows(tui, TITLE));
        assert_true(tui_shows(tui, "At the prompt line"));
        tui_keys(tui, "\x1b");
        tui_advance(tui, 50);
        assert_null(tui->console->overlay);
        assert_string_equal(line_editor_text(tui->console->prompt), "");
    }
}

static void expect_below(struct tui *tui, const char *text)
{
    for (int line = 0; line < 400 && !tui_shows(tui, text); line++)
        tui_keys(tui, "j");
    assert_true(tui_shows(tui, text));
}

/* Nobody has to open a request to learn what a no to it covers. */
static void help_says_what_a_denial_covers(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "?");
    expect_below(tui, "A denial holds for the session");
    /* It stands with the keys of a request. */
    assert_true(tui_shows(tui, "pick from choices the agent offers"));
}

/* As the theme draws them. */
static void help_says_what_the_signs_mean(void **state)
{
    static const struct tui_options ascii = {.locale = "C"};
    struct tui *tui = *state;

    tui_keys(tui, "?");
    expect_below(tui, "Signs in the list of calls");
    expect_below(tui, "⊘                   denied (it, or its second try)");
    expect_below(tui, "·                   it is about to start");
    expect_below(tui, "HIGH                of high risk; ran unasked, in a sandbox");
    tui_stop(tui);
    tui_start(tui, 24, 80, &ascii);
    tui_keys(tui, "?");
    expect_below(tui, "x                   denied (it, or its second try)");
}

/* However fast they come: what stands behind the key that closed it is typed. */
static void keys_behind_it_count(void **state)
{
    struct tui *tui = *state;

    tui_presses(tui, "xls -l");
    assert_false(tui_shows(tui, TITLE));
    assert_string_equal(line_editor_text(tui->console->prompt), "ls -l");
    tui_stop(tui);
    start(state);
    tui_keys(tui, "x:help"); /* in one piece */
    assert_false(tui_shows(tui, TITLE));
    assert_string_equal(line_editor_text(tui->console->prompt), ":help");
    assert_int_equal(orchestrator_call_count(tui->core), 0);
}

/* The key that closed it does not count twice, but is one again once another was pressed. */
static void a_closing_key_does_not_bounce(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, " ");
    tui_keys(tui, " ");
    assert_string_equal(line_editor_text(tui->console->prompt), "");
    tui_keys(tui, "a b ");
    assert_string_equal(line_editor_text(tui->console->prompt), "a b ");
}

/* A letter that closed it as a request came up is no answer to that, nor one behind it. */
static void a_closing_letter_answers_nothing(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "y");
    tui_request_inside(tui, "make install", RISK_MEDIUM);
    tui_settle(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_string_equal(line_editor_text(tui->console->prompt), "");
}

static void a_click_closes_it(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "\x1b[<0;20;10M\x1b[<0;20;10m");
    assert_false(tui_shows(tui, TITLE));
}

static void a_request_takes_its_place_at_once(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make install", RISK_MEDIUM);
    tui_settle(tui);
    assert_false(tui_shows(tui, TITLE));
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    tui_keys(tui, "y"); /* for the introduction: the guard is up */
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    tui_settle(tui);
    assert_false(tui_shows(tui, TITLE)); /* it does not come back */
}

/* The key and the request arrive together. */
static void its_key_is_no_decision(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make install", RISK_MEDIUM);
    tui_keys(tui, "yy");
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_string_equal(line_editor_text(tui->console->prompt), "");
}

/* One key closes what came back of another console, and what asks meanwhile is next: a request over
 * it that is put aside would leave the text where it was. */
static void a_request_waits_behind_what_came_back(void **state)
{
    static char approvals[] = "make test";
    static const struct console_restored restored = {.console = "shop", .approvals = approvals};
    struct tui *tui = *state;

    tui_keys(tui, " ");
    restored_view_show(tui->console, &restored);
    tui_request_inside(tui, "make install", RISK_MEDIUM);
    tui_settle(tui);
    assert_true(tui_shows(tui, "Gone on from"));
    assert_true(tui_shows(tui, " Esc closes: 1 request waits "));
    assert_false(tui_shows(tui, "c1 asks. May it run"));
    tui_keys(tui, "\x1b");
    tui_settle(tui);
    assert_false(tui_shows(tui, "Gone on from"));
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_null(tui->console->overlay);
}

/* The list is empty, and the record is not. */
static void what_was_asked_before_is_in_the_record(void **state)
{
    static const struct console_restored restored = {.console = "shop", .calls = 35};
    struct tui *tui = *state;

    tui_keys(tui, " ");
    assert_true(tui_shows(tui, "Nothing has been asked yet."));
    restored_view_show(tui->console, &restored);
    tui_settle(tui);
    tui_keys(tui, "q");
    assert_false(tui_shows(tui, "Nothing has been asked yet."));
    assert_true(tui_shows(tui, "Nothing has been asked since; 35 earlier calls are in :log."));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(looks_as_it_should),
        TEST(it_tells_of_the_policy_in_force),
        TEST(a_key_closes_it_and_does_nothing_else),
        TEST(who_asks_for_help_gets_it),
        TEST(help_says_what_a_denial_covers),
        TEST(help_says_what_the_signs_mean),
        TEST(a_click_closes_it),
        TEST(a_request_takes_its_place_at_once),
        TEST(keys_behind_it_count),
        TEST(a_closing_key_does_not_bounce),
        TEST(a_closing_letter_answers_nothing),
        TEST(its_key_is_no_decision),
        TEST(a_request_waits_behind_what_came_back),
        TEST(what_was_asked_before_is_in_the_record),
    };

    return cmocka_run_group_tests_name("introduction", tests, NULL, NULL);
}
