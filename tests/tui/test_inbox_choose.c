/* SPDX-License-Identifier: MIT */
/* Which rows of the list an answer is for: how they are found and marked. */
#include "config.h"

#include "inbox_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "ui/console_int.h"
#include "ui/overlay_inbox.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, tui_set_up, tui_tear_down)

static void a_text_is_found(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make docs", RISK_LOW);
    tui_request(tui, "npm test", RISK_LOW);
    inbox_request_by(tui, inbox_other_agent(tui), "make site");
    inbox_open(tui);
    tui_keys(tui, "/");
    tui_presses(tui, "make yd");
    assert_true(tui_shows(tui, "/make yd"));
    tui_no_decision(tui);
    tui_presses(tui, "\x7f\x7f\x7f\r");
    assert_true(tui_shows(tui, "\xe2\x94\x83 make site"));
    assert_true(tui_shows(tui, "2 of 2"));
    tui_wait_guard(tui);
    tui_presses(tui, "/\r"); /* the same again, from the top */
    assert_true(tui_shows(tui, "\xe2\x94\x83 make docs"));
    assert_true(tui_shows(tui, "1 of 2, round the end"));
    tui_wait_guard(tui);
    tui_presses(tui, "/claude\r");
    assert_true(tui_shows(tui, "\xe2\x94\x83 make site"));
    tui_wait_guard(tui);
    tui_presses(tui, "/c2\r");
    assert_true(tui_shows(tui, "\xe2\x94\x83 npm test"));
    tui_wait_guard(tui);
    tui_presses(tui, "/cargo\r");
    assert_true(tui_shows(tui, "No request in the list has that text."));
    assert_true(tui_shows(tui, "\xe2\x94\x83 npm test"));
    tui_no_decision(tui);
}

/* What is written on behind Enter is no answer; Esc takes back what was written, and no more. */
static void what_is_looked_for_is_no_answer(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make docs", RISK_LOW);
    inbox_open(tui);
    tui_presses(tui, "/docs\rd");
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_presses(tui, "/d");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    assert_true(overlay_inbox_is_top(tui->console));
    assert_false(tui_shows(tui, "/d "));
    tui_presses(tui, "d");
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b[200~/make\ryd\r\x1b[201~"); /* pasted */
    tui_wait_guard(tui);
    tui_no_decision(tui);
    tui_presses(tui, "/");
    tui_keys(tui, "\x1b[200~docs\x1b[201~");
    assert_true(tui_shows(tui, "/docs"));
    tui_presses(tui, "\r");
    assert_true(tui_shows(tui, "1 of 1"));
}

/* The oldest stay on top; what is grave is one key away, wherever it is, and marks nothing. */
static void a_key_goes_to_what_is_of_high_risk(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < 12; i++) {
        cleanup_free char *line = xasprintf("make docs-%d", i);

        tui_request(tui, line, i == 8 || i == 10 ? RISK_HIGH : RISK_LOW);
    }
    inbox_open(tui);
    assert_true(tui_shows(tui, "h: 2 of high risk"));
    assert_true(tui_shows(tui, "h next high"));
    tui_keys(tui, "h");
    assert_true(tui_shows(tui, "keys: inbox"));
    assert_true(tui_shows(tui, "1 of 2"));
    assert_int_equal(overlay_inbox_call(tui->console), 9);
    tui_wait_guard(tui);
    tui_keys(tui, "h");
    assert_int_equal(overlay_inbox_call(tui->console), 11);
    tui_wait_guard(tui);
    tui_keys(tui, "h");
    assert_true(tui_shows(tui, "1 of 2, round the end"));
    assert_int_equal(overlay_inbox_call(tui->console), 9);
    assert_false(tui_shows(tui, "marked,"));
    tui_no_decision(tui);
}

static void without_high_risk_the_key_says_so(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make docs", RISK_LOW);
    tui_request(tui, "npm test", RISK_MEDIUM);
    inbox_open(tui);
    tui_keys(tui, "h");
    assert_true(tui_shows(tui, "No request in the list is of high risk."));
    assert_int_equal(overlay_inbox_call(tui->console), 1);
}

/* All of one agent's are marked by a key; nothing is decided by that, and what was not read is not
 * allowed by the next. */
static void an_agents_requests_are_marked(void **state)
{
    struct tui *tui = *state;
    struct session *claude = inbox_other_agent(tui);
    uint64_t first = tui_request(tui, "make docs", RISK_LOW)->prompt->id;
    uint64_t others = inbox_request_by(tui, claude, "npm test")->prompt->id;
    uint64_t second = tui_request(tui, "make site", RISK_LOW)->prompt->id;

    inbox_open(tui);
    tui_keys(tui, "m");
    assert_true(tui_shows(tui, "2 marked"));
    tui_no_decision(tui);
    tui_keys(tui, "m");
    assert_false(tui_shows(tui, "marked,"));
    assert_true(tui_shows(tui, "None is marked"));
    tui_keys(tui, "m");
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "c3 was not shown yet: read it below, then press again"));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_true(inbox_decided(tui, first, REVIEW_DENIED));
    assert_true(inbox_decided(tui, second, REVIEW_DENIED));
    assert_false(inbox_decided(tui, others, REVIEW_DENIED));
}

/* What asks through `assent exec` shares a session, and is told apart by its processes. */
static void who_only_calls_itself_so_is_not_marked(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    const pid_t trees[] = {13245, 17754, 13245};

    for (size_t i = 0; i < COUNT(trees); i++) {
        cleanup_free char *line = xasprintf("make part-%zu", i);
        struct call *call = inbox_request_by(tui, shared, line);

        call->client.name = xstrdup("assent exec");
        call->client.tree = trees[i];
    }
    tui_request(tui, "make", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "m");
    assert_true(
        tui_shows(tui, "─ Marked: all of assent exec 13245. Others that are called so are not. ─"));
    tui_keys(tui, "m");
    assert_false(tui_shows(tui, "Others that are called so"));
    tui_keys(tui, "G");
    tui_keys(tui, "m"); /* there is none that is called like this one */
    assert_true(tui_shows(tui, "1 marked"));
    assert_false(tui_shows(tui, "Others that are called so"));
}

/* All that are asked about are marked by a key, whoever asks, and denied by another. To be allowed
 * they are to be read like any. */
static void all_requests_are_marked(void **state)
{
    struct tui *tui = *state;
    struct session *claude = inbox_other_agent(tui);
    uint64_t first = tui_request(tui, "make docs", RISK_LOW)->prompt->id;
    uint64_t second = inbox_request_by(tui, claude, "npm test")->prompt->id;

    fake_core_hold(tui->core, tui->agent, "make all", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "M");
    assert_true(tui_shows(tui, "2 marked"));
    assert_true(tui_shows(tui, "1 more request comes up later: it is not marked."));
    tui_keys(tui, "M");
    assert_true(tui_shows(tui, "None is marked"));
    tui_keys(tui, "M");
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "c2 was not shown yet: read it below, then press again"));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_true(inbox_decided(tui, first, REVIEW_DENIED));
    assert_true(inbox_decided(tui, second, REVIEW_DENIED));
}

/* Enter opens a row; once more it is no answer to what it opened, however late. */
static void enter_twice_denies_nothing(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make docs", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    tui_advance(tui, 10000);
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Enter opened this, and is no answer to it. d denies."));
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b[A\x1b[B"); /* the mark goes to another answer, and back */
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* What is not asked about yet would lose its mark, and get no answer: it is left out, and counted.
 */
static void what_waits_for_room_is_not_marked(void **state)
{
    struct tui *tui = *state;
    uint64_t first = tui_request(tui, "make docs", RISK_LOW)->prompt->id;

    fake_core_hold(tui->core, tui->agent, "make site", RISK_LOW);
    fake_core_hold(tui->core, tui->agent, "make all", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "m");
    assert_true(tui_shows(tui, "1 marked"));
    assert_true(
        tui_shows(tui, "2 more requests of this agent come up later: they are not marked."));
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(inbox_decided(tui, first, REVIEW_DENIED));
}

static const char choose_words[] =
    "The marked ones are answered. Down or Space chooses the next to answer.";
static const char choose_last[] = "The marked ones are answered. Space marks c3, the one left.";

/* Whoever goes on pressing the key that answered the marked rows answers none that takes their
 * place under the pointer. */
static void the_next_row_is_chosen_first(void **state)
{
    struct tui *tui = *state;
    uint64_t third;

    tui_request_inside(tui, "make docs", RISK_LOW);
    tui_request_inside(tui, "make site", RISK_LOW);
    third = tui_request_inside(tui, "make all", RISK_LOW)->prompt->id;
    inbox_open(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_wait_guard(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    for (int i = 0; i < 3; i++) {
        tui_wait_guard(tui);
        tui_keys(tui, i == 2 ? "d" : "y");
    }
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_true(tui_shows(tui, choose_last)); /* there is none to go to */
    tui_wait_guard(tui);
    tui_keys(tui, "j");
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 3);
    assert_true(inbox_decided(tui, third, REVIEW_APPROVED));
}

static void answer_two_of_three(struct tui *tui)
{
    size_t before = fake_core_decisions(tui->core);

    tui_request_inside(tui, "make docs", RISK_LOW);
    tui_request_inside(tui, "make site", RISK_LOW);
    tui_request_inside(tui, "make all", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_keys(tui, " ");
    tui_keys(tui, "d");
    tui_wait_guard(tui);
    assert_int_equal(fake_core_decisions(tui->core), before + 2);
}

/* Of many there is one to go to. */
static void the_next_of_many_is_gone_to(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make docs", RISK_LOW);
    tui_request_inside(tui, "make site", RISK_LOW);
    tui_request_inside(tui, "make all", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "d");
    assert_true(tui_shows(tui, "c1: denied (:undo asks again). Down or Space chooses the next"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, choose_words));
}

/* Keys that would be refused are not shown, and what is to be done instead is said at once. */
static void the_frame_shows_no_key_that_is_refused(void **state)
{
    struct tui *tui = *state;

    answer_two_of_three(tui);
    assert_true(
        tui_shows(tui, "c1 and 1 more: denied (:undo asks again). Space marks c3, the one left"));
    assert_true(tui_shows(tui, "Space mark  then an answer: y, d ... "));
    assert_false(tui_shows(tui, "y once"));
    assert_false(tui_shows(tui, "d deny"));
    assert_false(tui_shows(tui, "n why"));
    tui_keys(tui, "j");
    assert_false(tui_shows(tui, "then an answer"));
    assert_true(tui_shows(tui, "d deny"));
    assert_true(tui_shows(tui, "n why"));
}

/* Of what is left only the answers are named that it takes. */
static void what_is_left_names_its_answers(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make docs", RISK_LOW);
    tui_request_inside(tui, "rm -rf x", RISK_HIGH);
    inbox_open(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "d");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "Space marks c2, the one left"));
    assert_true(tui_shows(tui, "Space mark  then an answer: d, n "));
    assert_false(tui_shows(tui, "then an answer: y"));
}

/* Where the pointer cannot move, too, the keys that would move it choose the row. */
static void the_last_row_is_chosen_where_it_is(void **state)
{
    const char *const keys[] = {"\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F", " ", "m"};
    struct tui *tui = *state;

    for (size_t i = 0; i < COUNT(keys); i++) {
        cleanup_free char *left = xasprintf("Space marks c%zu, the one left.", 3 * (i + 1));

        answer_two_of_three(tui);
        tui_keys(tui, "d");
        assert_true(tui_shows(tui, left));
        tui_wait_guard(tui);
        tui_keys(tui, keys[i]);
        assert_true(tui_shows(tui, "d deny"));
        tui_keys(tui, "d");
        assert_int_equal(fake_core_decisions(tui->core), 3 * (i + 1));
    }
}

/* Opened, it has been looked at. */
static void the_last_row_is_chosen_by_opening_it(void **state)
{
    struct tui *tui = *state;

    answer_two_of_three(tui);
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, choose_last));
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 3);
}

/* No finger is that fast: what is typed on while the list changes chooses, but answers nothing. */
static void keys_right_behind_an_answer_answer_nothing(void **state)
{
    static const char *const keys[] = {"d", "\x1b[B", "d", "y"};
    struct tui *tui = *state;

    tui_request_inside(tui, "make docs", RISK_LOW);
    tui_request_inside(tui, "make site", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, " ");
    for (size_t i = 0; i < COUNT(keys); i++)
        tui_keys(tui, keys[i]);
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* Who takes it that the line for the reason is open writes on. */
static void a_reason_that_nobody_takes_is_no_key(void **state)
{
    struct tui *tui = *state;

    answer_two_of_three(tui);
    tui_keys(tui, "n");
    for (const char *key = "my d y\rM y"; *key != '\0'; key++) {
        const char bytes[] = {*key, '\0'};

        tui_advance(tui, 900); /* longer than the guard */
        tui_keys(tui, bytes);
        assert_true(tui_shows(tui, "No message is being written: what you type is dropped."));
    }
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_false(tui_shows(tui, "marked:"));
    tui_advance(tui, 5000);
    tui_keys(tui, "j");
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 3);
}

/* What another agent asks for as well is not marked with it. */
static void what_others_ask_for_is_marked_by_itself(void **state)
{
    struct tui *tui = *state;
    struct session *claude = inbox_other_agent(tui);

    tui_request(tui, "make docs", RISK_LOW);
    tui_request(tui, "make site", RISK_LOW);
    inbox_request_by(tui, claude, "make site");
    inbox_open(tui);
    tui_keys(tui, "m");
    assert_true(tui_shows(tui, "1 marked"));
    assert_true(tui_shows(tui, "c2 is asked by others, too: mark it by itself"));
    tui_no_decision(tui);
}

/* ---- the guard time at a row that is come to ------------------------------------------------ */

#define TOO_SOON "That key came too soon, and was dropped"
#define CHANGED "The list has just changed"

/* Opens the list of three at the first of them, once all have been at the pointer that long. */
static void read_three(struct tui *tui, int64_t each_ms)
{
    for (const char *line = "one\0two\0six\0"; *line != '\0'; line += 4)
        tui_request_inside(tui, line, RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "j");
    tui_advance(tui, each_ms);
    tui_keys(tui, "j");
    tui_advance(tui, each_ms);
    tui_keys(tui, "kk");
    tui_wait_guard(tui);
}

/* Moving to it has not changed the list, and that is not what is said. */
static void a_row_that_was_not_read_takes_its_time(void **state)
{
    struct tui *tui = *state;

    read_three(tui, tui->console->setup.guard_ms / 2);
    tui_keys(tui, "j");
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, TOO_SOON));
    assert_false(tui_shows(tui, CHANGED));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(inbox_decided(tui, 2, REVIEW_APPROVED));
}

static void a_row_that_was_read_is_answered_at_once(void **state)
{
    struct tui *tui = *state;

    read_three(tui, tui->console->setup.guard_ms);
    tui_keys(tui, "j");
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(inbox_decided(tui, 2, REVIEW_APPROVED));
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, CHANGED));
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* The one that was meant has gone, and the key went to the one behind it. */
static void no_row_is_answered_for_the_one_that_was_there(void **state)
{
    struct tui *tui = *state;

    read_three(tui, tui->console->setup.guard_ms);
    fake_core_withdraw(tui->core, orchestrator_find_call(tui->core, 2));
    tui_settle(tui);
    tui_keys(tui, "j");
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, TOO_SOON));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* To wait would not help. */
static void why_it_is_to_be_opened_is_said_at_once(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_request(tui, "rm -rf /", RISK_HIGH);
    inbox_open(tui);
    tui_keys(tui, "j");
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "─ c2 is of high risk: Enter opens it"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* What git has said may be old: that is asked of it where the request is shown by itself. */
static void what_git_has_told_of_is_opened(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "git push", RISK_LOW);
    struct push_seen seen = {.look = GIT_SEEN, .sent = xstrdup("1a2b3c4 Ours\n")};

    call->pushes.there = xstrdup("refs/remotes/origin/main");
    call->pushes.sent = xstrdup("refs/remotes/origin/main..main");
    fake_core_see_push(tui->core, call, &seen);
    tui_request(tui, "make", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "c1 has git look once more before a yes: Enter opens it"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    tui_keys(tui, "d"); /* a no needs no such */
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* At 80 columns, too, what there is to do has words. */
static void what_keys_do_is_said(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make docs", RISK_LOW);
    tui_request(tui, "make site", RISK_LOW);
    inbox_open(tui);
    assert_true(tui_shows(tui, "m mark agent's  h next high  ? help  Esc closes"));
    assert_true(tui_shows(tui, "d deny (session)  n why  Enter open"));
    inbox_click(tui, "m mark agent's");
    assert_true(tui_shows(tui, "2 marked"));
    assert_true(tui_shows(tui, "m mark agent's  h next high")); /* it takes them away again */
    inbox_click(tui, "? help");
    assert_true(tui_shows(tui, "mark all of its agent (name and number)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_row_that_was_not_read_takes_its_time, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_row_that_was_read_is_answered_at_once, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(no_row_is_answered_for_the_one_that_was_there, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(what_git_has_told_of_is_opened, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(why_it_is_to_be_opened_is_said_at_once, tui_set_up,
                                        tui_tear_down),
        TEST(a_text_is_found),
        TEST(what_is_looked_for_is_no_answer),
        TEST(a_key_goes_to_what_is_of_high_risk),
        TEST(without_high_risk_the_key_says_so),
        TEST(an_agents_requests_are_marked),
        TEST(who_only_calls_itself_so_is_not_marked),
        TEST(all_requests_are_marked),
        TEST(enter_twice_denies_nothing),
        TEST(what_waits_for_room_is_not_marked),
        TEST(what_others_ask_for_is_marked_by_itself),
        TEST(the_next_row_is_chosen_first),
        TEST(what_is_left_names_its_answers),
        TEST(the_next_of_many_is_gone_to),
        TEST(the_frame_shows_no_key_that_is_refused),
        TEST(the_last_row_is_chosen_where_it_is),
        TEST(the_last_row_is_chosen_by_opening_it),
        TEST(keys_right_behind_an_answer_answer_nothing),
        TEST(a_reason_that_nobody_takes_is_no_key),
        TEST(what_keys_do_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
