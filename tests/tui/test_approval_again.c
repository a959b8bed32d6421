/* SPDX-License-Identifier: MIT */
/* A request that has gone, and one that is asked again: what is said of it, and what a key that was
 * meant for it does. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/sha256.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/decision_text.h"

/* A request that has gone leaves the keys of its answer to the prompt line. */
static void an_answer_is_no_program(void **state)
{
    static const char *const lines[] = {"y\r", "d\r", "x\r", "w\r", "i\r", "W\r", "Y\r", "y \r"};
    struct tui *tui = *state;

    tui_keys(tui, "\r");
    assert_false(tui_shows(tui, "is an answer"));
    for (size_t i = 0; i < COUNT(lines); i++) {
        tui_keys(tui, lines[i]);
        assert_true(tui_shows(tui, "is an answer, and was not run: no request waits"));
        assert_null(orchestrator_find_call(tui->core, 1));
    }
    tui_advance(tui, 6000); /* that is read */
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 2000);
    tui_keys(tui, "y\r");
    assert_true(tui_shows(tui, "shows the request that waits"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* Nor is a key that was pressed twice; but what is a program runs. */
static void a_few_letters_of_answers_are_no_program(void **state)
{
    static const char *const lines[] = {"yy\r", "dy\r", "YYY\r", "yy \r"};
    static const char *const programs[] = {"dd\r", "pwd\r", "yyyy\r", "yy x\r"};
    struct tui *tui = *state;

    for (size_t i = 0; i < COUNT(lines); i++) {
        tui_keys(tui, lines[i]);
        assert_true(tui_shows(tui, "is an answer, and was not run: no request waits"));
        assert_null(orchestrator_find_call(tui->core, 1));
    }
    for (size_t i = 0; i < COUNT(programs); i++) {
        tui_keys(tui, programs[i]);
        assert_non_null(orchestrator_find_call(tui->core, i + 1));
    }
}

/* What closes a pager or a view is not run where there is none. */
static void a_lone_q_is_no_program(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "q \r");
    assert_true(tui_shows(tui, "\"q\" is no program, and was not run: :quit ends the console"));
    assert_null(orchestrator_find_call(tui->core, 1));
    tui_keys(tui, "q x\r");
    assert_non_null(orchestrator_find_call(tui->core, 1));
}

static void a_request_taken_back_closes(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "n");
    tui_keys(tui, "half a mess");
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    assert_false(tui_shows(tui, "May it run"));
    assert_false(tui_shows(tui, "half a mess"));
    assert_true(tui_shows(tui, "client gone"));
    tui_keys(tui, "\r");
    tui_no_decision(tui);
}

/* A message half typed when its request goes away must not be run as a command. */
static void keys_for_a_request_that_is_gone_are_swallowed(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "n");
    tui_keys(tui, "do not");
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    for (const char *key = "reboot"; *key != '\0'; key++) {
        tui_advance(tui, 200);
        tui_keys(tui, (char[]){*key, '\0'});
    }
    tui_advance(tui, 200);
    tui_keys(tui, "\r");
    assert_false(tui_shows(tui, "boot"));
    tui_wait_guard(tui);
    tui_keys(tui, "uptime");
    assert_true(tui_shows(tui, "> uptime"));
}

/* The core takes a decision up in its next turn; until then the prompt is still there. */
static void an_answered_request_does_not_come_back(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    assert_int_equal(write(tui->master, "y", 1), 1);
    while (fake_core_decisions(tui->core) == 0)
        loop_step(tui->loop, 100);
    assert_int_equal(orchestrator_waiting_count(tui->core), 1);
    assert_null(tui->console->overlay);
    tui_settle(tui);
    assert_int_equal(orchestrator_waiting_count(tui->core), 0);
    assert_null(tui->console->overlay);
}

/* As when its script has changed since: whoever allowed it must not think that it ran. */
static void what_did_not_start_is_not_just_allowed(void **state)
{
    struct tui *tui = *state;
    struct call *call;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "y");
    call = orchestrator_call_at(tui->core, 0);
    call->state = CALL_FINISHED;
    call->failure = xstrdup("deploy.sh: submit it again");
    tui_request_inside(tui, "make docs", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 was allowed, but not started. This is c2"));
}

/* … also where the answer was to one that is not found by when it was asked. */
static void what_is_covered_meanwhile_says_why_it_asks(void **state)
{
    static const char *const keys[] = {"make install", NULL};
    struct tui *tui = *state;
    struct call *call, *other = tui_running(tui, "make install", false);

    other->decision =
        (struct review_decision){.kind = REVIEW_APPROVED_FOR_SESSION, .source = DECIDED_BY_USER};
    fake_core_finish(tui->core, other, 0);
    grants_add(tui->agent->grants, keys, "make install", other->id, NULL);
    call = tui_request_inside(tui, "make install", RISK_HIGH);
    call->keys = strv_copy(keys);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 was the same: allowed for this session"));
    assert_true(tui_shows(tui, "This waited already: what"));
    tui_wait_next(tui);
    tui_keys(tui, "a");
    assert_true(tui_shows(tui, "; later runs go unasked"));
}

static void what_was_stopped_is_not_said_to_be_denied(void **state)
{
    struct tui *tui = *state;
    struct call *call;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "y");
    call = orchestrator_call_at(tui->core, 0);
    call->state = CALL_FINISHED;
    call->cancelled = true;
    call->decision.kind = REVIEW_DENIED;
    tui_request_inside(tui, "make docs", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 was stopped. This is c2"));
}

/* What :undo has taken back is not said to be there. */
static void a_rule_that_is_gone_is_said_to_be(void **state)
{
    struct tui *tui = *state;
    struct call *call;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "y");
    call = orchestrator_call_at(tui->core, 0);
    call->decision.kind = REVIEW_APPROVED_AMENDMENT;
    call->decision.rule_lasts = false;
    call->decision.rule = xstrdup("prefix_rule(pattern=[\"make\"], decision=\"allow\")");
    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 was the same: allowed, and a rule made of it, since taken"));
}

/* Nor one that was for the session: why one is asked again is said. */
static void an_answer_that_was_taken_back_says_so(void **state)
{
    static const char *const keys[] = {"make install", NULL};
    struct tui *tui = *state;
    struct call *call;
    cleanup_free char *words = NULL;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "a");
    call = orchestrator_call_at(tui->core, 0);
    call->decision.grant_id = grants_add(tui->agent->grants, keys, "make install", call->id, NULL);
    words = decision_text_what(call);
    assert_string_equal(words, "allowed for this session");
    assert_true(orchestrator_revoke(tui->core, tui->agent, call->decision.grant_id));
    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 was the same: allowed for this session (since taken back)"));
    free(words);
    call->decision.kind = REVIEW_APPROVED_PATH_FOR_SESSION;
    call->decision.path = xstrdup("/srv/git/origin.git");
    words = decision_text_what(call);
    assert_string_equal(words, "allowed for this session (since taken back), in the sandbox, "
                               "writing /srv/git/origin.git");
}

/* What is grave and waited with it needs its own answer, and says why. */
static void what_waited_with_an_answer_says_why_it_asks(void **state)
{
    static const char *const keys[] = {"make install", NULL};
    struct tui *tui = *state;
    struct call *second;

    tui_ready_request(tui, RISK_HIGH);
    grants_add(tui->agent->grants, keys, "make install", 1, NULL);
    second = tui_request_inside(tui, "make install", RISK_HIGH);
    second->keys = strv_copy(keys);
    tui_keys(tui, "a");
    tui_wait_next(tui);
    tui_keys(tui, "\r");
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 was the same: allowed for this session"));
    assert_true(tui_shows(tui, "needs a yes of its own"));
}

static void a_denial_that_was_taken_back_says_so(void **state)
{
    struct tui *tui = *state;
    struct call *call;
    cleanup_free char *standing = NULL;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "d");
    call = orchestrator_call_at(tui->core, 0);
    call->state = CALL_FINISHED;
    orchestrator_forget_denial(tui->core, call);
    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 was the same: denied (since taken back)"));
    standing = call_text_standing(call).words;
    assert_string_equal(standing, "denied, taken back");
}

/* The same command a second time is not taken for the first: it says so, and has a guard. */
static void what_is_asked_again_says_so(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    assert_false(tui_shows(tui, "Again"));
    tui_keys(tui, "y");
    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    tui_keys(tui, "y"); /* meant for the first */
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "c2 asks. May it run?"));
    assert_true(tui_shows(tui, "c1 was allowed. This is c2"));
    assert_true(tui_shows(tui, "Again       c1 was the same: allowed once"));
    tui_wait_next(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    tui_advance(tui, 6000);
    tui_ready_request(tui, RISK_LOW);
    assert_false(tui_shows(tui, ": allowed, this is"));
    assert_true(tui_shows(tui, "Again       2 were the same, the last c2: allowed once"));
}

/* What was denied by itself is in the command; it is not cut for what tells less. */
static void a_part_that_was_denied_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "make test && git status");

    fake_core_ask_for(tui->core, call,
                      (struct prompt){.denied = (char *)"make test (c82)",
                                      .once_reason = "you denied a part of it"},
                      "Asked.", "workspace-write");
    tui_settle(tui);
    assert_true(tui_shows(tui, "Again       you denied for this session: make test (c82)"));
    assert_true(tui_shows(tui, "no a, no p: you denied a part of it"));
}

static void expect_again(struct tui *tui, const char *words)
{
    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, words));
    tui_wait_next(tui);
    tui_keys(tui, "v");
    tui_keys(tui, "/Again\r");
    assert_true(tui_shows(tui, words));
    tui_keys(tui, "q");
    tui_advance(tui, 6000);
    tui_keys(tui, "y");
    tui_advance(tui, 6000);
}

/* A yes that failed is not taken for one that was ignored: what came of it is said with it. */
static void what_is_asked_again_says_what_came_of_it(void **state)
{
    struct tui *tui = *state;
    struct call *call;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "y");
    call = orchestrator_call_at(tui->core, 0);
    call->reach = XNEW(struct reach); /* as a connection has it */
    *call->reach = (struct reach){.host = xstrdup("pypi.example"),
                                  .protocol = "https",
                                  .command_line = xstrdup("pip install x"),
                                  .unreached = xstrdup("502")};
    expect_again(tui, "c1 was the same: allowed once, but not reached: 502");
    call = orchestrator_call_at(tui->core, 1);
    fake_core_start(tui->core, call, "workspace-write");
    fake_core_finish(tui->core, call, 1);
    expect_again(tui, "2 were the same, the last c2: allowed once, and ran: exit 1");
    call = orchestrator_call_at(tui->core, 2);
    call->state = CALL_FINISHED;
    call->failure = xstrdup("its script has changed");
    expect_again(tui, "3 were the same, the last c3: allowed once, but not started");
}

/* As the record of the console before tells, until it is asked again here. */
static void what_was_denied_before_a_resume_says_so(void **state)
{
    struct tui *tui = *state;

    fake_core_denied_before(tui->core, 20);
    tui_ready_request(tui, RISK_LOW);
    assert_true(tui_shows(tui, "Again "));
    assert_true(tui_shows(tui, "c20, in the console before, asked the same: denied"));
    tui_keys(tui, "y");
    expect_again(tui, "c1 was the same: allowed once");
}

static struct call *ask_for_name(struct tui *tui, const char *addresses)
{
    struct call *call = fake_core_call(tui->core, tui->agent, "network-access https://x.example");

    call->tool = CALL_NETWORK;
    call->reach = XNEW(struct reach);
    *call->reach = (struct reach){.host = xstrdup("x.example"),
                                  .protocol = "https",
                                  .port = 443,
                                  .special = addresses != NULL ? "private" : NULL,
                                  .addresses = addresses != NULL ? xstrdup(addresses) : NULL,
                                  .command_line = xstrdup("pip install x"),
                                  .waiting = 1};
    fake_core_ask_for(tui->core, call, (struct prompt){.may_approve_for_session = true}, "Asked.",
                      "workspace-write");
    tui_advance(tui, 6000);
    return call;
}

/* A rule that was just made has not failed: the name led to where no rule for a name does. */
static void why_a_rule_does_not_cover_an_address_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_for_name(tui, NULL);

    tui_keys(tui, "a");
    tui_advance(tui, 6000);
    call->decision.kind = REVIEW_APPROVED_AMENDMENT;
    call = ask_for_name(tui, "10.0.0.1");
    assert_true(
        tui_shows(tui, "Again       c1: you allowed the name by a rule, which holds; no rule"));
    assert_true(tui_shows(tui, "covers an address that is not public"));
    assert_false(tui_shows(tui, "was the same"));
    tui_keys(tui, "y");
    tui_advance(tui, 6000);
    ask_for_name(tui, "10.0.0.1");
    assert_true(tui_shows(tui, "2 were the same, the last c2: allowed once"));
}

static struct call *ask_for_patch(struct tui *tui, const char *patch)
{
    struct call *call = tui_request_inside(tui, "apply_patch a.txt", RISK_LOW);

    call->tool = CALL_APPLY_PATCH;
    call->patch = xstrdup(patch);
    call->spec->standard_input = STDIN_PIPE; /* by which its program gets it */
    fake_core_raise(tui->core, call, RISK_LOW);
    tui_wait_guard(tui);
    return call;
}

/* For the session its files are allowed, whatever is changed in them: not this patch alone. */
static void a_patch_is_allowed_by_its_files(void **state)
{
    struct tui *tui = *state;

    ask_for_patch(tui, "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n");
    assert_true(tui_shows(tui, "a  these files for this session"));
    assert_false(tui_shows(tui, "allow exactly this"));
}

/* A patch is its own input, and of one that is over perhaps only the begin is kept. */
static void a_patch_that_is_asked_again_says_so(void **state)
{
    static const char patch[] = "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n";
    struct tui *tui = *state;
    struct call *call = ask_for_patch(tui, patch);
    size_t kept = 16;

    tui_keys(tui, "y");
    tui_advance(tui, 6000);
    ask_for_patch(tui, patch);
    assert_true(tui_shows(tui, "Again       c1 was the same: allowed once"));
    tui_keys(tui, "y");
    tui_advance(tui, 6000);
    sha256_of(patch, strlen(patch), call->patch_hash);
    call->patch[kept] = '\0';
    call->patch_left_out = strlen(patch) - kept;
    ask_for_patch(tui, patch);
    assert_true(tui_shows(tui, "Again       2 were the same, the last c2: allowed once"));
    tui_keys(tui, "y");
    tui_advance(tui, 6000);
    ask_for_patch(tui, "*** Begin Patch\n*** Delete File: b.txt\n*** End Patch\n");
    assert_false(tui_shows(tui, "the same"));
}

static void ask_to_make(struct tui *tui, struct call *call, const char *under, bool retry)
{
    const struct prompt prompt = {.retry = retry};

    fake_core_ask_for(tui->core, call, prompt, "Asked.", under);
    tui_settle(tui);
    tui_advance(tui, 2000); /* it is read */
}

/* The same words with other rights, other input or another sandbox are another question. */
static void what_only_looks_the_same_is_not_again(void **state)
{
    static char root[] = "/srv", *roots[] = {root, NULL};
    const struct additional_permissions more = {.writable = roots};
    struct tui *tui = *state;
    struct call *calls[6];

    for (size_t i = 0; i < 6; i++)
        calls[i] = fake_core_call(tui->core, tui->agent, "make");
    calls[1]->spec->additional = additional_permissions_copy(&more);
    free(calls[2]->spec->cwd);
    calls[2]->spec->cwd = xstrdup("/srv/other");
    calls[3]->spec->standard_input = STDIN_PIPE;
    for (size_t i = 0; i < 6; i++) {
        ask_to_make(tui, calls[i], i == 4 ? "read-only" : "workspace-write", i == 5);
        assert_false(tui_shows(tui, "Again"));
        tui_keys(tui, "y");
        tui_settle(tui);
    }
    ask_to_make(tui, fake_core_call(tui->core, tui->agent, "make"), "workspace-write", false);
    assert_true(tui_shows(tui, "Again       c1 was the same: allowed once"));
}

/* What asks to leave the sandbox can be kept in it: what came of that before is said. */
static void that_it_failed_in_the_sandbox_is_said(void **state)
{
    const struct prompt prompt = {.sandbox = ATTEMPT_UNSANDBOXED, .may_sandbox = true};
    struct tui *tui = *state;
    struct call *before = fake_core_call(tui->core, tui->agent, "git push near | tail");
    struct call *call = fake_core_call(tui->core, tui->agent, "git push near | tail");

    fake_core_start(tui->core, before, "workspace-write");
    before->attempts[0].push_stopped = xstrdup("/srv/b.git");
    fake_core_finish(tui->core, before, 0);
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    assert_true(tui_shows(tui, "Again      c1 was the same: the sandbox may have stopped it"));
    assert_false(tui_shows(tui, "; then: "));
    before->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_CACHE};
    call->prompt->revision++;
    tui_settle(tui);
    assert_true(tui_shows(tui, "may have stopped it; then: ran,"));
    free(before->spec->cwd);
    before->spec->cwd = xstrdup("/srv/other");
    call->prompt->revision++;
    tui_settle(tui);
    assert_false(tui_shows(tui, "Again "));
    free(steal_pointer(&before->attempts[0].push_stopped));
}

/* So that nobody allows what needs no more than that. */
static void what_holds_in_the_sandbox_is_told(void **state)
{
    struct tui *tui = *state;
    char *paths[] = {(char[]){"/srv/git/of/all/the/years/calc.git"}, NULL, NULL};
    struct additional_permissions held = {.writable = paths};
    const struct prompt prompt = {
        .sandbox = ATTEMPT_UNSANDBOXED, .may_sandbox = true, .held = &held, .held_call = 30};

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "git push far"), &prompt);
    tui_settle(tui);
    assert_true(tui_shows(tui, "Again      your answer to c30 holds: with i it may write"));
    assert_true(tui_shows(tui, "           /srv"));
    assert_true(tui_shows(tui, "/calc.git "));
    tui_keys(tui, "v");
    tui_resize(tui, 60, 120);
    assert_true(tui_says(tui, "also write /srv/git/of/all/the/years/calc.git"));
}

#define NOT_TAKEN "Not taken: c1 has ended, this request is new. Read it first; F7 freezes all."

/* The answer falls between the end of the one and the beginning of the other: what was set for the
 * one before stays, and must not be read as that answer. */
static void a_key_between_the_two_is_said_not_to_be_taken(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "l");
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    tui_keys(tui, "a");
    tui_no_decision(tui);
    tui_advance(tui, 1000);
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    assert_true(tui_shows(tui, NOT_TAKEN));
    assert_false(tui_shows(tui, "stays"));
}

/* Who stopped it said neither yes nor no. */
static void one_that_was_stopped_was_not_denied(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    orchestrator_cancel(tui->core, call, CANCELLED_BY_OPERATOR, STOPPED_BY_OPERATOR);
    call->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "Again       c1 was the same: stopped by you"));
}

/* … nor when that was its second try. */
static void one_that_was_stopped_at_its_second_try_is_the_same(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "make");

    fake_core_start(tui->core, call, "workspace-write");
    ask_to_make(tui, call, "workspace-write", true);
    orchestrator_cancel(tui->core, call, CANCELLED_BY_OPERATOR, STOPPED_BY_OPERATOR);
    call->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    ask_to_make(tui, fake_core_call(tui->core, tui->agent, "make"), "workspace-write", true);
    assert_true(tui_shows(tui, "Again       c1 was the same: ran, second try stopped by you"));
}

/* Allowed, stopped by the sandbox, and asks about its second try. */
static struct call *ask_twice(struct tui *tui)
{
    struct call *call = fake_core_call(tui->core, tui->agent, "make");

    ask_to_make(tui, call, "workspace-write", false);
    tui_wait_next(tui);
    tui_keys(tui, "y");
    fake_core_start(tui->core, call, "workspace-write");
    ask_to_make(tui, call, "workspace-write", true);
    return call;
}

/* What came of it in the end is said where it begins anew. */
static void one_that_came_to_a_second_try_is_the_same_at_its_first(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_twice(tui);

    orchestrator_cancel(tui->core, call, CANCELLED_BY_OPERATOR, STOPPED_BY_OPERATOR);
    call->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    tui_advance(tui, 6000);
    call = ask_twice(tui);
    assert_true(tui_shows(tui, "kov: c2 was stopped by the sandbox"));
    assert_false(tui_shows(tui, "2 were the same"));
    tui_wait_next(tui);
    tui_keys(tui, "d");
    call->state = CALL_FINISHED;
    tui_advance(tui, 6000);
    ask_to_make(tui, fake_core_call(tui->core, tui->agent, "make"), "workspace-write", false);
    assert_true(tui_shows(tui, "Again       2 were the same, the last c2: ran, second try denied"));
}

static void one_that_was_stopped_at_its_second_try_says_so_at_the_first(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_twice(tui);

    orchestrator_cancel(tui->core, call, CANCELLED_BY_OPERATOR, STOPPED_BY_OPERATOR);
    call->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    tui_advance(tui, 6000);
    ask_to_make(tui, fake_core_call(tui->core, tui->agent, "make"), "workspace-write", false);
    assert_true(tui_shows(tui, "Again       c1 was the same: ran, second try stopped by you"));
}

/* "Later" to a second try is none to the first question. */
static void a_second_try_that_was_put_off_does_not_put_off_a_first(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_twice(tui);

    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 2000);
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 6000);
    ask_to_make(tui, fake_core_call(tui->core, tui->agent, "make"), "workspace-write", false);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
}

/* Put aside, it waits: that it was allowed before it was stopped would read as if it were still. */
static void one_that_asks_again_is_no_longer_told_as_allowed(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_settle(tui);
    assert_true(tui_shows(tui, "allowed once, by you: make"));
    fake_core_start(tui->core, call, "workspace-write");
    ask_to_make(tui, call, "workspace-write", true);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    assert_true(tui_shows(tui, "c1 is put aside"));
    assert_false(tui_shows(tui, "allowed once"));
}

/* One that takes the place of another which went away as the operator was about to answer. */
static void one_in_the_place_of_one_that_is_gone_says_so(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "c1 has ended. This is c2"));
    assert_true(tui_shows(tui, "Again       c1 was the same: ended unanswered"));
    assert_true(tui_shows(tui, NOT_TAKEN));
    for (int i = 0; i < 10; i++) /* however late: it was meant for the other one */
        tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, NOT_TAKEN));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->prompt, 2);
}

/* The same request comes back as another question: none of it has ended. */
static void one_in_another_form_has_not_ended(void **state)
{
    const struct prompt other = {.retry = true};
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_next(tui);
    prompt_free(&call->prompt);
    tui_settle(tui);
    assert_false(tui_shows(tui, "c1 asks"));
    fake_core_ask_for(tui->core, call, other, "Asked.", "workspace-write");
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "This request has just changed: look again."));
    assert_false(tui_shows(tui, "has ended"));
}

static void put_aside(struct tui *tui)
{
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
}

/* Whoever has said "later" is not asked just that again when its program tries once more. */
static void what_was_put_off_and_withdrawn_is_put_off_again(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_MEDIUM);

    put_aside(tui);
    for (int i = 0; i < 2; i++) {
        fake_core_withdraw(tui->core, call);
        tui_settle(tui);
        call = tui_request_inside(tui, "make", RISK_MEDIUM);
        tui_settle(tui);
        assert_false(tui_shows(tui, "asks. May it run"));
        assert_true(tui_shows(tui, i == 0 ? "c2 asks the same as c1 and is put aside, too; F2"
                                          : "c3 asks the same as c2 and is put aside, too; F2"));
        assert_true(tui_shows(tui, "1 waiting: F2"));
    }
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    call = tui_request_inside(tui, "make", RISK_HIGH);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c4 asks. May it run")); /* of more risk: another request */
    assert_false(tui_shows(tui, "Again"));
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 2000);
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c5 asks. May it run")); /* so is one of less */
    assert_false(tui_shows(tui, "Again"));
    tui_no_decision(tui);
}

/* Raised by a model, the one before was seen as worse than this one is yet. */
static void what_a_model_has_raised_is_put_off_again(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_MEDIUM);
    const struct opinion worse = {
        .status = OPINION_SUCCESS, .level = RISK_HIGH, .description = "It publishes."};

    tui_settle(tui);
    fake_core_opinion(tui->core, call, &worse);
    put_aside(tui);
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    tui_request_inside(tui, "make", RISK_MEDIUM);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2 asks the same as c1 and is put aside, too; F2"));
    tui_no_decision(tui);
}

/* Whoever types a command at a request has not said that. */
static void what_a_line_was_typed_over_is_not_put_off(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_MEDIUM);

    tui_settle(tui);
    tui_wait_guard(tui);
    tui_presses(tui, ":und");
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    tui_request_inside(tui, "make", RISK_MEDIUM);
    tui_settle(tui);
    assert_false(tui_shows(tui, "May it run"));
    assert_false(tui_shows(tui, "is put aside, too"));
    tui_presses(tui, "o\r");
    tui_advance(tui, 6000);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    tui_no_decision(tui);
}

/* Its program waits for a while only, and asks for just that again. */
static struct call *ask_anew(struct tui *tui, struct call *call, const char *line)
{
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 2000);
    call = tui_request_inside(tui, line, RISK_LOW);
    for (int i = 0; i < 10; i++)
        tui_wait_guard(tui);
    return call;
}

/* Slow hands write on, and nothing is denied by what they have written for the one before. */
static void a_reason_half_written_is_there_for_the_same_again(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_wait_guard(tui);
    tui_keys(tui, "n");
    tui_keys(tui, "not befo");
    for (int i = 0; i < 2; i++) {
        call = ask_anew(tui, call, "make");
        assert_true(tui_shows(tui, "asks. May it run"));
        assert_true(tui_shows(tui, "What you had written before c"));
        tui_no_decision(tui);
    }
    tui_keys(tui, "n"); /* too early for any answer */
    tui_wait_guard(tui);
    tui_keys(tui, "n");
    assert_true(tui_shows(tui, "not befo"));
    tui_keys(tui, "re the tests");
    tui_keys(tui, "\r");
    assert_string_equal(tui_decision(tui)->message, "not before the tests");
    assert_int_equal(tui_decision(tui)->prompt, 3);
}

static void a_reason_is_for_the_same_alone(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_wait_guard(tui);
    tui_keys(tui, "n");
    tui_keys(tui, "not befo");
    ask_anew(tui, call, "make all");
    assert_true(tui_shows(tui, "asks. May it run"));
    assert_false(tui_shows(tui, "What you had written"));
}

/* How bad it is, or what tells that, or what asks for it has changed: it is another request. */
static void change_assessment(struct call *call, int what)
{
    if (what == 0)
        call->assessment.level = RISK_MEDIUM;
    else if (what == 1)
        call->assessment.categories |= RISK_DATA_DELETION;
    else if (what == 2)
        snprintf(call->assessment.description, sizeof(call->assessment.description),
                 "Deletes 13 files.");
    else if (what == 3)
        call->assessment.evidence[call->assessment.evidence_count++] =
            (struct risk_evidence){.start = 0, .end = 4, .why = "runs what others wrote"};
    else
        call->assessment.loss = "what git does not have";
}

#define ASSESSMENT_CHANGES 5

static struct call *ask_changed(struct tui *tui, struct call *call, const char *line, int what)
{
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 2000);
    call = fake_core_call(tui->core, tui->agent, line);
    change_assessment(call, what);
    fake_core_ask_for(tui->core, call, (struct prompt){.may_approve_for_session = true},
                      "The policy is to ask.", "workspace-write (network off)");
    for (int i = 0; i < 10; i++)
        tui_wait_guard(tui);
    assert_true(tui_shows(tui, "asks. May it run"));
    return call;
}

static struct call *ask_plainly(struct tui *tui, const char *line)
{
    struct call *call = fake_core_call(tui->core, tui->agent, line);

    fake_core_ask_for(tui->core, call, (struct prompt){.may_approve_for_session = true},
                      "The policy is to ask.", "workspace-write (network off)");
    tui_wait_guard(tui);
    return call;
}

static void a_reason_is_not_for_another_risk(void **state)
{
    struct tui *tui = *state;

    for (int what = 0; what < ASSESSMENT_CHANGES; what++) {
        struct call *call = ask_plainly(tui, "make");

        tui_keys(tui, "n");
        tui_keys(tui, "not befo");
        call = ask_changed(tui, call, "make", what);
        assert_false(tui_shows(tui, "What you had written"));
        assert_false(tui_shows(tui, "c1 was the same"));
        tui_keys(tui, "n");
        assert_false(tui_shows(tui, "not befo"));
        tui_keys(tui, "\x1b");
        fake_core_withdraw(tui->core, call);
        tui_advance(tui, 7000);
    }
    tui_no_decision(tui);
}

#define LONG_SCRIPT "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20"

/* What was read of a long command is read of the same command, and is in view again. */
static void reading_goes_on_where_the_same_is_asked_again(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, LONG_SCRIPT, RISK_LOW);

    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "lines 1 to "));
    tui_keys(tui, "\x1b[6~"); /* PgDn */
    assert_false(tui_shows(tui, "lines 1 to "));
    ask_anew(tui, call, LONG_SCRIPT);
    assert_false(tui_shows(tui, "lines 1 to "));
    assert_false(tui_shows(tui, "unread from"));
    tui_presses(tui, "\x1b[6~\x1b[6~\x1b[6~");
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->prompt, 2);
}

/* What is read was read as something of another risk. */
static void reading_begins_anew_at_another_risk(void **state)
{
    struct tui *tui = *state;

    for (int what = 0; what < ASSESSMENT_CHANGES; what++) {
        struct call *call = ask_plainly(tui, LONG_SCRIPT);

        tui_keys(tui, "\x1b[6~"); /* PgDn */
        assert_false(tui_shows(tui, "lines 1 to "));
        call = ask_changed(tui, call, LONG_SCRIPT, what);
        assert_true(tui_shows(tui, "lines 1 to "));
        fake_core_withdraw(tui->core, call);
        tui_advance(tui, 7000);
    }
    tui_no_decision(tui);
}

/* What of the one before is said to have been blocked is not what this one is asked about for. */
static void reading_begins_anew_for_another_reason(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_plainly(tui, LONG_SCRIPT);

    tui_keys(tui, "\x1b[6~");
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 2000);
    fake_core_ask_for(tui->core, fake_core_call(tui->core, tui->agent, LONG_SCRIPT),
                      (struct prompt){.may_approve_for_session = true}, "A rule says so.",
                      "workspace-write (network off)");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "lines 1 to "));
    assert_false(tui_shows(tui, "Again"));
}

#define LONGER_SCRIPT LONG_SCRIPT "\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30"

/* Whoever reads all of it reads on when it ends; the next one waits until that is closed, and what
 * is pressed then was meant for the one before. */
static void what_is_read_of_a_request_outlives_it(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, LONGER_SCRIPT, RISK_LOW);

    tui_wait_guard(tui);
    tui_keys(tui, "v");
    tui_keys(tui, "j");
    assert_true(tui_shows(tui, " lines 2 to "));
    ask_anew(tui, call, LONGER_SCRIPT);
    assert_true(tui_shows(tui, "everything about c1"));
    assert_true(tui_shows(tui, " lines 2 to "));
    assert_true(tui_shows(tui, " Esc closes: 1 request waits  c1 has ended "));
    tui_keys(tui, "\x1b[F"); /* End: that is no look at the next one */
    tui_advance(tui, 60000);
    tui_keys(tui, "q");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "c2 asks. May it run?"));
    assert_true(tui_shows(tui, "c1 has ended. This is c2"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, NOT_TAKEN));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
}

/* Also over the list, where what is pressed next was meant for that request, too. */
static void what_is_read_over_the_list_outlives_its_request(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_wait_guard(tui);
    tui_request_inside(tui, "make docs", RISK_LOW);
    tui_keys(tui, "\x1b[20~"); /* F9 */
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    tui_keys(tui, "v");
    fake_core_withdraw(tui->core, call);
    tui_advance(tui, 7000);
    assert_true(tui_shows(tui, "everything about c1"));
    assert_true(tui_shows(tui, " c1 has ended "));
    tui_keys(tui, "q");
    tui_advance(tui, 7000);
    assert_true(tui_shows(tui, "closed by itself: this is the list, look again"));
    tui_keys(tui, "y");
    tui_no_decision(tui);
}

/* That is for just that one, and until the operator comes back to it. */
static void what_is_not_just_that_comes_up(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    put_aside(tui);
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    tui_request_inside(tui, "make all", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    put_aside(tui);
    call = tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c3 asks the same as c1"));
    tui_keys(tui, "\x1bOQ"); /* F2 */
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    put_aside(tui);
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c4 asks. May it run"));
}

/* Whose doing it was that a request for a host ended. */
static void the_program_that_stopped_waiting_is_named(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    call->reach = XNEW(struct reach);
    *call->reach = (struct reach){.host = xstrdup("pypi.example"),
                                  .protocol = "https",
                                  .command_line = xstrdup("pip install x")};
    put_aside(tui);
    fake_core_withdraw(tui->core, call);
    free(call->failure);
    call->failure = xstrdup("the program stopped waiting");
    console_dirty(tui->console, DIRTY_LAYOUT);
    tui_settle(tui);
    assert_true(tui_shows(tui, "codex the program stopped waiting"));
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 was the same: ended unanswered: the program stopped"));
}

/* It says that it has ended, and a key that was on its way to it does nothing, and says so. */
static void a_key_for_a_request_that_is_gone_is_dropped(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 ended before you answered: client gone"));
    tui_keys(tui, "a");
    assert_true(tui_shows(tui, "What you typed right after the last request was dropped."));
    assert_true(tui_shows(tui, "c1 ended before you answered: client gone"));
    assert_string_equal(line_editor_text(tui->console->prompt), "");
    tui_advance(tui, 20000);
    assert_true(tui_shows(tui, "c1 ended before you answered: client gone"));
    tui_keys(tui, "uptime");
    assert_string_equal(line_editor_text(tui->console->prompt), "uptime");
}

/* Who answers requests that are not there any more types no command, however long they go on. */
static void answers_without_a_request_are_no_command(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "y");
    for (const char *key = "nnoyad"; *key != '\0'; key++) {
        tui_advance(tui, 150);
        tui_keys(tui, (char[]){*key, '\0'});
        assert_string_equal(line_editor_text(tui->console->prompt), "");
    }
    assert_true(tui_shows(tui, "What you typed right after the last request was dropped."));
    tui_advance(tui, 150);
    tui_keys(tui, "\r");
    assert_null(orchestrator_find_call(tui->core, 2));
    assert_int_equal(tui_decision(tui)->prompt, 1);
    tui_wait_guard(tui);
    tui_keys(tui, "uptime");
    assert_string_equal(line_editor_text(tui->console->prompt), "uptime");
}

/* Who has put a request aside knows where keys go; and a key that types nothing is none of them. */
static void what_is_meant_for_elsewhere_is_not_dropped(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_keys(tui, "ls");
    assert_string_equal(line_editor_text(tui->console->prompt), "ls");
    tui_keys(tui, "\x15");   /* Ctrl-U */
    tui_keys(tui, "\x1bOQ"); /* F2 */
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_keys(tui, "\x1bOP"); /* F1 */
    assert_true(tui_shows(tui, "Help"));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(an_answer_is_no_program),
        TEST(a_few_letters_of_answers_are_no_program),
        TEST(a_lone_q_is_no_program),
        TEST(a_request_taken_back_closes),
        TEST(keys_for_a_request_that_is_gone_are_swallowed),
        TEST(an_answered_request_does_not_come_back),
        TEST(what_did_not_start_is_not_just_allowed),
        TEST(a_rule_that_is_gone_is_said_to_be),
        TEST(a_part_that_was_denied_is_said),
        TEST(what_is_asked_again_says_so),
        TEST(an_answer_that_was_taken_back_says_so),
        TEST(what_waited_with_an_answer_says_why_it_asks),
        TEST(what_is_covered_meanwhile_says_why_it_asks),
        TEST(what_was_stopped_is_not_said_to_be_denied),
        TEST(a_denial_that_was_taken_back_says_so),
        TEST(what_was_denied_before_a_resume_says_so),
        TEST(what_is_asked_again_says_what_came_of_it),
        TEST(a_reason_half_written_is_there_for_the_same_again),
        TEST(a_reason_is_for_the_same_alone),
        TEST(what_a_model_has_raised_is_put_off_again),
        TEST(a_reason_is_not_for_another_risk),
        TEST(reading_begins_anew_at_another_risk),
        TEST(reading_begins_anew_for_another_reason),
        TEST(reading_goes_on_where_the_same_is_asked_again),
        TEST(what_is_read_of_a_request_outlives_it),
        TEST(what_is_read_over_the_list_outlives_its_request),
        TEST(what_was_put_off_and_withdrawn_is_put_off_again),
        TEST(what_a_line_was_typed_over_is_not_put_off),
        TEST(what_is_not_just_that_comes_up),
        TEST(the_program_that_stopped_waiting_is_named),
        TEST(a_patch_is_allowed_by_its_files),
        TEST(a_patch_that_is_asked_again_says_so),
        TEST(what_only_looks_the_same_is_not_again),
        TEST(that_it_failed_in_the_sandbox_is_said),
        TEST(what_holds_in_the_sandbox_is_told),
        TEST(a_key_between_the_two_is_said_not_to_be_taken),
        TEST(why_a_rule_does_not_cover_an_address_is_said),
        TEST(one_that_was_stopped_was_not_denied),
        TEST(one_that_was_stopped_at_its_second_try_is_the_same),
        TEST(one_that_was_stopped_at_its_second_try_says_so_at_the_first),
        TEST(one_that_came_to_a_second_try_is_the_same_at_its_first),
        TEST(a_second_try_that_was_put_off_does_not_put_off_a_first),
        TEST(one_that_asks_again_is_no_longer_told_as_allowed),
        TEST(one_in_the_place_of_one_that_is_gone_says_so),
        TEST(one_in_another_form_has_not_ended),
        TEST(a_key_for_a_request_that_is_gone_is_dropped),
        TEST(answers_without_a_request_are_no_command),
        TEST(what_is_meant_for_elsewhere_is_not_dropped),
    };

    return cmocka_run_group_tests_name("approval again", tests, NULL, NULL);
}
