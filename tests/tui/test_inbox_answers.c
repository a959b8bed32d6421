/* SPDX-License-Identifier: MIT */
/* The list of what waits: several answered with one key. */
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
#include "ui/overlay_approval.h"
#include "ui/overlay_inbox.h"

static void several_are_answered_with_one_key(void **state)
{
    struct tui *tui = *state;
    uint64_t first, second, third;

    first = tui_request(tui, "make", RISK_LOW)->prompt->id;
    second = tui_request_inside(tui, "make test", RISK_MEDIUM)->prompt->id;
    third = tui_request(tui, "make install", RISK_LOW)->prompt->id;
    inbox_open(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_keys(tui, " ");
    assert_true(tui_shows(tui, "2 marked"));
    tui_keys(tui, "y"); /* the second one has just come up */
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_true(inbox_decided(tui, first, REVIEW_APPROVED));
    assert_true(inbox_decided(tui, second, REVIEW_APPROVED));
    assert_true(fake_core_decision(tui->core, 0)->together);
    assert_true(fake_core_decision(tui->core, 1)->together);
    /* What is left is looked at anew: no key that was on its way answers it. */
    tui_keys(tui, "yy");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    tui_wait_guard(tui);
    tui_keys(tui, "j");
    tui_keys(tui, "d");
    assert_true(inbox_decided(tui, third, REVIEW_DENIED));
    assert_false(fake_core_decision(tui->core, 2)->together);
}

/* The list stays open over the lines that would tell. */
static void a_host_that_is_not_reached_is_said_in_the_list(void **state)
{
    static const char none[] = "Name or service not known";
    struct tui *tui = *state;
    struct call *command = fake_core_call(tui->core, tui->agent, "npm install");
    uint64_t first = inbox_request_host(tui, "one.example")->id;
    uint64_t second = inbox_request_host(tui, "two.example")->id;

    tui_request(tui, "make", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "c2: allowed once"));
    fake_core_fail_connection(tui->core, command, "https://one.example:443", none, first);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2: allowed once, but not reached: one.example: Name or service"));
    fake_core_fail_connection(tui->core, command, "https://one.example:443", none, first);
    fake_core_fail_connection(tui->core, command, "https://two.example:443", "refused", second);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2 and 1 more: not reached, the last: two.example: refused"));
    tui_keys(tui, "j");
    assert_false(tui_shows(tui, "not reached"));
    /* Nobody was asked for that one. */
    fake_core_fail_connection(tui->core, command, "https://three.example:443", none, 0);
    tui_settle(tui);
    assert_false(tui_shows(tui, "not reached"));
}

/* It stays allowed all the same, and its name is there however long the words are. */
static void of_a_host_that_is_not_reached_it_says_for_how_long(void **state)
{
    struct tui *tui = *state;
    struct call *command = fake_core_call(tui->core, tui->agent, "npm install");
    uint64_t host = inbox_request_host(tui, "registry.npmjs.org")->id;

    tui_request(tui, "make", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "a");
    fake_core_fail_connection(tui->core, command, "https://registry.npmjs.org:443",
                              "Name or service not known", host);
    tui_settle(tui);
    assert_true(
        tui_shows(tui, "c2: allowed for this session, but not reached: registry.npmjs.org: N"));
}

/* The lines of the decisions themselves do not all have room. */
static void of_several_it_is_said_which_were_denied(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_request_inside(tui, "make test", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_keys(tui, " ");
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_true(tui_says(tui, "denied 2 (:undo lets all of them ask again): c1, c2"));
}

/* The list closes behind its last row, and what the agent asks next comes up by itself. */
static void the_key_of_the_last_row_is_not_for_what_comes_next(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "touch one", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    tui_advance(tui, 100);
    tui_request(tui, "touch two", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 was allowed. This is c2"));
    for (int i = 0; i < 6; i++) {
        tui_advance(tui, 600);
        tui_keys(tui, "y");
    }
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "That key came too soon, and was dropped"));
    tui_advance(tui, 2000);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 2);
}

static void the_same_of_several_agents_is_one_row(void **state)
{
    struct tui *tui = *state;
    struct session *claude = inbox_other_agent(tui);
    uint64_t prompts[3];

    prompts[0] = tui_request(tui, "npm test", RISK_LOW)->prompt->id;
    prompts[1] = inbox_request_by(tui, claude, "npm test")->prompt->id;
    prompts[2] = inbox_request_by(tui, claude, "npm test")->prompt->id;
    inbox_request_by(tui, claude, "npm install");
    inbox_open(tui);
    assert_true(tui_shows(tui, "4 requests wait, in 2 rows"));
    assert_true(tui_shows(tui, "\xc3\x97"
                               "3 npm test"));
    assert_true(tui_shows(tui, "All of        c1 codex, c2 claude, c3 claude"));
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(inbox_decided(tui, prompts[i], REVIEW_APPROVED));
}

/* One agent goes from the row and another comes to it: that is another row for whoever reads it. */
static void who_takes_anothers_place_in_a_row_is_not_answered_unread(void **state)
{
    struct tui *tui = *state;
    uint64_t first = tui_request(tui, "npm test", RISK_LOW)->prompt->id;
    struct call *gone = inbox_request_by(tui, inbox_other_agent(tui), "npm test");
    uint64_t newcomer;

    inbox_open(tui);
    assert_true(tui_shows(tui, "All of        c1 codex, c2 claude"));
    fake_core_withdraw(tui->core, gone);
    newcomer =
        inbox_request_by(tui, fake_core_session(tui->core, SESSION_CLIENT, "mallory"), "npm test")
            ->prompt->id;
    tui_settle(tui);
    assert_true(tui_shows(tui, "All of        c1 codex, c3 mallory"));
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(inbox_decided(tui, first, REVIEW_APPROVED));
    assert_true(inbox_decided(tui, newcomer, REVIEW_APPROVED));
}

/* The row is gone: what became of it is said where it was. */
static void what_was_answered_is_said(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_request(tui, "make test", RISK_LOW);
    tui_request(tui, "make docs", RISK_LOW);
    inbox_open(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "c1: allowed once"));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_true(tui_shows(tui, "c2: denied (:undo asks again)"));
    assert_false(tui_shows(tui, "c1: allowed once"));
    tui_request(tui, "make install", RISK_LOW);
    tui_wait_guard(tui);
    tui_keys(tui, "\r"); /* by itself, over the list */
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 3);
    assert_true(tui_shows(tui, "c3: allowed once"));
}

/* What the operator typed is asked about anew anyway: no denial of it can be taken back. */
static void a_denial_of_ones_own_is_not_taken_back(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make test", RISK_LOW);
    inbox_request_by(tui, tui->own, "make");
    inbox_request_by(tui, tui->own, "make docs");
    inbox_open(tui);
    tui_keys(tui, "j");
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_true(tui_shows(tui, "c2: denied "));
    assert_false(tui_shows(tui, "c2: denied (:undo"));
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_true(tui_shows(tui, "c3: denied "));
    assert_false(tui_shows(tui, "c3: denied (:undo"));
}

static void a_path_for_the_session_is_said_to_be(void **state)
{
    struct tui *tui = *state;
    cleanup_wording struct wording *under = wording_from("workspace-write; also write /srv/x");
    const struct prompt prompt = {.retry = true,
                                  .sandbox = ATTEMPT_UNSANDBOXED,
                                  .path = (char[]){"/srv/x"},
                                  .path_may_last = true,
                                  .path_under = under};

    tui_request(tui, "make", RISK_LOW);
    fake_core_ask_for(tui->core, fake_core_call(tui->core, tui->agent, "touch /srv/x/y"), prompt,
                      "Stopped.", "no sandbox");
    inbox_open(tui);
    tui_keys(tui, "j");
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    tui_keys(tui, "W");
    tui_keys(tui, "w");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "c2: allowed for this session"));
}

static void what_the_sandbox_stopped_leaves_it_by_itself_alone(void **state)
{
    const struct prompt prompt = {.retry = true, .sandbox = ATTEMPT_UNSANDBOXED};
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "tee notes");

    fake_core_start(tui->core, call, "workspace-write");
    fake_core_ask_for(tui->core, call, prompt, "Stopped.", "no sandbox");
    inbox_open(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c1 would run again WITHOUT the sandbox: Enter opens it"));
}

/* Two that ask to leave it: neither both with a key, nor one. */
static void what_leaves_at_more_than_low_risk_never_in_bulk(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make install", RISK_MEDIUM);
    tui_request(tui, "npm install", RISK_MEDIUM);
    inbox_open(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_keys(tui, " ");
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "y allow once"));
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c1 (like c2) would run WITHOUT the sandbox: Enter opens it"));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 2);
}

/* It does not run. */
static void a_patch_reaches_outside(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "apply_patch a.txt", RISK_MEDIUM);

    call->patch = xstrdup("*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n");
    inbox_open(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "y is not for c1: it reaches OUTSIDE the sandbox: Enter opens it"));
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c1 reaches OUTSIDE the sandbox: Enter opens it"));
}

static void high_risk_and_hostile_text_never_in_bulk(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_request(tui, "rm -rf /", RISK_HIGH);
    tui_request(tui,
                "echo a\xe2\x80\xae"
                "b",
                RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_keys(tui, " ");
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c2 is of high risk"));
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_keys(tui, " ");
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c3 holds text that cannot be shown as it is"));
    /* But they can be denied so. */
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 2);
}

/* What is refused of several is told of all of them. */
static void all_of_high_risk_are_named(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "rm -rf a", RISK_HIGH);
    tui_request_inside(tui, "make", RISK_LOW);
    tui_request(tui, "rm -rf b", RISK_HIGH);
    inbox_open(tui);
    tui_presses(tui, " j j ");
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c1 (like c3) is of high risk: Enter opens it"));
    tui_keys(tui, "jjj"); /* a key that is for something else */
    assert_false(tui_shows(tui, "(like"));
    tui_request(tui, "rm -rf c", RISK_HIGH);
    tui_request(tui, "rm -rf d", RISK_HIGH);
    tui_request(tui, "rm -rf e", RISK_HIGH);
    tui_advance(tui, 50);
    tui_keys(tui, "G");
    tui_presses(tui, " k k ");
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "c1 (like c3, c4 and 2 more) is of high risk: Enter"));
}

/* Of marked rows with several reasons the frame tells which take no yes, and a key tells all. */
static void what_keeps_each_of_several_is_told_at_once(void **state)
{
    struct tui *tui = *state;

    inbox_request_host(tui, "one.example");
    tui_request(tui, "rm -rf a", RISK_HIGH);
    tui_request(tui, "make out", RISK_MEDIUM);
    inbox_request_host(tui, "two.example");
    inbox_open(tui);
    tui_keys(tui, "M");
    assert_false(tui_shows(tui, "y once"));
    assert_true(
        tui_shows(tui, "─ 4 marked: y is not for c2 (high risk) and 2 more; below is c1. ─"));
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "4 marked: y is not for c2 (high risk) and 2 more; Enter opens c2"));
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_true(tui_shows(tui, "rm -rf a"));
    assert_false(tui_shows(tui, "4 marked"));
}

/* Connections fit their place: each is read as the pointer comes to it, and one key allows all. */
static void connections_are_allowed_together(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < 3; i++) {
        cleanup_free char *host = xasprintf("registry-%d.example", i);

        inbox_request_host(tui, host);
    }
    inbox_open(tui);
    assert_true(tui_shows(tui, "y once"));
    tui_keys(tui, "M");
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "c2 (like c3) was not shown yet: read it below, then press again"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "c3 was not shown yet"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 3);
}

static void what_was_not_read_is_not_allowed(void **state)
{
    struct tui *tui = *state;
    cleanup_free char *line = xcalloc(1, 3001);

    memset(line, 'x', 3000);
    tui_request(tui, "make", RISK_LOW);
    tui_request(tui, line, RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "j");
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c2 does not fit here: Enter opens it"));
    /* Faster than any frame: the second was never on the screen. */
    tui_keys(tui, "k");
    tui_request(tui, "make test", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "jj y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* Keys at machine speed around the moment at which the list changes. */
static void what_comes_meanwhile_is_not_answered(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "rm -rf build", RISK_HIGH); /* which no key of the list allows */
    tui_settle(tui);
    tui_keys(tui, F9);
    tui_keys(tui, "yyy");
    tui_request_inside(tui, "make", RISK_LOW);
    for (int i = 0; i < 100; i++)
        tui_keys(tui, i % 2 == 0 ? "y" : " ");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    /* A prompt that changed is another row, unmarked and unread. */
    tui_keys(tui, "j");
    tui_wait_guard(tui);
    tui_keys(tui, " ");
    assert_true(tui_shows(tui, "1 marked"));
    fake_core_raise(tui->core, orchestrator_call_at(tui->core, 1), RISK_MEDIUM);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_settle(tui);
    assert_false(tui_shows(tui, "1 marked"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_equal(fake_core_decision(tui->core, 0)->revision, 2);
}

/* However many ask for the same: what the answer would allow is judged once for each agent. */
static void one_row_is_judged_once(void **state)
{
    static const char *const keys[] = {"a", "p"};
    struct tui *tui = *state;
    struct session *agents[] = {tui->agent, inbox_other_agent(tui)};

    tui_resize(tui, 50, 200);
    for (size_t i = 0; i < COUNT(keys); i++) {
        size_t before;

        for (int j = 0; j < 40; j++) {
            tui->agent = agents[j % 2];
            inbox_request_with_rule(tui, "touch x", "x");
        }
        inbox_open(tui);
        assert_true(tui_shows(tui, "\xc3\x97"
                                   "40 touch x"));
        before = fake_core_judged(tui->core);
        tui_keys(tui, keys[i]);
        assert_int_equal(fake_core_decisions(tui->core), 40 * (i + 1));
        assert_true(fake_core_judged(tui->core) - before <= 2);
    }
    tui->agent = agents[0];
}

static void marked_ones_are_allowed_for_the_session(void **state)
{
    struct tui *tui = *state;
    uint64_t first = tui_request_inside(tui, "make", RISK_LOW)->prompt->id;
    uint64_t second = tui_request_inside(tui, "make test", RISK_LOW)->prompt->id;

    tui_request(tui, "rm -rf /", RISK_HIGH);
    inbox_open(tui);
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_keys(tui, " ");
    tui_keys(tui, "a"); /* the second one has just come up */
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    tui_keys(tui, "a");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_true(inbox_decided(tui, first, REVIEW_APPROVED_FOR_SESSION));
    assert_true(inbox_decided(tui, second, REVIEW_APPROVED_FOR_SESSION));
    tui_wait_guard(tui);
    tui_keys(tui, "j");
    tui_keys(tui, "a");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_true(tui_shows(tui, "c3 is of high risk"));
}

/* What goes on leaving the sandbox takes two keys, and the list has one. */
static void what_leaves_the_sandbox_for_longer_is_opened(void **state)
{
    struct tui *tui = *state;
    struct call *call;

    tui_request(tui, "make", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "a");
    assert_true(tui_shows(tui, "c1 would leave the sandbox again and again: Enter opens it"));
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    call = inbox_request_with_rule(tui, "touch x", "x");
    call->prompt->ladder->steps[0].bypass = true;
    inbox_open(tui);
    tui_keys(tui, "p");
    assert_true(tui_shows(tui, "c2 would leave the sandbox again and again: Enter opens it"));
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

static void what_can_only_be_allowed_once_is(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "make", RISK_LOW);

    call->prompt->may_approve_for_session = false;
    inbox_open(tui);
    tui_keys(tui, "a");
    assert_true(tui_shows(tui, "c1 can only be allowed once"));
    tui_keys(tui, "p");
    assert_true(tui_shows(tui, "c1 is offered no rule"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* Their keys are not shown, and the others stand where they stood. */
/* A text that the terminal hands on as keys decides nothing. */
static void keys_all_at_once_are_no_answer(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_request_inside(tui, "make test", RISK_LOW);
    inbox_open(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "yes, and a whole paste\r");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_false(tui_shows(tui, "asks. May it run"));
    tui_wait_guard(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* The request that was opened closes by itself: the answer to it is not one to what the list has at
 * the cursor, however late it comes. */
static void an_answer_to_one_that_closed_answers_no_other(void **state)
{
    struct tui *tui = *state;
    struct call *opened;

    tui_request_inside(tui, "touch danger", RISK_LOW);
    opened = tui_request_inside(tui, "touch harmless", RISK_LOW);
    inbox_open(tui);
    tui_keys(tui, "j\r");
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    tui_wait_guard(tui);
    fake_core_withdraw(tui->core, opened);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2 closed by itself: this is the list, look again"));
    for (int i = 0; i < 10; i++)
        tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c2 closed by itself: this is the list, look again"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* A rule is shown before it is made, and made once for all that ask the same. */
static void rules_are_made_from_the_list(void **state)
{
    struct tui *tui = *state;
    uint64_t first = inbox_request_with_rule(tui, "touch x", "x")->prompt->id;
    uint64_t second = inbox_request_with_rule(tui, "touch x", "x")->prompt->id;

    inbox_open(tui);
    assert_true(
        tui_shows(tui, "p allows      touch x  (exactly this, in any directory; in the sandbox)"));
    assert_true(tui_shows(tui, "kept for this project"));
    assert_false(tui_shows(tui, "(Tab)"));
    tui_keys(tui, "p");
    assert_true(inbox_decided(tui, first, REVIEW_APPROVED_AMENDMENT));
    assert_true(inbox_decided(tui, second, REVIEW_APPROVED));
    assert_int_equal(fake_core_decision(tui->core, 0)->choice.scope, LADDER_PROJECT);
}

/* Such takes Enter, and is for the request itself. */
static void no_wide_rule_is_made_from_the_list(void **state)
{
    struct tui *tui = *state;
    struct ladder *ladder = inbox_request_with_rule(tui, "touch x", "x")->prompt->ladder;

    ladder->steps[0].width = LADDER_SUBCOMMAND;
    ladder->steps[0].exact = false;
    inbox_open(tui);
    assert_false(tui_shows(tui, "p rule"));
    tui_keys(tui, "p");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "c1 would make a wide rule: Enter opens it"));
}

static void a_rule_that_does_not_fit_is_not_made(void **state)
{
    struct tui *tui = *state;
    char words[1001];

    memset(words, 'x', sizeof(words) - 1);
    words[sizeof(words) - 1] = '\0';
    inbox_request_with_rule(tui, "touch x", words);
    inbox_open(tui);
    tui_keys(tui, "p");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c1 has a rule that was not shown in full"));
    tui_keys(tui, "y"); /* the request itself was */
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* No answer in the list allows what it is not for. */
static void nothing_is_released_that_is_not_marked(void **state)
{
    static const uint64_t others[] = {2};
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_request_inside(tui, "make test", RISK_LOW);
    fake_core_release(tui->core, others, 1);
    inbox_open(tui);
    tui_keys(tui, "a");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "c1 would allow other requests, too"));
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_keys(tui, " ");
    tui_wait_guard(tui);
    tui_keys(tui, "a");
    assert_int_equal(fake_core_decisions(tui->core), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_answered_is_said, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_denial_of_ones_own_is_not_taken_back, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_path_for_the_session_is_said_to_be, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(several_are_answered_with_one_key, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(of_a_host_that_is_not_reached_it_says_for_how_long,
                                        tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_host_that_is_not_reached_is_said_in_the_list, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(of_several_it_is_said_which_were_denied, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(the_key_of_the_last_row_is_not_for_what_comes_next,
                                        tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(the_same_of_several_agents_is_one_row, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(who_takes_anothers_place_in_a_row_is_not_answered_unread,
                                        tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_the_sandbox_stopped_leaves_it_by_itself_alone,
                                        tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_leaves_at_more_than_low_risk_never_in_bulk, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_patch_reaches_outside, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(high_risk_and_hostile_text_never_in_bulk, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(all_of_high_risk_are_named, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_keeps_each_of_several_is_told_at_once, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(what_was_not_read_is_not_allowed, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(what_comes_meanwhile_is_not_answered, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(one_row_is_judged_once, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(marked_ones_are_allowed_for_the_session, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(keys_all_at_once_are_no_answer, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(connections_are_allowed_together, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(an_answer_to_one_that_closed_answers_no_other, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(what_leaves_the_sandbox_for_longer_is_opened, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(what_can_only_be_allowed_once_is, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(rules_are_made_from_the_list, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(no_wide_rule_is_made_from_the_list, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_rule_that_does_not_fit_is_not_made, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_released_that_is_not_marked, tui_set_up,
                                        tui_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
