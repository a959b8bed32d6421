/* SPDX-License-Identifier: MIT */
/* What is chosen before an answer: which rule it makes, where that is kept, and how long it
 * lasts. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "approval/reach.h"
#include "base/alloc.h"
#include "base/array.h"

#define LEFT "\x1b[D"
#define RIGHT "\x1b[C"

#define SIXTY "packages/shop/basket/src/components/and/more/of/them/of-60"

/* From exactly this, which is long, to any further words; the last is refused. */
static struct ladder *long_ladder(const char *const *words)
{
    struct ladder *ladder = fake_core_npm_ladder(words);

    ladder->steps[1].redirect = true;
    return ladder;
}

static struct call *ask_at(struct tui *tui, const char *line, const char *const *words,
                           enum risk_level risk)
{
    struct prompt prompt = {
        .may_approve_for_session = true,
        .ladder = long_ladder(words),
    };
    struct call *call = fake_core_call(tui->core, tui->agent, line);

    call->assessment.level = risk;
    call->spec->justification = xstrdup("The linter has to pass before I can commit.");
    fake_core_ask_for(tui->core, call, prompt,
                      "Not known to be harmless, and the policy is to ask.",
                      "workspace-write (network off)");
    tui_wait_guard(tui);
    return call;
}

static struct call *ask(struct tui *tui, const char *line, const char *const *words)
{
    return ask_at(tui, line, words, RISK_MEDIUM);
}

static const char *const short_words[] = {"npm", "run", "lint", NULL};
static const char *const long_words[] = {"npm", "run", "lint", "--", SIXTY, SIXTY, SIXTY, NULL};

/* ---- answers keep their places ------------------------------------------------------------- */

/* The row that "deny, agent goes on" is in. */
static int answer_row(const struct tui *tui)
{
    int row, column;

    assert_true(tui_find(tui, "d  deny", &row, &column));
    return row;
}

/* Whatever is chosen, each answer is where it was: a finger or the mouse finds it again. */
static void answers_stay(const char *line, const char *const *words)
{
    static const struct {
        int rows, columns;
    } sizes[] = {{24, 80}, {30, 100}, {50, 200}};
    static const char *const keys[] = {LEFT,  "\t", LEFT, "\t", RIGHT, "\t", RIGHT, "\t",
                                       RIGHT, "l",  "\t", "+",  "-",   "l",  "+",   "l"};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct tui tui;
        int row;

        tui_start(&tui, sizes[i].rows, sizes[i].columns, &(struct tui_options){0});
        ask(&tui, line, words);
        row = answer_row(&tui);
        for (size_t j = 0; j < COUNT(keys); j++) {
            tui_keys(&tui, keys[j]);
            if (answer_row(&tui) != row)
                fail_msg("%dx%d, key %zu: row %d, not %d", sizes[i].columns, sizes[i].rows, j,
                         answer_row(&tui), row);
        }
        tui_stop(&tui);
    }
}

static void answers_stay_beside_a_short_rule(void **state)
{
    (void)state;
    answers_stay("npm run lint", short_words);
}

static void answers_stay_beside_a_long_rule(void **state)
{
    (void)state;
    answers_stay("npm run lint -- " SIXTY " " SIXTY " " SIXTY, long_words);
}

/* What has no room for all of the command shows more of it where the rule needs less. */
static void answers_stay_below_a_long_command(void **state)
{
    cleanup_free char *line = xcalloc(5000, 1);

    (void)state;
    strcpy(line, "npm run lint --");
    for (int i = 0; i < 60; i++)
        strcat(line, " " SIXTY);
    answers_stay(line, long_words);
}

#define REASON                                                                                     \
    "the sandbox may have blocked it: write /srv/www/shop/releases/2026-11-26/static/assets/a "    \
    "(inferred from what the command printed), and the policy of this directory does not "         \
    "let it change what lies outside of it, however it is called or by whom, unless you say "      \
    "otherwise."

/* The rows that a longer rule needs show the reason until that is chosen. */
static void a_long_reason_has_the_rows_that_are_free(void **state)
{
    const struct prompt prompt = {.may_approve_for_session = true,
                                  .ladder = long_ladder(long_words)};
    struct tui *tui = *state;
    int row;

    fake_core_ask_for(tui->core, fake_core_call(tui->core, tui->agent, "npm run lint"), prompt,
                      REASON, "workspace-write (network off)");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "otherwise."));
    assert_true(tui_shows(tui, "/srv/www/shop/releases/2026-11-26/static/assets/a"));
    row = answer_row(tui);
    tui_presses(tui, LEFT LEFT);
    assert_false(tui_shows(tui, "otherwise."));
    assert_int_equal(answer_row(tui), row);
    tui_presses(tui, RIGHT RIGHT);
    assert_true(tui_shows(tui, "otherwise."));
    assert_int_equal(answer_row(tui), row);
}

#define SCRIPT "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11"
#define CHANGES "it changes files that the sandbox does not let it change: .git/config, /srv/www"
#define UNDER                                                                                      \
    "no sandbox: it can do all that you can do, in all of the directories that you can look into " \
    "and change, and on all of the hosts that this machine reaches, with all that you have there"

/* It scrolls anyhow: a row more of it is worth less than the end of the reason. */
static void a_command_that_scrolls_leaves_the_reason_its_rows(void **state)
{
    const struct prompt prompt = {.may_approve_for_session = true,
                                  .no_rule = "No rule: it is a script of several lines."};
    struct tui *tui = *state;
    struct call *call;

    tui->agent->origin = SESSION_DEFAULT; /* which plain clients share */
    tui->agent->peer_pid = 0;
    call = fake_core_call(tui->core, tui->agent, SCRIPT);
    call->assessment.level = RISK_HIGH;
    call->spec->env = strv_copy((const char *const[]){"CI=1", NULL});
    fake_core_ask_for(tui->core, call, prompt, CHANGES, UNDER);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "/srv/www"));
    assert_true(tui_shows(tui, " of 11, "));
    assert_true(tui_shows(tui, "x↵ same as d: nothing else to end"));
}

/* What else a rule would allow has a row, also where a narrower one allows nothing else. */
static void answers_stay_where_others_are_allowed(void **state)
{
    struct tui *tui = *state;
    int row;

    ask(tui, "npm run lint", short_words);
    tui_request_inside(tui, "npm run test", RISK_LOW);
    fake_core_release_by_rule(tui->core, 3, 2);
    tui_wait_guard(tui);
    row = answer_row(tui);
    assert_false(tui_shows(tui, "p also allows c2"));
    tui_keys(tui, RIGHT);
    assert_true(tui_shows(tui, "p also allows c2"));
    assert_int_equal(answer_row(tui), row);
    tui_keys(tui, LEFT);
    assert_false(tui_shows(tui, "also allows"));
    assert_int_equal(answer_row(tui), row);
}

/* ---- a choice is kept ---------------------------------------------------------------------- */

#define ESCAPE "\x1b"
#define F2 "\x1bOQ"
#define F9 "\x1b[20~"

static void put_aside(struct tui *tui)
{
    tui_keys(tui, ESCAPE);
    tui_advance(tui, 100);
    assert_false(tui_shows(tui, "May it run"));
}

static void come_back(struct tui *tui)
{
    tui_keys(tui, F2);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "May it run"));
}

static const struct fake_decision *decided(const struct tui *tui)
{
    assert_int_equal(fake_core_decisions(tui->core), 1);
    return fake_core_decision(tui->core, 0);
}

/* A rule for the session and the answer without one are not the same: both say what they cover. */
static void what_holds_for_the_session_differs(void **state)
{
    struct tui *tui = *state;

    ask(tui, "npm run lint", short_words);
    assert_true(tui_shows(tui, "only this, for this session"));
    assert_true(tui_shows(tui, "allow this rule for this project"));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "only this, for this session"));
    assert_true(tui_shows(tui, "all that fit the rule, session "));
    assert_true(
        tui_shows(tui, "Until the session ends: a for this command alone, p for all that fit. "));
    tui_keys(tui, LEFT);
    assert_true(tui_shows(tui, "this in any directory, session "));
    assert_false(tui_shows(tui, "Until the session ends"));
    tui_keys(tui, "\t");
    assert_true(
        tui_shows(tui, "p is kept for all sessions of this project, until :undo takes it back. "));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "For this session: a allows it in this directory only, p in any. "));
    tui_keys(tui, LEFT);
    assert_true(tui_shows(tui, "only this, by a rule, session "));
}

static void a_rule_is_kept(void **state)
{
    struct tui *tui = *state;

    ask(tui, "npm run lint", short_words);
    tui_keys(tui, LEFT);
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "narrower/wider (2 of 4); for session (Tab: project)"));
    put_aside(tui);
    come_back(tui);
    assert_true(tui_shows(tui, "narrower/wider (2 of 4); for session (Tab: project)"));
    assert_true(tui_shows(tui, "exactly this, in any directory"));
    assert_true(tui_shows(
        tui, "What you set before (how long, which rule) stays; it is not answered yet."));
    tui_keys(tui, "p");
    assert_int_equal(decided(tui)->choice.step, 1);
    assert_int_equal(decided(tui)->choice.scope, LADDER_SESSION);
}

/* It is shown, and for as long as any, before it can be given. */
static void a_kept_rule_is_read_first(void **state)
{
    struct tui *tui = *state;

    ask(tui, "npm run lint", short_words);
    tui_keys(tui, LEFT);
    put_aside(tui);
    tui_keys(tui, F2);
    tui_keys(tui, "p");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "2 of 4"));
}

static void a_length_is_kept(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_presses(tui, "ll+");
    assert_true(tui_shows(tui, "allow only this now and 10 more times"));
    put_aside(tui);
    come_back(tui);
    assert_true(tui_shows(tui, "allow only this now and 10 more times"));
    tui_keys(tui, "a");
    assert_int_equal(decided(tui)->lease.kind, LEASE_RUNS);
    assert_int_equal(decided(tui)->lease.runs, 10);
}

/* A program that waits no longer asks once more, a moment later. */
static struct call *ask_anew(struct tui *tui, struct call *call)
{
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 7000);
    return ask(tui, "npm run lint", short_words);
}

/* The key that was on its way to the one before is no answer to this one, as ever. */
static void a_choice_outlives_a_program_that_asks_anew(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, "npm run lint", short_words);

    tui_presses(tui, "ll+" LEFT);
    for (int i = 0; i < 2; i++) {
        call = ask_anew(tui, call);
        assert_true(tui_shows(
            tui, "Asked anew: what you set (how long, which rule) stays, but gives no answer."));
        assert_true(tui_shows(tui, "only this now and 10 more times"));
        assert_true(tui_shows(tui, "exactly this, in any directory"));
    }
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    ask(tui, "npm run lint", short_words);
    tui_keys(tui, "a");
    tui_no_decision(tui);
    assert_true(tui_shows(
        tui, "Not taken: c3 has ended, this request is new. Read it first; F7 freezes all."));
    tui_wait_guard(tui);
    tui_keys(tui, "a");
    assert_int_equal(decided(tui)->lease.kind, LEASE_RUNS);
    assert_int_equal(decided(tui)->lease.runs, 10);
}

/* Nor is it for another rule in the same place: which tasks it names is for the project's files to
 * say, which may have changed meanwhile. */
static void a_choice_is_not_for_another_rule(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true};
    struct call *call = ask(tui, "npm run lint", short_words);

    tui_presses(tui, "ll+" RIGHT);
    assert_true(tui_shows(tui, "npm run lint|test"));
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 7000);
    prompt.ladder = long_ladder(short_words);
    free(prompt.ladder->steps[3].alternatives[1]);
    prompt.ladder->steps[3].alternatives[1] = xstrdup("publish");
    call = fake_core_call(tui->core, tui->agent, "npm run lint");
    call->assessment.level = RISK_MEDIUM;
    fake_core_ask_for(tui->core, call, prompt,
                      "Not known to be harmless, and the policy is to ask.",
                      "workspace-write (network off)");
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "npm run lint|publish"));
    assert_true(
        tui_shows(tui, "This request has changed: what you chose for it before is dropped."));
    tui_keys(tui, "p");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(decided(tui)->choice.step, 2);
}

/* What ends with a command of the operator's own does not end with another one. */
static void a_choice_is_not_for_another_end(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 90};
    struct call *call;

    for (int i = 0; i < 3; i++) {
        call = fake_core_call(tui->core, tui->agent, "npm run lint");
        prompt.lease_call = i < 2 ? 90 : 91;
        fake_core_ask_for(tui->core, call, prompt,
                          "Not known to be harmless, and the policy is to ask.",
                          "workspace-write (network off)");
        tui_wait_guard(tui);
        if (i == 0)
            tui_presses(tui, "lll");
        assert_int_equal(tui_shows(tui, "until c90 ends"), i < 2);
        assert_false(tui_shows(tui, "until c91 ends"));
        fake_core_withdraw(tui->core, call);
        tui_advance(tui, 7000);
    }
}

/* What is answered, or asks for more than that, begins anew. */
static void a_choice_is_not_for_more_than_that(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, "npm run lint", short_words);

    tui_presses(tui, "ll+");
    call = ask_anew(tui, call);
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 7000);
    call = ask_at(tui, "npm run lint", short_words, RISK_HIGH);
    assert_false(tui_shows(tui, "(how long, which rule)"));
    assert_false(tui_shows(tui, "more times"));
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 7000);
    call = ask_at(tui, "npm run lint", short_words, RISK_LOW); /* nor for less: it is another */
    assert_false(tui_shows(tui, "(how long, which rule)"));
    assert_false(tui_shows(tui, "more times"));
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 7000);
    ask(tui, "npm run lint", short_words);
    assert_true(tui_shows(tui, "(how long, which rule)"));
    tui_keys(tui, "d");
    tui_advance(tui, 7000);
    ask(tui, "npm run lint", short_words);
    assert_false(tui_shows(tui, "(how long, which rule)"));
    assert_false(tui_shows(tui, "more times"));
}

/* Nor for the same command where what it does is said to be otherwise, or a model has said since
 * that the one before was worse: whoever chose had that before their eyes. */
static void a_choice_is_not_for_another_risk(void **state)
{
    struct tui *tui = *state;
    const struct opinion worse = {
        .status = OPINION_SUCCESS, .level = RISK_HIGH, .description = "It publishes."};
    const struct prompt prompt = {.may_approve_for_session = true};
    struct call *call;

    for (int i = 0; i < 5; i++) {
        call = fake_core_call(tui->core, tui->agent, "make clean");
        snprintf(call->assessment.description, sizeof(call->assessment.description),
                 "Deletes %d files.", i < 3 ? 12 : 13);
        fake_core_ask_for(tui->core, call, prompt, "The policy is to ask.",
                          "workspace-write (network off)");
        tui_wait_guard(tui);
        assert_int_equal(tui_shows(tui, "more times"), i == 1 || i == 2);
        if (i == 0 || i == 3) {
            tui_presses(tui, "ll+");
            assert_true(tui_shows(tui, "more times"));
        }
        if (i == 3) {
            fake_core_opinion(tui->core, call, &worse);
            tui_settle(tui);
        }
        fake_core_withdraw(tui->core, call);
        tui_advance(tui, 7000);
    }
}

/* What ends with the command that connects ends with the new one; without such a command there is
 * no such answer. */
static void the_end_of_a_command_is_that_of_the_new_one(void **state)
{
    const struct prompt prompt = {.may_approve_for_session = true};
    struct tui *tui = *state;

    for (uint64_t i = 0; i < 3; i++) {
        struct prompt asks = prompt;
        struct call *call = fake_core_call(tui->core, tui->agent, "curl x.example");

        asks.lease_call = i < 2 ? 100 + i : 0;
        call->reach = XNEW(struct reach);
        *call->reach = (struct reach){.host = xstrdup("x.example"),
                                      .protocol = "https",
                                      .port = 443,
                                      .command_line = xstrdup("curl x.example")};
        fake_core_ask_for(tui->core, call, asks, "Asked.", "workspace-write");
        tui_wait_guard(tui);
        if (i == 0)
            tui_keys(tui, "l");
        assert_true(tui_shows(tui, i == 0   ? "until c100 ends"
                                   : i == 1 ? "until c101 ends"
                                            : "for this session"));
        fake_core_withdraw(tui->core, call);
        tui_advance(tui, 7000);
    }
}

/* Each request has its own. */
static void a_choice_is_for_its_request_alone(void **state)
{
    struct tui *tui = *state;

    ask(tui, "npm run lint", short_words);
    tui_presses(tui, "l" LEFT);
    put_aside(tui);
    ask(tui, "npm run lint", short_words);
    assert_true(tui_shows(tui, "narrower/wider (3 of 4); for project (Tab"));
    assert_false(tui_shows(tui, "for 10 minutes"));
    assert_false(tui_shows(tui, "(how long, which rule)"));
}

/* What was chosen for something else is not chosen. */
static void a_change_drops_the_choice(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, "npm run lint", short_words);

    tui_keys(tui, LEFT);
    tui_presses(tui, "l");
    put_aside(tui);
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_settle(tui);
    come_back(tui);
    assert_true(tui_shows(tui, "narrower/wider (3 of 4); for project (Tab"));
    assert_false(tui_shows(tui, "for 10 minutes"));
    assert_true(
        tui_shows(tui, "This request has changed: what you chose for it before is dropped."));
    tui_keys(tui, LEFT); /* also where it changes on the screen */
    tui_presses(tui, "l");
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_wait_change(tui);
    assert_true(tui_shows(tui, "narrower/wider (3 of 4); for project (Tab"));
    assert_true(
        tui_shows(tui, "This request has changed: what you chose for it before is dropped."));
    tui_keys(tui, "a");
    assert_int_equal(decided(tui)->lease.kind, LEASE_SESSION);
}

/* The list makes the rule that was chosen, once it has shown that. */
static void the_list_has_the_choice(void **state)
{
    struct tui *tui = *state;

    ask(tui, "npm run lint", short_words);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "and any further words"));
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    tui_keys(tui, LEFT);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "exactly this, in any directory"));
    assert_false(tui_shows(tui, "and any further words"));
    tui_keys(tui, "p");
    assert_int_equal(decided(tui)->choice.step, 1);
}

/* A rule that the list has shown before is not the one that was chosen since. */
static void the_list_shows_the_choice_first(void **state)
{
    struct tui *tui = *state;

    ask(tui, "npm run lint -- " SIXTY " " SIXTY " " SIXTY, long_words);
    tui_request_inside(tui, "make docs", RISK_LOW);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    tui_keys(tui, LEFT); /* which has no room below the list */
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    tui_keys(tui, "p");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "has a rule that was not shown in full"));
}

/* The list has one length, and that is not the one that was chosen. */
static void the_list_takes_no_chosen_length(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "l");
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "a session"));
    tui_keys(tui, "a");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "is to last as long as you chose for it: Enter opens it"));
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    tui_keys(tui, "a");
    assert_int_equal(decided(tui)->lease.kind, LEASE_TIME);
}

static struct call *stopped_at(struct tui *tui, const char *line, char *path, bool may_last)
{
    cleanup_wording struct wording *under = wording_from("workspace-write; also write /srv/x");
    const struct prompt prompt = {.retry = true,
                                  .sandbox = ATTEMPT_UNSANDBOXED,
                                  .path = path,
                                  .path_may_last = may_last,
                                  .path_once_reason = may_last ? NULL : "it is asked for",
                                  .path_under = under};
    struct call *call = fake_core_call(tui->core, tui->agent, line);

    fake_core_ask_for(tui->core, call, prompt, "Stopped.", "no sandbox");
    tui_wait_guard(tui);
    return call;
}

static struct call *stopped_at_a_path(struct tui *tui, bool may_last)
{
    return stopped_at(tui, "touch /srv/x/y", (char[]){"/srv/x"}, may_last);
}

/* The row above the answers explains it, or else the answer does. */
static void the_key_for_how_long_is_explained(void **state)
{
    struct tui *tui = *state;
    char path[] = "/srv/some/where/below/that/is/long/to/tell/name";

    stopped_at(tui, "touch x", path, true);
    assert_true(tui_shows(tui, "W: how long w holds"));
    assert_true(tui_shows(tui, "may write /srv/some/where/below/that/is/long/to/tell/name (W)"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    stopped_at(tui, "touch \a", path, true);
    assert_true(tui_shows(tui, "1 character cannot be shown"));
    assert_true(tui_shows(tui, "/name (W: how long)"));
}

/* What a later run of it takes nobody is told. */
static void a_path_for_the_session_warns_where_it_is_grave(void **state)
{
    struct tui *tui = *state;
    struct call *call = stopped_at_a_path(tui, true);

    tui_keys(tui, "W");
    assert_false(tui_shows(tui, "later runs are not asked about"));
    tui_keys(tui, "W");
    call->assessment.level = RISK_HIGH;
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "later runs are not asked about, whatever they take."));
}

/* The path is given once, unless the session is chosen first. */
static void a_path_is_for_once_or_for_the_session(void **state)
{
    struct tui *tui = *state;

    stopped_at_a_path(tui, true);
    assert_true(tui_shows(tui, "w  once, in the sandbox, and may write /srv/x (W: session)"));
    tui_keys(tui, "W");
    tui_no_decision(tui);
    assert_true(
        tui_shows(tui, "w↵ only this, for this session, in sandbox: may write /srv/x (W: once)"));
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "w  once, in the sandbox, and may write /srv/x (W: session)"));
    tui_keys(tui, "W");
    tui_keys(tui, "w");
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(decided(tui)->kind, REVIEW_APPROVED_PATH_FOR_SESSION);
}

/* Whoever changes how long it holds while it waits for Enter takes it back, and means the change.
 */
static void how_long_a_path_holds_is_changed_behind_its_key(void **state)
{
    struct tui *tui = *state;

    stopped_at_a_path(tui, true);
    tui_keys(tui, "W");
    tui_keys(tui, "w");
    tui_wait_guard(tui);
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "Not allowed yet; how long w holds has changed."));
    assert_true(tui_shows(tui, "may write /srv/x (W: session)"));
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "w");
    assert_int_equal(decided(tui)->kind, REVIEW_APPROVED_PATH);
}

/* It is there again behind Esc, and goes with the prompt that it was chosen for. */
static void the_choice_of_a_path_is_kept(void **state)
{
    struct tui *tui = *state;

    stopped_at_a_path(tui, true);
    tui_keys(tui, "W");
    tui_keys(tui, "\x1b");
    tui_keys(tui, F2);
    tui_wait_guard(tui);
    assert_true(
        tui_shows(tui, "w↵ only this, for this session, in sandbox: may write /srv/x (W: once)"));
}

/* It was for that file, and another may be there by now. */
static void the_choice_of_a_path_is_for_its_request_alone(void **state)
{
    struct tui *tui = *state;
    struct call *call = stopped_at_a_path(tui, true);

    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "(W: once)"));
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 7000);
    stopped_at_a_path(tui, true);
    assert_true(tui_shows(tui, "(W: session)"));
}

static void a_path_that_is_for_once_says_so(void **state)
{
    struct tui *tui = *state;

    stopped_at_a_path(tui, false);
    assert_true(tui_shows(tui, "w  once, in the sandbox, and may write /srv/x "));
    assert_false(tui_shows(tui, "(W"));
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "This path only once: it is asked for."));
    tui_keys(tui, "w");
    assert_int_equal(decided(tui)->kind, REVIEW_APPROVED_PATH);
}

/* Beside that, how long the other answer holds would be cut. */
static void what_was_set_is_told_whole(void **state)
{
    struct tui *tui = *state;
    struct call *call = stopped_at_a_path(tui, true);

    free(call->prompt->command);
    call->prompt->command = xstrdup("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntouch x");
    call->prompt->may_approve_for_session = true;
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    tui_keys(tui, "W");
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "W: how long w holds   l: how long a holds "));
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "w holds for this very command, session; W: once     "));
}

/* In two columns there is room neither for all of the words nor for the path, and the row above
 * says what stands in short. The name that it ends in is whole, where that can be: its key has a
 * row as well. */
static void a_narrow_answer_for_the_session_names_its_path(void **state)
{
    struct tui *tui = *state;
    struct call *call = stopped_at_a_path(tui, true);

    free(call->prompt->command);
    call->prompt->command = xstrdup("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntouch x");
    free(call->prompt->path);
    call->prompt->path = xstrdup("/srv/www/shop/releases/outside");
    call->prompt->path_holds = true;
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    assert_true(tui_shows(tui, "w  once: may write …/outside/ (W) "));
    assert_true(tui_shows(tui, "This request has just changed: look again."));
    tui_keys(tui, "W");
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "↵: the key, then Enter   W: how long w holds "));
    assert_false(tui_shows(tui, "for this command alone"));
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "w↵ session: write …/outside/ (W) "));
    assert_true(tui_shows(
        tui, "↵: the key, then Enter   w holds for this very command, session; W: once "));
    free(call->prompt->path);
    call->prompt->path = xstrdup("/srv/www/shop/releases/origin.git");
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "w↵ session: write …/origin.git/ "));
    free(call->prompt->path);
    call->prompt->path = xstrdup("/srv/www/shop/releases/origin-of-all.git");
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    assert_true(tui_shows(tui, "w  once: may write …of-all.git/ (W) "));
}

/* Where its name has room beside that, it is said whom it is for, however long the path is. */
static void an_answer_for_the_session_is_for_this_alone(void **state)
{
    struct tui *tui = *state;
    struct call *call = stopped_at_a_path(tui, true);

    free(call->prompt->path);
    call->prompt->path = xstrdup("/srv/www/shop/releases/of/all/the/years/and/months/origin.git");
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "w↵ only this, for this session: may write "));
    assert_true(tui_shows(tui, "/origin.git (W)"));
}

/* Grave is grave, also in a sandbox. */
static void a_grave_one_takes_enter_with_a_path_too(void **state)
{
    struct tui *tui = *state;
    struct call *call = stopped_at_a_path(tui, true);

    call->assessment.level = RISK_HIGH;
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    tui_keys(tui, "W");
    tui_keys(tui, "w");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Enter confirms: only this, for this session: may write /srv/x"));
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(decided(tui)->kind, REVIEW_APPROVED_PATH_FOR_SESSION);
}

/* Where not all of the words have room, too, an answer for once says so. */
static void fewer_words_for_once_say_once(void **state)
{
    struct tui *tui = *state;
    struct call *call = stopped_at_a_path(tui, true);

    call->assessment.level = RISK_HIGH;
    free(call->prompt->path);
    call->prompt->path = xstrdup("/srv/www/shop/cache");
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    tui_keys(tui, "w");
    assert_true(tui_shows(tui, "Enter confirms: once, in sandbox: may write /srv/www/shop/cache"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tui_set_up, tui_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_stay_beside_a_short_rule),
        cmocka_unit_test(answers_stay_beside_a_long_rule),
        cmocka_unit_test(answers_stay_below_a_long_command),
        TEST(a_long_reason_has_the_rows_that_are_free),
        TEST(a_command_that_scrolls_leaves_the_reason_its_rows),
        TEST(answers_stay_where_others_are_allowed),
        TEST(what_holds_for_the_session_differs),
        TEST(a_rule_is_kept),
        TEST(a_kept_rule_is_read_first),
        TEST(a_length_is_kept),
        TEST(a_choice_outlives_a_program_that_asks_anew),
        TEST(a_choice_is_not_for_another_rule),
        TEST(a_choice_is_not_for_another_end),
        TEST(a_choice_is_not_for_more_than_that),
        TEST(a_choice_is_not_for_another_risk),
        TEST(the_end_of_a_command_is_that_of_the_new_one),
        TEST(a_choice_is_for_its_request_alone),
        TEST(a_change_drops_the_choice),
        TEST(the_list_has_the_choice),
        TEST(the_list_shows_the_choice_first),
        TEST(the_list_takes_no_chosen_length),
        TEST(the_key_for_how_long_is_explained),
        TEST(a_path_for_the_session_warns_where_it_is_grave),
        TEST(a_path_is_for_once_or_for_the_session),
        TEST(how_long_a_path_holds_is_changed_behind_its_key),
        TEST(the_choice_of_a_path_is_kept),
        TEST(the_choice_of_a_path_is_for_its_request_alone),
        TEST(a_path_that_is_for_once_says_so),
        TEST(what_was_set_is_told_whole),
        TEST(a_narrow_answer_for_the_session_names_its_path),
        TEST(an_answer_for_the_session_is_for_this_alone),
        TEST(a_grave_one_takes_enter_with_a_path_too),
        TEST(fewer_words_for_once_say_once),
    };

    return cmocka_run_group_tests_name("choices", tests, NULL, NULL);
}
