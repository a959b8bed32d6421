/* SPDX-License-Identifier: MIT */
/* The brakes: everything frozen, an agent stopped. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/process.h"
#include "ui/console_int.h"

#define F7 "\x1b[18~"
#define F8 "\x1b[19~"
#define F9 "\x1b[20~"
#define F10 "\x1b[21~"

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
    assert_true(tui_shows(tui, "F8 once more stops codex"));
    tui_keys(tui, "x\b"); /* something else was meant */
    tui_keys(tui, F8);
    assert_false(tui->agent->stopped);
    tui_keys(tui, F8);
    assert_true(tui->agent->stopped);
    assert_true(tui_shows(tui, "Stopped: codex"));
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
    assert_true(tui_shows(tui, "F8 once more stops codex"));
    tui_advance(tui, 2000);
    assert_false(tui_shows(tui, "F8 once more stops codex"));
    assert_true(tui_shows(tui, "Nothing is stopped: F8 was not pressed again within 15 s"));
    tui_keys(tui, F8);
    assert_false(tui->agent->stopped);
    assert_true(tui_shows(tui, "F8 once more stops codex"));
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
    assert_true(tui_shows(tui, "Stopped: codex"));
    tui_advance(tui, 6000);
    assert_false(tui_shows(tui, "Stopped: codex"));
    assert_true(tui_shows(tui, "client gone"));
    tui_advance(tui, 10000); /* nobody misses what a client took back */
    assert_false(tui_shows(tui, "client gone"));
    assert_true(tui_shows(tui, "Stopped: codex"));
}

static void a_stopped_agent_is_marked_until_it_goes_on(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    assert_false(tui_shows(tui, "1 stopped"));
    tui_lines(tui, ":resume\r");
    assert_true(tui_shows(tui, "no agent is stopped"));
    tui_presses(tui, F8 F8);
    assert_true(tui_shows(tui, "1 agent stopped "));
    assert_true(tui_shows(tui, "agent stopped \xc2\xb7"));
    tui_advance(tui, 300000);
    assert_true(tui_shows(tui, "1 agent stopped "));
    tui_lines(tui, ":resume\r");
    assert_false(tui->agent->stopped);
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

static struct call *ask_from(struct tui *tui, struct session *shared, const char *name, pid_t tree)
{
    struct call *call = fake_core_call(tui->core, shared, "make");

    call->client.name = xstrdup(name);
    call->client.tree = tree;
    fake_core_start(tui->core, call, "workspace-write (network off)");
    tui_settle(tui);
    return call;
}

static struct call *ask_as(struct tui *tui, struct session *shared, const char *name)
{
    return ask_from(tui, shared, name, 0);
}

/* Who asks in a session that several share is told by what they call themselves. */
static void those_who_share_a_session_are_named(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    ask_as(tui, shared, "reviewer");
    ask_as(tui, shared, "a\" \x1b[2Jb");
    ask_as(tui, shared, "reviewer");
    tui_keys(tui, F8);
    assert_true(tui_shows(tui, "F8 once more stops all that use assent exec (\"reviewer\","));
    assert_true(tui_shows(tui, "<ESC>[2Jb\")"));
    tui_keys(tui, ":sessions\r");
    assert_true(tui_shows(tui, "as they call themselves: \"reviewer\", \"a<U+0022>"));
    assert_true(tui_shows(tui, "plain_sessions = program"));
    tui_keys(tui, "\x1b");
    ask_as(tui, shared, "third");
    ask_as(tui, shared, "fourth");
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

    ask_from(tui, shared, "flooder", other);
    ask_from(tui, shared, "flooder", flood);
    ask_from(tui, shared, "x", flood);
    tui_resize(tui, 24, 100); /* on a narrower one not all of the question has room */
    tui_keys(tui, F8);
    snprintf(expected, sizeof(expected), "F8 once more stops %s %d with its processes (\"x\"",
             program, (int)flood);
    assert_true(tui_shows(tui, expected));
    tui_keys(tui, F8);
    assert_false(shared->stopped);
    assert_true(session_tree_is_stopped(shared, flood));
    assert_false(session_tree_is_stopped(shared, other));
    snprintf(expected, sizeof(expected), "Stopped: %s %d with its processes", program, (int)flood);
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

    ask_from(tui, shared, "assent exec", trees[0]);
    done = ask_from(tui, shared, "assent exec", trees[1]);
    fake_core_finish(tui->core, done, 0);
    tui_settle(tui);
    for (size_t i = 0; i < COUNT(trees); i++) { /* the rows tell them apart */
        snprintf(expected, sizeof(expected), "assent exec %d ", (int)trees[i]);
        assert_true(tui_shows(tui, expected));
    }
    tui_resize(tui, 24, 110);
    tui_keys(tui, F8);
    snprintf(expected, sizeof(expected),
             "who asked for c2 \"make\": they have nothing open (but %s %d has c1: Tab)",
             programs[0], (int)trees[0]);
    assert_true(tui_says(tui, expected));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "Nothing is stopped"));
    tui_keys(tui, F8);
    assert_true(tui_says(tui, "who asked for c1 \"make\": their 1 open call ends (c1); what"));
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
    assert_true(tui_says(tui, "c1 \"sleep-for-a\xe2\x80\xa6\": their 1 open call ends (c1)"));
}

/* What the key leads to is whole, however long the rest would be. */
static void the_consequence_is_whole(void **state)
{
    struct tui *tui = *state;

    run_long_named(tui);
    tui_keys(tui, F8);
    assert_true(tui_says(tui, "call ends (c1); what else they ask for is refused"));
    assert_false(tui_says(tui, "c1 \"sleep-for"));
}

/* Two call themselves the same: the number of their processes stands behind that wherever it is
 * said who asked, and what is said there can be typed. */
static void namesakes_have_one_name_everywhere(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    char name[40], expected[80];
    struct call *call;

    snprintf(name, sizeof(name), "dev %d", (int)getpid());
    ask_from(tui, shared, "dev", getppid());
    call = ask_from(tui, shared, "dev", getpid());
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
    ask_from(tui, shared, "dev", getpid());
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
    ask_from(tui, sessions[0], "dev", getppid());
    ask_from(tui, sessions[1], "dev", getpid());
    assert_true(tui_shows(tui, name));
    tui_lines(tui, stop);
    tui_lines(tui, stop);
    assert_true(sessions[1]->stopped);
    assert_false(sessions[0]->stopped);
    tui_lines(tui, resume);
    assert_false(sessions[1]->stopped);

    ask_from(tui, sessions[2], name, getppid());
    tui_lines(tui, stop);
    assert_false(tui_shows(tui, "once more stops 2 agents"));
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
    ask_from(tui, both.own, name, both.tree);
    ask_from(tui, both.shared, name, both.tree);
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
        xasprintf("once more stops dev and %s with its processes (\"dev\")", both.processes);

    ask_from(tui, both.shared, "other", getppid());
    fake_core_call(tui->core, tui->agent, "ls");
    for (size_t i = 0; i < COUNT(stops); i++) {
        while (tui->console->selected != 1 + i % 2)
            tui_keys(tui, "\t");
        tui_lines(tui, stops[i]);
        assert_true(tui_says(tui, expected));
        assert_true(tui_says(tui, "their 2 open calls end (c1, c2); what else they ask for is"));
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
    ask_from(tui, liar, label, other);
    ask_from(tui, both.shared, label, other);
    ask_from(tui, both.shared, "dev", other);
    tui_lines(tui, stop);
    assert_true(tui_says(tui, "their 2 open calls end (c1, c2); what else they ask for is"));
    tui_lines(tui, stop);
    assert_both_stopped(&both, true);
    assert_false(liar->stopped || session_tree_is_stopped(both.shared, other));
    tui_lines(tui, resume);
    assert_both_stopped(&both, false);

    tui_lines(tui, ":stop dev\r");
    assert_true(tui_says(tui, "stops 2 agents (dev and "));
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
    ask_from(tui, dev, "dev", dev->tree);
    ask_from(tui, beside, "beside", beside->tree);
    ask_from(tui, shared, "dev", getpid());
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
    assert_true(tui_says(tui, "once more stops \"dev\" and "));
    assert_true(tui_says(tui, "their 1 open call ends"));
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

/* What another asks meanwhile does not turn the second key to that one. */
static void the_second_key_is_for_the_same(void **state)
{
    struct tui *tui = *state;
    struct session *other = fake_core_session(tui->core, SESSION_CLIENT, "reviewer");
    struct call *newest;

    tui_running(tui, "make", false);
    tui_keys(tui, F8);
    assert_true(tui_shows(tui, "F8 once more stops codex"));
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
    assert_true(tui_shows(tui, "F8 once more stops reviewer"));
    assert_false(tui_shows(tui, "May it run"));
    tui_request_inside(tui, "make", RISK_LOW); /* nothing comes up over the question */
    tui_settle(tui);
    assert_true(tui_shows(tui, "F8 once more stops reviewer"));
    tui_keys(tui, F8);
    assert_true(other->stopped);
    assert_false(tui->agent->stopped);
    assert_int_equal(fake_core_decisions(tui->core), 0);

    tui_settle(tui);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    tui_keys(tui, "j");
    tui_keys(tui, F8);
    assert_true(tui_shows(tui, "F8 once more stops codex"));
    tui_keys(tui, F8);
    assert_true(tui->agent->stopped);
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* They are many, and spoken of so. */
static void those_who_share_a_session_are_stopped_together(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    ask_as(tui, shared, "assent exec");
    shared->open_calls = 0;
    tui_keys(tui, F8);
    assert_true(tui_says(
        tui, "F8 once more stops all that use assent exec (\"assent exec\"), who asked for c1 "
             "\"make\": they have nothing open; what else they ask for is refused"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 16000);
    shared->open_calls = 5;
    tui_keys(tui, F8);
    assert_true(tui_says(tui, "for c1: their 5 open calls end"));
    tui_keys(tui, F8);
    assert_true(shared->stopped);
    assert_true(tui_shows(tui, "Stopped: all that use assent exec (\"assent exec\"), session "));
    assert_true(tui_says(tui, "What they ask"));
}

static void agents_are_stopped_by_name(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":stop CODEX\r:stop CODEX\r");
    assert_true(tui->agent->stopped);
    assert_true(tui_shows(tui, ":resume codex lets it ask again"));
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
        assert_true(tui_shows(tui, ":stop codex once more stops codex: its 2 open calls end"));
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
        assert_true(tui_shows(tui, ":stop codex once more stops codex"));
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
    assert_true(tui_shows(tui, ":stop codex once more stops codex"));
    tui_advance(tui, 2000);
    assert_false(tui_shows(tui, "once more stops codex"));
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

/* What is said of an agent goes when it holds no more, and stays in the trail. */
static void that_an_agent_is_stopped_is_said_as_long_as_it_is(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_presses(tui, F8 F8);
    assert_true(tui_shows(tui, "Stopped: codex"));
    tui_lines(tui, ":resume codex\r");
    assert_false(tui_shows(tui, "Stopped: codex"));
    assert_true(tui_shows(tui, "may ask again"));
    tui_presses(tui, F8 F8);
    assert_true(tui_shows(tui, "Stopped: codex"));
    assert_false(tui_shows(tui, "may ask again"));
    tui_keys(tui, ":trail\r");
    assert_true(tui_shows(tui, "may ask again"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    fake_core_end_session(tui->core, tui->agent);
    tui_settle(tui);
    assert_false(tui_shows(tui, "Stopped: codex"));
}

/* A name may be that of many; how many is said before they stop. */
static void all_of_one_name_are_counted_first(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct session *later;

    ask_as(tui, shared, "codex");
    ask_as(tui, shared, "other");
    tui->agent->open_calls = 1;
    tui_lines(tui, ":stop codex\r");
    assert_true(tui_shows(tui, "stops 2 agents (codex, \"codex\"): 2 "));
    assert_true(tui_says(tui, "open calls in all end"));
    later = fake_core_session(tui->core, SESSION_CLIENT, "codex");
    tui_lines(tui, ":stop codex\r");
    assert_true(tui_shows(tui, "stops 3 agents"));
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

    ask_as(tui, shared, "codex");
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

    ask_from(tui, shared, "alice", first);
    ask_from(tui, shared, "dev", second);
    tui_keys(tui, F8);
    tui_keys(tui, F8);
    assert_true(session_tree_is_stopped(shared, second));
    tui_lines(tui, ":resume alice\r"); /* these are not stopped */
    assert_true(tui_shows(tui, "there is no such agent"));
    assert_true(session_tree_is_stopped(shared, second));
    tui_lines(tui, "\x15:resume Dev\r");
    assert_false(session_tree_is_stopped(shared, second));
    assert_true(tui_shows(tui, "may ask again"));

    ask_from(tui, shared, "dev", first);
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

    ask_from(tui, shared, "alice", other);
    ask_from(tui, shared, "x", its);
    ask_from(tui, shared, "bob", its);
    tui_lines(tui, ":stop Bob\r");
    snprintf(expected, sizeof(expected),
             ":stop Bob once more stops \"bob\" and %s %d with its processes "
             "(\"bob\", \"x\"): their 2 open calls end",
             program, (int)its);
    assert_true(tui_says(tui, expected));
    assert_false(session_name_is_stopped(shared, "bob"));
    tui_lines(tui, ":stop Bob\r");
    assert_false(shared->stopped);
    assert_true(session_name_is_stopped(shared, "BOB")); /* from wherever it comes */
    assert_true(session_tree_is_stopped(shared, its));   /* whatever it calls itself */
    assert_false(session_tree_is_stopped(shared, other));
    assert_false(session_name_is_stopped(shared, "alice"));
    assert_true(tui_says(tui, "is refused until :resume bob"));
    assert_true(tui_shows(tui, "1 agent stopped "));
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

    ask_from(tui, shared, "bob", first);
    ask_from(tui, shared, "bob", second);
    snprintf(line, sizeof(line), ":stop %s %d\r:stop %s %d\r", program, (int)first, program,
             (int)first);
    tui_lines(tui, line);
    assert_true(session_tree_is_stopped(shared, first));
    tui_resize(tui, 24, 100); /* beside how many run */
    assert_true(tui_shows(tui, "1 process tree stopped"));
    tui_resize(tui, 24, 80);
    tui_lines(tui, ":stop bob\r");
    assert_true(tui_says(tui, "stops \"bob\" and 2 process trees (\"bob\"): their 2 open"));
    tui_lines(tui, ":stop bob\r");
    assert_true(session_tree_is_stopped(shared, second));
    assert_true(tui_shows(tui, " 2 stopped: :resume "));
    tui_lines(tui, ":resume bob\r");
    assert_true(session_tree_is_stopped(shared, first));
    assert_false(session_tree_is_stopped(shared, second));
    assert_true(tui_says(tui, "still stopped: test_halt"));
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
        cmocka_unit_test_setup_teardown(one_key_freezes_and_lets_go_on, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_comes_while_frozen_is_listed_so, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(the_brake_works_over_a_request, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_pane_keeps_its_keys, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_stopped_agent_is_told_of, tui_set_up, tui_tear_down),
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
        cmocka_unit_test_setup_teardown(processes_go_on_by_what_they_call_themselves, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(the_wrong_one_of_two_is_seen, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_long_command_is_cut_in_the_question, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(the_consequence_is_whole, tui_set_up, tui_tear_down),
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
        cmocka_unit_test_setup_teardown(the_second_key_is_for_the_same, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_question_ends_with_its_time_whatever_is_typed, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(who_asks_is_stopped_from_the_request, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(those_who_share_a_session_are_stopped_together, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(agents_are_stopped_by_name, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_stop_by_name_is_given_twice, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_request_does_not_cover_the_question_of_a_line, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_request_comes_up_behind_the_question, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_question_lapses, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(that_an_agent_is_stopped_is_said_as_long_as_it_is,
                                        tui_set_up, tui_tear_down),
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
