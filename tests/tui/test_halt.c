/* SPDX-License-Identifier: MIT */
/* The brakes: everything frozen, an agent stopped by a key. */
#include "config.h"

#include "halt_steps.h"
#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/process.h"
#include "ui/console_int.h"

static void one_key_freezes_and_lets_go_on(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_keys(tui, F7);
    assert_true(orchestrator_is_frozen(tui->core));
    tui_golden(tui, "frozen");
    tui_keys(tui, F7);
    assert_false(orchestrator_is_frozen(tui->core));
    assert_false(tui_shows(tui, "FROZEN"));
    tui_keys(tui, ":freeze\r");
    assert_true(orchestrator_is_frozen(tui->core));
    tui_keys(tui, ":freeze\r");
    assert_true(tui_shows(tui, "frozen already"));
    tui_lines(tui, ":thaw\r");
    assert_false(orchestrator_is_frozen(tui->core));
    assert_true(tui_shows(tui, "All commands go on"));
    assert_false(tui_shows(tui, "Frozen:"));
}

static void what_comes_while_frozen_is_listed_so(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "make");

    tui_settle(tui);
    assert_false(tui_shows(tui, " frozen"));
    fake_core_hold_frozen(tui->core, call);
    tui_advance(tui, 100);
    assert_true(tui_shows(tui, " frozen"));
}

/* Whoever sees something bad happen while a request is open need not close that first. */
static void the_brake_works_over_a_request(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_keys(tui, F7);
    assert_true(orchestrator_is_frozen(tui->core));
    assert_true(tui_shows(tui, "FROZEN"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

static void a_pane_keeps_its_keys(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "htop", true);
    tui_keys(tui, "\x1c");
    assert_true(tui->console->keyboard_in_pane);
    tui_keys(tui, F7);
    assert_false(orchestrator_is_frozen(tui->core));
    assert_string_equal(fake_core_typed(tui->core), F7);
}

static void an_agent_is_stopped_by_the_second_key(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_keys(tui, F8);
    assert_false(tui->agent->stopped);
    assert_true(tui_shows(tui, "F8 once more stops all requests of codex"));
    tui_keys(tui, "x\b"); /* something else was meant */
    tui_keys(tui, F8);
    assert_false(tui->agent->stopped);
    tui_keys(tui, F8);
    assert_true(tui->agent->stopped);
    assert_true(tui_shows(tui, "Stopped (:resume codex lets it ask again): codex"));
    tui_lines(tui, ":resume codex\r");
    assert_false(tui->agent->stopped);
}

/* Once it is stopped the key has nothing to do, and what it asks for is told of. */
static void a_stopped_agent_is_told_of(void **state)
{
    struct tui *tui = *state;
    struct call *ended = tui_running(tui, "make", false);
    struct call *refused;

    ended->cancelled = true;
    ended->cancelled_by = CANCELLED_BY_OPERATOR;
    ended->attempts[0].result.cancelled = true;
    fake_core_finish(tui->core, ended, 0);
    tui_keys(tui, F8);
    tui_keys(tui, F8);
    assert_false(tui_shows(tui, "agent stopped \xc2\xb7")); /* it was ended before */
    tui_keys(tui, F8);
    assert_true(tui_shows(tui, "stopped already: codex (:resume codex ends that)"));
    refused = fake_core_call(tui->core, tui->agent, "ls");
    fake_core_refuse(tui->core, refused, DECIDED_BY_STOP);
    tui_settle(tui);
    assert_true(tui_shows(tui, "codex, denied, its agent is stopped: ls"));
    assert_true(tui_shows(tui, "denied: agent stopped"));
}

/* Why a call ended stays true when its agent may ask again, and does not look as if it were still
 * stopped. */
static void what_ended_with_its_agent_says_so(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);

    call->cancelled = call->agent_stopped = true;
    call->cancelled_by = CANCELLED_BY_OPERATOR;
    call->attempts[0].result.cancelled = true;
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    assert_true(tui_shows(tui, "codex \xc2\xb7 stopped by you \xc2\xb7 "));
    assert_true(tui_shows(tui, " s \xc2\xb7 with its agent"));
    assert_false(tui_shows(tui, "agent stopped"));
}

/* Its time stands still meanwhile: who waited is not told that it took no time. */
static void a_title_tells_how_long_a_call_waited(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "curl https://x.example", false);

    call->attempts[0].result.paused_ms = 73900;
    fake_core_finish(tui->core, call, 56);
    tui_settle(tui);
    assert_true(tui_shows(tui, " s, waited 1 min 13 s"));
    call = tui_running(tui, "curl https://x.example/a/long/way/to/what/is/fetched/there", false);
    call->attempts[0].result.paused_ms = 3780 * 1000;
    fake_core_finish(tui->core, call, 56);
    tui_settle(tui);
    assert_true(tui_shows(tui, "1.2 s, waited 1 h")); /* not who asked */
    tui_resize(tui, 24, 60);
    assert_false(tui_shows(tui, "waited 1 h")); /* the command needs that room */
}

static void another_key_says_that_nothing_is_stopped(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_keys(tui, F8);
    tui_keys(tui, "\r");
    assert_true(tui_shows(tui, "Nothing is stopped: the agent goes on"));
    tui_keys(tui, "\r");
    assert_false(tui_shows(tui, "Nothing is stopped"));
    assert_false(tui->agent->stopped);
}

/* The key that stops is armed for as long as two rows take to read, and says when they are over:
 * the next one asks anew. */
static void the_second_key_must_follow(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_keys(tui, F8);
    tui_advance(tui, 14000);
    assert_true(tui_shows(tui, "F8 once more stops all requests of codex"));
    tui_advance(tui, 2000);
    assert_false(tui_shows(tui, "F8 once more stops all requests of codex"));
    assert_true(tui_shows(tui, "Nothing is stopped: F8 was not pressed again within 15 s"));
    tui_keys(tui, F8);
    assert_false(tui->agent->stopped);
    assert_true(tui_shows(tui, "F8 once more stops all requests of codex"));
    tui_keys(tui, F8);
    assert_true(tui->agent->stopped);
}

static void what_runs_is_counted(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_running(tui, "make", false);
    tui_settle(tui);
    assert_true(tui_shows(tui, " 2 running "));
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, " 1 waiting "));
}

/* What the operator did is not pushed out of sight by what calls do meanwhile. */
static void the_stop_is_told_last(void **state)
{
    struct tui *tui = *state;
    struct session *other = fake_core_session(tui->core, SESSION_CLIENT, "reviewer");
    struct call *calls[4];

    for (size_t i = 0; i < 4; i++) {
        calls[i] = fake_core_call(tui->core, other, "sleep 9");
        fake_core_start(tui->core, calls[i], "workspace-write (network off)");
    }
    tui_running(tui, "make", false);
    tui_presses(tui, F8 F8);
    for (size_t i = 0; i < 4; i++)
        fake_core_withdraw(tui->core, calls[i]);
    tui_advance(tui, 100);
    assert_true(tui_shows(tui, "Stopped (:resume codex lets it ask again): codex"));
    tui_advance(tui, 6000);
    assert_false(tui_shows(tui, "Stopped (:resume codex lets it ask again): codex"));
    assert_true(tui_shows(tui, "client gone"));
    tui_advance(tui, 10000); /* nobody misses what a client took back */
    assert_false(tui_shows(tui, "client gone"));
    assert_true(tui_shows(tui, "Stopped (:resume codex lets it ask again): codex"));
}

static void a_stopped_agent_is_marked_until_it_goes_on(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    assert_false(tui_shows(tui, "1 stopped"));
    tui_lines(tui, ":resume\r");
    assert_true(tui_shows(tui, "no agent is stopped"));
    tui_presses(tui, F8 F8);
    assert_true(tui_shows(tui, "1 stopped, :resume "));
    tui_advance(tui, 300000);
    assert_true(tui_shows(tui, "1 stopped, :resume "));
    tui_lines(tui, ":resume\r");
    assert_false(tui->agent->stopped);
    assert_false(tui_shows(tui, "stopped, :resume"));
    assert_false(tui_shows(tui, "agent stopped"));
}

static void of_several_stopped_agents_one_is_named(void **state)
{
    struct tui *tui = *state;
    struct session *other = fake_core_session(tui->core, SESSION_CLIENT, "reviewer");

    tui_lines(tui, ":stop codex\r:stop codex\r:stop reviewer\r:stop reviewer\r");
    assert_true(tui_shows(tui, "2 agents stopped: :resume"));
    tui_lines(tui, ":resume\r");
    assert_true(tui->agent->stopped && other->stopped);
    assert_true(tui_shows(tui, "several agents are stopped: :resume codex, :resume reviewer"));
}

/* Who asks in a session that several share is told by what they call themselves. */
static void those_who_share_a_session_are_named(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    halt_ask_as(tui, shared, "reviewer");
    halt_ask_as(tui, shared, "a\" \x1b[2Jb");
    halt_ask_as(tui, shared, "reviewer");
    tui_keys(tui, F8);
    assert_true(tui_shows(
        tui, "F8 once more stops all requests of all that use assent exec (\"reviewer\","));
    assert_true(tui_shows(tui, "<ESC>[2Jb\")"));
    tui_keys(tui, ":sessions\r");
    assert_true(tui_shows(tui, "as they call themselves: \"reviewer\", \"a<U+0022>"));
    assert_true(tui_shows(tui, "plain_sessions = program"));
    tui_keys(tui, "\x1b");
    halt_ask_as(tui, shared, "third");
    halt_ask_as(tui, shared, "fourth");
    tui_keys(tui, ":sessions\r"); /* where there is room for all of them */
    assert_true(tui_shows(tui, "\"fourth\""));
    assert_false(tui_shows(tui, "and 1 more"));
}

/* Of those who share a session, those who are processes of one tree are stopped by themselves:
 * whatever they call themselves. */
static void processes_are_stopped_by_themselves(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    pid_t flood = getpid(), other = getppid();
    cleanup_free char *program = process_program(flood);
    cleanup_free char *others = process_program(other);
    char expected[200];

    halt_ask_from(tui, shared, "flooder", other);
    halt_ask_from(tui, shared, "flooder", flood);
    halt_ask_from(tui, shared, "x", flood);
    tui_resize(tui, 24, 120); /* on a narrower one not all of the question has room */
    tui_keys(tui, F8);
    snprintf(expected, sizeof(expected),
             "F8 once more stops all requests of the agent of c3 \"make\", %s %d with its "
             "processes (\"x\"",
             program, (int)flood);
    assert_true(tui_shows(tui, expected));
    tui_keys(tui, F8);
    assert_false(shared->stopped);
    assert_true(session_tree_is_stopped(shared, flood));
    assert_false(session_tree_is_stopped(shared, other));
    snprintf(expected, sizeof(expected), "lets them ask again): %s %d with its processes", program,
             (int)flood);
    assert_true(tui_shows(tui, expected));
    /* How many agents its processes are nobody knows. */
    assert_true(tui_shows(tui, "1 process tree stopped"));
    tui_resize(tui, 24, 80);
    tui_lines(tui, ":sessions\r");
    snprintf(expected, sizeof(expected), "%s %d (stopped), ", program, (int)flood);
    assert_true(tui_shows(tui, expected));
    assert_true(tui_shows(tui, " (1 open call)"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    tui_lines(tui, ":resume shared\r"); /* not all of them may ask again */
    assert_true(session_tree_is_stopped(shared, flood));
    snprintf(expected, sizeof(expected), "still stopped: %s %d with its processes (\"flooder\"",
             program, (int)flood);
    assert_true(tui_shows(tui, expected));
    tui_lines(tui, ":resume\r");
    assert_false(session_tree_is_stopped(shared, flood));

    snprintf(expected, sizeof(expected), ":stop %s %d\r", others, (int)other);
    tui_lines(tui, expected);
    assert_false(session_tree_is_stopped(shared, other));
    tui_lines(tui, expected);
    assert_true(session_tree_is_stopped(shared, other));
    snprintf(expected, sizeof(expected), ":resume %s %d\r", others, (int)other);
    tui_lines(tui, expected);
    assert_false(session_tree_is_stopped(shared, other));
    tui_lines(tui, ":stop init 999999999\r"); /* nobody asks from there */
    assert_true(tui_shows(tui, "there is no such agent"));
}

/* Of two that call themselves the same the newest call may be that of the other. */
static void the_wrong_one_of_two_is_seen(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct call *done;
    pid_t trees[] = {getppid(), getpid()};
    cleanup_free char *first = process_program(trees[0]);
    cleanup_free char *second = process_program(trees[1]);
    const char *programs[] = {first, second};
    char expected[200];

    halt_ask_from(tui, shared, "assent exec", trees[0]);
    done = halt_ask_from(tui, shared, "assent exec", trees[1]);
    fake_core_finish(tui->core, done, 0);
    tui_settle(tui);
    for (size_t i = 0; i < COUNT(trees); i++) { /* the rows tell them apart */
        snprintf(expected, sizeof(expected), "assent exec %d ", (int)trees[i]);
        assert_true(tui_shows(tui, expected));
    }
    tui_resize(tui, 24, 110);
    tui_keys(tui, F8);
    assert_true(tui_says(tui, "F8 once more stops all requests of the agent of c2 \"make\", "));
    snprintf(expected, sizeof(expected), "none is open (but %s %d has c1: Tab)", programs[0],
             (int)trees[0]);
    assert_true(tui_says(tui, expected));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "Nothing is stopped"));
    tui_keys(tui, F8);
    assert_true(tui_says(tui, "F8 once more stops all requests of the agent of c1 \"make\", "));
    assert_true(tui_says(tui, ": 1 open call ends (c1); new ones are refused"));
    tui_keys(tui, F8);
    assert_true(session_tree_is_stopped(shared, trees[0]));
    assert_false(session_tree_is_stopped(shared, trees[1]));
}

static void run_long_named(struct tui *tui)
{
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct call *call = fake_core_call(tui->core, shared, "sleep-for-a-long-time");

    call->client.name = xstrdup("developer of the whole");
    call->client.tree = getpid();
    fake_core_start(tui->core, call, "workspace-write (network off)");
    tui_settle(tui);
}

/* A cut in a command is ours, and not shown as one of its characters. */
static void a_long_command_is_cut_in_the_question(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 24, 110);
    run_long_named(tui);
    tui_keys(tui, F8);
    assert_true(
        tui_says(tui, "stops all requests of the agent of c1 \"sleep-for-a\xe2\x80\xa6\", "));
}

/* What the key leads to is whole, however long the rest would be. */
static void the_consequence_is_whole(void **state)
{
    struct tui *tui = *state;

    run_long_named(tui);
    tui_keys(tui, F8);
    assert_true(tui_says(tui, "call ends (c1); new ones are refused until :resume"));
    assert_false(tui_says(tui, "c1 \"sleep-for"));
}

/* What another asks meanwhile does not turn the second key to that one. */
static void the_second_key_is_for_the_same(void **state)
{
    struct tui *tui = *state;
    struct session *other = fake_core_session(tui->core, SESSION_CLIENT, "reviewer");
    struct call *newest;

    tui_running(tui, "make", false);
    tui_keys(tui, F8);
    assert_true(tui_shows(tui, "F8 once more stops all requests of codex"));
    newest = fake_core_call(tui->core, other, "ls");
    tui_settle(tui);
    tui_keys(tui, F8);
    assert_true(tui->agent->stopped);
    assert_false(other->stopped);
    fake_core_start(tui->core, newest, "workspace-write (network off)");
    newest = fake_core_call(tui->core, other, "ls");
    tui_settle(tui);
    assert_int_equal(tui->console->selected, newest->id);
}

/* A request that comes meanwhile is told of, with how long the question keeps it away: neither the
 * second key nor the one that answers is taken for the other's. */
static void a_request_behind_the_question_is_told_of(void **state)
{
    struct tui *tui = *state;
    char expected[80];

    tui_running(tui, "make", false);
    tui_keys(tui, F4);
    assert_false(tui_shows(tui, "asks: shown in"));
    tui_advance(tui, 2000);
    tui_request_inside(tui, "ls", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "F4 once more ends c1: make"));
    for (int left = 13; left > 11; left--) {
        snprintf(expected, sizeof(expected),
                 "c2 asks: shown in %d s, behind this question (F2: now)", left);
        assert_true(tui_shows(tui, expected));
        tui_advance(tui, 1000);
    }
    tui_keys(tui, F2);
    tui_settle(tui);
    assert_true(tui_shows(tui, "May it run"));
    tui_keys(tui, F4 "y"); /* at once: an answer to nothing */
    assert_int_equal(fake_core_cancels(tui->core), 0);
    tui_no_decision(tui);
}

/* What is no longer asked keeps no request away. */
static void a_question_ends_with_its_time_whatever_is_typed(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_keys(tui, F10);
    assert_true(tui_shows(tui, "F10 once more ends the console"));
    tui_keys(tui, ":");
    tui_keys(tui, F8);
    tui_keys(tui, F8);
    assert_true(tui->agent->stopped);
    tui_advance(tui, 60000);
    tui_request_inside(tui, "ls", RISK_LOW);
    tui_settle(tui);
    tui_advance(tui, 60000);
    assert_true(tui_shows(tui, "May it run"));
}

/* Who floods is stopped from the request, and from the row in the list. */
static void who_asks_is_stopped_from_the_request(void **state)
{
    struct tui *tui = *state;
    struct session *other = fake_core_session(tui->core, SESSION_CLIENT, "reviewer");

    fake_core_request(tui->core, other, "make", RISK_LOW, false);
    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, F8);
    assert_true(tui_shows(tui, "F8 once more stops all requests of reviewer"));
    assert_false(tui_shows(tui, "May it run"));
    tui_request_inside(tui, "make", RISK_LOW); /* nothing comes up over the question */
    tui_settle(tui);
    assert_true(tui_shows(tui, "F8 once more stops all requests of reviewer"));
    tui_keys(tui, F8);
    assert_true(other->stopped);
    assert_false(tui->agent->stopped);
    assert_int_equal(fake_core_decisions(tui->core), 0);

    tui_settle(tui);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    tui_keys(tui, "j");
    tui_keys(tui, F8);
    assert_true(tui_shows(tui, "F8 once more stops all requests of codex"));
    tui_keys(tui, F8);
    assert_true(tui->agent->stopped);
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* They are many, and spoken of so. */
static void those_who_share_a_session_are_stopped_together(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    halt_ask_as(tui, shared, "assent exec");
    shared->open_calls = 0;
    tui_keys(tui, F8);
    assert_true(tui_says(tui, "F8 once more stops all requests of all that use assent exec "
                              "(\"assent exec\"), who asked for c1 "
                              "\"make\": none is open; new ones are refused until :resume"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 16000);
    shared->open_calls = 5;
    tui_keys(tui, F8);
    assert_true(tui_says(tui, ": 5 open calls end"));
    tui_keys(tui, F8);
    assert_true(shared->stopped);
    assert_true(tui_says(
        tui, "lets them ask again): all that use assent exec (\"assent exec\"), session "));
    assert_true(tui_says(tui, "What they ask"));
}

/* What is said of an agent goes when it holds no more, and stays in the trail. */
static void that_an_agent_is_stopped_is_said_as_long_as_it_is(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_presses(tui, F8 F8);
    assert_true(tui_shows(tui, "Stopped (:resume codex lets it ask again): codex"));
    tui_lines(tui, ":resume codex\r");
    assert_false(tui_shows(tui, "Stopped (:resume codex lets it ask again): codex"));
    assert_true(tui_shows(tui, "may ask again"));
    tui_presses(tui, F8 F8);
    assert_true(tui_shows(tui, "Stopped (:resume codex lets it ask again): codex"));
    assert_false(tui_shows(tui, "may ask again"));
    tui_keys(tui, ":trail\r");
    assert_true(tui_shows(tui, "may ask again"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    fake_core_end_session(tui->core, tui->agent);
    tui_settle(tui);
    assert_false(tui_shows(tui, "Stopped (:resume codex lets it ask again): codex"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_key_freezes_and_lets_go_on, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_comes_while_frozen_is_listed_so, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(the_brake_works_over_a_request, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_pane_keeps_its_keys, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_stopped_agent_is_told_of, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_ended_with_its_agent_says_so, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_title_tells_how_long_a_call_waited, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(another_key_says_that_nothing_is_stopped, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(an_agent_is_stopped_by_the_second_key, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(the_second_key_must_follow, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_runs_is_counted, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(the_stop_is_told_last, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_stopped_agent_is_marked_until_it_goes_on, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(of_several_stopped_agents_one_is_named, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(those_who_share_a_session_are_named, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(processes_are_stopped_by_themselves, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(the_wrong_one_of_two_is_seen, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_long_command_is_cut_in_the_question, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(the_consequence_is_whole, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(the_second_key_is_for_the_same, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_request_behind_the_question_is_told_of, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_question_ends_with_its_time_whatever_is_typed, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(who_asks_is_stopped_from_the_request, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(those_who_share_a_session_are_stopped_together, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(that_an_agent_is_stopped_is_said_as_long_as_it_is,
                                        tui_set_up, tui_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
