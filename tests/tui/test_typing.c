/* SPDX-License-Identifier: MIT */
/* Keys around the moment at which a request comes up: none of them is lost without a word, and none
 * becomes a command that nobody meant. */
#include "config.h"

#include "tui.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fd.h"
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

#define HELD "c1 asks: shown once this line is sent, emptied or left for 3 s (F2: now)"

/* Not over a line that is typed: it says that it waits, and no key is lost or answers it. */
static void a_request_waits_for_the_line(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "e");
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, HELD));
    for (const char *at = "cho yes"; *at != '\0'; at++) {
        assert_null(tui->console->overlay);
        tui_advance(tui, 900); /* one who looks for the keys */
        tui_keys(tui, (char[]){*at, '\0'});
    }
    assert_string_equal(typed(tui), "echo yes");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, HELD));
    tui_keys(tui, "\r");
    assert_string_equal(orchestrator_call_at(tui->core, 1)->spec->argv[2], "echo yes");
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    assert_false(tui_shows(tui, "What you typed"));
    deny(tui);
    assert_false(tui_shows(tui, HELD));
}

/* Whoever has rested, and writes on, allows nothing by the next letter; who answers presses again.
 */
static void a_line_that_goes_on_allows_nothing(void **state)
{
    struct tui *tui = *state;

    tui_presses(tui, ":sto");
    tui_request_inside(tui, "make", RISK_LOW);
    tui_advance(tui, 3100);
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    tui_advance(tui, 5000);
    for (const char *key = "y y"; *key != '\0'; key++) {
        tui_keys(tui, (char[]){*key, '\0'});
        tui_advance(tui, 150);
    }
    tui_no_decision(tui);
    assert_string_equal(typed(tui), ":sto");
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* What ends that: nothing is typed any more, nothing is left of the line, or it is wanted now. */
static void a_request_comes_up_once_the_line_rests(void **state)
{
    static const char *const ends[] = {"", "\x15", "\x1bOQ"}; /* Ctrl-U, F2 */
    struct tui *tui = *state;

    for (size_t i = 0; i < 3; i++) {
        tui_keys(tui, "ls");
        tui_request_inside(tui, "make", RISK_LOW);
        tui_settle(tui);
        tui_advance(tui, 2500);
        assert_null(tui->console->overlay);
        if (i == 0)
            tui_advance(tui, 600);
        else
            tui_keys(tui, ends[i]);
        assert_non_null(tui->console->overlay);
        assert_string_equal(typed(tui), i == 1 ? "" : "ls");
        deny(tui);
        assert_string_equal(typed(tui), i == 1 ? "" : "ls");
        tui_keys(tui, "\x15");
        tui_advance(tui, 6000);
    }
}

/* An answer to one does not hold up the next, although a line stands there. */
static void the_next_request_does_not_wait_for_the_line(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "ls");
    tui_request_inside(tui, "make", RISK_LOW);
    tui_request_inside(tui, "make test", RISK_LOW);
    tui_settle(tui);
    tui_advance(tui, 3100);
    tui_wait_guard(tui);
    tui_keys(tui, "y"); /* is a letter, perhaps */
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    tui_keys(tui, "y");
    assert_string_equal(typed(tui), "ls");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    tui_wait_next(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 2);
}

static void a_key_that_came_too_soon_is_told(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
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
    tui_request_inside(tui, "make test", RISK_LOW);
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
    tui_advance(tui, 4000);
    tui_request_inside(tui, "make", RISK_LOW);
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
    tui_advance(tui, 4000);
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    deny(tui);
    tui_keys(tui, "/x\r");
    assert_string_equal(orchestrator_call_at(tui->core, 1)->spec->argv[2], "rm -rf build/x");
}

/* The rest of a password is no command, and is not shown: neither when its program has ended, nor
 * when it had before the keyboard was to go there. */
static void what_is_typed_into_a_pane_that_ends_is_dropped(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "passwd", true);
    size_t calls = orchestrator_call_count(tui->core);

    tui_keys(tui, "\x1b[24~"); /* F12 */
    for (const char *at = "sec"; *at != '\0'; at++)
        tui_keys(tui, (char[]){*at, '\0'});
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    assert_true(tui_shows(tui, "keys: prompt"));
    for (const char *at = "ret99\r"; *at != '\0'; at++) {
        tui_advance(tui, 600); /* one who looks for the keys */
        tui_keys(tui, (char[]){*at, '\0'});
        assert_string_equal(typed(tui), "");
    }
    assert_true(tui_shows(tui, "No pane has the keyboard: what you typed was dropped."));
    assert_int_equal(orchestrator_call_count(tui->core), calls);
    tui_advance(tui, 10000);
    tui_keys(tui, "a");
    assert_string_equal(typed(tui), "a");
    tui_keys(tui, "\x7f\x1b[24~");
    tui_advance(tui, 600);
    tui_keys(tui, "h");
    tui_keys(tui, "\r");
    assert_string_equal(typed(tui), "");
    assert_int_equal(orchestrator_call_count(tui->core), calls);
}

/* A call that waits has none, and what is typed for it is no command of the operator's own. */
static void what_is_typed_for_no_pane_is_dropped(void **state)
{
    struct tui *tui = *state;
    size_t calls;

    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b"); /* aside */
    tui_advance(tui, 3000);
    calls = orchestrator_call_count(tui->core);
    tui_keys(tui, "\x1b[24~"); /* F12 */
    assert_true(tui_shows(tui, "there is no pane yet"));
    tui_advance(tui, 600);
    tui_lines(tui, "yes\r");
    assert_true(tui_shows(tui, "No pane has the keyboard: what you typed was dropped."));
    assert_string_equal(typed(tui), "");
    assert_int_equal(orchestrator_call_count(tui->core), calls);
}

/* One key that ends a program is no word. */
static void a_key_that_ends_a_program_holds_up_nothing(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "less README", true);

    tui_keys(tui, "\x1b[24~"); /* F12 */
    tui_keys(tui, "q");
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    tui_advance(tui, 300);
    tui_keys(tui, "l");
    assert_string_equal(typed(tui), "l");
}

/* Who has mistyped, or moves the mouse meanwhile, still writes; and who pastes does. */
static void a_word_that_is_mended_is_one(void **state)
{
    static const char *const begun[][3] = {{"se", "\x7f", "c"}, {"\x1b[200~sec\x1b[201~", "", ""}};
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(begun) / sizeof(*begun); i++) {
        struct call *call = tui_running(tui, "passwd", true);
        size_t calls = orchestrator_call_count(tui->core);

        tui_keys(tui, "\x1b[24~"); /* F12 */
        for (size_t j = 0; j < 3 && *begun[i][j] != '\0'; j++)
            tui_keys(tui, begun[i][j]);
        fake_core_finish(tui->core, call, 0);
        tui_settle(tui);
        for (const char *at = "ret99\r"; *at != '\0'; at++) {
            tui_advance(tui, 300);
            tui_keys(tui, (char[]){*at, '\0'});
            assert_string_equal(typed(tui), "");
        }
        assert_int_equal(orchestrator_call_count(tui->core), calls);
        tui_advance(tui, 10000);
    }
}

/* An agent has the operator write, takes its question back and asks for something else. */
static void an_answer_that_is_written_on_allows_nothing(void **state)
{
    struct tui *tui = *state;
    struct call *question = tui_request_inside(tui, "What is your name?", RISK_LOW);

    tui_wait_guard(tui);
    tui_keys(tui, "n");
    tui_keys(tui, "Jane ");
    assert_true(tui_shows(tui, "Tell the agent why"));
    fake_core_withdraw(tui->core, question);
    tui_settle(tui);
    tui_request_inside(tui, "make", RISK_LOW);
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
    tui_keys(tui, "y"); /* may still be for the first one */
    assert_int_equal(fake_core_decisions(tui->core), 0);
    for (int i = 0; i < 5; i++)
        tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* ---- keys that a network tears apart --------------------------------------------------------- */

/* Empty, with "one" as its newest line before. */
static void start_with_history(struct tui *tui, int64_t escape_ms)
{
    tui_start(tui, 24, 80, &(struct tui_options){.escape_ms = escape_ms});
    tui_keys(tui, "one\r");
    assert_string_equal(typed(tui), "");
}

/* Of an arrow the first byte, and so much later the rest. */
static void torn_arrow(struct tui *tui, int64_t ms)
{
    tui_keys(tui, "\x1b");
    tui_advance(tui, ms);
    tui_keys(tui, "[A");
}

static void an_arrow_in_pieces_is_an_arrow(void **state)
{
    struct tui tui;

    (void)state;
    start_with_history(&tui, INPUT_ESCAPE_REMOTE_MS);
    torn_arrow(&tui, 300);
    assert_string_equal(typed(&tui), "one");
    tui_stop(&tui);
    start_with_history(&tui, 0);
    tui_keys(&tui, "\x1b");
    tui_keys(&tui, "[A");
    assert_string_equal(typed(&tui), "one");
    tui_stop(&tui);
}

/* Each piece may be as late as the first. */
static void every_piece_may_be_late(void **state)
{
    struct tui tui;

    (void)state;
    start_with_history(&tui, INPUT_ESCAPE_REMOTE_MS);
    tui_keys(&tui, "\x1b");
    tui_advance(&tui, 300);
    tui_keys(&tui, "[");
    tui_advance(&tui, 300);
    tui_keys(&tui, "A");
    assert_string_equal(typed(&tui), "one");
    tui_stop(&tui);
}

/* A request is not put aside by the first byte of an arrow, and is by the key. */
static void escape_alone_is_escape(void **state)
{
    struct tui tui;

    (void)state;
    tui_start(&tui, 24, 80, &(struct tui_options){.escape_ms = INPUT_ESCAPE_REMOTE_MS});
    tui_request(&tui, "make", RISK_LOW);
    tui_wait_guard(&tui);
    torn_arrow(&tui, 300);
    assert_true(tui_shows(&tui, "c1 asks"));
    tui_keys(&tui, "\x1b");
    tui_advance(&tui, INPUT_ESCAPE_REMOTE_MS - 100);
    assert_true(tui_shows(&tui, "c1 asks"));
    tui_advance(&tui, 120);
    assert_false(tui_shows(&tui, "c1 asks"));
    assert_int_equal(fake_core_decisions(tui.core), 0);
    tui_stop(&tui);
}

/* The rest comes while the console does something else. */
static void rest_comes(void *argument)
{
    struct tui *tui = argument;
    struct pollfd slave = {.fd = tui->slave, .events = POLLIN};

    assert_int_equal(fd_write_all(tui->master, "[A", 2), 0);
    assert_int_equal(poll(&slave, 1, 10000), 1);
}

static void a_busy_console_takes_what_came_in_time(void **state)
{
    struct loop_timer *timer;
    struct tui tui;

    (void)state;
    start_with_history(&tui, 0);
    timer = loop_timer_new(tui.loop, rest_comes, &tui);
    tui_keys(&tui, "\x1b");
    loop_timer_start(timer, 1);
    tui.clock.now_ms += 1000; /* both timers are due, that one first */
    loop_step(tui.loop, 0);
    tui_advance(&tui, 100);
    assert_string_equal(typed(&tui), "one");
    loop_timer_free(&timer);
    tui_stop(&tui);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_request_waits_for_the_line),
        TEST(a_line_that_goes_on_allows_nothing),
        TEST(a_request_comes_up_once_the_line_rests),
        TEST(the_next_request_does_not_wait_for_the_line),
        TEST(a_key_that_came_too_soon_is_told),
        TEST(a_key_that_finds_no_request_yet_is_told),
        TEST(a_line_cut_in_two_is_not_run_at_once),
        TEST(a_line_that_is_gone_on_with_runs),
        TEST(an_answer_that_is_written_on_allows_nothing),
        TEST(what_is_typed_into_a_pane_that_ends_is_dropped),
        TEST(what_is_typed_for_no_pane_is_dropped),
        TEST(a_word_that_is_mended_is_one),
        TEST(a_key_that_ends_a_program_holds_up_nothing),
        cmocka_unit_test(an_arrow_in_pieces_is_an_arrow),
        cmocka_unit_test(every_piece_may_be_late),
        cmocka_unit_test(escape_alone_is_escape),
        cmocka_unit_test(a_busy_console_takes_what_came_in_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
