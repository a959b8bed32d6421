/* SPDX-License-Identifier: MIT */
/* What takes more than a key: what is grave, what is long, what holds for longer. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "approval/ladder.h"
#include "approval/reach.h"
#include "base/alloc.h"
#include "ui/console_int.h"

static void ready_request_outside(struct tui *tui, const char *key)
{
    tui_request(tui, "make install", RISK_LOW);
    tui_settle(tui);
    tui_wait_next(tui);
    assert_true(tui_shows(
        tui,
        "a\xe2\x86\xb5 only this command, for this session, WITHOUT the sandbox (l: how long)"));
    tui_keys(tui, key);
}

#define F6 "\x1b[17~"
#define F7 "\x1b[18~"
#define F8 "\x1b[19~"
#define F9 "\x1b[20~"

/* Once is one key; what goes on leaving the sandbox takes Enter, too, whatever the risk. */
static void leaving_the_sandbox_for_longer_takes_two_keys(void **state)
{
    struct tui *tui = *state;

    ready_request_outside(tui, "y");
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED);
    ready_request_outside(tui, "a");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "Enter confirms: only this, for this session, WITHOUT the sandbox"));
    tui_keys(tui, "a"); /* not the same key twice */
    assert_int_equal(fake_core_decisions(tui->core), 1);
    tui_keys(tui, "a");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_APPROVED_FOR_SESSION);
}

/* What is kept for the project outlives the session and its agent: a host takes Enter as well, and
 * for the command that asks alone, the key. */
static void a_host_that_is_kept_takes_enter(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 7};
    struct call *call = fake_core_call(tui->core, tui->agent, "network-access");

    call->tool = CALL_NETWORK;
    call->reach = XNEW(struct reach);
    *call->reach = (struct reach){.host = xstrdup("x.example"),
                                  .protocol = "https",
                                  .port = 443,
                                  .command = 7,
                                  .command_line = xstrdup("make"),
                                  .waiting = 1};
    prompt.ladder = ladder_new_reach(call->reach, "/w");
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "p\xe2\x86\xb5 "));
    assert_false(tui_shows(tui, "y\xe2\x86\xb5 "));
    assert_false(tui_shows(tui, "a\xe2\x86\xb5 "));
    tui_keys(tui, "p");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "Enter confirms: allow this host for this project"));
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED_AMENDMENT);
}

/* So does a rule for more than exactly what is asked, however long it is kept. */
static void a_wide_rule_takes_enter(void **state)
{
    static const enum ladder_width widths[] = {LADDER_ANYWHERE, LADDER_SUBCOMMAND, LADDER_PLACE};
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]) * LADDER_SCOPES; i++) {
        struct prompt prompt = {.ladder = XNEW(struct ladder)};
        bool wide = i % 3 > 0;

        prompt.ladder->steps[0] =
            (struct ladder_step){.width = widths[i % 3],
                                 .words = strv_copy((const char *const[]){"touch", NULL}),
                                 .exact = !wide,
                                 .rules = {xstrdup("project"), xstrdup("all")}};
        prompt.ladder->count = 1;
        fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "touch x"), &prompt);
        tui_settle(tui);
        tui_wait_next(tui);
        if (i >= 3)
            tui_keys(tui, "\t");
        assert_true(tui_shows(tui, "p\xe2\x86\xb5 ") == wide);
        tui_keys(tui, "p");
        assert_int_equal(fake_core_decisions(tui->core), wide ? i : i + 1);
        tui_wait_guard(tui);
        if (wide)
            tui_keys(tui, "\r");
        assert_int_equal(fake_core_decisions(tui->core), i + 1);
    }
}

/* The same command a second time, with all that the operator may do. */
static void a_run_without_the_sandbox_that_stopped_it_takes_enter(void **state)
{
    static const enum attempt_sandbox under[] = {ATTEMPT_TURN_DEFAULT, ATTEMPT_UNSANDBOXED};
    struct tui *tui = *state;

    for (size_t i = 0; i < 2; i++) {
        struct call *call = fake_core_call(tui->core, tui->agent, "tee notes");
        const struct prompt prompt = {.retry = true, .sandbox = under[i]};

        call->assessment.level = RISK_MEDIUM;
        fake_core_start(tui->core, call, "workspace-write");
        fake_core_ask_for(tui->core, call, prompt, "Stopped.", "the terms");
        tui_settle(tui);
        tui_wait_next(tui);
        tui_keys(tui, "y");
        assert_int_equal(fake_core_decisions(tui->core), 1);
    }
    assert_true(tui_shows(tui, "Enter confirms: allow once, WITHOUT the sandbox "));
    assert_true(tui_shows(tui, " other keys: back (15 s) "));
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_APPROVED);
}

/* What asks to leave the sandbox, and what a first run covers: one rule for all that would be held
 * by it. */
static void leaving_at_more_than_low_risk_takes_enter(void **state)
{
    static const struct prompt prompts[] = {
        {.sandbox = ATTEMPT_UNSANDBOXED},
        {.sandbox = ATTEMPT_TURN_DEFAULT, .covers_retry = true},
    };
    struct tui *tui = *state;

    for (size_t i = 0; i < 4; i++) {
        struct call *call = fake_core_call(tui->core, tui->agent, "make install");

        call->assessment.level = i < 2 ? RISK_MEDIUM : RISK_LOW;
        fake_core_ask_for(tui->core, call, prompts[i % 2], "It asks.", "the terms");
        tui_settle(tui);
        tui_wait_next(tui);
        tui_keys(tui, "y");
        assert_int_equal(fake_core_decisions(tui->core), i < 2 ? i : i + 1);
        assert_true(tui_shows(tui, "Enter confirms") == (i < 2));
        tui_wait_guard(tui);
        if (i < 2)
            tui_keys(tui, "\r");
        assert_int_equal(fake_core_decisions(tui->core), i + 1);
    }
}

/* It was in none: who needs a second key for each of its calls, reads none. */
static void what_an_agent_does_itself_takes_enter_where_it_is_grave(void **state)
{
    static const struct prompt prompt = {.sandbox = ATTEMPT_UNSANDBOXED,
                                         .may_approve_for_session = true};
    static const struct {
        enum risk_level level;
        const char *key;
        bool confirms;
    } rows[] = {{RISK_MEDIUM, "y", false}, {RISK_MEDIUM, "a", true}, {RISK_HIGH, "y", true}};
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct call *call = fake_core_call(tui->core, tui->agent, "make install");

        call->agent_tool = xstrdup("Bash");
        call->assessment.level = rows[i].level;
        fake_core_ask_for(tui->core, call, prompt, "It asks.", "the terms");
        tui_settle(tui);
        tui_wait_next(tui);
        tui_keys(tui, rows[i].key);
        assert_true(tui_shows(tui, "Enter confirms") == rows[i].confirms);
        tui_wait_guard(tui);
        if (rows[i].confirms)
            tui_keys(tui, "\r");
        assert_int_equal(fake_core_decisions(tui->core), i + 1);
    }
}

static void high_risk_takes_enter(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Enter confirms"));
    tui_keys(tui, "y"); /* anything but Enter takes it back */
    tui_no_decision(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* As guarded as allowing the same in the sandbox: once is one key, what is grave takes two. */
static void keeping_what_is_grave_inside_takes_enter(void **state)
{
    struct tui *tui = *state;

    ready_request_outside(tui, "i");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED_SANDBOXED);
    tui_request(tui, "rm -rf build", RISK_HIGH);
    tui_settle(tui);
    tui_keys(tui, "i"); /* too soon */
    tui_wait_next(tui);
    tui_keys(tui, "ii"); /* in one piece */
    tui_wait_next(tui);
    tui_keys(tui, "i");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "Enter confirms: allow once, but in the sandbox "));
    tui_keys(tui, "i"); /* anything but Enter takes it back */
    tui_keys(tui, "i");
    tui_wait_next(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_APPROVED_SANDBOXED);
}

/* Some terminals hand a pasted text on as keys, in one piece: nothing in it is the second key. */
static void what_confirms_comes_behind_a_look(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y\ry\ryes please a\r");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Keys that come all at once are no answer"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "Enter confirms"));
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "Enter confirms"));
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* Somebody goes on typing words into the overlay, with an Enter at the end, and another. */
static void what_was_taken_back_is_not_under_enter(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    tui_keys(tui, "s");
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\r"); /* it was for what was taken back */
    tui_no_decision(tui);
    tui_advance(tui, 2000);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

static void high_risk_is_denied_by_one_key(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_keys(tui, "d");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

static void text_that_cannot_be_shown_takes_enter(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "echo \x1b[2J", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "echo <ESC>[2J"));
    tui_keys(tui, "y");
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* Who comes back after a while has the mark where it was at first: Enter alone allows nothing. */
static void a_confirmation_lapses(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    tui->careless = true; /* nothing else draws it anew */
    assert_true(tui_shows(tui, " any other key: back (15 s) "));
    for (int left = 14; left > 0; left--) { /* each second is told by itself */
        char seconds[16];

        tui_advance(tui, 1000);
        snprintf(seconds, sizeof(seconds), " (%d s) ", left);
        assert_true(tui_shows(tui, seconds));
    }
    assert_true(tui_shows(tui, "Enter confirms: "));
    tui_advance(tui, 2000);
    assert_true(tui_shows(tui, "Not confirmed in time. Choose an answer."));
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    tui_advance(tui, 2000);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

/* Neither armed nor marked: the next Enter denies. */
static void another_size_takes_the_mark_back(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    tui_resize(tui, 30, 100);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    tui_advance(tui, 2000);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

/* Where any other key goes back they all do, and the brake brakes as well. */
static void any_other_key_goes_back(void **state)
{
    static const char *const keys[] = {F6, F7, F8, F9, "\x1b", "q"};
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        tui_keys(tui, "y");
        assert_true(tui_shows(tui, " any other key: back ("));
        tui_keys(tui, keys[i]);
        tui_advance(tui, 100);
        assert_true(tui_shows(tui, "Not allowed yet."));
        assert_true(tui_shows(tui, "c1 asks. May it run"));
        assert_int_equal(fake_core_decisions(tui->core), 0);
        tui_wait_guard(tui);
    }
    assert_true(orchestrator_is_frozen(tui->core));
}

static void all_of_a_long_command_must_be_seen(void **state)
{
    struct tui *tui = *state;
    char line[4001];

    memset(line, 'a', sizeof(line) - 1);
    memcpy(line, "echo ", 5);
    line[sizeof(line) - 1] = '\0';
    tui_request_inside(tui, line, RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "4000 bytes"));
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Read all of the command first"));
    /* A key that leaps to the end has not shown the middle. */
    tui_keys(tui, "\x1b[F");
    assert_true(tui_shows(tui, "unread from"));
    tui_keys(tui, "y");
    tui_no_decision(tui);
    tui_keys(tui, "\x1b[H");
    for (int i = 0; i < 100 && !tui_shows(tui, "PgUp"); i++) {
        assert_true(tui_shows(tui, "PgDn"));
        tui_keys(tui, "\x1b[6~");
    }
    assert_false(tui_shows(tui, "PgDn"));
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* It is of files, and what is to be read is no command. */
static void all_of_a_long_patch_must_be_seen(void **state)
{
    struct tui *tui = *state;
    struct strbuf patch = STRBUF_INIT;
    struct call *call = tui_request_inside(tui, "apply_patch a.txt", RISK_MEDIUM);

    strbuf_addstr(&patch, "*** Begin Patch\n*** Add File: a.txt\n");
    for (int i = 0; i < 40; i++)
        strbuf_addf(&patch, "+line %d\n", i);
    strbuf_addstr(&patch, "*** End Patch\n");
    call->tool = CALL_APPLY_PATCH;
    call->patch = strbuf_steal(&patch);
    free(call->prompt->command);
    call->prompt->command = xstrdup(call->patch);
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Read all of the patch first, or view everything."));
    tui_keys(tui, "\x1b[F"); /* the end alone is not all of it */
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Read all of the patch first"));
    tui_keys(tui, "\x1b[H");
    for (int i = 0; i < 100 && !tui_shows(tui, "PgUp"); i++)
        tui_keys(tui, "\x1b[6~");
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* One answer is for the session there: no second one that says the same. */
static void permissions_are_given_for_the_session_anyway(void **state)
{
    const struct prompt prompt = {.sandbox = ATTEMPT_PERMISSIONS};
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "request_permissions network=on");

    call->widens = true;
    fake_core_ask_for(tui->core, call, prompt, "It asks.", "the terms");
    tui_settle(tui);
    tui_wait_next(tui);
    assert_true(tui_shows(tui, "y  allow from now on, in this session"));
    tui_keys(tui, "a");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Allowing it holds for the whole session anyway."));
}

static struct call *ask_to_run_scripts(struct tui *tui)
{
    static struct prompt_script scripts[] = {
        {.path = (char *)"/home/ann/shop/setup.sh",
         .text = (char *)"echo one\necho two\n",
         .lines = 2},
        {.path = (char *)"/home/ann/shop/empty.sh", .text = (char *)"", .lines = 0},
        {.path = (char *)"/home/ann/shop/late.sh", .text = (char *)"echo late\n", .lines = 1},
        {.path = (char *)"/home/ann/shop/tool", .text = NULL},
    };
    const struct prompt prompt = {
        .sandbox = ATTEMPT_UNSANDBOXED, .may_sandbox = true, .scripts = scripts, .script_count = 4};
    struct call *call = fake_core_call(tui->core, tui->agent, "sh setup.sh; sh late.sh");

    call->assessment.level = RISK_LOW;
    fake_core_ask_for(tui->core, call, prompt, "It asks.", "no sandbox");
    tui_settle(tui);
    tui_wait_next(tui);
    return call;
}

/* Its words are short, and what they run stands elsewhere. */
static void a_file_run_outside_the_sandbox_is_read_first(void **state)
{
    struct tui *tui = *state;

    ask_to_run_scripts(tui);
    assert_true(tui_shows(tui, "A file is run outside the sandbox: press v and read it first."));
    tui_keys(tui, "y");
    tui_keys(tui, "\r"); /* the mark is on "deny": dropped */
    tui_no_decision(tui);
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "What setup.sh says"));
    assert_true(tui_shows(tui, "echo late"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "read it first"));
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

static void what_the_sandbox_holds_may_be_run_unread(void **state)
{
    struct tui *tui = *state;

    ask_to_run_scripts(tui);
    tui_keys(tui, "i");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED_SANDBOXED);
}

/* The list has no room for it. */
static void a_file_is_not_run_from_the_list(void **state)
{
    struct tui *tui = *state;

    ask_to_run_scripts(tui);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "runs a file outside the sandbox, to be read first: Enter opens"));
}

static void the_end_may_be_seen_in_the_full_view(void **state)
{
    struct tui *tui = *state;
    char line[4001];

    memset(line, 'a', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    tui_request_inside(tui, line, RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x01"); /* Ctrl-A */
    assert_true(tui_shows(tui, "everything about c1"));
    tui_keys(tui, "q");
    tui_keys(tui, "y");
    tui_no_decision(tui);
    tui_keys(tui, "v");
    tui_keys(tui, "G");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* An answer that allows more than one request names the others before it counts. */
static void what_else_would_run_must_be_seen(void **state)
{
    static const uint64_t others[] = {7, 8};
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    fake_core_release(tui->core, others, 2);
    tui_keys(tui, "a"); /* pressed for what was on the screen before */
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "a also allows c7, c8"));
    tui_keys(tui, "a");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "look again"));
    tui_wait_guard(tui);
    tui_keys(tui, "a");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED_FOR_SESSION);
}

/* Judging all that wait takes as long as many frames: not in each turn while nothing changes. */
static void what_else_would_run_is_not_judged_all_the_time(void **state)
{
    struct tui *tui = *state;
    size_t judged;

    tui_ready_request(tui, RISK_LOW);
    judged = fake_core_judged(tui->core);
    tui_advance(tui, 500); /* in 50 turns */
    assert_true(fake_core_judged(tui->core) <= judged + 1);
    judged = fake_core_judged(tui->core);
    tui_request(tui, "another", RISK_LOW);
    tui_settle(tui);
    assert_true(fake_core_judged(tui->core) > judged);
}

/* Left and right change how wide the rule is, Tab how long it lasts; what is refused cannot be
 * chosen. */
static void a_rule_is_chosen_by_its_width(void **state)
{
    static const char *const words[] = {"make", "lint", NULL}, *const program[] = {"make", NULL};
    struct tui *tui = *state;
    static const char why_not[] = "outside the sandbox only exactly this command can be remembered";
    struct call *call = fake_core_call(tui->core, tui->agent, "make lint");
    struct prompt prompt = {.ladder = XNEW(struct ladder)};

    *prompt.ladder = (struct ladder){
        .steps = {{.width = LADDER_ANYWHERE, .words = strv_copy(words), .exact = true},
                  {.width = LADDER_SUBCOMMAND, .words = strv_copy(words)},
                  {.width = LADDER_PROGRAM, .words = strv_copy(program), .refused = why_not}},
        .count = 3,
        .first = 1,
    };
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b[C\x1b[C"); /* in one piece: what is allowed stays as it was */
    assert_true(tui_shows(tui, "Keys that come all at once are no answer"));
    assert_true(tui_shows(tui, "p\xe2\x86\xb5 allow this rule for this project"));
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "narrower/wider (2 of 2); for project (Tab: session)"));
    tui_keys(tui, "\x1b[C");
    assert_true(tui_shows(tui, "Not wider: outside the sandbox"));
    assert_true(tui_shows(tui, "can be remembered")); /* not cut */
    assert_true(tui_shows(tui, "narrower/wider (2 of 2); for project (Tab: session)"));
    assert_true(tui_shows(tui, "p\xe2\x86\xb5 allow this rule for this project"));
    tui_keys(tui, "\x1b[D");
    assert_true(tui_shows(tui, "for project (Tab: session)"));
    assert_true(tui_shows(tui, "p allows"));
    assert_true(tui_shows(tui, "p  allow this rule for this project"));
    tui_keys(tui, "\x1b[D");
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "p  allow this in any directory, for this session"));
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "exactly this, in any directory"));
    tui_keys(tui, "p");
    tui_settle(tui);
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED_AMENDMENT);
    assert_int_equal(fake_core_decision(tui->core, 0)->choice.step, 0);
    assert_int_equal(fake_core_decision(tui->core, 0)->choice.scope, LADDER_SESSION);
}

/* A rule is a decision about more than the command: all of it must have been on the screen. */
static void a_long_rule_is_read_to_its_end(void **state)
{
    cleanup_wording struct wording *words = wording_from("Asked.");
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "touch x");
    struct ladder *ladder = XNEW(struct ladder);
    cleanup_strbuf struct strbuf file = STRBUF_INIT;
    struct prompt prompt = {.reason = words, .under = words, .ladder = ladder};

    for (int i = 0; i < 60; i++)
        strbuf_addstr(&file, "/directory");
    strbuf_addstr(&file, "/the-end");
    ladder->steps[0] = (struct ladder_step){
        .width = LADDER_ANYWHERE,
        .exact = true,
        .words = strv_copy((const char *const[]){"touch", strbuf_str(&file), NULL})};
    ladder->steps[1] = (struct ladder_step){
        .width = LADDER_ANYWHERE,
        .exact = true,
        .words = strv_copy((const char *const[]){"touch", "/home/ann/shop/one/two/three/four/five",
                                                 "/home/ann/shop/six/the-end", NULL})};
    ladder->count = 2;
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "the-end"));
    tui_keys(tui, "p");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "The rule does not fit here. Press v"));
    tui_keys(tui, "\x1b[C"); /* the other one takes two rows */
    assert_true(tui_shows(tui, "six/the-end"));
    tui_keys(tui, "\x1b[D");
    tui_keys(tui, "p");
    tui_no_decision(tui);
    tui_keys(tui, "v");
    tui_keys(tui, "G");
    assert_true(tui_shows(tui, "the-end"));
    tui_keys(tui, "q");
    tui_keys(tui, "p");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED_AMENDMENT);
}

/* The answer has both its ends alone: which path it is, only the whole of it tells. */
static void a_long_path_is_read_to_its_end(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "touch x");
    cleanup_strbuf struct strbuf path = STRBUF_INIT;
    struct prompt prompt = {.retry = true, .sandbox = ATTEMPT_UNSANDBOXED};

    for (int i = 0; i < 60; i++)
        strbuf_addf(&path, "/directory%d", i);
    cleanup_wording struct wording *under = wording_new();
    wording_add(under, "workspace-write; also write %s", strbuf_str(&path));
    prompt.path = path.data;
    prompt.path_under = under;
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "/directory25/"));
    tui_keys(tui, "w");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "The path does not fit here. Press v"));
    tui_keys(tui, "v");
    tui_keys(tui, "G");
    assert_true(tui_shows(tui, "/directory25/"));
    tui_keys(tui, "q");
    tui_keys(tui, "w");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED_PATH);
}

/* A push that is stopped again in the session of all plain clients, and what it was before: more
 * rows than there are. */
static struct call *ask_for_push(struct tui *tui, struct session *shared, const char *line)
{
    cleanup_wording struct wording *under = wording_new();
    cleanup_wording struct wording *tried = wording_new();
    cleanup_free char *path = xstrdup("/srv/git/r2/origin.git");
    struct call *call = fake_core_call(tui->core, shared, line);
    struct prompt prompt = {.retry = true,
                            .sandbox = ATTEMPT_UNSANDBOXED,
                            .may_approve_for_session = true,
                            .path = path,
                            .path_holds = true,
                            .path_may_last = true,
                            .ladder = XNEW(struct ladder)};

    wording_add_words(under, "workspace-write (network asks for each host); also write all in "
                             "/srv/git/r2/origin.git");
    wording_add_words(tried, "exit status 1, in workspace-write (network asks for each host)");
    prompt.path_under = under;
    prompt.first_attempt = tried;
    prompt.ladder->steps[0] = (struct ladder_step){
        .width = LADDER_HERE,
        .words = strv_copy((const char *const[]){"git", "push", "origin", "master", NULL}),
        .exact = true,
        .here = true,
        .bypass = true,
        .covers = 2};
    prompt.ladder->count = 1;
    prompt.ladder->past = 11;
    call->spec->justification = xstrdup("The others wait for it.");
    call->assessment.level = RISK_MEDIUM;
    call->assessment.categories = RISK_NETWORK_ACCESS;
    fake_core_ask_for(tui->core, call, prompt,
                      "the sandbox may have blocked it: write /srv/git/r2/origin.git (inferred "
                      "from what the command printed)",
                      "no sandbox: it can do all that you can do");
    tui_settle(tui);
    return call;
}

#define SHARED "Session     shared, with answers, by all that use assent exec (:sessions)"

/* What the answers give and why one is asked stand there whole, and so does whom an answer for the
 * session reaches; for it the command goes up beside its heading, and what was before is cut. */
static void what_the_answers_give_is_cut_last(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct call *first = ask_for_push(tui, shared, "git push origin master");

    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "kept for this project (Tab: session)"));
    tui_keys(tui, "y");
    tui_advance(tui, 1000);
    tui_keys(tui, "\r");
    fake_core_start(tui->core, first, "workspace-write (network asks for each host)");
    fake_core_finish(tui->core, first, 1);
    tui_advance(tui, 6000);
    ask_for_push(tui, shared, "git push origin master");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "Again       c1 was the same"));
    assert_true(tui_shows(tui, "            all in /srv/git/r2/origin.git "));
    assert_true(tui_shows(tui, "write /srv/git/r2/origin.git "));
    assert_true(tui_shows(tui, "(inferred from what the command printed)"));
    assert_true(tui_shows(tui, SHARED));
    assert_true(tui_shows(tui, "Command     \xe2\x94\x83 git push origin master "));
    assert_true(tui_shows(tui, "a\xe2\x86\xb5 only this (session), NO sandbox "));
    assert_false(tui_shows(tui, "covers 2 of 11"));
    tui_keys(tui, "w");
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_APPROVED_PATH);
}

/* Where there is no row for it at all, the answer says it. */
static void an_answer_for_a_shared_session_says_so(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    ask_for_push(tui, shared, "git push origin master &&\ngit push origin --tags");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "git push origin --tags"));
    assert_false(tui_shows(tui, "Session "));
    assert_true(tui_shows(tui, "a\xe2\x86\xb5 this, shared session, NO sandbox "));
    tui_keys(tui, "a");
    assert_true(tui_shows(tui, "Enter confirms: only this, shared session, WITHOUT the sandbox"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_keys(tui, "l");
    tui_keys(tui, "\x1b[B"); /* what that has set is read */
    assert_true(tui_shows(tui, "For all agents, a holds ("));
}

/* A long command is scrolled before that gives way. */
static void a_long_command_leaves_the_session_its_row(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct call *call = fake_core_call(tui->core, shared, "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk");
    cleanup_wording struct wording *tried = wording_new();
    struct prompt prompt = {.may_approve_for_session = true, .first_attempt = tried};

    wording_add_words(tried, "exit status 1, in workspace-write (network asks for each host)");
    call->spec->justification = xstrdup("The others wait for it.");
    call->spec->env = strv_copy((const char *const[]){"CI=1", NULL});
    fake_core_ask_for(tui->core, call, prompt, "it is none of the commands that run unasked",
                      "workspace-write (network asks for each host)");
    tui_settle(tui);
    assert_true(tui_shows(tui, " of 11, "));
    assert_true(tui_shows(tui, SHARED));
}

/* The answer itself says how long a rule holds, and that what it allows leaves the sandbox. */
static void a_rule_says_what_it_lets_out(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "touch x");
    struct prompt prompt = {.ladder = XNEW(struct ladder), .sandbox = ATTEMPT_UNSANDBOXED};

    prompt.ladder->steps[0] =
        (struct ladder_step){.width = LADDER_ANYWHERE,
                             .words = strv_copy((const char *const[]){"touch", "x", NULL}),
                             .exact = true,
                             .bypass = true};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "p↵ allow this rule for this project, WITHOUT the sandbox"));
    tui_keys(tui, "\t");
    assert_true(
        tui_shows(tui, "p↵ allow this in any directory, for this session, WITHOUT the sandbox"));
    tui_keys(tui, "p"); /* the frame gives way before they do */
    assert_true(
        tui_shows(tui, "Enter confirms: this in any directory, session, WITHOUT the sandbox"));
}

static void a_host_says_how_long_it_is_allowed(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "curl example.org");
    struct prompt prompt = {.ladder = XNEW(struct ladder)};

    prompt.ladder->steps[0] = (struct ladder_step){
        .width = LADDER_HOST,
        .words = strv_copy((const char *const[]){"https://a.example", NULL}),
        .rules = {xstrdup("network_rule(project)"), xstrdup("network_rule()")}};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "p\xe2\x86\xb5 allow this host for this project"));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "p  allow this host for this session"));
}

/* Where that answers for the session as well, the rule is for the project. */
static void a_host_has_one_answer_for_the_session(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "curl example.org");
    struct prompt prompt = {.ladder = XNEW(struct ladder), .may_approve_for_session = true};

    prompt.ladder->steps[0] = (struct ladder_step){
        .width = LADDER_HOST,
        .words = strv_copy((const char *const[]){"https://a.example", NULL}),
        .rules = {xstrdup("network_rule(project)"), xstrdup("network_rule()")}};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "a  allow exactly this, in this directory, for this session"));
    assert_true(tui_shows(tui, "p\xe2\x86\xb5 allow this host for this project"));
    assert_false(tui_shows(tui, "(Tab)"));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "p\xe2\x86\xb5 allow this host for this project"));
    assert_true(tui_shows(tui, "For this session alone, press a."));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(leaving_the_sandbox_for_longer_takes_two_keys),
        TEST(a_host_that_is_kept_takes_enter),
        TEST(a_wide_rule_takes_enter),
        TEST(a_run_without_the_sandbox_that_stopped_it_takes_enter),
        TEST(leaving_at_more_than_low_risk_takes_enter),
        TEST(what_an_agent_does_itself_takes_enter_where_it_is_grave),
        TEST(high_risk_takes_enter),
        TEST(keeping_what_is_grave_inside_takes_enter),
        TEST(what_confirms_comes_behind_a_look),
        TEST(what_was_taken_back_is_not_under_enter),
        TEST(high_risk_is_denied_by_one_key),
        TEST(text_that_cannot_be_shown_takes_enter),
        TEST(another_size_takes_the_mark_back),
        TEST(any_other_key_goes_back),
        TEST(a_confirmation_lapses),
        TEST(all_of_a_long_command_must_be_seen),
        TEST(all_of_a_long_patch_must_be_seen),
        TEST(permissions_are_given_for_the_session_anyway),
        TEST(a_file_run_outside_the_sandbox_is_read_first),
        TEST(what_the_sandbox_holds_may_be_run_unread),
        TEST(a_file_is_not_run_from_the_list),
        TEST(the_end_may_be_seen_in_the_full_view),
        TEST(what_else_would_run_must_be_seen),
        TEST(what_else_would_run_is_not_judged_all_the_time),
        TEST(a_rule_is_chosen_by_its_width),
        TEST(a_long_rule_is_read_to_its_end),
        TEST(a_long_path_is_read_to_its_end),
        TEST(what_the_answers_give_is_cut_last),
        TEST(an_answer_for_a_shared_session_says_so),
        TEST(a_long_command_leaves_the_session_its_row),
        TEST(a_rule_says_what_it_lets_out),
        TEST(a_host_says_how_long_it_is_allowed),
        TEST(a_host_has_one_answer_for_the_session),
    };

    return cmocka_run_group_tests_name("approval confirm", tests, NULL, NULL);
}
