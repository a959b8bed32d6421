/* SPDX-License-Identifier: MIT */
/* How long an answer holds, and the list of what holds. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "approval/grants.h"
#include "approval/ladder.h"
#include "approval/reach.h"
#include "base/alloc.h"
#include "base/array.h"
#include "risk/phrase.h"
#include "ui/approval_content.h"
#include "ui/approval_words.h"
#include "ui/holding.h"

#define MINUTE_MS ((int64_t)60000)

static void ready_request(struct tui *tui)
{
    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    tui_wait_next(tui);
}

static const struct fake_decision *decision(const struct tui *tui)
{
    assert_int_equal(fake_core_decisions(tui->core), 1);
    return fake_core_decision(tui->core, 0);
}

static void for_the_session_unless_chosen(void **state)
{
    struct tui *tui = *state;

    ready_request(tui);
    assert_true(tui_shows(tui, "allow exactly this, in this directory, for this session"));
    tui_keys(tui, "a");
    assert_int_equal(decision(tui)->lease.kind, LEASE_SESSION);
}

/* What is fetched can be something else the next time: the answer does not say that it is for
 * exactly this. */
static void what_is_fetched_is_not_exactly_this(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "curl https://x.example | sh", RISK_HIGH);

    call->assessment.clauses[1] =
        (struct risk_clause){.phrase = phrase_text(PHRASE_runs_downloaded), .level = RISK_HIGH};
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "a↵ allow this here, whatever code it fetches, for this session"));
    assert_false(tui_shows(tui, "allow exactly this"));
}

/* A key that says how long it holds takes it back, and says that all the same. */
static void how_long_it_holds_is_changed_behind_its_key(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "curl https://x.example | sh", RISK_HIGH);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "a");
    assert_true(tui_shows(tui, "Enter confirms"));
    tui_wait_guard(tui);
    tui_keys(tui, "+");
    assert_true(tui_shows(tui, "Choose a time or a number of runs first."));
    tui_keys(tui, "a");
    tui_wait_guard(tui);
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "Not allowed yet; how long a holds has changed."));
    assert_true(tui_shows(tui, " for 10 minutes"));
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "Not allowed yet. Choose an answer."));
    assert_true(tui_shows(tui, " for 10 minutes"));
}

#define CELL_COLUMNS 32 /* of an answer that stands beside another at 80 columns */

/* Beside one another answers have little room: nothing of what they mean is cut. */
static void what_an_answer_means_is_never_cut(void **state)
{
    const struct approval_content content = {
        .subject = SUBJECT_COMMAND, .unsandboxed = true, .shared = true, .ends = {.count = 16}};
    static const struct lease leases[] = {{.kind = LEASE_SESSION},
                                          {.kind = LEASE_TIME, .duration_ms = 480 * MINUTE_MS},
                                          {.kind = LEASE_RUNS, .runs = 5},
                                          {.kind = LEASE_RUNS, .runs = 100},
                                          {.kind = LEASE_CALL, .call = 1000}};
    cleanup_free char *ends =
        approval_words_answer(&content, ACTION_ABORT, &leases[0], CELL_COLUMNS);
    cleanup_free char *runs =
        approval_words_answer(&content, ACTION_APPROVE_SESSION, &leases[2], CELL_COLUMNS);

    (void)state;
    for (size_t i = 0; i < sizeof(leases) / sizeof(leases[0]); i++) {
        cleanup_free char *words =
            approval_words_answer(&content, ACTION_APPROVE_SESSION, &leases[i], CELL_COLUMNS);

        assert_true(strlen(words) <= CELL_COLUMNS);
    }
    assert_true(strlen(ends) <= CELL_COLUMNS);
    assert_string_equal(ends, "deny (session), end its 16 calls");
    assert_string_equal(runs, "only this, 6 times, NO sandbox"); /* this one and five more */
}

/* However long it holds and whatever it is, it is for that alone. */
static void an_answer_says_what_it_is_for(void **state)
{
    static const struct {
        struct approval_content content;
        struct lease lease;
        int columns;
        const char *words;
    } answers[] = {
        {{.subject = SUBJECT_COMMAND},
         {.kind = LEASE_TIME, .duration_ms = 10 * MINUTE_MS},
         CELL_COLUMNS,
         "allow only this for 10 minutes"},
        {{.subject = SUBJECT_COMMAND},
         {.kind = LEASE_RUNS, .runs = 5},
         CELL_COLUMNS,
         "only this now and 5 more times"},
        {{.subject = SUBJECT_COMMAND},
         {.kind = LEASE_CALL, .call = 2},
         CELL_COLUMNS,
         "allow only this until c2 ends"},
        {{.subject = SUBJECT_COMMAND, .fetches = true},
         {.kind = LEASE_TIME, .duration_ms = 10 * MINUTE_MS},
         2 * CELL_COLUMNS,
         "allow this for 10 minutes, whatever code it fetches"},
        {{.subject = SUBJECT_COMMAND, .unsandboxed = true},
         {.kind = LEASE_TIME, .duration_ms = 10 * MINUTE_MS},
         CELL_COLUMNS,
         "only this, 10 min, NO sandbox"},
        {{.subject = SUBJECT_COMMAND, .unsandboxed = true},
         {.kind = LEASE_TIME, .duration_ms = 10 * MINUTE_MS},
         2 * CELL_COLUMNS,
         "allow only this for 10 minutes, WITHOUT the sandbox"},
        {{.subject = SUBJECT_COMMAND, .unsandboxed = true},
         {.kind = LEASE_CALL, .call = 2},
         CELL_COLUMNS,
         "this till c2 ends, NO sandbox"},
        {{.subject = SUBJECT_PATCH},
         {.kind = LEASE_RUNS, .runs = 5},
         CELL_COLUMNS,
         "these files now and 5 more times"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        cleanup_free char *words = approval_words_answer(
            &answers[i].content, ACTION_APPROVE_SESSION, &answers[i].lease, answers[i].columns);

        assert_string_equal(words, answers[i].words);
    }
}

static void a_time_is_chosen_and_changed(void **state)
{
    struct tui *tui = *state;

    ready_request(tui);
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "allow only this for 10 minutes"));
    tui_presses(tui, "--");
    assert_true(tui_shows(tui, "allow only this for 2 minutes"));
    tui_presses(tui, "---");
    assert_true(tui_shows(tui, "allow only this for 1 minute "));
    tui_presses(tui, "++++");
    assert_true(tui_shows(tui, "allow only this for 15 minutes"));
    tui_keys(tui, "a");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(decision(tui)->lease.kind, LEASE_TIME);
    assert_int_equal(decision(tui)->lease.duration_ms, 15 * MINUTE_MS);
}

/* What is covered by an answer is not said to be for the session: that may have been for less. */
static void what_an_answer_covers_names_that_answer(void **state)
{
    static const char *const keys[] = {"make", NULL};
    const struct lease minute = {.kind = LEASE_TIME, .duration_ms = MINUTE_MS};
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);

    call->decision = (struct review_decision){
        .kind = REVIEW_APPROVED_FOR_SESSION,
        .source = DECIDED_BY_CACHE,
        .grant_id = grants_add(tui->agent->grants, keys, "make", 7, &minute)};
    console_observer()->decided(tui->console, call, NULL);
    tui_settle(tui);
    assert_true(tui_shows(tui, "codex, allowed, covered by your answer to c7: make"));
    tui_keys(tui, "\x1bOR"); /* F3 */
    tui_keys(tui, "\x1b[6~");
    assert_true(tui_shows(tui, "allowed, covered by your answer to c7"));
}

/* The policy let the command run unasked; an answer to another one let it out. */
static void what_let_it_out_stands_beside_what_let_it_run(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "curl https://pypi.org", false);
    char url[] = "https://pypi.org:443";
    struct reach_cover cover = {.url = url, .by = 7};

    call->decision = (struct review_decision){.kind = REVIEW_APPROVED, .source = DECIDED_BY_CONFIG};
    call->covered = &cover;
    call->covered_count = 1;
    tui_keys(tui, "\x1bOR"); /* F3 */
    tui_keys(tui, "\x1b[6~");
    assert_true(tui_shows(tui, "by the policy, its connection covered by your"));
    call->covered = NULL;
    call->covered_count = 0;
}

/* What is cut off a row is its end. */
static void which_answer_covers_stands_before_what_is_long(void **state)
{
    static const char *const keys[] = {"make", NULL};
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);

    call->decision = (struct review_decision){
        .kind = REVIEW_APPROVED_PATH_FOR_SESSION,
        .source = DECIDED_BY_CACHE,
        .path = xstrdup("/srv/www/of/a/site/whose/directory/has/a/long/name"),
        .grant_id = grants_add(tui->agent->grants, keys, "make", 7, NULL)};
    console_observer()->decided(tui->console, call, NULL);
    tui_settle(tui);
    assert_true(tui_shows(tui, "codex, covered by your answer to c7, allowed in the sandbox"));
}

/* A rule covers more than the command that it was made of. */
static void a_rule_is_told_as_it_was_made(void **state)
{
    static const struct prompt asked = {.id = 1};
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make clean", false);

    call->decision = (struct review_decision){
        .kind = REVIEW_APPROVED_AMENDMENT,
        .source = DECIDED_BY_USER,
        .rule = xstrdup("prefix_rule(pattern=[\"make\", [\"test\", \"clean\"]], "
                        "decision=\"allow\")")};
    console_observer()->decided(tui->console, call, &asked);
    tui_settle(tui);
    assert_true(
        tui_says(tui, "make test|clean (WITHOUT the sandbox; these tasks, and any further words)"));
}

/* It is news until another call has ended, once it can have been read. */
static void what_was_allowed_gives_way_to_news(void **state)
{
    static const struct prompt asked = {.id = 1};
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);
    struct call *later;

    call->decision = (struct review_decision){.kind = REVIEW_APPROVED, .source = DECIDED_BY_USER};
    console_observer()->decided(tui->console, call, &asked);
    tui_settle(tui);
    fake_core_finish(tui->core, call, 0);
    later = tui_running(tui, "ls", false);
    tui_settle(tui);
    assert_true(tui_shows(tui, "allowed once, by you: make"));
    tui_advance(tui, 4000);
    assert_true(tui_shows(tui, "allowed once, by you: make"));
    fake_core_finish(tui->core, later, 0);
    tui_settle(tui);
    assert_false(tui_shows(tui, "allowed once, by you: make"));
}

/* Beside a rule that has a length of its own, by another key. */
static void what_is_set_is_named(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "npm run lint");
    struct prompt prompt = {.ladder = XNEW(struct ladder), .may_approve_for_session = true};

    prompt.ladder->steps[0] =
        (struct ladder_step){.width = LADDER_ANYWHERE,
                             .exact = true,
                             .words = strv_copy((const char *const[]){"npm", "run", NULL})};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    tui_keys(tui, "l");
    assert_true(
        tui_shows(tui, "How long a holds (2 of 3): l another limit, L back; Tab sets that for p."));
}

static void runs_are_chosen(void **state)
{
    struct tui *tui = *state;

    ready_request(tui);
    tui_presses(tui, "ll-");
    assert_true(tui_shows(tui, "allow only this now and 3 more times"));
    tui_keys(tui, "a");
    assert_int_equal(decision(tui)->lease.kind, LEASE_RUNS);
    assert_int_equal(decision(tui)->lease.runs, 3);
}

/* Without a pane there is nothing to bind it to, and the choice comes round. */
static void the_choice_comes_round(void **state)
{
    struct tui *tui = *state;

    ready_request(tui);
    tui_presses(tui, "lll");
    assert_true(tui_shows(tui, "allow exactly this, in this directory, for this session"));
    tui_keys(tui, "+");
    assert_true(tui_shows(tui, "Choose a time or a number of runs first."));
}

static void a_pane_is_chosen(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 7};

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make install"), &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_presses(tui, "lll"); /* what it is about comes first, and this is about no pane */
    assert_true(tui_shows(tui, "allow only this until c7 ends"));
    tui_keys(tui, "a");
    assert_int_equal(decision(tui)->lease.kind, LEASE_CALL);
    assert_int_equal(decision(tui)->lease.call, 7);
}

/* c7, make, wants a host. */
static struct call *host_call(struct tui *tui)
{
    struct call *call = fake_core_call(tui->core, tui->agent, "network-access");

    call->tool = CALL_NETWORK;
    call->reach = XNEW(struct reach);
    *call->reach = (struct reach){.host = xstrdup("registry.example"),
                                  .protocol = "https",
                                  .port = 443,
                                  .command = 7,
                                  .command_line = xstrdup("make"),
                                  .waiting = 1};
    return call;
}

/* A push asks for its host like a download: what goes there is said. */
static void what_a_connection_is_for_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *command = fake_core_call(tui->core, tui->agent, "git push");
    struct call *call = host_call(tui);

    assessment_of_deed(phrase_text(PHRASE_pushes), "main", RISK_MEDIUM, &command->assessment);
    call->reach->command = command->id;
    tui->agent->orchestrator = tui->core;
    fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
    tui_settle(tui);
    assert_true(tui_shows(tui, "Which does  Sends commits to another repository: main."));
    command = fake_core_call(tui->core, tui->agent, "curl x.example");
    call = host_call(tui);
    call->reach->command = command->id;
    assessment_of_deed(phrase_text(PHRASE_pushes), "main", RISK_LOW, &command->assessment);
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
    tui_settle(tui);
    assert_true(tui_shows(tui, "May it connect there?"));
    assert_false(tui_shows(tui, "Which does"));
    tui->agent->orchestrator = NULL;
}

/* Once is for the connections that wait, and its command's next one would be asked about: which
 * keys allow that as well stands there. */
static void a_host_is_allowed_while_its_command_runs(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 7};
    struct call *call = host_call(tui);

    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(
        tui_shows(tui, "y  allow what waits now, no more (c7's next connection asks again)"));
    assert_true(
        tui_shows(tui, "a  this host, for any command, uploads too, for this session (l: 1 of 4)"));
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "y  allow what waits now, no more "));
    assert_false(tui_shows(tui, "c7's next"));
    assert_true(
        tui_shows(tui, "a  this host, for this command, uploads too, until c7 ends (l: 2 of 4)"));
    tui_keys(tui, "a");
    assert_int_equal(decision(tui)->lease.kind, LEASE_CALL);
    assert_int_equal(decision(tui)->lease.call, 7);
}

/* What other commands wait for there is not allowed by what holds until this one ends. */
static void a_host_for_its_command_allows_no_other(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 7};
    const uint64_t other = tui_request(tui, "make docs", RISK_LOW)->id;

    fake_core_release(tui->core, &other, 1);
    fake_core_withdraw(tui->core, orchestrator_find_call(tui->core, other));
    fake_core_ask(tui->core, host_call(tui), &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "a also allows c1"));
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "until c7 ends (l: 2 of 4)"));
    assert_false(tui_shows(tui, "also allows"));
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "a also allows c1"));
}

/* In two columns the row above the answers says so. */
static void the_next_connections_are_told_where_there_is_little_room(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 7};
    struct call *call = host_call(tui);

    call->reach->special = "private";
    call->reach->addresses = xstrdup("192.168.0.1, 192.168.0.2, 192.168.0.3, 192.168.0.4, "
                                     "192.168.0.5, 192.168.0.6, 192.168.0.7, 192.168.0.8");
    call->reach->readable = xstrdup("registry.example");
    call->reach->known = "packages of npm";
    call->reach->via = xstrdup("proxy.example:3128");
    free(call->reach->command_line);
    call->reach->command_line =
        xstrdup("make -C somewhere test-of-all-that-there-is | tee "
                "log-of-all-that-was-tested | tail -n 20 | sort -u | "
                "grep -v all-that-is-known-to-fail | head -n 3 | "
                "cut -c 1-40 | nl | tr a-z A-Z | paste -s -d , - | fold -w 20");
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "y: this time only. l, then a: c7 alone may connect there unasked"));
    assert_true(tui_shows(tui, "a  host, any command, session (l)"));
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "a  this command, until c7 ends (l)"));
    assert_true(tui_shows(tui, "How long a holds (2 of 4): l another limit, L back "));
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "a  any command, for 10 minutes"));
    assert_true(
        tui_shows(tui, "How long a holds (3 of 4): l another limit, L back, + more, - less"));
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "a  any command, +5 connections"));
}

/* It is not for the command alone that asks: whose commands it is for stands there, too, and more
 * of it behind v. */
static void a_host_says_whose_commands_it_is_for(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 7};
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct call *call = host_call(tui);

    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    assert_true(tui_shows(tui, "a: for any command of codex, uploads too"));
    tui_wait_guard(tui);
    tui_keys(tui, "v");
    tui_presses(tui, "\x1b[6~");
    assert_true(tui_shows(tui, "For the session means"));
    assert_true(tui_shows(tui, "any command of codex may connect to this host and port"));
    assert_true(tui_shows(tui, "If you deny it"));
    assert_true(tui_says(tui, "this host and port, by this protocol: refused to codex, unasked"));
    tui_keys(tui, "q");
    tui_keys(tui, "d");
    call = host_call(tui);
    call->session = shared;
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    assert_true(tui_shows(tui, "a: for any command of all that use assent exec, uploads too"));
}

/* The operator is no name to say it of. */
static void a_host_says_that_it_is_for_the_operators_commands(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 7};
    struct call *call = host_call(tui);

    call->session = tui->own;
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    assert_true(tui_shows(tui, "a: for any command you run here, uploads too"));
    tui_wait_guard(tui);
    tui_keys(tui, "v");
    tui_presses(tui, "\x1b[6~");
    assert_true(tui_says(tui, "any command that you run here may connect to this host and port"));
    tui_keys(tui, "q");
    tui_keys(tui, "l");
    tui_keys(tui, "l");
    assert_true(tui_says(tui, "a, for 10 minutes: for any command you run here, uploads too"));
    tui_keys(tui, "v");
    tui_presses(tui, "\x1b[6~");
    assert_true(tui_says(tui, "for 10 minutes: any command that you run here may connect"));
}

/* With another length than the session it is that which is told. */
static void all_of_a_host_follows_the_length(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 7};

    fake_core_ask(tui->core, host_call(tui), &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "l");
    tui_keys(tui, "v");
    tui_presses(tui, "\x1b[6~");
    assert_true(tui_shows(tui, "The chosen length means"));
    assert_true(tui_says(tui, "until c7 ends: c7 alone may connect to this host and port"));
    assert_false(tui_shows(tui, "For the session means"));
    assert_false(tui_says(tui, "any command of codex may"));
    tui_keys(tui, "q");
    tui_keys(tui, "l");
    tui_keys(tui, "v");
    tui_presses(tui, "\x1b[6~");
    assert_true(tui_says(tui, "for 10 minutes: any command of codex may connect to this host"));
}

/* Where one is among them is said, and one may go back. */
static void the_lengths_are_gone_through_both_ways(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 7};
    struct call *call = host_call(tui);

    prompt.ladder = ladder_new_reach(call->reach, "/w");
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "How long a holds (2 of 4): l another limit, L back"));
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "How long a holds (3 of 4): l another limit, L back"));
    tui_keys(tui, "L");
    assert_true(tui_shows(tui, "2 of 4"));
    assert_true(tui_shows(tui, "a, until c7 ends: for this command alone, uploads too"));
    tui_presses(tui, "LL");
    assert_true(tui_shows(tui, "4 of 4): l another limit, L back, + more, - less"));
    assert_true(tui_shows(tui, "now and 5 more connections"));
    /* Put aside and there again, it holds no longer than was set, and says so. */
    tui_keys(tui, "\x1b");
    tui_advance(tui, 1000);
    assert_false(tui_shows(tui, "May it connect there?"));
    tui_keys(tui, "\x1bOQ"); /* F2 */
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "What you set before (how long, which rule) stays"));
    assert_true(tui_shows(tui, "a, now and 5 more connections: for any command"));
    tui_keys(tui, "a");
    assert_int_equal(decision(tui)->lease.kind, LEASE_RUNS);
}

/* A newline is the sign here as well that no agent can imitate, and so it is in what the key that
 * takes it back tells, and :undo. */
static void newlines_are_signs(void **state)
{
    static const char *const keys[] = {"[\"make\"]", NULL};
    struct tui *tui = *state;

    grants_add(tui->agent->grants, keys, "cd x\n\u00b6make", 4, NULL);
    tui_keys(tui, "\x1b[17~"); /* F6 */
    assert_true(tui_shows(tui, "cd x\u00b6<U+00B6>make"));
    tui_keys(tui, "r");
    assert_true(tui_says(tui, "c4, allowed for this session: cd x\u00b6<U+00B6>make; from now on"));
    assert_false(tui_shows(tui, "<LF>"));
}

/* Opening the list looks at the files: an answer that they end is not in it, and why is told. */
static void what_changed_files_end_is_not_listed(void **state)
{
    static const char *const keys[] = {"[\"make\"]", NULL};
    static const char *const lists[] = {"\x1b[17~", ":grants\r"}; /* F6 */
    struct tui *tui = *state;

    for (size_t i = 0; i < COUNT(lists); i++) {
        grants_add(tui->agent->grants, keys, "make", 4, NULL);
        grants_note_seen(tui->agent->grants, keys, 1, "5ca1ab1e", NULL);
        tui_keys(tui, lists[i]);
        assert_true(tui_shows(tui, "your answer to c4"));
        tui_keys(tui, "q");
        fake_core_files_changed(tui->core, "Makefile");
        assert_int_equal(grants_count(tui->agent->grants), 1);
        tui_advance(tui, 100);
        tui_keys(tui, lists[i]);
        assert_true(tui_shows(tui, "Nothing yet."));
        tui_keys(tui, "q");
        fake_core_files_changed(tui->core, NULL);
    }
}

/* Enter opens all of one, and there says that a text is only read. */
static void enter_is_answered_in_what_holds(void **state)
{
    static const char *const keys[] = {"[\"make\"]", NULL};
    static const struct lease lease = {.kind = LEASE_TIME, .duration_ms = MINUTE_MS};
    struct tui *tui = *state;

    grants_add(tui->agent->grants, keys, "make", 1, &lease);
    tui_keys(tui, "\x1b[17~"); /* F6 */
    tui_keys(tui, "\r");
    assert_true(tui_shows(tui, "For how long"));
    tui_keys(tui, "\r");
    assert_true(tui_shows(tui, "there is nothing to choose here "));
    assert_false(tui_shows(tui, "here; Esc closes")); /* the row begins with that */
    tui_keys(tui, "j");
    assert_false(tui_shows(tui, "there is nothing to choose here"));
    assert_true(tui_shows(tui, "For how long"));
}

/* What was allowed to one of many holds for the others as well, whatever they call themselves: that
 * is said with it, and where it is told what separates them. */
static void an_answer_says_for_whom_it_is(void **state)
{
    static const char *const keys[] = {"[\"make\"]", NULL};
    static const struct lease lease = {.kind = LEASE_TIME, .duration_ms = MINUTE_MS};
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    grants_add(shared->grants, keys, "make", 1, &lease);
    tui_presses(tui, "\x1b[17~\r"); /* F6 */
    assert_true(tui_shows(tui, "For whom"));
    assert_true(tui_shows(tui, "by all that use assent exec (:sessions)"));
    for (int i = 0; i < 2; i++) {
        tui_keys(tui, "\x1b");
        tui_advance(tui, 100);
    }
    shared->leftover = true; /* separated already, as far as they can be */
    tui_presses(tui, "\x1b[17~\r");
    assert_true(tui_shows(tui, "running program"));
}

/* Enter never allows what was not marked: choosing a length moves the mark to deny. */
static void choosing_marks_deny(void **state)
{
    struct tui *tui = *state;

    ready_request(tui);
    tui_keys(tui, "\x1b[A\x1b[A"); /* a guess at the answers above */
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_not_equal(decision(tui)->kind, REVIEW_DENIED);
    ready_request(tui);
    tui_presses(tui, "\x1b[A\x1b[Al");
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_DENIED);
}

static void what_is_once_only_has_no_length(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = false};

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make install"), &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "l");
    assert_true(tui_shows(tui, "This request can only be allowed once."));
}

/* ---- the list ------------------------------------------------------------------------------ */

static void grant(struct tui *tui, const char *label, uint64_t call, const struct lease *lease)
{
    const char *const keys[] = {label, NULL};

    grants_add(tui->agent->grants, keys, label, call, lease);
}

static void fill(struct tui *tui)
{
    grant(tui, "make install", 4, NULL);
    grant(tui, "npm test", 5, &(struct lease){.kind = LEASE_TIME, .duration_ms = 10 * MINUTE_MS});
    grant(tui, "touch \x1b[31mred", 6, &(struct lease){.kind = LEASE_RUNS, .runs = 5});
    session_add_rule(tui->agent, "prefix_rule(pattern=[\"ls\"], decision=\"allow\")");
    const char *const used[] = {"touch \x1b[31mred", NULL};
    grants_cover(tui->agent->grants, used, true);
}

static void the_list_tells_what_holds(void **state)
{
    struct tui *tui = *state;

    fill(tui);
    tui_keys(tui, ":grants\r");
    assert_true(tui_shows(tui, "What holds without a question"));
    assert_true(tui_shows(tui, "codex; for this session; used 0 times since; your answer to c4"));
    assert_true(tui_shows(tui, "for 10 minutes, 10:00 left"));
    assert_true(tui_shows(tui, "for 5 more runs, 4 left; used 1 time since; your answer to c6"));
    assert_true(tui_shows(tui, "codex; a rule for this session"));
    assert_true(tui_shows(tui, "touch <ESC>[31mred"));
    tui_advance(tui, 61000);
    assert_true(tui_shows(tui, "8:59 left"));
}

#define UNCONFINED                                                                                 \
    "{\"argv\":[\"ls\"],\"cwd\":\"/home/ann\",\"sandbox\":\"unsandboxed\",\"tool\":\"shell\"}"

/* What leaves the sandbox says so in the list, and before anything else in the view. */
static void what_leaves_the_sandbox_is_marked(void **state)
{
    const char *const keys[] = {UNCONFINED, NULL};
    struct tui *tui = *state;

    grants_add(tui->agent->grants, keys, "ls /root", 4, NULL);
    session_add_rule(tui->agent,
                     "prefix_rule(pattern=[\"ls\"], decision=\"allow\", sandbox=\"bypass\")");
    session_add_rule(tui->agent,
                     "prefix_rule(pattern=[\"wc\"], decision=\"allow\", sandbox=\"keep\")");
    tui_keys(tui, ":grants\r");
    assert_true(
        tui_shows(tui, "WITHOUT the sandbox; codex; for this session; used 0 times since; your"));
    assert_true(tui_shows(tui, "WITHOUT the sandbox; codex; a rule for this session"));
    assert_true(tui_shows(tui, "   codex; a rule for this session"));
    tui_golden(tui, "grants-unsandboxed");
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "no sandbox: it can do all that you can do"));
    assert_true(tui_shows(tui, "just this: requests whose command, program, directory"));
    assert_true(tui_shows(tui, "Directory: /home/ann"));
    assert_true(tui_shows(tui, "Runs under: no sandbox"));
    assert_false(tui_shows(tui, "\"sandbox\""));
    tui_golden(tui, "grants-unsandboxed-details");
}

/* What holds is named as people read it; how the rule is written, its view shows. */
static void rules_are_shown_as_they_are_read(void **state)
{
    static const char host[] =
        "{\"host\":\"example.org\",\"port\":443,\"protocol\":\"https\",\"tool\":\"network\"}";
    const char *const keys[] = {host, NULL};
    struct tui *tui = *state;

    grants_add(tui->agent->grants, keys, "network-access https://example.org", 4, NULL);
    session_add_rule(tui->agent, "prefix_rule(pattern=[\"git\", \"push\"], decision=\"allow\")");
    session_add_rule(tui->agent, "network_rule(host=\"example.net\", protocol=\"https\", "
                                 "decision=\"allow\")");
    tui_keys(tui, ":grants\r");
    assert_true(tui_shows(tui, "connect to https://example.org"));
    assert_true(tui_shows(tui, "connect to https://example.net"));
    assert_true(tui_shows(tui, "git push  "));
    assert_true(tui_shows(tui, "a rule for this session; and any further"));
    assert_false(tui_shows(tui, "prefix_rule"));
    tui_keys(tui, "\x1b[B");
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "As it is written"));
    assert_true(tui_shows(tui, "prefix_rule(pattern="));
    tui_keys(tui, "q");
    tui_presses(tui, "\x1b[Ar");
    assert_true(tui_says(tui, "taken back: c4, allowed for this session: connect to "
                              "https://example.org; from now on"));
}

/* It is not for all of its session, as the others are. */
static void a_host_of_one_command_is_listed_as_such(void **state)
{
    static const char *const keys[] = {"{\"command\":7,\"host\":\"x.example\",\"port\":443,"
                                       "\"protocol\":\"https\",\"tool\":\"network\"}",
                                       NULL};
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    grants_add(shared->grants, keys, "network-access https://x.example:443", 9,
               &(struct lease){.kind = LEASE_CALL, .call = 7});
    tui_keys(tui, ":grants\r");
    assert_true(
        tui_says(tui, "for c7 alone, until it ends; used 0 times since; your answer to c9"));
    assert_false(tui_says(tui, "all that use assent exec"));
    tui_keys(tui, "v");
    assert_true(tui_says(tui, "for c7 alone, until it ends; used 0 times since"));
    assert_true(tui_shows(tui, "Only for: c7"));
    assert_false(tui_shows(tui, "command: 7"));
    assert_false(tui_says(tui, "all that use assent exec"));
}

/* With rules in force, "nothing" is not all that there is to say. */
static void rules_of_files_are_not_nothing(void **state)
{
    struct tui *tui = *state;

    fake_core_own_rules(tui->core, "prefix_rule(pattern=[\"make\"], decision=\"allow\")\n");
    tui_keys(tui, ":grants\r");
    assert_false(tui_shows(tui, "Nothing yet"));
    assert_true(tui_shows(tui, "Nothing of this session yet"));
    assert_true(tui_shows(tui, "Of your files 1 rule is in force"));
}

static void a_rule_that_is_kept_is_taken_back_by_the_same_key(void **state)
{
    struct tui *tui = *state;

    orchestrator_remember_rule(tui->core,
                               "prefix_rule(pattern=[\"npm\", \"test\"], decision=\"allow\", "
                               "sandbox=\"bypass\", project=\"/home/ann/shop\")",
                               NULL);
    tui_keys(tui, ":grants\r");
    assert_true(tui_shows(tui, "npm test"));
    assert_true(tui_shows(tui, "WITHOUT the sandbox; a rule that is kept, for /home/ann/shop; and "
                               "any"));
    tui_presses(tui, "r");
    assert_true(
        tui_shows(tui, "taken back: npm test (rule); from now on that is asked about again"));
    assert_null(orchestrator_kept_rules(tui->core));
    assert_true(tui_shows(tui, "Nothing yet."));
}

static void a_key_takes_one_back(void **state)
{
    struct tui *tui = *state;

    fill(tui);
    tui_keys(tui, "\x1bg"); /* Alt-g */
    assert_true(tui_shows(tui, "What holds without a question"));
    tui_presses(tui, "\x1b[Br");
    assert_true(tui_says(tui, "taken back: c5, allowed for 10 minutes: npm test; from now on that "
                              "is asked about again"));
    assert_int_equal(grants_count(tui->agent->grants), 2);
    assert_false(tui_shows(tui, "10:00 left"));
    tui_presses(tui, "\x1b[B\x1b[B\x1b[Br"); /* the last: the rule */
    assert_true(tui_shows(tui, "taken back: ls (rule); from now on that"));
    assert_null(tui->agent->rule_lines[0]);
    tui_presses(tui, "rrr");
    assert_int_equal(grants_count(tui->agent->grants), 0);
    assert_true(tui_shows(tui, "Nothing yet."));
    tui_keys(tui, "q");
    assert_false(tui_shows(tui, "What holds without a question"));
}

/* What was denied holds as well: the same again is not asked about. */
#define HOST_KEY "{\"host\":\"x.example\",\"port\":443,\"protocol\":\"https\",\"tool\":\"network\"}"
#define ADDRESS_KEY                                                                                \
    "{\"addresses\":\"10.0.0.1\","                                                                 \
    "\"host\":\"x.example\",\"port\":443,\"protocol\":\"https\",\"tool\":\"network\"}"

/* What is refused all the same is not said to be allowed: a name that leads to an address that was
 * denied, and what was denied behind the answer that allowed it. */
static void what_a_denial_overrules_says_so(void **state)
{
    static const char *const keys[] = {HOST_KEY, NULL};
    static const char *const other[] = {
        "{\"host\":\"y.example\",\"port\":443,\"protocol\":\"https\",\"tool\":\"network\"}", NULL};
    struct tui *tui = *state;

    grants_add(tui->agent->grants, keys, "network-access https://x.example:443", 1, NULL);
    grants_add(tui->agent->grants, other, "network-access https://y.example:443", 2, NULL);
    tui_keys(tui, "\x1b[17~"); /* F6 */
    assert_false(tui_shows(tui, "REFUSED"));
    session_remember_denial(tui->agent, ADDRESS_KEY, "https://x.example:443", 5, NULL);
    tui_advance(tui, 1000);
    assert_true(tui_shows(tui, "REFUSED where it leads as c5 did, by your no to that; codex; "));
    session_forget_denials(tui->agent);
    session_remember_denial(tui->agent, HOST_KEY, "https://x.example:443", 6, NULL);
    tui_advance(tui, 1000);
    assert_true(tui_shows(tui, "REFUSED all the same, by your no to c6; codex; "));
    session_forget_denials(tui->agent);
    /* What a command is called says nothing of a host. */
    session_remember_denial(tui->agent, "as edited", "https://x.example:443", 7, NULL);
    tui_advance(tui, 1000);
    assert_false(tui_shows(tui, "REFUSED"));
}

/* A rule comes before a denial of the name, but not of where that leads. */
static void a_rule_is_overruled_where_its_host_leads(void **state)
{
    struct tui *tui = *state;

    session_remember_denial(tui->agent, HOST_KEY, "https://x.example:443", 4, NULL);
    session_add_rule(tui->agent,
                     "network_rule(host=\"x.example\", protocol=\"https\", decision=\"allow\", "
                     "port=\"443\")");
    tui_keys(tui, "\x1b[17~"); /* F6 */
    assert_false(tui_shows(tui, "REFUSED"));
    session_remember_denial(tui->agent, ADDRESS_KEY, "https://x.example:443", 5, NULL);
    tui_advance(tui, 1000);
    assert_true(tui_shows(tui, "REFUSED where it leads as c5 did, by your no to that; codex; "));
}

static void denials_are_listed_behind_and_forgotten(void **state)
{
    struct tui *tui = *state;
    int allowed, denied, column;

    session_remember_denial(tui->agent, "key", "rm -r \x1b[31mdist", 7, NULL);
    session_repeat_denial(tui->agent, "key");
    session_remember_denial(tui->agent, "as edited", "rm dist", 7, NULL);
    grant(tui, "make install", 4, NULL);
    tui_keys(tui, ":grants\r");
    assert_true(tui_shows(tui, "rm -r <ESC>[31mdist"));
    assert_true(tui_shows(tui, "codex; stays denied; your answer to c7"));
    assert_true(tui_shows(tui, "codex; denied again 1 time; your answer to c7"));
    assert_true(tui_find(tui, "Allowed without a question:", &allowed, &column));
    assert_true(tui_find(tui, "Stays denied when it is asked again:", &denied, &column));
    assert_int_equal(denied, allowed + 3); /* behind what it covers, and its terms */
    tui_presses(tui, "\x1b[B");            /* the approvals come first */
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "Denied"));
    tui_keys(tui, "q");
    tui_keys(tui, "r");
    assert_true(tui_says(tui,
                         "taken back: c7, denied: rm -r <ESC>[31mdist; from now on that may be "
                         "asked again"));
    assert_null(session_find_denial(tui->agent, "key"));
    assert_null(session_find_denial(tui->agent, "as edited"));
    assert_int_equal(grants_count(tui->agent->grants), 1);
}

/* A session is said to have as much of it as the list has. */
static void what_holds_is_counted_as_it_is_listed(void **state)
{
    struct tui *tui = *state;

    session_remember_denial(tui->agent, "key", "rm -r dist", 7, NULL);
    session_add_rule(tui->agent,
                     "network_rule(host=\"example.com\", protocol=\"https\", decision=\"allow\")");
    grant(tui, "make install", 4, NULL);
    assert_int_equal(holding_count(tui->core), 3);
    tui_keys(tui, ":sessions\r");
    assert_true(tui_shows(tui, "0 open, what holds: 3"));
}

/* Whatever the rule is about. */
static void a_rule_that_is_kept_names_its_project(void **state)
{
    static const struct {
        const char *line, *terms;
    } rows[] = {
        {"prefix_rule(pattern=[\"ls\"], decision=\"allow\", project=\"/w\", exact=True)",
         "WITHOUT the sandbox; a rule that is kept, for /w"},
        {"network_rule(host=\"a.example\", protocol=\"https\", decision=\"allow\", project=\"/w\")",
         "a rule that is kept, for /w"},
        {"read_rule(path=\"/data\", project=\"/w\x1b\")", "a rule that is kept, for /w<ESC>"},
        {"read_rule(path=\"/data\")", "a rule that is kept"},
        {"network_rule(host=\"a.example\", protocol=\"https\", decision=\"allow\")",
         "a rule that is kept"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct holding holding = {.kept = rows[i].line};
        cleanup_free char *terms = holding_terms(&holding);

        assert_string_equal(terms, rows[i].terms);
    }
}

/* For whom something holds stands first, and by which answer it does is not cut off. */
static void terms_that_are_long_go_on_below(void **state)
{
    const char *const keys[] = {UNCONFINED, NULL};
    struct tui *tui = *state;

    tui->agent->origin = SESSION_DEFAULT;
    tui->agent->peer_pid = 0;
    grants_add(tui->agent->grants, keys, "ls /root", 4, NULL);
    grant(tui, "make install", 5, NULL);
    session_remember_denial(tui->agent, "key", "rm -r dist", 70, NULL);
    for (int i = 0; i < 12; i++)
        session_repeat_denial(tui->agent, "key");
    tui_keys(tui, ":grants\r");
    assert_true(tui_shows(tui, "WITHOUT the sandbox; all that use assent exec; for this session;"));
    assert_true(tui_shows(tui, "     times since; your answer to c4"));
    assert_true(tui_shows(tui, "all that use assent exec; denied again 12 times; your answer to "));
    tui_golden(tui, "grants-shared");
}

/* Where rows are few, what is marked is shown all the same, and whole. */
static void what_is_marked_is_shown_whatever_goes_on_below(void **state)
{
    struct tui *tui = *state;

    tui->agent->origin = SESSION_DEFAULT;
    tui->agent->peer_pid = 0;
    for (int i = 0; i < 20; i++) {
        char key[96];
        const char *const keys[] = {key, NULL};

        snprintf(key, sizeof(key),
                 "{\"argv\":[\"%d\"],\"sandbox\":\"unsandboxed\",\"tool\":\"shell\"}", i);
        grants_add(tui->agent->grants, keys, "ls /root", 10 + (uint64_t)i, NULL);
    }
    tui_keys(tui, ":grants\r");
    assert_true(tui_shows(tui, "your answer to c10"));
    for (int i = 0; i < 19; i++)
        tui_presses(tui, "\x1b[B");
    assert_true(tui_shows(tui, "your answer to c29"));
    assert_true(tui_shows(tui, "20 of 20"));
    for (int i = 0; i < 10; i++)
        tui_presses(tui, "\x1b[A");
    assert_true(tui_shows(tui, "your answer to c19"));
}

static void one_is_shown_in_full(void **state)
{
    struct tui *tui = *state;

    fill(tui);
    tui_keys(tui, ":grants\r");
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "Requests that are the same in all of this"));
    tui_keys(tui, "qq");
    assert_false(tui_shows(tui, "What holds"));
}

static void a_long_list_scrolls(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < 40; i++) {
        char label[24];

        snprintf(label, sizeof(label), "command %d", i);
        grant(tui, label, 10, NULL);
    }
    tui_keys(tui, ":grants\r");
    assert_true(tui_shows(tui, "1 of 40"));
    assert_false(tui_shows(tui, "command 39"));
    for (int i = 0; i < 39; i++)
        tui_keys(tui, "j");
    assert_true(tui_shows(tui, "40 of 40"));
    assert_true(tui_shows(tui, "command 39"));
    tui_golden(tui, "grants-long");
    tui_keys(tui, "r"); /* what that did has a row, however long the list is */
    assert_true(tui_shows(tui, "taken back: c10, "));
}

static void grant_commands(struct tui *tui, int count)
{
    for (int i = 1; i <= count; i++) {
        char label[24];

        snprintf(label, sizeof(label), "command %d", i);
        grant(tui, label, 10, NULL);
    }
}

/* Seven that are allowed, and one that stays denied: all but the last have room in 24 rows. */
static void fill_to_the_brim(struct tui *tui)
{
    grant_commands(tui, 7);
    session_remember_denial(tui->agent, "key", "rm -r dist", 70, NULL);
}

/* What ends above others says how many: nobody takes it for all. */
static void what_the_list_hides_is_said_where_it_ends(void **state)
{
    struct tui *tui = *state;

    fill_to_the_brim(tui);
    tui_keys(tui, ":grants\r");
    assert_true(tui_shows(tui, "command 7"));
    assert_false(tui_shows(tui, "rm -r dist"));
    assert_true(tui_shows(tui, "\xe2\x86\x93 1 more below"));
    assert_false(tui_shows(tui, "more above"));
    tui_golden(tui, "grants-hidden");
    tui_keys(tui, "G");
    assert_true(tui_shows(tui, "rm -r dist"));
    assert_true(tui_shows(tui, "\xe2\x86\x91 1 more above"));
    assert_false(tui_shows(tui, "more below"));
}

/* None is hidden while there are rows for it: neither where the screen grows nor where some go. */
static void no_row_stays_empty_while_others_are_hidden(void **state)
{
    struct tui *tui = *state;

    fill_to_the_brim(tui);
    tui_keys(tui, ":grants\r");
    tui_keys(tui, "G");
    assert_false(tui_shows(tui, "command 1 "));
    tui_resize(tui, 40, 120);
    assert_true(tui_shows(tui, "command 1 "));
    assert_true(tui_shows(tui, "rm -r dist"));
    assert_false(tui_shows(tui, "8 of 8"));
    tui_resize(tui, 24, 80);
    assert_false(tui_shows(tui, "command 1 "));
    tui_keys(tui, "r");
    assert_true(tui_shows(tui, "command 1 "));
}

/* The blank row above the rules in files is one for the list where it has no other. */
static void all_are_shown_where_they_just_fit(void **state)
{
    struct tui *tui = *state;

    grant_commands(tui, 5);
    session_add_rule(tui->agent, "prefix_rule(pattern=[\"ls\"], decision=\"allow\")");
    session_remember_denial(tui->agent, "key", "rm -r dist", 70, NULL);
    tui_keys(tui, ":grants\r");
    assert_true(tui_shows(tui, "rm -r dist"));
    assert_true(tui_shows(tui, "your answer to c70"));
    assert_false(tui_shows(tui, "more below"));
    assert_false(tui_shows(tui, "1 of 7"));
}

/* Keys go to both ends and by pages, as in the inbox. */
static void the_list_is_gone_through_as_the_inbox(void **state)
{
    static const struct {
        const char *keys, *shows;
    } steps[] = {
        {"\x1b[F", "40 of 40"}, {"\x1b[H", " 1 of 40"}, {"G", "40 of 40"},
        {"g", " 1 of 40"},      {"\x1b[6~", "8 of 40"}, {"\x06", "15 of 40"},
        {"\x1b[5~", "8 of 40"}, {"\x02", " 1 of 40"},
    };
    struct tui *tui = *state;

    grant_commands(tui, 40);
    tui_keys(tui, ":grants\r");
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        tui_keys(tui, steps[i].keys);
        if (!tui_shows(tui, steps[i].shows))
            fail_msg("step %zu does not show \"%s\"", i, steps[i].shows);
    }
}

static void the_list_as_it_looks(void **state)
{
    struct tui *tui = *state;

    fill(tui);
    tui_keys(tui, ":grants\r");
    tui_golden(tui, "grants");
    tui_resize(tui, 50, 200);
    tui_golden(tui, "grants-200x50");
}

/* Of all words those that must not be missed have room. */
static void the_answer_as_it_looks(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make install", RISK_LOW);
    tui_wait_guard(tui);
    tui_keys(tui, "l");
    tui_golden(tui, "lease");
}

int main(void)
{
#define WITH_TUI(test) cmocka_unit_test_setup_teardown(test, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        WITH_TUI(for_the_session_unless_chosen),
        WITH_TUI(what_is_fetched_is_not_exactly_this),
        WITH_TUI(how_long_it_holds_is_changed_behind_its_key),
        WITH_TUI(what_an_answer_covers_names_that_answer),
        WITH_TUI(what_let_it_out_stands_beside_what_let_it_run),
        WITH_TUI(which_answer_covers_stands_before_what_is_long),
        WITH_TUI(a_rule_is_told_as_it_was_made),
        WITH_TUI(what_was_allowed_gives_way_to_news),
        cmocka_unit_test(what_an_answer_means_is_never_cut),
        cmocka_unit_test(an_answer_says_what_it_is_for),
        WITH_TUI(a_time_is_chosen_and_changed),
        WITH_TUI(what_is_set_is_named),
        WITH_TUI(runs_are_chosen),
        WITH_TUI(the_choice_comes_round),
        WITH_TUI(a_pane_is_chosen),
        WITH_TUI(what_a_connection_is_for_is_said),
        WITH_TUI(a_host_is_allowed_while_its_command_runs),
        WITH_TUI(a_host_for_its_command_allows_no_other),
        WITH_TUI(the_next_connections_are_told_where_there_is_little_room),
        WITH_TUI(newlines_are_signs),
        WITH_TUI(what_changed_files_end_is_not_listed),
        WITH_TUI(enter_is_answered_in_what_holds),
        WITH_TUI(an_answer_says_for_whom_it_is),
        WITH_TUI(choosing_marks_deny),
        WITH_TUI(what_is_once_only_has_no_length),
        WITH_TUI(the_list_tells_what_holds),
        WITH_TUI(what_leaves_the_sandbox_is_marked),
        WITH_TUI(rules_are_shown_as_they_are_read),
        WITH_TUI(rules_of_files_are_not_nothing),
        WITH_TUI(a_key_takes_one_back),
        WITH_TUI(a_rule_that_is_kept_is_taken_back_by_the_same_key),
        WITH_TUI(a_host_says_whose_commands_it_is_for),
        WITH_TUI(a_host_says_that_it_is_for_the_operators_commands),
        WITH_TUI(all_of_a_host_follows_the_length),
        WITH_TUI(a_host_of_one_command_is_listed_as_such),
        WITH_TUI(the_lengths_are_gone_through_both_ways),
        WITH_TUI(what_a_denial_overrules_says_so),
        WITH_TUI(a_rule_is_overruled_where_its_host_leads),
        WITH_TUI(denials_are_listed_behind_and_forgotten),
        cmocka_unit_test(a_rule_that_is_kept_names_its_project),
        WITH_TUI(what_holds_is_counted_as_it_is_listed),
        WITH_TUI(terms_that_are_long_go_on_below),
        WITH_TUI(what_is_marked_is_shown_whatever_goes_on_below),
        WITH_TUI(one_is_shown_in_full),
        WITH_TUI(a_long_list_scrolls),
        WITH_TUI(what_the_list_hides_is_said_where_it_ends),
        WITH_TUI(no_row_stays_empty_while_others_are_hidden),
        WITH_TUI(all_are_shown_where_they_just_fit),
        WITH_TUI(the_list_is_gone_through_as_the_inbox),
        WITH_TUI(the_list_as_it_looks),
        WITH_TUI(the_answer_as_it_looks),
    };
    return cmocka_run_group_tests_name("leases", tests, NULL, NULL);
}
