/* SPDX-License-Identifier: MIT */
/* The console's own rows: status, trail, titles. What matters is there at 80 columns. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/decision_text.h"

#define F7 "\x1b[18~"
#define F11 "\x1b[23~"

static const char *const policies[] = {"untrusted", "on-failure", "on-request", "reject", "never"};
static const char *const modes[] = {"read-only", "workspace-write", "danger-full-access",
                                    "external-sandbox"};

/* Policy, sandbox and the number that waits, whatever else there is to say. */
static void assert_status(const struct tui *tui, const char *policy, const char *mode,
                          const char *waiting)
{
    cleanup_free char *row = outer_row(tui->outer, outer_rows(tui->outer) - 1);

    if (strstr(row, policy) == NULL || strstr(row, mode) == NULL || strstr(row, waiting) == NULL)
        fail_msg("no %s, %s or %s in: %s", policy, mode, waiting, row);
}

static void what_is_in_force_is_always_shown(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    for (int i = 0; i < 11; i++)
        tui_request(tui, "make test", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b[20~\t"); /* the inbox and out again: all are put aside */
    tui_keys(tui, ":freeze\r");
    console_record_fails(tui->console, true);
    for (size_t i = 0; i < COUNT(policies); i++) {
        for (size_t j = 0; j < COUNT(modes); j++) {
            cleanup_free char *lines = xasprintf(":policy %s\r:sandbox %s\r:sandbox %s\r",
                                                 policies[i], modes[j], modes[j]);

            tui_lines(tui, lines);
            assert_status(tui, policies[i], modes[j], "12 waiting");
            assert_true(tui_shows(tui, "FROZEN"));
            assert_true(tui_shows(tui, "no record"));
        }
    }
}

/* What gave way comes back where something larger that did so has left room for it. */
static void no_word_is_missing_that_has_room(void **state)
{
    struct tui *tui = *state;
    int missing = 0;

    for (int i = 0; i < 12; i++)
        tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b[20~\t"); /* the inbox and out again: all are put aside */
    tui_keys(tui, ":freeze\r");
    console_record_fails(tui->console, true);
    for (int columns = 80; columns <= 120; columns++) {
        cleanup_free char *row = NULL;
        size_t used;

        tui_resize(tui, 24, columns);
        row = outer_row(tui->outer, 23);
        used = strlen(row);
        while (used > 0 && row[used - 1] == ' ')
            used--;
        if (strstr(row, "keys:") != NULL)
            continue;
        missing++;
        if (text_width(row, used) + strlen("keys: ") <= (size_t)columns)
            fail_msg("%d columns: %s", columns, row);
    }
    assert_true(missing > 0);
}

/* The same with a request on the screen that has waited for long. */
static void a_request_leaves_them_room(void **state)
{
    const struct tui_options options = {.escalate_ms = 60 * 1000};
    struct tui *tui = *state;

    tui_stop(tui);
    tui_start(tui, 24, 80, &options);
    tui_lines(tui, ":sandbox danger-full-access\r:sandbox danger-full-access\r");
    tui_keys(tui, ":freeze\r");
    for (int i = 0; i < 31; i++)
        fake_core_call(tui->core, tui->agent, "make");
    tui_request(tui, "make", RISK_LOW);
    tui_advance(tui, 12 * 60 * 1000);
    assert_status(tui, "on-request", "danger-full-access", "1 waiting");
    assert_true(tui_shows(tui, "FROZEN"));
    assert_true(tui_shows(tui, "c32"));
}

static void expect_bottom(const struct tui *tui, const char *expected)
{
    cleanup_free char *row = outer_row(tui->outer, outer_rows(tui->outer) - 1);

    assert_string_equal(row, expected);
}

/* What to press is what the row is read for when much is the matter: it is said in a word before it
 * is left out. */
static void keys_are_the_last_to_go(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "vi", true);
    tui_keys(tui, "\x1c");
    expect_bottom(tui, " kov keys: pane c1  Ctrl-\\ leaves  on-request \xc2\xb7 workspace-write "
                       "\xc2\xb7 network off");
    tui_keys(tui, "\x1c");
    tui->agent->stopped = true;
    tui_keys(tui, F7);
    expect_bottom(tui, " kov prompt  FROZEN: F7  1 agent stopped: :resume  on-request "
                       "\xc2\xb7 workspace-write");
    tui_keys(tui, F7);
    expect_bottom(tui, " kov prompt  1 stopped, :resume  1 runs  on-request \xc2\xb7 "
                       "workspace-write \xc2\xb7 net off");
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    expect_bottom(tui, " kov prompt  1 stopped: :resume  1 waiting: F2  on-request "
                       "\xc2\xb7 workspace-write");
    tui_keys(tui, F7);
    expect_bottom(tui, " kov prompt  FROZEN: F7  1 stopped  1 waiting: F2  on-request \xc2\xb7 "
                       "workspace-write");
}

/* What commands may reach is told before since when requests wait. */
static void an_old_request_leaves_the_network(void **state)
{
    const struct tui_options options = {.escalate_ms = 60 * 1000};
    struct tui *tui = *state;

    tui_stop(tui);
    tui_start(tui, 24, 80, &options);
    tui_request_inside(tui, "make", RISK_LOW);
    tui_request_inside(tui, "ls", RISK_LOW);
    tui_settle(tui);
    tui_advance(tui, 12 * 60 * 1000);
    expect_bottom(tui, " kov keys: request c1  2 waiting  on-request \xc2\xb7 workspace-write "
                       "\xc2\xb7 network off");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 500);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 500);
    expect_bottom(tui, " kov keys: prompt  2 waiting: F2 answers  on-request \xc2\xb7 "
                       "workspace-write \xc2\xb7 net off");
}

/* How many run stands beside how many wait, in the room that there is. */
static void what_runs_and_what_waits_stand_side_by_side(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "vi", true);
    tui_running(tui, "make", true);
    expect_bottom(tui, " kov keys: prompt  2 running  on-request \xc2\xb7 workspace-write "
                       "\xc2\xb7 network off");
    tui_request_inside(tui, "ls", RISK_LOW);
    tui_settle(tui);
    expect_bottom(tui, " kov keys: request c3  1 waiting  2 run  on-request \xc2\xb7 "
                       "workspace-write \xc2\xb7 net off");
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    expect_bottom(tui, " kov keys: prompt  1 waiting: F2  2 run  on-request \xc2\xb7 "
                       "workspace-write \xc2\xb7 net off");
}

/* Nobody is to believe that what goes on was stopped as well. */
static void what_runs_stands_beside_who_is_stopped(void **state)
{
    struct tui *tui = *state;
    struct session *other = fake_core_session(tui->core, SESSION_CLIENT, "reviewer");

    other->stopped = true;
    tui_running(tui, "make", false);
    expect_bottom(tui, " kov prompt  1 stopped, :resume  1 runs  on-request \xc2\xb7 "
                       "workspace-write \xc2\xb7 net off");
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    expect_bottom(tui, " kov prompt  1 stopped: :resume  1 waiting: F2  on-request "
                       "\xc2\xb7 workspace-write");
}

/* What is done about it stands in the sentence. */
static void without_a_pane_it_says_what_to_do(void **state)
{
    static const char *const keys[] = {F11, "\x1b[15~", "\x1b[24~", ":find x\r"};
    struct tui *tui = *state;

    for (size_t i = 0; i < COUNT(keys); i++) {
        tui_keys(tui, keys[i]);
        assert_true(tui_shows(tui, "there is no pane yet: one opens when a command runs"));
        tui_advance(tui, 6000);
    }
    tui_running(tui, "make", true);
    tui_request_inside(tui, "ls", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 500);
    tui_keys(tui, "\x1b[15~");
    assert_true(tui_shows(tui, "the selected call has no pane: Tab selects another"));
}

/* The keys of a request and what waits behind it are two things. */
static void what_waits_stands_apart_from_the_keys(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "ls", RISK_LOW);
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "? help \xe2\x94\x80"));
    assert_true(tui_shows(tui, "\xe2\x94\x80 1 more waits \xe2\x94\x80"));
}

/* Every key is the program's, F5 as any other: that is said of those that do something here. */
static void a_key_of_ours_in_a_pane_does_not_vanish(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "htop", true);
    tui_keys(tui, "\x1c");
    tui_keys(tui, "\x1b[15~");
    assert_string_equal(fake_core_typed(tui->core), "\x1b[15~");
    assert_true(tui_shows(tui, " F5 went to the program, as all keys do; Ctrl-\\ leaves the pane"));
    tui_keys(tui, "q");
    assert_false(tui_shows(tui, "went to the program"));
    tui_keys(tui, "\x1b[20~");
    assert_true(tui_shows(tui, " F9 went to the program"));
    tui_keys(tui, "\x1c");
    assert_false(tui_shows(tui, "went to the program"));
}

/* In a narrow terminal there is a zoomed pane and the way out of it, and to help. */
static void a_narrow_row_says_the_way_out(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "vi", true);
    tui_keys(tui, "\x1b[15~\x1b[24~"); /* F5, F12 */
    tui_resize(tui, 10, 40);
    expect_bottom(tui, " kov keys: pane c1  Ctrl-\\ leaves  on-r…");
    tui_keys(tui, "\x1c");
    assert_true(tui_shows(tui, "> ? for help"));
    expect_bottom(tui, " kov keys: prompt  on-request \xc2\xb7 workspa…");
}

/* A long line of the trail takes the rows that there are. */
static void a_long_line_of_the_trail_is_wrapped(void **state)
{
    struct tui *tui = *state;
    int row, column;

    console_say(tui->console, THEME_STRONG, "%s",
                "c12 was refused: write /home/ann/shop/node_modules/left-pad/package.json, "
                "/home/ann/shop/the/very/end");
    tui_settle(tui);
    assert_true(tui_find(tui, "c12 was refused", &row, &column));
    assert_int_equal(row, 20);
    assert_true(tui_find(tui, "/home/ann/shop/the/very/end", &row, &column));
    assert_int_equal(row, 21);
    assert_int_equal(column, 3);
}

/* Nothing pushes it out, and no key puts it away, before somebody can have read it. */
static void an_alarm_stays_until_it_was_seen(void **state)
{
    struct tui *tui = *state;
    int row, column;

    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    console_observer()->notice(tui->console, NOTICE_ALARM, "c1: /w/.git/config was replaced");
    tui_advance(tui, 60000);
    assert_false(tui_shows(tui, "Alarm: c1"));
    for (int i = 0; i < 3 * TRAIL_LINES; i++)
        console_say(tui->console, THEME_TEXT, "something else");
    tui_keys(tui, "d");
    tui_settle(tui);
    assert_true(tui_find(tui, "Alarm: c1: /w/.git/config was replaced", &row, &column));
    assert_int_equal(row, 20);
    for (int i = 0; i < 20; i++)
        console_say(tui->console, THEME_FAILED, "c%d: failed", i + 2);
    tui_settle(tui);
    assert_true(tui_shows(tui, "Alarm: c1"));
    assert_true(tui_shows(tui, "c21: failed"));
    tui_advance(tui, 500);
    tui_keys(tui, "\r");
    assert_true(tui_shows(tui, "Alarm: c1"));
    tui_advance(tui, 4000);
    tui_keys(tui, "\r");
    assert_false(tui_shows(tui, "Alarm: c1"));
}

/* What comes of an answer at once leaves it a row, as long as an answer stands. */
static void a_notice_leaves_the_answer_in_sight(void **state)
{
    struct tui *tui = *state;
    int row, column;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "a");
    console_observer()->notice(tui->console, NOTICE_WARNING,
                               "c1: the sandbox keeps .git/config read-only: what git wanted to "
                               "set there is not set (tracking: git branch -u REMOTE/BRANCH in "
                               "your own terminal)");
    tui_settle(tui);
    assert_true(tui_find(tui, "c1 codex, allowed", &row, &column));
    assert_int_equal(row, 20);
    assert_true(tui_find(tui, "c1: the sandbox keeps .git/config", &row, &column));
    assert_int_equal(row, 21);
    tui_advance(tui, 6500);
    assert_false(tui_shows(tui, "c1 codex, allowed"));
    assert_true(tui_shows(tui, "what git wanted to"));
    assert_true(tui_find(tui, "c1: the sandbox keeps .git/config", &row, &column));
    assert_int_equal(row, 20);
}

/* Where a text begins in the bottom row. */
static struct outer_cell bottom_cell(const struct tui *tui, const char *text)
{
    int rows = outer_rows(tui->outer);
    cleanup_free char *row = outer_row(tui->outer, rows - 1);
    const char *at = strstr(row, text);
    struct outer_cell cell;

    assert_non_null(at);
    outer_cell(tui->outer, rows - 1, (int)text_width(row, (size_t)(at - row)), &cell);
    return cell;
}

static bool looks_alike(const struct outer_cell *one, const struct outer_cell *other)
{
    return one->foreground == other->foreground && one->background == other->background &&
           one->attributes == other->attributes;
}

/* Asks in which colour the words stand: that of what is frozen, or of the row. */
static void assert_warns(struct tui *tui, const char *words, bool warns)
{
    struct outer_cell force = bottom_cell(tui, words), frozen;

    tui_keys(tui, ":freeze\r");
    frozen = bottom_cell(tui, "FROZEN");
    tui_lines(tui, ":thaw\r");
    assert_int_equal(looks_alike(&force, &frozen), warns);
}

static void what_dares_stands_out(void **state)
{
    static const char *const themes[] = {"dark", "light", "mono", "high-contrast", "colour-blind"};
    struct tui *tui = *state;

    for (size_t i = 0; i < COUNT(themes); i++) {
        cleanup_free char *line = xasprintf(":theme %s\r", themes[i]);

        tui_keys(tui, line);
        tui_lines(tui, ":policy on-request\r:sandbox workspace-write\r");
        assert_warns(tui, "on-request", false);
        tui_lines(tui, ":policy never\r");
        assert_warns(tui, "never", true);
        tui_lines(tui, ":policy on-request\r:sandbox danger-full-access\r");
        assert_warns(tui, "on-request", false);
        tui_lines(tui, ":sandbox danger-full-access\r:sandbox danger-full-access\r");
        assert_warns(tui, "danger-full-access", true);
        tui_lines(tui, ":sandbox external-sandbox\r:sandbox external-sandbox\r");
        assert_warns(tui, "external-sandbox", true);
    }
}

/* The sandbox is taken away by the second word, and by that word only. */
static void the_sandbox_is_not_taken_away_unasked(void **state)
{
    static const char *const others[] = {":sessions\r\x1b", "\t", "x\b",
                                         ":sandbox external-sandbox\r"};
    struct tui *tui = *state;
    const struct session *session = tui->own;

    for (size_t i = 0; i < COUNT(others); i++) {
        tui_lines(tui, ":sandbox danger-full-access\r");
        assert_true(tui_shows(tui, ":sandbox danger-full-access once more lets commands run "
                                   "WITHOUT the sandbox"));
        tui_keys(tui, others[i]);
        tui_advance(tui, 2000);
        tui_lines(tui, ":sandbox danger-full-access\r");
        assert_int_equal(session->context->sandbox->mode, SANDBOX_WORKSPACE_WRITE);
        tui_keys(tui, ":\x15");
    }
    tui_lines(tui, ":sandbox danger-full-access\r:sandbox danger-full-access\r");
    assert_int_equal(session->context->sandbox->mode, SANDBOX_DANGER_FULL_ACCESS);
    assert_true(tui_shows(tui, "From the next call on: sandbox danger-full-access"));
    tui_lines(tui, ":sandbox read-only\r");
    assert_int_equal(session->context->sandbox->mode, SANDBOX_READ_ONLY);
}

/* A call of that attempt, which has ended. */
static struct call *ended(struct tui *tui, const char *line, enum attempt_sandbox sandbox, int code)
{
    struct call *call = tui_running(tui, line, false);

    call->attempts[0].sandbox = sandbox;
    fake_core_finish(tui->core, call, code);
    tui_settle(tui);
    return call;
}

/* The sandbox held it, and nobody was asked: that it was grave is seen afterwards. */
static void what_was_grave_and_ran_unasked_is_told(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < 3; i++) {
        struct call *call = fake_core_call(tui->core, tui->agent, "rm -r build");

        call->assessment.level = i == 1 ? RISK_MEDIUM : RISK_HIGH;
        call->decision.kind = REVIEW_APPROVED;
        call->decision.source = i == 2 ? DECIDED_BY_USER : DECIDED_BY_CONFIG;
        fake_core_start(tui->core, call, "workspace-write");
        fake_core_finish(tui->core, call, 0);
        struct call_standing standing = call_text_standing(call);
        assert_string_equal(standing.words,
                            i == 0 ? "HIGH \xc2\xb7 done \xc2\xb7 1.2 s" : "done \xc2\xb7 1.2 s");
        free(standing.words);
    }
}

/* What has run where no sandbox held it is told in its row and above its output. */
static void what_ran_outside_is_marked(void **state)
{
    struct tui *tui = *state;
    struct call *call = ended(tui, "make install", ATTEMPT_UNSANDBOXED, 0);
    struct call_standing standing = call_text_standing(call);

    assert_string_equal(standing.words, "no sandbox \xc2\xb7 done \xc2\xb7 1.2 s");
    free(standing.words);
    assert_true(tui_shows(tui, "no sandbox \xc2\xb7 done"));
    ended(tui, "make check", ATTEMPT_UNSANDBOXED, 2);
    assert_true(tui_shows(tui, "no sandbox \xc2\xb7 exit 2"));
    call = ended(tui, "make", ATTEMPT_TURN_DEFAULT, 0);
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "done \xc2\xb7 1.2 s");
    free(standing.words);
    call->attempts[0].sandbox = ATTEMPT_UNSANDBOXED;
    call->attempts[0].result.outcome = RUN_SIGNALED;
    call->attempts[0].result.signal = SIGKILL;
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "no sandbox \xc2\xb7 killed by SIGKILL");
    free(standing.words);
    call->attempts[0].sandbox = ATTEMPT_TURN_DEFAULT;
}

/* Behind a pipe it ended well, and yet may not have done what it was for. */
static void a_push_that_may_have_been_stopped_is_marked(void **state)
{
    struct tui *tui = *state;
    struct call *call = ended(tui, "git push near main | tail -3", ATTEMPT_TURN_DEFAULT, 0);
    struct call_standing standing;

    call->attempts[0].push_stopped = xstrdup("/srv/b.git");
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "no push? \xc2\xb7 1.2 s");
    assert_int_equal(standing.element, THEME_WARNING);
    free(standing.words);
    free(steal_pointer(&call->attempts[0].push_stopped));
}

/* Nor has it done all that it was for when a host was denied, or a path. What ran again outside the
 * sandbox has. */
static void what_was_denied_a_part_is_marked(void **state)
{
    struct tui *tui = *state;
    struct call *call = ended(tui, "curl https://x.example; ls", ATTEMPT_TURN_DEFAULT, 0);
    struct call_standing standing;

    call->unreached = strv_copy((const char *const[]){"https://x.example:443", NULL});
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "host denied \xc2\xb7 1.2 s");
    assert_int_equal(standing.glyph, GLYPH_DASH);
    assert_int_equal(standing.element, THEME_WARNING);
    free(standing.words);
    call->attempts[0].sandbox = ATTEMPT_UNSANDBOXED;
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "no sandbox \xc2\xb7 done \xc2\xb7 1.2 s");
    free(standing.words);
    strv_free(&call->unreached);
    call = ended(tui, "cp x ~/y; ls ~", ATTEMPT_TURN_DEFAULT, 0);
    call->attempts[0].write_stopped = xstrdup("/home/op/y");
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "no write? \xc2\xb7 1.2 s");
    assert_int_equal(standing.element, THEME_WARNING);
    free(standing.words);
    free(steal_pointer(&call->attempts[0].write_stopped));
}

/* What x ended beside the request that it was pressed for has one name everywhere, and so has what
 * :stop ended. */
static void what_was_stopped_has_one_name(void **state)
{
    static const enum review_kind kinds[] = {REVIEW_ABORT, REVIEW_DENIED};
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "make");

    call->state = CALL_FINISHED;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct call_standing standing;
        cleanup_free char *decision = NULL;

        call->decision = (struct review_decision){.kind = kinds[i], .source = DECIDED_BY_USER};
        call->cancelled = false;
        standing = call_text_standing(call);
        assert_string_equal(standing.words, "denied");
        free(standing.words);
        call->cancelled = true;
        call->cancelled_by = CANCELLED_BY_OPERATOR;
        standing = call_text_standing(call);
        assert_string_equal(standing.words, "stopped by you");
        free(standing.words);
        decision = decision_text_words(call);
        assert_string_equal(decision, "stopped by you");
    }
}

/* … and when the sandbox had stopped its first try, that it ran is not lost. */
static void what_was_stopped_at_its_second_try_says_that_it_ran(void **state)
{
    struct tui *tui = *state;
    struct call *call = ended(tui, "make", ATTEMPT_TURN_DEFAULT, 1);
    struct call_standing standing;
    cleanup_free char *decision = NULL;

    call->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    call->cancelled = true;
    call->cancelled_by = CANCELLED_BY_OPERATOR;
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "ran, second try stopped by you");
    free(standing.words);
    decision = decision_text_words(call);
    assert_string_equal(decision, "ran, second try stopped by you");
}

/* What ran is stopped by the operator no less than what waited. */
static void who_stopped_what_ran_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = ended(tui, "make", ATTEMPT_TURN_DEFAULT, 143);
    struct call_standing standing;

    call->attempts[0].result.cancelled = call->cancelled = true;
    call->cancelled_by = CANCELLED_BY_OPERATOR;
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "stopped by you \xc2\xb7 1.2 s");
    free(standing.words);
    call->cancelled_by = CANCELLED_BY_CLIENT;
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "stopped \xc2\xb7 1.2 s");
    free(standing.words);
}

/* What runs from memory has a name that only the kernel's readers know. */
static void a_program_in_memory_is_told_in_words(void **state)
{
    static const struct {
        const char *exe, *told;
    } rows[] = {
        {"/usr/bin/node", "/usr/bin/node"},
        {"/memfd:sealed-91173221a7ea (deleted)",
         "a program that is in memory alone, as \"sealed-91173221a7ea\""},
        {"/memfd:x\", process 1 (deleted)",
         "a program that is in memory alone, as \"x<U+0022>, process 1\""},
        {"/usr/bin/node (deleted)", "/usr/bin/node (this file is deleted or replaced)"},
        {"/memfd:x", "/memfd:x"},
    };
    struct tui *tui = *state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *told = call_text_program(rows[i].exe);

        assert_string_equal(told, rows[i].told);
    }
    free(tui->agent->peer_exe);
    tui->agent->peer_exe = xstrdup("/memfd:\x1b[31mx (deleted)");
    cleanup_free char *identity = call_text_identity(fake_core_call(tui->core, tui->agent, "ls"));
    assert_non_null(strstr(identity, ", a program that is in memory alone, as \"<ESC>[31mx\","));
}

/* What lifts a denial is named for as long as there is one to lift. */
static void a_forgotten_denial_names_no_way_to_forget_it(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "make");

    call->state = CALL_FINISHED;
    call->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    tui_keys(tui, "\x1b[23~"); /* F11 */
    assert_true(tui_shows(tui, "denied (:undo, later :forget c1, "));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_lines(tui, ":forget c1\r");
    tui_keys(tui, "\x1b[23~"); /* F11 */
    assert_true(tui_shows(tui, "denied (since taken back), by you"));
    assert_false(tui_shows(tui, "lets it ask again"));
}

/* A row that is cut loses the command, or who it was, but not the way back. */
static void a_cut_decision_keeps_the_way_back(void **state)
{
    struct tui *tui = *state;
    static const struct {
        struct review_decision decision;
        const char *back;
    } table[] = {
        {{.kind = REVIEW_DENIED}, "(:undo, later :forget c1"},
        {{.kind = REVIEW_APPROVED_AMENDMENT}, "(:undo takes the"},
        {{.kind = REVIEW_APPROVED_PATH_FOR_SESSION}, "(:undo takes it back)"},
    };
    struct session *agent =
        fake_core_session(tui->core, SESSION_CLIENT, "an agent with a name of many words");
    struct call *call = fake_core_call(tui->core, agent, "make");

    call->state = CALL_FINISHED;
    for (size_t i = 0; i < COUNT(table); i++) {
        cleanup_free char *line = NULL;
        bool allowed;

        call->decision = table[i].decision;
        call->decision.source = DECIDED_BY_USER;
        call->decision.path = table[i].decision.kind == REVIEW_APPROVED_PATH_FOR_SESSION
                                  ? xstrdup("/srv/data/of/the/project/and/its/cache")
                                  : NULL;
        line = decision_text(tui->core, call, 0, &allowed);
        line[76] = '\0'; /* behind a mark, and at least a column for what shows the cut */
        assert_non_null(strstr(line, table[i].back));
    }
}

/* Nor does it lose a rule that was made. */
static void a_cut_decision_keeps_the_rule(void **state)
{
    struct tui *tui = *state;
    static const char rule[] =
        "prefix_rule(pattern=[\"mkdir\", \"-p\", \"d\"], decision=\"allow\")";
    struct call *call = fake_core_call(tui->core, tui->agent, "mkdir");
    cleanup_free char *line = NULL;
    bool allowed;

    call->state = CALL_FINISHED;
    call->decision = (struct review_decision){
        .kind = REVIEW_APPROVED_AMENDMENT, .source = DECIDED_BY_USER, .rule = xstrdup(rule)};
    session_add_rule(call->session, rule);
    line = decision_text(tui->core, call, 0, &allowed);
    line[76] = '\0';
    assert_non_null(strstr(line, "(:undo takes it back): mkdir -p d"));
}

/* Whoever reads that a request was withdrawn reads as well that its command has run. */
static void what_ran_before_it_was_withdrawn_is_told(void **state)
{
    struct tui *tui = *state;
    struct call *call = ended(tui, "make", ATTEMPT_TURN_DEFAULT, 1);
    struct call_standing standing;

    call->cancelled = true;
    call->cancelled_by = CANCELLED_BY_CLIENT;
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "exit 1 \xc2\xb7 1.2 s; its second request was withdrawn");
    free(standing.words);
    call->cancelled_by = CANCELLED_BY_OPERATOR;
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "exit 1 \xc2\xb7 1.2 s; stopped by you");
    free(standing.words);
    call->attempt_count = 0;
    call->cancelled_by = CANCELLED_BY_CLIENT;
    standing = call_text_standing(call);
    assert_string_equal(standing.words, "withdrawn by the client");
    free(standing.words);
    call->attempt_count = 1;
}

/* So it is told in the line of the decision. */
static void what_is_let_out_is_told(void **state)
{
    struct tui *tui = *state;

    fake_core_request(tui->core, tui->agent, "make install", RISK_LOW, true);
    tui_settle(tui);
    tui_wait_next(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "c1 codex, allowed once, no sandbox, by you: make install"));
    tui_request_inside(tui, "make check", RISK_LOW);
    tui_settle(tui);
    tui_wait_next(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "c2 codex, allowed once, by you: make check"));
    fake_core_request(tui->core, tui->agent, "make install", RISK_LOW, true);
    tui_settle(tui);
    tui_wait_next(tui);
    tui_keys(tui, "d");
    assert_true(tui_shows(tui, "c3 codex, denied (:undo, "));
}

static void a_setting_without_a_value_tells_the_values(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":network\r");
    assert_true(tui_shows(tui, ":network is off now; choose: ask, off, on"));
    tui_lines(tui, ":policy\r");
    assert_true(tui_shows(tui, ":policy is on-request now; choose: untrusted, on-failure, "));
    assert_true(tui_shows(tui, "never"));
    tui_lines(tui, ":sandbox\r");
    assert_true(tui_shows(tui, ":sandbox is workspace-write now; choose: read-only"));
    assert_true(tui_shows(tui, "external-sandbox"));
    tui_keys(tui, ":theme\r");
    assert_true(tui_shows(tui, ":theme is dark now; choose: dark, light, mono"));
    tui_lines(tui, ":network maybe\r");
    assert_true(tui_shows(tui, "there is no \"maybe\" (ask, off, on)"));
}

/* What goes on in another row stands below its own column. */
static void rows_of_the_help_keep_their_column(void **state)
{
    struct tui *tui = *state;
    int row, column, next;

    tui_keys(tui, ":\r");
    tui_keys(tui, "\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B");
    assert_true(tui_find(tui, ":log [approved|denied|stats|TEXT]", &row, &column));
    assert_true(tui_find(tui, "calls on record", &next, &column));
    assert_int_equal(next, row + 1);
    assert_int_equal(column, 4 + 20);
}

static void a_command_that_waits_for_a_host_says_so(void **state)
{
    cleanup_wording struct wording *reason = wording_from("no network but what you allow");
    struct prompt prompt = {.reason = reason, .under = reason};
    struct tui *tui = *state;
    struct call *command = tui_running(tui, "make test", false);
    struct call *asks = fake_core_call(tui->core, tui->agent, "network-access");

    asks->tool = CALL_NETWORK;
    asks->reach = XNEW(struct reach);
    *asks->reach = (struct reach){.host = xstrdup("pypi.example"),
                                  .protocol = "https",
                                  .port = 443,
                                  .command = command->id,
                                  .command_line = xstrdup("make test"),
                                  .waiting = 1};
    fake_core_ask(tui->core, asks, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "waiting for pypi.example \xc2\xb7 workspace-write"));
    assert_false(tui_shows(tui, "running"));
    fake_core_withdraw(tui->core, asks);
    tui_settle(tui);
    assert_true(tui_shows(tui, "running"));
}

/* Signs of ours have a twin in ASCII: no "?" stands for them. */
static void ascii_has_signs_of_its_own(void **state)
{
    struct tui *tui = *state;
    struct call *call;

    tui_stop(tui);
    tui_start(tui, 24, 80, &(struct tui_options){.locale = "C"});
    call = tui_running(tui, "make", false);
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    assert_true(tui_shows(tui, "done | 1.2 s"));
}

/* Where there is room for the list, commands get it. */
static void a_wide_list_shows_more_of_a_command(void **state)
{
    struct tui *tui = *state;

    tui_stop(tui);
    tui_start(tui, 50, 200, NULL);
    for (int i = 0; i < 8; i++)
        tui_running(tui, "npm run build --workspace=packages/shop", false);
    assert_true(tui_shows(tui, "● npm run build --workspace=packages/shop "));
}

/* A first attempt has ended with a status of its own, but the call ended at the question whether to
 * run it again. */
static void what_was_denied_or_stopped_after_an_attempt_says_so(void **state)
{
    struct tui *tui = *state;
    struct call *denied = tui_running(tui, "touch /denied", false);
    struct call *stopped = tui_running(tui, "touch /stopped", false);

    fake_core_finish(tui->core, denied, 1);
    fake_core_finish(tui->core, stopped, 1);
    denied->decision.kind = REVIEW_DENIED;
    stopped->cancelled = true;
    stopped->cancelled_by = CANCELLED_BY_OPERATOR;
    console_dirty(tui->console, DIRTY_LAYOUT);
    tui_settle(tui);
    assert_true(tui_shows(tui, "ran, second try denied"));
    assert_true(tui_shows(tui, "exit 1 \xc2\xb7 1.2 s; stopped by you"));
}

/* A name is whole where no row needs its room for a command; then it is cut in all rows alike. The
 * only one says nothing, and is left out. */
static void a_name_gives_its_room_to_commands(void **state)
{
    static const char *const command = "npm run build --workspace=packages/shop";
    struct tui *tui = *state;
    struct session *other;
    struct call *call;

    tui_stop(tui);
    tui_start(tui, 50, 200, NULL);
    free(tui->agent->name);
    tui->agent->name = xstrdup("implementer-of-everything");
    call = tui_running(tui, "make", false);
    call->attempts[0].sandbox = ATTEMPT_UNSANDBOXED;
    fake_core_finish(tui->core, call, 1);
    tui_settle(tui);
    assert_true(tui_shows(tui, "\xe2\x9c\x97 make  "));
    assert_true(tui_shows(tui, " implementer-of-everything no sandbox \xc2\xb7 exit 1"));
    assert_true(tui_shows(tui, " implementer-of-everything \xc2\xb7 no sandbox \xc2\xb7 exit 1"));
    tui_running(tui, command, false);
    assert_true(tui_shows(tui, "=packages/shop  running"));
    assert_false(tui_shows(tui, "implementer\xe2\x80\xa6 no sandbox \xc2\xb7 exit 1"));
    other = fake_core_session(tui->core, SESSION_CLIENT, "codex");
    fake_core_start(tui->core, fake_core_call(tui->core, other, command), "workspace-write");
    tui_settle(tui);
    assert_true(tui_shows(tui, "ages/shop implementer\xe2\x80\xa6 run"));
    assert_true(tui_shows(tui, "ages/shop codex        run"));
    assert_true(tui_shows(tui, " implementer\xe2\x80\xa6 no sandbox \xc2\xb7 exit 1"));
}

/* A clock on the wall tells of more than it ran. */
static void the_time_that_it_stood_still_is_told(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);

    fake_core_finish(tui->core, call, 0);
    call->attempts[0].result.paused_ms = 71600;
    tui_settle(tui);
    tui_lines(tui, ":show c1\r");
    assert_true(tui_shows(tui, "1.2 s, and 1 min 11 s waiting for you"));
}

/* No request has said of it what it does. */
static void what_ran_unasked_says_what_it_did(void **state)
{
    static const char line[] = "rm notes.txt";
    struct tui *tui = *state;
    struct call *call = tui_running(tui, line, false);

    assessment_of_line(line, strlen(line), "/srv", NULL, &call->assessment);
    call->decision = (struct review_decision){.kind = REVIEW_APPROVED, .source = DECIDED_BY_CONFIG};
    fake_core_finish(tui->core, call, 0);
    tui_lines(tui, ":show c1\r");
    assert_true(tui_shows(tui, "Deletes files: notes.txt."));
    assert_true(tui_shows(tui, "by the policy (a rule of yours that says"));
}

/* The list beside panes cuts a command before a state, but to no less than half of the room for
 * both, and says who asked. */
static void states_are_whole_in_the_narrow_list(void **state)
{
    static const int widths[] = {120, 160, 200};
    struct tui *tui = *state;

    for (size_t i = 0; i < COUNT(widths); i++) {
        struct call *call;

        tui_stop(tui);
        tui_start(tui, 50, widths[i], NULL);
        call = tui_running(tui, "make a-target-with-a-very-long-name-that-has-no-end", false);
        fake_core_finish(tui->core, call, 1);
        call->attempts[0].result.outcome = RUN_SIGNALED;
        call->attempts[0].result.signal = SIGXFSZ;
        for (int j = 0; j < 5; j++) /* their panes take the place of the first one's */
            tui_running(tui, "make", false);
        assert_true(tui_shows(tui, "killed by SIGXFSZ"));
        assert_true(tui_shows(tui, "make a-target-"));
        if (widths[i] == 200)
            assert_true(tui_shows(tui, "codex killed by SIGXFSZ"));
    }
}

/* What is looked for afterwards is whole in the narrowest list; what has no room there goes whole,
 * the last first: the signs say how each ended. */
static void what_marks_it_is_the_last_to_be_cut(void **state)
{
    static const char command[] = "make a-target-with-a-very-long-name-that-has-no-end";
    struct tui *tui = *state;
    struct call *call;

    tui_resize(tui, 40, 120);
    for (int i = 0; i < 2; i++) {
        call = fake_core_call(tui->core, tui->agent, command);
        call->assessment.level = RISK_HIGH;
        call->decision.kind = REVIEW_APPROVED;
        call->decision.source = DECIDED_BY_CONFIG;
        fake_core_start(tui->core, call, "workspace-write");
        fake_core_finish(tui->core, call, i);
    }
    ended(tui, command, ATTEMPT_UNSANDBOXED, 0);
    ended(tui, command, ATTEMPT_TURN_DEFAULT, 1);
    call = ended(tui, "make", ATTEMPT_TURN_DEFAULT, 1);
    call->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    tui_running(tui, "make", false);
    assert_true(tui_shows(tui, "\xe2\x9c\x93 make a-target-"));
    assert_true(tui_shows(tui, "no-end HIGH  "));
    assert_true(tui_shows(tui, "no-end no sand"));
    assert_true(tui_shows(tui, "no-end exit 1  "));
    assert_true(tui_shows(tui, " ran   "));
    tui_golden(tui, "calls-narrow");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_is_in_force_is_always_shown),
        TEST(what_marks_it_is_the_last_to_be_cut),
        TEST(no_word_is_missing_that_has_room),
        TEST(a_request_leaves_them_room),
        TEST(an_old_request_leaves_the_network),
        TEST(keys_are_the_last_to_go),
        TEST(a_key_of_ours_in_a_pane_does_not_vanish),
        TEST(what_runs_and_what_waits_stand_side_by_side),
        TEST(what_runs_stands_beside_who_is_stopped),
        TEST(without_a_pane_it_says_what_to_do),
        TEST(what_waits_stands_apart_from_the_keys),
        TEST(a_narrow_row_says_the_way_out),
        TEST(a_long_line_of_the_trail_is_wrapped),
        TEST(an_alarm_stays_until_it_was_seen),
        TEST(a_notice_leaves_the_answer_in_sight),
        TEST(a_setting_without_a_value_tells_the_values),
        cmocka_unit_test_setup_teardown(what_dares_stands_out, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(the_sandbox_is_not_taken_away_unasked, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(what_was_grave_and_ran_unasked_is_told, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(what_ran_outside_is_marked, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_push_that_may_have_been_stopped_is_marked, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(what_was_stopped_has_one_name, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(who_stopped_what_ran_is_said, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_was_stopped_at_its_second_try_says_that_it_ran,
                                        tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_ran_before_it_was_withdrawn_is_told, tui_set_up,
                                        tui_tear_down),
        TEST(a_program_in_memory_is_told_in_words),
        TEST(a_forgotten_denial_names_no_way_to_forget_it),
        TEST(a_cut_decision_keeps_the_way_back),
        TEST(a_cut_decision_keeps_the_rule),
        cmocka_unit_test_setup_teardown(what_is_let_out_is_told, tui_set_up, tui_tear_down),
        TEST(what_was_denied_a_part_is_marked),
        TEST(rows_of_the_help_keep_their_column),
        TEST(a_command_that_waits_for_a_host_says_so),
        TEST(ascii_has_signs_of_its_own),
        TEST(a_wide_list_shows_more_of_a_command),
        TEST(what_was_denied_or_stopped_after_an_attempt_says_so),
        TEST(a_name_gives_its_room_to_commands),
        TEST(states_are_whole_in_the_narrow_list),
        TEST(the_time_that_it_stood_still_is_told),
        TEST(what_ran_unasked_says_what_it_did),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
