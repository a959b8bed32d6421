/* SPDX-License-Identifier: MIT */
/* When a key is no answer: too soon, too late, or not meant for a request at all. */
#include "config.h"

#include "tui.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "ui/console_int.h"

static void keys_before_the_guard_time_are_swallowed(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_keys(tui, "y"); /* typed while the request was on its way */
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "May it run"));
    tui_advance(tui, 300);
    tui_no_decision(tui);
    tui_keys(tui, "y"); /* 300 ms later, and the pause starts anew */
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* Reading needs no guard, and what is read meanwhile is no look at what is asked. */
static void keys_that_decide_nothing_work_at_once(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "everything about c1"));
    tui_advance(tui, 3000);
    tui_keys(tui, "q");
    assert_false(tui_shows(tui, "everything about c1"));
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "c1 is put aside and goes on waiting"));
    tui_keys(tui, "\x1bOQ"); /* F2 */
    tui_keys(tui, "?");
    assert_false(tui_shows(tui, "May it run"));
    tui_keys(tui, "q");
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

static void a_long_command_is_scrolled_at_once(void **state)
{
    struct tui *tui = *state;
    char line[2001];

    memset(line, 'a', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    tui_request_inside(tui, line, RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "lines 1 to "));
    tui_keys(tui, "\x1b[6~");
    assert_false(tui_shows(tui, "lines 1 to "));
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
}

/* A word's letters are no keys behind one that was dropped. */
static void letters_of_a_word_open_nothing(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    for (const char *key = "ov v?"; *key != '\0'; key++) {
        tui_advance(tui, 100);
        tui_keys(tui, (char[]){*key, '\0'});
        assert_true(tui_shows(tui, "May it run"));
    }
    tui_no_decision(tui);
}

static void typing_on_never_answers(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    for (int i = 0; i < 20; i++) {
        tui_keys(tui, "y");
        tui_advance(tui, 100);
    }
    tui_no_decision(tui);
}

/* ":answer" meant for the prompt line, with a request that has been there for long. */
static void words_for_elsewhere_never_answer(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, ":answer\r");
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* The one that is named opens, and no other in its place: also of those that were put aside. */
static void a_request_is_opened_by_its_number(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < 3; i++) {
        tui_request_inside(tui, "make", RISK_LOW);
        tui_wait_guard(tui);
        tui_keys(tui, "\x1b");
        tui_advance(tui, 2000);
    }
    tui_lines(tui, ":answer c2\r");
    assert_true(tui_shows(tui, "c2 asks. May it run?"));
    tui_keys(tui, "y"); /* too soon */
    tui_no_decision(tui);
    tui_wait_next(tui);
    tui_keys(tui, "d");
    assert_int_equal(tui_decision(tui)->prompt, 2);
    tui_advance(tui, 7000);
    assert_false(tui_shows(tui, "May it run")); /* the others wait on */
}

static void what_asks_nothing_opens_nothing(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "d");
    tui_advance(tui, 7000);
    fake_core_hold(tui->core, tui->agent, "make test", RISK_LOW);
    tui_request_inside(tui, "make", RISK_LOW);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 7000);
    tui_lines(tui, ":answer c9\r");
    assert_true(tui_shows(tui, "there is no such call"));
    tui_lines(tui, "\x15:answer c3 c1\r");
    assert_true(tui_shows(tui, "there is no such call"));
    tui_lines(tui, "\x15:answer c1\r");
    assert_true(tui_shows(tui, "c1 asks nothing now: denied"));
    tui_lines(tui, "\x15:answer c2\r");
    assert_true(tui_shows(tui, "c2 is not asked about yet: behind others"));
    tui_advance(tui, 7000);
    assert_false(tui_shows(tui, "May it run"));
}

static const char *prompt_line(const struct tui *tui)
{
    return line_editor_text(tui->console->prompt);
}

#define NOTHING_HOLDS "nothing that you answered holds any more"
#define NEXT "c1 asks: shown in a moment, or with the next key"

/* A command is typed at a request as at the prompt line: it waits meanwhile, and until what the
 * command told can have been read. */
static void types_undo(struct tui *tui, int64_t pace_ms)
{
    for (const char *key = ":undo"; *key != '\0'; key++) {
        tui_keys(tui, (char[]){*key, '\0'});
        tui_advance(tui, pace_ms);
        assert_false(tui_shows(tui, "May it run"));
    }
    assert_string_equal(prompt_line(tui), ":undo");
    assert_true(tui_shows(tui, "c1 waits until this line is sent or emptied (F2: now)"));
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, NOTHING_HOLDS));
    assert_true(tui_shows(tui, NEXT));
    assert_false(tui_shows(tui, "waits until this line"));
    tui_advance(tui, 5900);
    assert_true(tui_shows(tui, NOTHING_HOLDS));
    assert_false(tui_shows(tui, "May it run"));
    tui_advance(tui, 100);
    assert_true(tui_shows(tui, "May it run"));
    assert_string_equal(prompt_line(tui), "");
}

/* Any key brings it up before, and is no answer, whatever it means there; nor is what was typed on
 * behind the line. */
static void a_key_brings_up_what_waits_for_a_result(void **state)
{
    static const char *const keys[] = {"y",     "a", "d", "\r", "\x1b", "\x1b[200~y\x1b[201~",
                                       "\x1bOQ"};
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        tui_presses(tui, ":undo\r");
        for (int typed_on = 0; typed_on < 3; typed_on++) {
            tui_advance(tui, 50);
            tui_keys(tui, i == 6 ? "y" : keys[i]);
            assert_false(tui_shows(tui, "May it run"));
            assert_true(tui_shows(tui, NOTHING_HOLDS));
        }
        tui_advance(tui, 1000);
        tui_keys(tui, keys[i]);
        tui_advance(tui, 50); /* for Esc */
        assert_true(tui_shows(tui, "May it run"));
        assert_true(i == 6 || tui_shows(tui, "What you typed as this came up was dropped."));
        assert_string_equal(prompt_line(tui), "");
        tui_keys(tui, "y"); /* the guard is a new one */
        tui_no_decision(tui);
        assert_true(tui_shows(tui, "That key came too soon"));
        tui_wait_guard(tui);
    }
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* … and Enter behind an answer that was dropped so is not for what is marked. */
static void enter_behind_the_key_that_brings_it_up_denies_nothing(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_presses(tui, ":undo\r");
    tui_advance(tui, 1000);
    tui_keys(tui, "y");
    tui_settle(tui);
    assert_true(tui_shows(tui, "May it run"));
    tui_advance(tui, 900);
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Enter was dropped: the answer before it was not taken. d denies."));
    tui_keys(tui, "d");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

/* What means something at the prompt line does that, and the next command is not cut in two. */
static void keys_of_the_prompt_work_while_a_result_is_read(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_presses(tui, ":undo\r:un");
    tui_advance(tui, 10 * 1000);
    assert_false(tui_shows(tui, "May it run"));
    assert_true(tui_shows(tui, "c1 waits until this line is sent or emptied (F2: now)"));
    tui_presses(tui, "do\r");
    assert_true(tui_shows(tui, NEXT));
    tui_keys(tui, "\x1b[18~"); /* F7, at once */
    assert_true(orchestrator_is_frozen(tui->core));
    assert_true(tui_shows(tui, "May it run"));
    tui_no_decision(tui);
}

/* Nor does a request that comes meanwhile cover it; it is not held up where nothing was told. */
static void a_result_is_not_covered_by_a_request_that_comes(void **state)
{
    struct tui *tui = *state;
    struct call *call;

    tui_presses(tui, ":undo\r");
    tui_advance(tui, 3000);
    call = tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, NOTHING_HOLDS));
    assert_true(tui_shows(tui, NEXT));
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    assert_false(tui_shows(tui, NEXT));
    tui_request_inside(tui, "make", RISK_LOW);
    tui_advance(tui, 2700);
    assert_false(tui_shows(tui, "May it run"));
    tui_advance(tui, 300);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    tui_wait_guard(tui);
    tui_presses(tui, ":theme light\r");
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    tui_no_decision(tui);
}

static void a_colon_begins_a_command(void **state)
{
    static const int64_t paces_ms[] = {3, 100, 700, 5000};
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_HIGH);
    tui_settle(tui);
    for (size_t i = 0; i < sizeof(paces_ms) / sizeof(paces_ms[0]); i++) {
        types_undo(tui, paces_ms[i]); /* at once */
        tui_wait_guard(tui);
        types_undo(tui, paces_ms[i]);
        tui_wait_guard(tui);
        tui_keys(tui, "y");
        assert_true(tui_shows(tui, " Enter confirms: "));
        types_undo(tui, paces_ms[i]);
    }
    tui_wait_guard(tui);
    tui_keys(tui, ":undo\ry"); /* in one piece: Enter asks */
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "This line came all at once: read it."));
    tui_advance(tui, 10 * 1000);
    assert_false(tui_shows(tui, "May it run"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, " Enter confirms: "));
}

/* What has failed is mended first; what was begun before it is in the history. */
static void a_request_waits_for_the_line_it_was_put_aside_for(void **state)
{
    struct tui *tui = *state;

    tui_presses(tui, "make ");
    tui_request_inside(tui, "make", RISK_LOW);
    tui_advance(tui, 5000);
    assert_true(tui_shows(tui, "May it run"));
    tui_presses(tui, ":nonsense\r");
    assert_string_equal(prompt_line(tui), ":nonsense");
    tui_advance(tui, 10 * 1000);
    assert_false(tui_shows(tui, "May it run"));
    tui_presses(tui, "\x15"); /* C-u */
    assert_true(tui_shows(tui, "May it run"));
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b"); /* put aside for good */
    tui_advance(tui, 50);
    tui_presses(tui, "\x1b[A\x1b[A");
    assert_string_equal(prompt_line(tui), "make ");
    tui_presses(tui, "\x15");
    assert_false(tui_shows(tui, "May it run"));
    tui_no_decision(tui);
}

/* In a word it is a letter, and so are those behind it. */
static void a_colon_in_a_word_begins_no_command(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    for (const char *key = "why: y"; *key != '\0'; key++) {
        tui_keys(tui, (char[]){*key, '\0'});
        tui_advance(tui, 150);
        assert_true(tui_shows(tui, "May it run"));
    }
    tui_no_decision(tui);
    tui_resize(tui, 8, 30); /* no prompt line is in view */
    tui_advance(tui, 3000);
    tui_keys(tui, ":");
    assert_string_equal(prompt_line(tui), "");
}

/* It says so, and does not make the next answer, at the pace of one who answers, come too soon. */
static void a_key_without_a_meaning_says_so(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_advance(tui, 30 * 1000);
    tui_keys(tui, "z");
    assert_true(tui_shows(tui, "z is no answer here."));
    tui_advance(tui, 200);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_advance(tui, 250); /* the key that was dropped has not put it off */
    assert_false(tui_shows(tui, "That key came too soon"));
    assert_true(tui_shows(tui, "A key that came too soon was dropped."));
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* Word by word, as somebody writes who looks elsewhere. */
static void a_word_letter_by_letter_never_answers(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_advance(tui, 30 * 1000);
    for (const char *key = "why not run that by"; *key != '\0'; key++) {
        tui_keys(tui, (char[]){*key, '\0'});
        tui_advance(tui, 150);
        assert_true(tui_shows(tui, "May it run"));
    }
    tui_no_decision(tui);
}

/* How long an approval would hold decides nothing. */
static void a_lease_is_chosen_at_once(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    for (const char *key = "l+-"; *key != '\0'; key++) {
        tui_keys(tui, (char[]){*key, '\0'});
        assert_false(tui_shows(tui, "That key came too soon"));
    }
    tui_keys(tui, "a");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "That key came too soon"));
    assert_true(tui_shows(tui, "A key that came too soon was dropped."));
    tui_no_decision(tui);
}

static void a_new_revision_raises_the_guard_again(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_settle(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "medium"));
    tui_wait_change(tui);
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->revision, 2);
}

/* The attack: it changes again and again, and no key would ever come late enough. */
static void what_changes_all_the_time_can_be_denied(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    for (int i = 0; i < 20; i++) {
        fake_core_raise(tui->core, call, i % 2 == 0 ? RISK_MEDIUM : RISK_LOW);
        tui_settle(tui);
        if (i == 0)
            tui_keys(tui, "d"); /* it has only just come up */
        if (i == 10)
            tui_keys(tui, "y");
        tui_advance(tui, 100);
        tui_no_decision(tui);
    }
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_settle(tui);
    tui_keys(tui, "d");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

/* A change that has not been drawn yet: the key belongs to what was on the screen. */
static void a_key_for_what_was_shown_before_is_swallowed(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    fake_core_raise(tui->core, call, RISK_HIGH);
    tui_keys(tui, "y");
    tui_keys(tui, "\r");
    tui_no_decision(tui);
}

/* What has come up is found to be grave a moment later: the key is as lost as before. */
static void a_key_that_was_dropped_is_told_of_whatever_changes(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "That key came too soon"));
    fake_core_raise(tui->core, call, RISK_HIGH);
    tui_settle(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "A key that came too soon was dropped."));
    tui_no_decision(tui);
}

static void a_new_size_raises_the_guard_again(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_resize(tui, 30, 100);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

static void the_next_request_has_a_guard_of_its_own(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make one", RISK_LOW);
    tui_request_inside(tui, "make two", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "1 more waits"));
    for (int i = 0; i < 3; i++)
        tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->prompt, 1);
    assert_true(tui_shows(tui, "make two"));
    assert_false(tui_shows(tui, "yy")); /* nor are they left on the prompt line */
}

/* Presses the key `times` times, with so much time between. */
static void drum(struct tui *tui, const char *key, int times, int64_t pause_ms)
{
    for (int i = 0; i < times; i++) {
        tui_keys(tui, key);
        tui_settle(tui);
        tui_advance(tui, pause_ms);
    }
}

/* Whoever drums on has not read what came up in place of what was answered. */
static void a_key_that_drums_on_answers_once(void **state)
{
    static const int64_t pauses[] = {1, 30, 200, 400, 550, 700};
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
        tui_request_inside(tui, "make one", RISK_LOW);
        tui_request_inside(tui, "make two", RISK_LOW);
        tui_request_inside(tui, "make three", RISK_LOW);
        tui_settle(tui);
        tui_advance(tui, 6000);
        drum(tui, "y", 12, pauses[i]);
        assert_int_equal(fake_core_decisions(tui->core), 3 * i + 1);
        assert_true(tui_shows(tui, "make two"));
        assert_true(tui_shows(tui, "let go"));
        for (int rest = 0; rest < 2; rest++) {
            tui_advance(tui, 1000);
            tui_keys(tui, "d");
            tui_settle(tui);
        }
        assert_int_equal(fake_core_decisions(tui->core), 3 * i + 3);
    }
}

static void enter_that_drums_on_answers_once(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make one", RISK_LOW);
    tui_request_inside(tui, "make two", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    drum(tui, "\r", 20, 400);
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

/* The same command asks once more, to run without the sandbox. */
static void a_key_that_drums_on_is_not_for_a_retry(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "y");
    tui_settle(tui);
    for (int i = 0; i < 3; i++) {
        tui_advance(tui, 400);
        tui_keys(tui, "y");
    }
    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    drum(tui, "y", 12, 450);
    assert_int_equal(tui_decision(tui)->prompt, 1);
}

/* Whoever reads first is not held up. */
static void one_who_reads_the_next_answers_it(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make one", RISK_LOW);
    tui_request_inside(tui, "make two", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_settle(tui);
    tui_advance(tui, 850);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 2);
}

static void ask_many(struct tui *tui, int count)
{
    for (int i = 0; i < count; i++) {
        cleanup_free char *line = xasprintf("make target-%d", i);

        tui_request_inside(tui, line, RISK_LOW);
    }
    tui_settle(tui);
}

/* At a pace at which each key counts, without a look at what comes up: after two, the next one has
 * to be read. */
static void a_slow_drummer_is_stopped(void **state)
{
    static const int64_t pauses[] = {800, 820, 1000, 1150};
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
        size_t before = fake_core_decisions(tui->core);

        ask_many(tui, 6);
        tui_advance(tui, pauses[i]);
        drum(tui, "y", 20, pauses[i]);
        assert_int_equal(fake_core_decisions(tui->core), before + 2);
        tui_keys(tui, "y");
        assert_true(tui_shows(tui, "came too soon"));
        tui_advance(tui, 850);
        assert_true(tui_shows(tui, "You allowed 2 in a row quickly: let go, and read this one"));
        while (fake_core_decisions(tui->core) < before + 6) { /* denying is not held up */
            tui_keys(tui, "d");
            tui_settle(tui);
            tui_advance(tui, 850);
        }
        tui_advance(tui, 6000);
    }
}

/* The first of them was read, and the rest was not. */
static void a_drummer_who_began_by_reading_is_stopped(void **state)
{
    struct tui *tui = *state;

    ask_many(tui, 6);
    tui_advance(tui, 5000);
    drum(tui, "y", 20, 800);
    assert_int_equal(fake_core_decisions(tui->core), 3);
}

/* As is who does so with the mark, or the mouse. */
static void enter_on_an_answer_that_allows_is_held_up_too(void **state)
{
    struct tui *tui = *state;

    ask_many(tui, 4);
    tui_advance(tui, 850);
    drum(tui, "y", 2, 850);
    assert_int_equal(fake_core_decisions(tui->core), 2);
    tui_keys(tui, "\x1b[A"); /* the mark moves at once */
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_true(tui_shows(tui, "make target-2"));
    tui_advance(tui, 1650);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 3);
    assert_int_equal(fake_core_decision(tui->core, 2)->kind, REVIEW_APPROVED_FOR_SESSION);
}

/* A look at one of them, or an answer that denies it, begins a new row. */
static void who_reads_now_and_then_is_not_held_up(void **state)
{
    static const struct {
        const char *key;
        int64_t pause;
    } steps[] = {{"y", 850}, {"y", 850}, {"d", 850},  {"y", 850},  {"y", 850},  {"y", 1650},
                 {"y", 850}, {"y", 850}, {"y", 1650}, {"y", 1250}, {"y", 1250}, {"y", 1250}};
    struct tui *tui = *state;

    ask_many(tui, 13);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        tui_advance(tui, steps[i].pause);
        tui_keys(tui, steps[i].key);
        tui_settle(tui);
        assert_int_equal(fake_core_decisions(tui->core), i + 1);
    }
}

static void a_paste_never_answers(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b[200~y\ra\r\x1b[201~");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Pasted text is no answer, and was dropped."));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

/* Nor does it leave the mark on what waited for Enter. */
static void a_paste_takes_the_mark_back(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "Enter confirms: "));
    tui_keys(tui, "\x1b[200~y\r\x1b[201~");
    tui_advance(tui, 2000);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

static void a_paste_that_ends_itself_never_answers(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    tui_keys(tui, "\x1b[200~text\x1b[201~\ry\r");
    tui_no_decision(tui);
    tui_advance(tui, 2000);
    tui_keys(tui, "\r"); /* it is not confirmed, and the mark is where it was at first */
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

/* Lets the console read that, and do nothing else. */
static void take_piece(struct tui *tui, const char *bytes)
{
    struct pollfd poller = {.fd = tui->slave, .events = POLLIN};

    assert_int_equal(write(tui->master, bytes, strlen(bytes)), strlen(bytes));
    assert_int_equal(poll(&poller, 1, 5000), 1);
    while (poll(&poller, 1, 0) == 1)
        loop_step(tui->loop, 0);
}

/* Nor does one that the terminal hands on as keys: in one piece, or right behind each other. */
static void a_paste_without_brackets_never_answers(void **state)
{
    static const char *const pastes[] = {"vy", "y\r", "d ", "\x1b[A\r", "ly", "\x1b[6~a", "nno\r"};
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    for (size_t i = 0; i < sizeof(pastes) / sizeof(pastes[0]); i++) {
        tui_keys(tui, pastes[i]);
        tui_no_decision(tui);
        tui_keys(tui, "\x1b"); /* out of what "v" has opened, or of nothing */
        tui_advance(tui, 100);
        tui_keys(tui, "\x1bOQ"); /* F2 */
        tui_wait_guard(tui);
    }
    tui_keys(tui, "y\r");
    assert_true(tui_shows(tui, "Keys that come all at once are no answer, and were dropped."));
    tui_wait_guard(tui);
    take_piece(tui, "l");
    tui->clock.now_ms += 1;
    take_piece(tui, "y");
    tui_settle(tui);
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y"); /* one key alone counts at once */
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

static void a_pane_with_the_keyboard_keeps_it(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "cat");

    fake_core_start(tui->core, call, "workspace-write");
    tui_settle(tui);
    tui_keys(tui, "\x1b[24~");
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "May it run"));
    assert_true(tui_shows(tui, "1 waiting"));
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_string_equal(fake_core_typed(tui->core), "y");
    tui_keys(tui, "\x1c"); /* Ctrl-\ gives it back; the request comes up with its guard */
    assert_true(tui_shows(tui, "May it run"));
    tui_keys(tui, "y");
    tui_no_decision(tui);
}

/* A question of an agent's; what is typed for elsewhere as its line opens is no answer. */
static void an_answer_line_has_a_guard_too(void **state)
{
    struct tui *tui = *state;
    cleanup_wording struct wording *reason = wording_from("Asked.");
    const struct prompt prompt = {.reason = reason, .under = reason};
    struct call *call = fake_core_call(tui->core, tui->agent, "Your name?");

    call->wants_words = call->secret_words = true;
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_keys(tui, "rm -rf x\r");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "That key came too soon"));
    tui_keys(tui, "Ada");
    assert_true(tui_shows(tui, "***"));
    assert_false(tui_shows(tui, "Ada"));
    tui_keys(tui, "\r");
    assert_string_equal(tui_decision(tui)->message, "Ada");
}

/* `y` Enter answers what is grave; of what is not, Enter comes upon the next request. */
static void enter_behind_an_answer_is_for_that_one(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_request_inside(tui, "make check", RISK_LOW);
    tui_settle(tui);
    tui_wait_next(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    tui_settle(tui);
    tui_wait_next(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "Enter came right after the last answer"));
    tui_keys(tui, "\x1b[A\x1b[B"); /* up, down: deny */
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_DENIED);
}

/* Enter right behind it was meant for what the key would have done, not for the mark. */
static void enter_behind_a_refused_answer_is_dropped(void **state)
{
    struct tui *tui = *state;
    char line[2001];

    memset(line, 'a', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    tui_request_inside(tui, line, RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "Read all of the command first"));
    drum(tui, "\r", 10, 450);
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Enter was dropped: the answer before it was not taken. d denies."));
    tui_keys(tui, "\x1b[A\x1b[B"); /* whoever moves the mark looks at it */
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

static void enter_behind_what_was_read_confirms_nothing(void **state)
{
    static const char *const looks[] = {"v", "?"};
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
        tui_presses(tui, "y");
        assert_true(tui_shows(tui, "Enter confirms: "));
        tui_presses(tui, looks[i]);
        tui_advance(tui, 5000); /* read */
        tui_presses(tui, "\x1b");
        tui_presses(tui, "\r"); /* the mark is on "deny" */
        tui_no_decision(tui);
        assert_true(tui_shows(tui, "Enter was dropped: the answer before it was not taken."));
    }
    tui_presses(tui, "y");
    tui_wait_next(tui);
    tui_presses(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

static void enter_behind_an_early_answer_is_dropped(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_HIGH);
    tui_settle(tui);
    tui_keys(tui, "y");
    tui_advance(tui, 500); /* of a guard time of 400 */
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    tui_advance(tui, 2000);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

/* Esc closes what is read over a request, and pressed once more puts nothing aside. */
static void what_closes_a_text_is_not_for_the_request(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "?");
    tui_keys(tui, "qd");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "May it run"));
    assert_false(tui_shows(tui, "all at once"));
    for (int i = 0; i < 2; i++) {
        tui_keys(tui, i == 0 ? "v" : "?");
        tui_keys(tui, "\x1b");
        tui_advance(tui, 50);
        assert_true(tui_shows(tui, "May it run"));
        for (int j = 0; j < 20; j++) { /* held down */
            tui_keys(tui, "\x1b");
            tui_advance(tui, 50);
        }
        assert_true(tui_shows(tui, "May it run"));
        tui_wait_guard(tui);
    }
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "c1 is put aside"));
    tui_no_decision(tui);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(keys_before_the_guard_time_are_swallowed),
        TEST(keys_that_decide_nothing_work_at_once),
        TEST(a_long_command_is_scrolled_at_once),
        TEST(letters_of_a_word_open_nothing),
        TEST(typing_on_never_answers),
        TEST(words_for_elsewhere_never_answer),
        TEST(a_request_is_opened_by_its_number),
        TEST(what_asks_nothing_opens_nothing),
        TEST(a_colon_begins_a_command),
        TEST(a_key_brings_up_what_waits_for_a_result),
        TEST(enter_behind_the_key_that_brings_it_up_denies_nothing),
        TEST(keys_of_the_prompt_work_while_a_result_is_read),
        TEST(a_result_is_not_covered_by_a_request_that_comes),
        TEST(a_request_waits_for_the_line_it_was_put_aside_for),
        TEST(a_colon_in_a_word_begins_no_command),
        TEST(a_new_revision_raises_the_guard_again),
        TEST(what_changes_all_the_time_can_be_denied),
        TEST(a_key_without_a_meaning_says_so),
        TEST(a_word_letter_by_letter_never_answers),
        TEST(a_lease_is_chosen_at_once),
        TEST(a_key_for_what_was_shown_before_is_swallowed),
        TEST(a_key_that_was_dropped_is_told_of_whatever_changes),
        TEST(a_new_size_raises_the_guard_again),
        TEST(the_next_request_has_a_guard_of_its_own),
        TEST(a_key_that_drums_on_answers_once),
        TEST(enter_that_drums_on_answers_once),
        TEST(a_key_that_drums_on_is_not_for_a_retry),
        TEST(one_who_reads_the_next_answers_it),
        TEST(a_slow_drummer_is_stopped),
        TEST(a_drummer_who_began_by_reading_is_stopped),
        TEST(enter_on_an_answer_that_allows_is_held_up_too),
        TEST(who_reads_now_and_then_is_not_held_up),
        TEST(a_paste_never_answers),
        TEST(a_paste_takes_the_mark_back),
        TEST(a_paste_that_ends_itself_never_answers),
        TEST(a_paste_without_brackets_never_answers),
        TEST(a_pane_with_the_keyboard_keeps_it),
        TEST(an_answer_line_has_a_guard_too),
        TEST(enter_behind_an_answer_is_for_that_one),
        TEST(enter_behind_a_refused_answer_is_dropped),
        TEST(enter_behind_what_was_read_confirms_nothing),
        TEST(enter_behind_an_early_answer_is_dropped),
        TEST(what_closes_a_text_is_not_for_the_request),
    };

    return cmocka_run_group_tests_name("approval guard", tests, NULL, NULL);
}
