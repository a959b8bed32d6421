/* SPDX-License-Identifier: MIT */
/* Agents that are stopped, and go on, by a name: whom that means of several. */
#include "config.h"

#include "halt_steps.h"
#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/process.h"
#include "ui/console_int.h"

/* Two call themselves the same: the number of their processes stands behind that wherever it is
 * said who asked, and what is said there can be typed. */
static void namesakes_have_one_name_everywhere(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    char name[40], expected[80];
    struct call *call;

    snprintf(name, sizeof(name), "dev %d", (int)getpid());
    halt_ask_from(tui, shared, "dev", getppid());
    call = halt_ask_from(tui, shared, "dev", getpid());
    assert_true(tui_shows(tui, name));
    fake_core_finish(tui->core, call, 0);
    call = fake_core_call(tui->core, shared, "make all");
    call->client.name = xstrdup("dev");
    call->client.tree = getpid();
    fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
    tui_settle(tui);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, name));
    tui_keys(tui, "y");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 7000);
    snprintf(expected, sizeof(expected), "%s, allowed", name);
    assert_true(tui_shows(tui, expected));
    snprintf(expected, sizeof(expected), ":stop %s\r", name);
    tui_lines(tui, expected);
    tui_lines(tui, expected);
    assert_true(session_tree_is_stopped(shared, getpid()));
    assert_false(session_tree_is_stopped(shared, getppid()));
    snprintf(expected, sizeof(expected), ":resume %s\r", name);
    tui_lines(tui, expected);
    assert_false(session_tree_is_stopped(shared, getpid()));
}

/* What was decided before the other came says whose it was as well, and so does the whole list. */
static void lines_of_before_a_namesake_are_told_apart(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct prompt prompt = {.may_approve_for_session = true};
    char expected[80];
    struct call *call = fake_core_call(tui->core, shared, "make c1 dev, x");

    call->client.name = xstrdup("dev");
    call->client.tree = getppid();
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    tui_advance(tui, 500);
    assert_true(tui_shows(tui, "c1 dev, denied"));
    halt_ask_from(tui, shared, "dev", getpid());
    snprintf(expected, sizeof(expected), "c1 dev %d, denied", (int)getppid());
    assert_true(tui_shows(tui, expected));
    tui_lines(tui, ":trail\r");
    assert_true(tui_shows(tui, expected));
    assert_true(tui_shows(tui, "make c1 dev, x"));
    assert_false(tui_shows(tui, "c1 dev, denied"));
}

/* Nor is a refusal that is counted begun anew for that, while each has a line of their own. */
static void refusals_are_counted_by_who_is_refused(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    const pid_t trees[] = {getppid(), getppid(), getpid(), getppid()};
    char expected[80];

    tui_resize(tui, 50, 200); /* several lines are shown */
    for (size_t i = 0; i < 4; i++) {
        struct call *call = fake_core_call(tui->core, shared, "rm -rf x");

        call->client.name = xstrdup("dev");
        call->client.tree = trees[i];
        fake_core_refuse(tui->core, call, DECIDED_BY_CONFIG);
        tui_settle(tui);
    }
    snprintf(expected, sizeof(expected), "c4 dev %d, denied, by the policy, 3 times: rm -rf x",
             (int)getppid());
    assert_true(tui_shows(tui, expected));
    snprintf(expected, sizeof(expected), "c3 dev %d, denied, by the policy: rm -rf x",
             (int)getpid());
    assert_true(tui_shows(tui, expected));
    assert_false(tui_shows(tui, "2 times"));
}

/* The same where each has a session of its own: what another calls itself does not take its place,
 * lets nobody go on, and is not stopped with it. */
static void namesakes_with_sessions_of_their_own_are_named(void **state)
{
    struct tui *tui = *state;
    struct session *sessions[3];
    char name[40], stop[80], resume[80], quoted[80];

    for (size_t i = 0; i < COUNT(sessions); i++)
        sessions[i] = fake_core_session(tui->core, SESSION_CLIENT, "dash");
    snprintf(name, sizeof(name), "dev %d", (int)getpid());
    snprintf(stop, sizeof(stop), ":stop %s\r", name);
    snprintf(resume, sizeof(resume), ":resume %s\r", name);
    halt_ask_from(tui, sessions[0], "dev", getppid());
    halt_ask_from(tui, sessions[1], "dev", getpid());
    assert_true(tui_shows(tui, name));
    tui_lines(tui, stop);
    tui_lines(tui, stop);
    assert_true(sessions[1]->stopped);
    assert_false(sessions[0]->stopped);
    tui_lines(tui, resume);
    assert_false(sessions[1]->stopped);

    halt_ask_from(tui, sessions[2], name, getppid());
    tui_lines(tui, stop);
    assert_false(tui_shows(tui, "once more stops all requests of 2 agents"));
    tui_lines(tui, stop);
    assert_true(sessions[1]->stopped);
    assert_false(sessions[0]->stopped || sessions[2]->stopped);
    snprintf(quoted, sizeof(quoted), ":stop \"%s\"\r", name); /* as it is shown */
    tui_lines(tui, quoted);
    tui_lines(tui, quoted);
    assert_true(sessions[2]->stopped);
    assert_false(sessions[0]->stopped);
    tui_lines(tui, resume);
    assert_false(sessions[1]->stopped);
    assert_true(sessions[2]->stopped);
}

/* An agent with a session of its own and clients in the one that many share. */
struct both_ways {
    struct session *own, *shared;
    pid_t tree;
    char processes[60]; /* "make 4711", as its processes are called */
};

static struct both_ways ask_both_ways(struct tui *tui, const char *name)
{
    struct both_ways both = {.own = fake_core_session(tui->core, SESSION_CLIENT, name),
                             .shared = fake_core_session(tui->core, SESSION_DEFAULT, "default"),
                             .tree = getpid()};
    cleanup_free char *program = process_program(both.tree);

    both.own->tree = both.tree;
    snprintf(both.own->id, sizeof(both.own->id), "0a0b0c0d0e0f");
    snprintf(both.processes, sizeof(both.processes), "%s %d", program, (int)both.tree);
    halt_ask_from(tui, both.own, name, both.tree);
    halt_ask_from(tui, both.shared, name, both.tree);
    tui_resize(tui, 24, 120);
    return both;
}

static void assert_both_stopped(const struct both_ways *both, bool stopped)
{
    assert_int_equal(both->own->stopped, stopped);
    assert_int_equal(session_tree_is_stopped(both->shared, both->tree), stopped);
    assert_false(both->shared->stopped);
    assert_int_equal(strv_length((const char *const *)both->shared->stopped_names), 0);
}

/* By its name, by its processes and by the key on either of its calls: it is one agent. */
static void an_agent_is_stopped_both_ways(void **state)
{
    struct tui *tui = *state;
    struct both_ways both = ask_both_ways(tui, "dev");
    cleanup_free char *by_processes = xasprintf(":stop %s\r", both.processes);
    const char *const stops[] = {":stop dev\r", by_processes, F8, ":stop 0a0b0c0d\r"};
    cleanup_free char *resume_processes = xasprintf(":resume %s\r", both.processes);
    const char *const resumes[] = {":resume dev\r", resume_processes, ":resume\r",
                                   ":resume 0a0b0c0d\r"};
    cleanup_free char *expected =
        xasprintf("dev and %s with its processes (\"dev\")", both.processes);

    halt_ask_from(tui, both.shared, "other", getppid());
    fake_core_call(tui->core, tui->agent, "ls");
    for (size_t i = 0; i < COUNT(stops); i++) {
        while (tui->console->selected != 1 + i % 2)
            tui_keys(tui, "\t");
        tui_lines(tui, stops[i]);
        assert_true(tui_says(tui, expected));
        assert_true(tui_says(tui, "2 open calls end (c1, c2); new ones are refused"));
        assert_both_stopped(&both, false);
        tui_lines(tui, stops[i]);
        assert_both_stopped(&both, true);
        assert_false(tui->agent->stopped);
        assert_true(tui_shows(tui, "1 agent stopped"));
        tui_lines(tui, resumes[i]);
        assert_both_stopped(&both, false);
        assert_false(tui_shows(tui, "agent stopped"));
    }
}

/* Who calls itself the same from elsewhere is another: named as a second one, and let alone where
 * the number says who is meant. */
static void a_namesake_of_both_ways_is_another(void **state)
{
    struct tui *tui = *state;
    struct both_ways both = ask_both_ways(tui, "dev");
    struct session *liar = fake_core_session(tui->core, SESSION_CLIENT, "liar");
    pid_t other = getppid();
    cleanup_free char *label = xasprintf("dev %d", (int)both.tree);
    cleanup_free char *stop = xasprintf(":stop %s\r", label);
    cleanup_free char *resume = xasprintf(":resume %s\r", label);

    free(liar->name);
    liar->name = xstrdup(label);
    liar->tree = other;
    halt_ask_from(tui, liar, label, other);
    halt_ask_from(tui, both.shared, label, other);
    halt_ask_from(tui, both.shared, "dev", other);
    tui_lines(tui, stop);
    assert_true(tui_says(tui, "2 open calls end (c1, c2); new ones are refused"));
    tui_lines(tui, stop);
    assert_both_stopped(&both, true);
    assert_false(liar->stopped || session_tree_is_stopped(both.shared, other));
    tui_lines(tui, resume);
    assert_both_stopped(&both, false);

    tui_lines(tui, ":stop dev\r");
    assert_true(tui_says(tui, "stops all requests of 2 agents (dev and "));
    assert_true(tui_says(tui, "\"dev\" and "));
    assert_true(tui_says(tui, "): 4 open calls in all end")); /* its processes' other name, too */
    tui_lines(tui, ":stop dev\r");
    assert_true(both.own->stopped && session_tree_is_stopped(both.shared, both.tree));
    assert_true(session_tree_is_stopped(both.shared, other));
    assert_false(liar->stopped);
    /* What the other has claimed lets it not go on with this one. */
    tui_lines(tui, ":resume dev\r");
    assert_false(both.own->stopped);
    assert_true(session_name_is_stopped(both.shared, "dev"));
    assert_true(tui_says(tui, "still stopped: \"dev\" and"));
}

/* A name alone, or a tree alone, does not make one of two. */
static void two_that_share_half_are_two(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct session *dev = fake_core_session(tui->core, SESSION_CLIENT, "dev");
    struct session *beside = fake_core_session(tui->core, SESSION_CLIENT, "beside");

    dev->tree = getppid();
    beside->tree = getpid();
    halt_ask_from(tui, dev, "dev", dev->tree);
    halt_ask_from(tui, beside, "beside", beside->tree);
    halt_ask_from(tui, shared, "dev", getpid());
    tui_resize(tui, 24, 120);
    tui_keys(tui, F8);
    tui_keys(tui, F8);
    assert_true(session_tree_is_stopped(shared, getpid()));
    assert_false(dev->stopped || beside->stopped);
    tui_lines(tui, ":stop beside\r:stop beside\r");
    assert_true(beside->stopped);
    tui_lines(tui, ":resume beside\r");
    assert_false(beside->stopped);
    assert_true(session_tree_is_stopped(shared, getpid()));
}

/* Between quotes a name is what is claimed in the session that many share, and no agent of its own.
 */
static void a_quoted_name_is_a_claimed_one(void **state)
{
    struct tui *tui = *state;
    struct both_ways both = ask_both_ways(tui, "dev");

    tui_lines(tui, ":stop \"dev\"\r");
    assert_true(tui_says(tui, "once more stops all requests of \"dev\" and "));
    assert_true(tui_says(tui, ": 1 open call ends"));
    tui_lines(tui, ":stop \"dev\"\r");
    assert_true(session_name_is_stopped(both.shared, "dev"));
    assert_false(both.own->stopped);
}

/* The calls by which they were known may be forgotten: they go on as they were stopped. */
static void both_ways_go_on_together(void **state)
{
    struct tui *tui = *state;
    struct both_ways both = ask_both_ways(tui, "dev");

    tui_lines(tui, ":stop dev\r:stop dev\r");
    assert_both_stopped(&both, true);
    for (size_t i = 0; i < orchestrator_call_count(tui->core); i++) {
        struct call *call = orchestrator_call_at(tui->core, i);

        free(call->client.name);
        call->client.name = NULL;
        call->client.tree = 0;
    }
    console_dirty(tui->console, DIRTY_LAYOUT);
    tui_settle(tui);
    assert_true(tui_shows(tui, "1 agent stopped"));
    tui_lines(tui, ":resume dev\r");
    assert_both_stopped(&both, false);

    /* Its own session may end while it is stopped: its processes stay so, and are told. */
    both = ask_both_ways(tui, "dave");
    tui_lines(tui, ":stop dave\r:stop dave\r");
    fake_core_end_session(tui->core, both.own);
    tui_settle(tui);
    assert_true(session_tree_is_stopped(both.shared, both.tree));
    assert_true(tui_shows(tui, "1 process tree stopped"));
}

static void agents_are_stopped_by_name(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":stop CODEX\r:stop CODEX\r");
    assert_true(tui->agent->stopped);
    assert_true(tui_shows(tui, "Stopped (:resume codex lets it ask again): "));
    tui_lines(tui, ":resume 5f3a9c01\r");
    assert_false(tui->agent->stopped);
    tui_lines(tui, ":stop shop\r"); /* the operator's own */
    assert_false(tui->own->stopped);
    assert_true(tui_shows(tui, "there is no such agent"));
    /* What names a call is a call, whoever calls itself so. */
    free(tui->agent->name);
    tui->agent->name = xstrdup("c7");
    tui_lines(tui, ":stop c7\r:stop c7\r");
    assert_false(tui->agent->stopped);
}

/* The command that stops an agent asks, as the key does; another command, or a key that is for
 * something else, is no answer. */
static void a_stop_by_name_is_given_twice(void **state)
{
    static const char *const others[] = {":sessions\r\x1b", F7, "\t", "x\b", ":stop reviewer\r"};
    struct tui *tui = *state;

    fake_core_session(tui->core, SESSION_CLIENT, "reviewer");
    tui->agent->open_calls = 2;
    for (size_t i = 0; i < COUNT(others); i++) {
        tui_lines(tui, ":stop codex\r");
        assert_true(
            tui_shows(tui, ":stop codex once more stops all requests of codex: 2 open calls end"));
        tui_keys(tui, others[i]);
        tui_advance(tui, 2000);
        tui_lines(tui, ":stop codex\r");
        assert_false(tui->agent->stopped);
        tui_keys(tui, ":\x15"); /* a line that is begun and given up */
    }
    tui_lines(tui, ":stop codex\r");
    assert_false(tui->agent->stopped);
    tui_presses(tui, "\x1b[A\r"); /* the same line, from the history */
    assert_true(tui->agent->stopped);
}

/* Asked at a request, or while others come in: the question is in view, and the second line is for
 * it. */
static void a_request_does_not_cover_the_question_of_a_line(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < 2; i++) {
        tui_request_inside(tui, "make", RISK_LOW);
        tui_advance(tui, 5000);
        assert_true(tui_shows(tui, "asks. May it run?"));
        tui_lines(tui, ":stop codex\r");
        tui_request_inside(tui, "make more", RISK_LOW);
        tui_advance(tui, 7000);
        assert_true(tui_shows(tui, ":stop codex once more stops all requests of codex"));
        assert_false(tui_shows(tui, "May it run"));
        if (i == 0)
            tui_advance(tui, 9000); /* its time is over, and they come up */
    }
    tui_lines(tui, ":stop codex\r");
    assert_true(tui->agent->stopped);
    tui_no_decision(tui);
}

/* Another key is an answer, too, and the request is there again. */
static void a_request_comes_up_behind_the_question(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_lines(tui, ":stop codex\r");
    assert_false(tui_shows(tui, "May it run"));
    tui_keys(tui, F7);
    tui_keys(tui, F7);
    assert_true(tui_shows(tui, "May it run"));
    assert_false(tui->agent->stopped);
    tui_no_decision(tui);
}

/* Nor is what was asked a while ago, or before the keyboard was elsewhere. */
static void a_question_lapses(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_lines(tui, ":stop codex\r");
    tui_advance(tui, 14000);
    assert_true(tui_shows(tui, ":stop codex once more stops all requests of codex"));
    tui_advance(tui, 2000);
    assert_false(tui_shows(tui, "once more stops all requests of codex"));
    tui_lines(tui, ":stop codex\r");
    assert_false(tui->agent->stopped);
    tui_request_inside(tui, "ls", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    tui_wait_guard(tui);
    tui_lines(tui, ":stop codex\r");
    assert_false(tui->agent->stopped);
    tui_lines(tui, ":quit\r");
    tui_advance(tui, 16000);
    tui_lines(tui, ":quit\r");
    assert_int_equal(tui->quit_status, -1);
    tui_lines(tui, ":quit\r");
    assert_int_equal(tui->quit_status, 0);
}

/* A name may be that of many; how many is said before they stop. */
static void all_of_one_name_are_counted_first(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct session *later;

    halt_ask_as(tui, shared, "codex");
    halt_ask_as(tui, shared, "other");
    tui->agent->open_calls = 1;
    tui_lines(tui, ":stop codex\r");
    assert_true(tui_shows(tui, "stops all requests of 2 agents (codex, \"codex\"): 2 "));
    assert_true(tui_says(tui, "open calls in all end"));
    later = fake_core_session(tui->core, SESSION_CLIENT, "codex");
    tui_lines(tui, ":stop codex\r");
    assert_true(tui_shows(tui, "stops all requests of 3 agents"));
    assert_false(tui->agent->stopped || later->stopped);
    assert_false(session_name_is_stopped(shared, "codex"));
    tui_lines(tui, ":stop codex\r");
    assert_true(tui->agent->stopped && later->stopped);
    assert_true(session_name_is_stopped(shared, "codex"));
    assert_false(shared->stopped || session_name_is_stopped(shared, "other"));
    /* Words of ours would not be told from a name of several words, or that of two. */
    assert_false(tui_shows(tui, ":resume codex"));
    assert_true(tui_shows(tui, ":resume 5f3a9c01"));
    /* One of them took the name of the other: the operator says which. */
    tui_lines(tui, ":resume codex\r");
    assert_true(tui_shows(tui, "several agents are stopped: :resume 5f3a9c01, :resume 5f3a9c01"));
    assert_true(tui->agent->stopped && later->stopped);
    assert_true(session_name_is_stopped(shared, "codex"));
}

/* A client calls itself as it likes, and is not let go on by another's name. */
static void what_a_client_calls_itself_lets_nobody_go_on(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    halt_ask_as(tui, shared, "codex");
    tui_lines(tui, ":stop codex\r:stop codex\r");
    assert_true(tui->agent->stopped && session_name_is_stopped(shared, "codex"));
    tui_lines(tui, ":resume codex\r");
    assert_false(tui->agent->stopped);
    tui_lines(tui, ":resume codex\r");
    assert_true(session_name_is_stopped(shared, "codex"));
    tui_lines(tui, ":resume \"codex\"\r");
    assert_false(session_name_is_stopped(shared, "codex"));
}

static void stop_tree_by_line(struct tui *tui, pid_t tree)
{
    cleanup_free char *program = process_program(tree);
    cleanup_free char *line = xasprintf(":stop %s %d\r", program, (int)tree);

    tui_lines(tui, line);
    tui_lines(tui, line);
}

/* The list of calls shows that name, and not what was stopped. */
static void processes_go_on_by_what_they_call_themselves(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    pid_t first = getpid(), second = getppid();

    halt_ask_from(tui, shared, "alice", first);
    halt_ask_from(tui, shared, "dev", second);
    tui_keys(tui, F8);
    tui_keys(tui, F8);
    assert_true(session_tree_is_stopped(shared, second));
    tui_lines(tui, ":resume alice\r"); /* these are not stopped */
    assert_true(tui_shows(tui, "there is no such agent"));
    assert_true(session_tree_is_stopped(shared, second));
    tui_lines(tui, "\x15:resume Dev\r");
    assert_false(session_tree_is_stopped(shared, second));
    assert_true(tui_shows(tui, "may ask again"));

    halt_ask_from(tui, shared, "dev", first);
    stop_tree_by_line(tui, first);
    stop_tree_by_line(tui, second);
    tui_lines(tui, ":resume dev\r"); /* not one of several */
    assert_true(session_tree_is_stopped(shared, first));
    assert_true(session_tree_is_stopped(shared, second));
    assert_true(tui_says(tui, "several agents are stopped: :resume"));
}

/* A name is only claimed: the processes that it comes from are stopped with it, and who else is
 * among them is told before. Others of the session go on. */
static void who_calls_itself_so_is_stopped_with_its_processes(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    pid_t its = getpid(), other = getppid();
    cleanup_free char *program = process_program(its);
    char expected[200];

    tui_resize(tui, 24, 100); /* the names are told where there is room for them */
    halt_ask_from(tui, shared, "alice", other);
    halt_ask_from(tui, shared, "x", its);
    halt_ask_from(tui, shared, "bob", its);
    tui_lines(tui, ":stop Bob\r");
    snprintf(expected, sizeof(expected),
             ":stop Bob once more stops all requests of \"bob\" and %s %d with its processes "
             "(\"bob\", \"x\"): 2 open calls end",
             program, (int)its);
    assert_true(tui_says(tui, expected));
    assert_false(session_name_is_stopped(shared, "bob"));
    tui_lines(tui, ":stop Bob\r");
    assert_false(shared->stopped);
    assert_true(session_name_is_stopped(shared, "BOB")); /* from wherever it comes */
    assert_true(session_tree_is_stopped(shared, its));   /* whatever it calls itself */
    assert_false(session_tree_is_stopped(shared, other));
    assert_false(session_name_is_stopped(shared, "alice"));
    assert_true(tui_says(tui, "Stopped (:resume bob lets them ask again): "));
    assert_true(tui_shows(tui, "1 agent stopped"));
    tui_lines(tui, ":sessions\r");
    assert_true(tui_shows(tui, "\"bob\" (stopped), "));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    tui_lines(tui, ":resume shared\r"); /* that is not all of them */
    assert_true(session_name_is_stopped(shared, "bob"));
    assert_true(tui_says(tui, "still stopped: \"bob\" and"));
    tui_lines(tui, ":resume bob\r");
    assert_false(session_name_is_stopped(shared, "bob"));
    assert_false(session_tree_is_stopped(shared, its));
    assert_false(tui_shows(tui, "agent stopped"));
}

/* What is stopped by itself as well does not go on with a name, nor the other way round. */
static void what_was_stopped_otherwise_stays_so(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    pid_t first = getpid(), second = getppid();
    cleanup_free char *program = process_program(first);
    char line[200];

    halt_ask_from(tui, shared, "bob", first);
    halt_ask_from(tui, shared, "bob", second);
    snprintf(line, sizeof(line), ":stop %s %d\r:stop %s %d\r", program, (int)first, program,
             (int)first);
    tui_lines(tui, line);
    assert_true(session_tree_is_stopped(shared, first));
    tui_resize(tui, 24, 100); /* beside how many run */
    assert_true(tui_shows(tui, "1 process tree stopped"));
    tui_resize(tui, 24, 80);
    tui_lines(tui, ":stop bob\r");
    assert_true(
        tui_says(tui, "stops all requests of \"bob\" and 2 process trees (\"bob\"): 2 open"));
    tui_lines(tui, ":stop bob\r");
    assert_true(session_tree_is_stopped(shared, second));
    assert_true(tui_shows(tui, " 2 stopped: :resume "));
    tui_lines(tui, ":resume bob\r");
    assert_true(session_tree_is_stopped(shared, first));
    assert_false(session_tree_is_stopped(shared, second));
    snprintf(line, sizeof(line), "still stopped: %s", program);
    assert_true(tui_says(tui, line));
    tui_lines(tui, ":stop bob\r:stop bob\r");
    snprintf(line, sizeof(line), ":resume %s %d\r", program, (int)first);
    tui_lines(tui, line);
    assert_false(session_tree_is_stopped(shared, first));
    assert_true(session_name_is_stopped(shared, "bob"));
    assert_true(tui_says(tui, "still stopped: \"bob\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(processes_go_on_by_what_they_call_themselves, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(namesakes_have_one_name_everywhere, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(lines_of_before_a_namesake_are_told_apart, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(refusals_are_counted_by_who_is_refused, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(namesakes_with_sessions_of_their_own_are_named, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(an_agent_is_stopped_both_ways, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_namesake_of_both_ways_is_another, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(two_that_share_half_are_two, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_quoted_name_is_a_claimed_one, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(both_ways_go_on_together, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(agents_are_stopped_by_name, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_stop_by_name_is_given_twice, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_request_does_not_cover_the_question_of_a_line, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_request_comes_up_behind_the_question, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_question_lapses, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(all_of_one_name_are_counted_first, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(what_a_client_calls_itself_lets_nobody_go_on, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(who_calls_itself_so_is_stopped_with_its_processes,
                                        tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_was_stopped_otherwise_stays_so, tui_set_up,
                                        tui_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
