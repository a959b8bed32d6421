/* SPDX-License-Identifier: MIT */
/* The operator's own lines: commands that they run, and what they stop. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

#include "ui/approval_words.h"
#include "ui/console_int.h"

/* The operator's own command asks; keys count. */
static struct call *ask_operator(struct tui *tui, const char *line)
{
    struct prompt prompt = {.may_approve_for_session = true};
    struct call *call = fake_core_call(tui->core, tui->own, line);

    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    return call;
}

/* Nobody but the operator is there: nothing is said of an agent. */
static void answers_to_an_own_command_name_no_agent(void **state)
{
    struct tui *tui = *state;

    ask_operator(tui, "rm -rf build");
    assert_true(tui_shows(tui, "d  do not run it"));
    assert_true(tui_shows(tui, "x\xe2\x86\xb5 do not run it, and stop your other commands"));
    assert_false(tui_shows(tui, "agent"));
    tui_keys(tui, "n");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "there is no agent to tell"));
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_DENIED);
    assert_true(tui_shows(tui, "c1 denied, by you: rm -rf build"));
}

/* It runs already: the no is for the host. */
static void answers_to_its_host_do_not_say_that_it_does_not_run(void **state)
{
    struct tui *tui = *state;
    struct call *command = fake_core_call(tui->core, tui->own, "make");
    struct call *call = fake_core_call(tui->core, tui->own, "network-access");

    call->tool = CALL_NETWORK;
    call->reach = XNEW(struct reach);
    *call->reach = (struct reach){.host = xstrdup("registry.example"),
                                  .protocol = "https",
                                  .port = 443,
                                  .command = command->id,
                                  .command_line = xstrdup("make"),
                                  .waiting = 1};
    fake_core_ask_for(tui->core, call, (struct prompt){.may_approve_for_session = true},
                      "no network", "the sandbox as before");
    tui_settle(tui);
    assert_false(tui_shows(tui, "do not run it"));
    assert_true(tui_shows(tui, "d  deny this host as long as the command runs; it goes on"));
    assert_true(tui_shows(tui, "x\xe2\x86\xb5 deny this host, and stop all your commands"));
}

/* Beside another one, each has half a row. */
static void a_short_answer_to_an_own_request_is_not_cut(void **state)
{
    static const struct {
        uint64_t for_call;
        enum action action;
        const char *words;
    } rows[] = {{1, ACTION_DENY, "deny this host while it runs"},
                {1, ACTION_ABORT, "deny, stop all your commands"},
                {0, ACTION_DENY, "do not run it"},
                {0, ACTION_ABORT, "do not run; stop your others"}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct approval_content content = {.own = true, .for_call = rows[i].for_call};
        struct lease lease = {.kind = LEASE_SESSION};
        cleanup_free char *words = approval_words_answer(&content, rows[i].action, &lease, 32);

        assert_string_equal(words, rows[i].words);
    }
}

static void what_the_operator_stops_says_so(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_wait_guard(tui);
    tui_lines(tui, ":stop c1\r");
    assert_int_equal(fake_core_cancels(tui->core), 1);
    assert_true(tui_shows(tui, "stopped by you"));
    assert_true(tui_shows(tui, "c1 stopped by you: make"));
    assert_false(tui_shows(tui, "withdrawn"));
}

/* … and of a second try, that it ran: what it did then is done. */
static void what_the_operator_stops_at_its_second_try_says_that_it_ran(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "make");

    fake_core_start(tui->core, call, "workspace-write");
    fake_core_ask_for(tui->core, call, (struct prompt){.retry = true}, "Asked.", "workspace-write");
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_wait_guard(tui);
    tui_lines(tui, ":stop c1\r");
    assert_true(tui_shows(tui, "c1 ran, second try stopped by you: make"));
    assert_false(tui_shows(tui, "c1 stopped by you"));
}

static void what_a_client_withdraws_says_so(void **state)
{
    struct tui *tui = *state;

    fake_core_withdraw(tui->core, tui_request_inside(tui, "make", RISK_LOW));
    tui_settle(tui);
    assert_true(tui_shows(tui, "withdrawn by the client"));
    assert_false(tui_shows(tui, "stopped by you"));
}

/* ---- what stays on the screen --------------------------------------------------------------- */

/* A line is read by then; what warns waits for the operator, who knows their own answer. */
static void lines_leave_the_screen(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 50, 200); /* several lines are shown */
    tui_lines(tui, ":policy never\r");
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_keys(tui, "\x1bOQ"); /* F2, for what was said is not read yet */
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    fake_core_withdraw(tui->core, tui_request_inside(tui, "make", RISK_LOW));
    console_say(tui->console, THEME_FAILED, "it failed");
    tui_settle(tui);
    assert_true(tui_shows(tui, "approval policy never"));
    assert_true(tui_shows(tui, "c1 codex, denied"));
    assert_true(tui_shows(tui, "c2: client gone"));
    tui_advance(tui, 11 * 1000); /* what a client took back nobody misses */
    assert_false(tui_shows(tui, "c2: client gone"));
    assert_true(tui_shows(tui, "approval policy never"));
    tui_advance(tui, 50 * 1000);
    assert_false(tui_shows(tui, "approval policy never"));
    assert_false(tui_shows(tui, "c1 codex, denied"));
    assert_true(tui_shows(tui, "it failed"));
    tui_keys(tui, "ls\r");
    assert_false(tui_shows(tui, "it failed"));
    tui_keys(tui, ":trail\r");
    assert_true(tui_shows(tui, "c1 codex, denied"));
    assert_true(tui_shows(tui, "c2: client gone"));
}

/* Lines that come at any pace do not keep each other there; what warns stays, and says how old it
 * is. */
static void a_line_lapses_whatever_comes(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 50, 200);
    console_say(tui->console, THEME_FAILED, "c1 has failed");
    console_say(tui->console, THEME_STRONG, "of long ago");
    for (int i = 0; i < 2; i++) {
        tui_advance(tui, 35 * 1000);
        console_say(tui->console, THEME_STRONG, "of now");
    }
    tui_advance(tui, 1000);
    assert_false(tui_shows(tui, "of long ago"));
    assert_true(tui_shows(tui, "of now"));
    assert_true(tui_shows(tui, "1 min ago: c1 has failed"));
    tui_advance(tui, 5 * 3600 * 1000);
    assert_true(tui_shows(tui, "5 h ago: c1 has failed"));
    tui_keys(tui, "ls\r");
    assert_false(tui_shows(tui, "c1 has failed"));
}

/* The age of what warns is told anew each minute; what is calm does not wait for that. */
static void a_calm_line_goes_beside_a_warning(void **state)
{
    struct tui *tui = *state;

    console_say(tui->console, THEME_FAILED, "c1 has failed");
    tui_advance(tui, 30 * 1000);
    console_say(tui->console, THEME_STRONG, "of now");
    tui_advance(tui, 59 * 1000);
    assert_true(tui_shows(tui, "of now"));
    tui_advance(tui, 2 * 1000);
    assert_false(tui_shows(tui, "of now"));
    assert_true(tui_shows(tui, "c1 has failed"));
}

/* What has given way to something newer does not come back when that goes. */
static void a_line_that_was_replaced_does_not_return(void **state)
{
    struct tui *tui = *state;

    for (int i = 1; i <= 6; i++) {
        console_say(tui->console, THEME_FAILED, "c%d has failed", i);
        tui_settle(tui);
        assert_true(tui_shows(tui, "has failed"));
    }
    for (int i = 0; i < 4; i++)
        console_say(tui->console, THEME_DIM, "passing %d", i);
    tui_settle(tui);
    assert_true(tui_shows(tui, "passing 3"));
    assert_false(tui_shows(tui, "has failed"));
    tui_advance(tui, 11 * 1000);
    assert_false(tui_shows(tui, "passing"));
    assert_false(tui_shows(tui, "has failed"));
    tui_keys(tui, ":trail\r");
    assert_true(tui_shows(tui, "c6 has failed"));
}

/* "never" is not "never ask, allow all". */
static void a_policy_says_what_it_does(void **state)
{
    static const char *const means[][2] = {
        {":policy never\r", "what would need your approval is refused"},
        {":policy untrusted\r", "all but what is known to be safe"},
        {":policy on-failure\r", "asked when the sandbox blocks one"},
        {":policy reject\r", "that the configuration rejects are refused unasked"},
        {":policy on-request\r", "what leaves the sandbox, is dangerous"},
    };
    struct tui *tui = *state;

    tui_resize(tui, 50, 200);
    for (size_t i = 0; i < sizeof(means) / sizeof(means[0]); i++) {
        tui_lines(tui, means[i][0]);
        assert_true(tui_shows(tui, means[i][1]));
    }
    tui_keys(tui, ":\r");
    assert_true(tui_shows(tui, "  never             you are not asked: what would need"));
}

static void a_line_stays_while_it_is_read(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 50, 200);
    tui_lines(tui, ":policy never\r");
    tui_keys(tui, "ls\r");
    assert_true(tui_shows(tui, "approval policy never"));
}

/* Pressed for two requests of which the second was not on the screen yet. */
static void a_key_behind_an_answer_is_no_command(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make one", RISK_LOW);
    tui_request_inside(tui, "make two", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_keys(tui, "p");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "c2 asks"));
    assert_string_equal(line_editor_text(tui->console->prompt), "");
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_keys(tui, "\x1bOQp"); /* F2 */
    assert_true(tui_shows(tui, "c2 asks"));
    assert_string_equal(line_editor_text(tui->console->prompt), "");
}

/* What has ended makes room, also the command that the console was started with. */
static void a_new_call_gets_a_pane(void **state)
{
    struct tui_options options = {.command = "make first"};
    struct tui tui;
    struct call *first, *second;

    (void)state;
    tui_start(&tui, 24, 80, &options);
    first = orchestrator_call_at(tui.core, 0);
    fake_core_start(tui.core, first, "workspace-write (network off)");
    fake_core_output(tui.core, first, "of the first\n");
    fake_core_finish(tui.core, first, 0);
    second = tui_running(&tui, "make second", false);
    fake_core_output(tui.core, second, "of the second\n");
    fake_core_finish(tui.core, second, 0);
    tui_running(&tui, "make third", false);
    fake_core_finish(tui.core, orchestrator_call_at(tui.core, 2), 0);
    tui_keys(&tui, "\t"); /* the second is looked at */
    assert_true(tui_shows(&tui, "of the second"));
    fake_core_output(tui.core, tui_running(&tui, "make fourth", false), "of the fourth\n");
    tui_settle(&tui);
    assert_true(tui_shows(&tui, "of the second"));
    assert_true(tui_shows(&tui, "of the fourth"));
    assert_false(tui_shows(&tui, "of the first"));
    tui_stop(&tui);
}

/* Who reads is told that somebody waits, and what to press. */
static void a_view_tells_that_a_request_waits(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, ":trail\r");
    assert_true(tui_shows(tui, " Esc closes "));
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "Esc closes: 1 request waits"));
    assert_true(tui_shows(tui, "1 waiting: Esc"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "c1 asks"));
    tui_wait_guard(tui);
    tui_keys(tui, "v"); /* what is read here is that request */
    assert_true(tui_shows(tui, " Esc closes "));
}

static void a_long_view_tells_how_to_search_it_while_a_request_waits(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":help\r");
    assert_true(tui_shows(tui, ", PgUp PgDn Home End "));
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "Esc closes: 1 request waits"));
    assert_true(tui_shows(tui, " / searches "));
    assert_true(tui_shows(tui, " lines 1 to "));
}

/* What is nearly right need not be typed again. */
static void a_line_that_fails_can_be_mended(void **state)
{
    static const char *const lines[] = {":nothing c15\r", ":stop c15\r", ":policy nver\r"};
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        cleanup_free char *line = xstrndup(lines[i], strlen(lines[i]) - 1);

        tui_lines(tui, lines[i]);
        assert_string_equal(line_editor_text(tui->console->prompt), line);
        tui_keys(tui, "\x15");
    }
    tui_lines(tui, ":policy nver\r\x7f\x7f\x7f"
                   "ever\r");
    assert_int_equal(tui->own->context->approval.kind, APPROVAL_NEVER);
    assert_string_equal(line_editor_text(tui->console->prompt), "");
}

/* Nor has it to be emptied for another command; that which failed is in the history. */
static void a_colon_behind_a_line_that_failed_begins_another(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":policy nver\r:policy never\r");
    assert_int_equal(tui->own->context->approval.kind, APPROVAL_NEVER);
    assert_string_equal(line_editor_text(tui->console->prompt), "");
    tui_presses(tui, "\x1b[A\x1b[A");
    assert_string_equal(line_editor_text(tui->console->prompt), ":policy nver");
    tui_presses(tui, "\r\x7f:"); /* mended */
    assert_string_equal(line_editor_text(tui->console->prompt), ":policy nve:");
}

/* ---- commands of the console ---------------------------------------------------------------- */

static void a_colon_alone_lists_the_commands(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, ":\r");
    assert_true(tui_shows(tui, "Commands of the console"));
    assert_true(tui_shows(tui, ":policy NAME"));
    tui_keys(tui, "G");
    assert_true(tui_shows(tui, ":quit"));
    assert_false(tui_shows(tui, "When a request is shown"));
}

/* Words beside a command that fills its column begin below it, whole. */
static void help_breaks_no_word(void **state)
{
    struct tui *tui = *state;
    int command, row, column;

    tui_keys(tui, "?");
    for (int i = 0; i < 200 && !tui_shows(tui, ":trail"); i++)
        tui_keys(tui, "\x1b[B");
    assert_true(tui_find(tui, ":log [approved|denied|stats|TEXT]", &command, &column));
    assert_true(tui_find(tui, "calls on record", &row, &column));
    assert_int_equal(row, command + 1);
    assert_true(tui_find(tui, ":trail", &command, &column));
    assert_true(tui_find(tui, "what was decided so far", &row, &column));
    assert_int_equal(row, command);
}

/* Help begins with the keys of where one is. */
static void help_begins_where_one_is(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "?");
    assert_true(tui_shows(tui, "Agents ask for commands here."));
    assert_true(tui_shows(tui, "At the prompt line \u00b7")); /* its topics, in that order */
    assert_true(tui_shows(tui, "answer the waiting request"));
    assert_false(tui_shows(tui, "allow this for this session"));
    tui_keys(tui, "G");
    assert_true(tui_says(tui, "Empty files that nobody made"));
    assert_true(tui_shows(tui, "Who is speaking"));
    tui_keys(tui, "q");
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "?");
    assert_true(tui_shows(tui, "When a request is shown \u00b7"));
    assert_true(tui_shows(tui, "allow this for this session"));
    assert_false(tui_shows(tui, "answer the waiting request"));
}

static void tab_completes_commands(void **state)
{
    static const struct {
        const char *typed, *line, *choices;
    } table[] = {
        {":pol", ":policy ", NULL},
        {":policy on-", ":policy on-", "on-failure  on-request"},
        {":policy ne", ":policy never", NULL},
        {":po un", ":po untrusted", NULL},
        {":se", ":sessions", NULL},
        {":s", ":s", "sandbox  stop  show  sessions"},
        {":sandbox danger", ":sandbox danger-full-access", NULL},
        {":ru", ":rules ", NULL},
        {":tru", ":trust ", NULL},
        {":nosuch", ":nosuch", NULL},
        {":stop c", ":stop c", NULL},
    };
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        tui_keys(tui, "\x15"); /* Ctrl-U */
        tui_keys(tui, table[i].typed);
        tui_keys(tui, "\t");
        assert_string_equal(line_editor_text(tui->console->prompt), table[i].line);
        if (table[i].choices != NULL)
            assert_true(tui_shows(tui, table[i].choices));
    }
    assert_int_equal(orchestrator_call_count(tui->core), 0);
}

/* More choices than the trail has rows take some above, and give them back. */
static void all_choices_are_shown(void **state)
{
    struct tui *tui = *state;
    int rows = tui->console->layout.trail.rows;

    tui_running(tui, "make", false);
    tui_keys(tui, ":");
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "policy  sandbox  network"));
    assert_true(tui_shows(tui, "keys  quit"));
    assert_true(tui->console->layout.trail.rows > rows);
    tui_keys(tui, "x");
    assert_false(tui_shows(tui, "keys  quit"));
    assert_int_equal(tui->console->layout.trail.rows, rows);
}

/* In a line that is no command of the console, Tab is what it was. */
static void tab_selects_calls_otherwise(void **state)
{
    struct tui *tui = *state;

    fake_core_call(tui->core, tui->agent, "make");
    fake_core_call(tui->core, tui->agent, "make test");
    tui_settle(tui);
    tui_keys(tui, "ls");
    tui_keys(tui, "\t");
    assert_int_equal(tui->console->selected, 1);
    assert_true(tui_shows(tui, "> ls"));
}

static void no_rules_yet_says_how_one_comes_about(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, ":rules\r");
    assert_true(tui_shows(tui, "There are no rules yet."));
    assert_true(tui_shows(tui, ":suggest proposes"));
    assert_false(tui_shows(tui, "The strictest rule"));
}

/* What a rule is about, not how its file says it. */
static void undo_says_what_a_rule_is_about(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":undo\r");
    assert_true(tui_shows(tui, "nothing that you answered holds any more"));
    orchestrator_remember_rule(
        tui->core,
        "network_rule(host=\"example.org\", protocol=\"https\", port=\"443\", "
        "decision=\"allow\", project=\"/p\", project_id=\"65024:77\")",
        NULL);
    tui_lines(tui, ":undo\r");
    assert_true(tui_shows(tui, "taken back: https://example.org:443 (rule); from now on"));
    assert_false(tui_shows(tui, "project_id"));
    orchestrator_remember_rule(
        tui->core, "prefix_rule(pattern=[\"make\", \"test\"], decision=\"allow\")", NULL);
    tui_lines(tui, ":undo\r");
    assert_true(tui_shows(tui, "taken back: make test"));
    orchestrator_remember_rule(tui->core, "no rule", NULL);
    tui_lines(tui, ":undo\r");
    assert_true(tui_shows(tui, "taken back: no rule"));
}

/* Which answer it was, and what that means. */
static void undo_says_which_answer_it_takes_back(void **state)
{
    struct tui *tui = *state;
    struct call *call;
    static char rule[] = "prefix_rule(pattern=[\"make\", \"test\"], decision=\"allow\")";
    static char command[] = "make install", path[] = "/data";
    static const struct {
        struct undo undo;
        const char *says;
    } table[] = {
        {{.kind = UNDO_RULE, .call = 7, .what = rule},
         "taken back: make test (rule of c7); from now on that is asked about again"},
        {{.kind = UNDO_APPROVAL,
          .call = 31,
          .what = command,
          .lease = {.kind = LEASE_TIME, .duration_ms = 30 * 60000}},
         "taken back: c31, allowed for 30 minutes: make install; from now on that is"},
        {{.kind = UNDO_APPROVAL, .call = 8, .what = command},
         "taken back: c8, allowed for this session: make install; from now on that is"},
        {{.kind = UNDO_PATH, .call = 9, .what = command, .path = path},
         "taken back for this session: c9, writing /data: make install; from now on the"},
        {{.kind = UNDO_DENIAL, .call = 10, .what = command},
         "taken back: c10, denied: make install; from now on that may be asked again"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        fake_core_answered(tui->core, &table[i].undo);
        tui_lines(tui, ":undo\r");
        assert_true(tui_says(tui, table[i].says));
    }
    fake_core_answered(tui->core, &(struct undo){.kind = UNDO_ONCE, .call = 15});
    tui_lines(tui, ":undo\r");
    assert_true(tui_says(tui, "you answered c15 for once: nothing to take back, and nothing that"));
    call = tui_running(tui, "make docs", false);
    call->decision.kind = REVIEW_APPROVED;
    fake_core_answered(tui->core, &(struct undo){.kind = UNDO_ONCE, .call = call->id});
    tui_lines(tui, ":undo\r");
    assert_true(tui_says(tui, "you allowed c1 for once, and it has not ended: :stop c1 stops it"));
    fake_core_answered(tui->core, &table[2].undo);
    fake_core_answered(tui->core, &(struct undo){.kind = UNDO_ONCE, .call = 15});
    tui_lines(tui, ":undo\r");
    assert_true(tui_says(tui, "you answered c15 for once: nothing to take back; :undo once more"));
    assert_true(tui_says(tui, "takes back: c8, allowed for this session: make"));
    tui_lines(tui, ":undo\r");
    assert_true(tui_says(tui, "taken back: c8, allowed for this session: make install"));
}

/* What one answer to several requests did is taken back with one command. */
static void undo_takes_back_all_of_one_answer(void **state)
{
    struct tui *tui = *state;
    static char command[] = "make install";
    static const struct {
        enum undo_kind kind;
        const char *says;
    } table[] = {
        {UNDO_DENIAL, "taken back, denied with one answer: c54, c52; from now on they may be"},
        {UNDO_APPROVAL, "taken back, allowed with one answer: c54, c52; from now on they are"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct undo undo = {.kind = table[i].kind, .call = 51, .what = command};

        fake_core_answered(tui->core, &undo);
        undo.together = 1;
        for (undo.call = 52; undo.call <= 54; undo.call += 2)
            fake_core_answered(tui->core, &undo);
        tui_lines(tui, ":undo\r");
        assert_true(tui_says(tui, table[i].says));
        tui_lines(tui, ":undo\r");
        assert_true(tui_says(tui, "taken back: c51, "));
    }
}

/* What could not be taken back still holds, and that is said beside what was. */
static void what_undo_could_not_take_back_is_told(void **state)
{
    struct tui *tui = *state;
    static char kept[] = "kept", command[] = "make";
    struct undo undo = {.kind = UNDO_RULE, .call = 51, .what = kept, .together = 1};

    fake_core_answered(tui->core, &undo);
    undo = (struct undo){.kind = UNDO_APPROVAL, .call = 52, .what = command, .together = 1};
    fake_core_answered(tui->core, &undo);
    tui_lines(tui, ":undo\r");
    assert_true(tui_says(tui, "taken back: c52, "));
    assert_true(tui_shows(tui, "the rules cannot be written"));
}

/* Whose answer it was, and which, is in the row that is left once something else has happened. */
static void what_undo_took_back_is_told_in_one_row(void **state)
{
    struct tui *tui = *state;
    static char command[] = "pip install --index-url https://pypi.example/simple left-pad";
    int row, column;

    fake_core_answered(tui->core,
                       &(struct undo){.kind = UNDO_APPROVAL, .call = 12, .what = command});
    tui_lines(tui, ":undo\r");
    assert_true(tui_says(tui, "left-pad; from now on that is asked about again"));
    tui_lines(tui, ":network off\r");
    assert_true(tui_find(tui, "From the next call on: network off", &row, &column));
    tui_advance(tui, 1000);
    assert_true(tui_shows(tui, " taken back: c12, allowed for this session: pip install"));
}

static void a_word_of_a_command_names_that(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, ":stats\r");
    assert_true(tui_shows(tui, "there is no command \":stats\", but :log stats"));
    tui_keys(tui, "\x15:nothing\r");
    assert_true(tui_shows(tui, "there is no command \":nothing\" (:help lists them)"));
}

/* What a line says of a setting holds until the next one. */
static void a_setting_replaces_what_was_said_of_it(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":policy never\r");
    assert_true(tui_shows(tui, "approval policy never"));
    tui_lines(tui, ":policy on-request\r");
    assert_false(tui_shows(tui, "approval policy never"));
    assert_true(tui_shows(tui, "approval policy on-request"));
    tui_lines(tui, ":network on\r:network off\r");
    assert_false(tui_shows(tui, "next call on: network on"));
    assert_true(tui_shows(tui, "next call on: network off"));
    tui_keys(tui, ":trail\r");
    assert_true(tui_shows(tui, "approval policy never"));
}

/* A request that is put aside, or asked again, is told of as long as it waits. */
static void a_request_that_is_gone_waits_no_more(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "c1 is put aside and goes on waiting"));
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    assert_false(tui_shows(tui, "goes on waiting"));
    assert_true(tui_shows(tui, "client gone"));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(answers_to_an_own_command_name_no_agent),
        TEST(answers_to_its_host_do_not_say_that_it_does_not_run),
        cmocka_unit_test(a_short_answer_to_an_own_request_is_not_cut),
        TEST(what_the_operator_stops_says_so),
        TEST(what_the_operator_stops_at_its_second_try_says_that_it_ran),
        TEST(what_a_client_withdraws_says_so),
        TEST(lines_leave_the_screen),
        TEST(a_setting_replaces_what_was_said_of_it),
        TEST(a_request_that_is_gone_waits_no_more),
        TEST(a_line_stays_while_it_is_read),
        TEST(a_policy_says_what_it_does),
        TEST(a_line_lapses_whatever_comes),
        TEST(a_calm_line_goes_beside_a_warning),
        TEST(a_line_that_was_replaced_does_not_return),
        TEST(a_key_behind_an_answer_is_no_command),
        cmocka_unit_test(a_new_call_gets_a_pane),
        cmocka_unit_test_setup_teardown(a_line_that_fails_can_be_mended, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_colon_behind_a_line_that_failed_begins_another,
                                        tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_long_view_tells_how_to_search_it_while_a_request_waits,
                                        tui_set_up, tui_tear_down),
        TEST(a_view_tells_that_a_request_waits),
        TEST(a_colon_alone_lists_the_commands),
        TEST(help_begins_where_one_is),
        TEST(help_breaks_no_word),
        TEST(tab_completes_commands),
        TEST(all_choices_are_shown),
        TEST(tab_selects_calls_otherwise),
        TEST(undo_says_what_a_rule_is_about),
        TEST(undo_says_which_answer_it_takes_back),
        TEST(undo_takes_back_all_of_one_answer),
        TEST(what_undo_took_back_is_told_in_one_row),
        TEST(what_undo_could_not_take_back_is_told),
        TEST(a_word_of_a_command_names_that),
        TEST(no_rules_yet_says_how_one_comes_about),
    };

    return cmocka_run_group_tests_name("operator", tests, NULL, NULL);
}
