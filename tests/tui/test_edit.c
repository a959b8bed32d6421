/* SPDX-License-Identifier: MIT */
/* A command is changed at the request for it. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "ui/approval_content.h"
#include "ui/approval_words.h"

static struct call *ready_request(struct tui *tui, const char *line)
{
    struct call *call = tui_request(tui, line, RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    return call;
}

static void open_editor(struct tui *tui)
{
    tui_keys(tui, "e");
    assert_true(tui_shows(tui, "change the command"));
}

static void what_is_typed_is_what_is_asked_about(void **state)
{
    struct tui *tui = *state;
    struct call *call = ready_request(tui, "rm -rf build");
    uint64_t prompt;

    assert_true(tui_shows(tui, "e change"));
    open_editor(tui);
    tui_lines(tui, "\x7f\x7f\x7f\x7f\x7f"
                   "out\r");
    assert_false(tui_shows(tui, "change the command"));
    assert_string_equal(call->prompt->command, "rm -rf out");
    assert_true(tui_shows(tui, "rm -rf out"));
    assert_true(tui_shows(tui, "Asked for"));
    assert_true(tui_shows(tui, "rm -rf build"));
    /* It is a request that has just appeared: keys count after the guard time. */
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    prompt = call->prompt->id;
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_equal(fake_core_decision(tui->core, 0)->prompt, prompt);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED);
}

/* A command that names a host has not got it: that is asked for, and said before, where the sandbox
 * has the network host by host. */
static void a_host_is_said_to_be_asked_for(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < 3; i++) {
        const struct prompt prompt = {.may_approve_for_session = true};
        struct call *call =
            fake_core_call(tui->core, tui->agent, i == 2 ? "make" : "curl x.example");
        struct approval_content content;
        char *words;
        struct sandbox_policy *policy = (struct sandbox_policy *)call->context->sandbox;

        policy->network_asks = i != 1;
        call->assessment.categories = i == 2 ? 0 : RISK_NETWORK_ACCESS;
        fake_core_ask_for(tui->core, call, prompt, "you changed the command", "workspace-write");
        tui_settle(tui);
        assert_true(tui_shows(tui, "allow once"));
        assert_true(tui_shows(tui, "allow once, but no host: each is asked for next") == (i == 0));
        tui_wait_next(tui);
        approval_content_init(&content, call, NULL, false);
        words = approval_words_answer(&content, ACTION_APPROVE, NULL, 32); /* of two columns */
        assert_string_equal(words, i == 0 ? "allow once; hosts asked next" : "allow once");
        free(words);
        words = approval_words_answer(&content, ACTION_APPROVE_PREFIX, NULL, 60);
        assert_string_equal(words, i == 0 ? "allow this rule for this project; hosts asked next"
                                          : "allow this rule for this project");
        free(words);
        approval_content_clear(&content);
        tui_wait_next(tui);
        tui_keys(tui, "d");
        tui_wait_next(tui);
    }
}

static char *once_words(const struct call *call, int columns)
{
    struct approval_content content;
    char *words;

    approval_content_init(&content, call, NULL, false);
    words = approval_words_answer(&content, ACTION_APPROVE, NULL, columns);
    approval_content_clear(&content);
    return words;
}

/* One that was denied for the session is not asked for: perhaps it is that. */
static void a_host_that_is_denied_is_not_said_to_be_asked_for(void **state)
{
    struct tui *tui = *state;
    const struct prompt prompt = {.may_approve_for_session = true};
    struct call *denied = fake_core_call(tui->core, tui->agent, "connect to x.example");
    struct call *call = fake_core_call(tui->core, tui->agent, "curl x.example");
    cleanup_free char *words = NULL, *few = NULL, *again = NULL;

    tui->agent->orchestrator = tui->core;
    denied->reach = XNEW(struct reach);
    denied->reach->host = xstrdup("x.example");
    denied->decision.kind = REVIEW_DENIED;
    ((struct sandbox_policy *)call->context->sandbox)->network_asks = true;
    call->assessment.categories = RISK_NETWORK_ACCESS;
    fake_core_ask_for(tui->core, call, prompt, "it connects", "workspace-write");
    words = once_words(call, 70);
    assert_string_equal(words, "allow once, but no host: asked for next, or denied as before");
    few = once_words(call, 32); /* of two columns */
    assert_string_equal(few, "once; hosts asked or denied");
    orchestrator_forget_denial(tui->core, denied);
    again = once_words(call, 70);
    assert_string_equal(again, "allow once, but no host: each is asked for next");
}

static void escape_changes_nothing(void **state)
{
    struct tui *tui = *state;
    struct call *call = ready_request(tui, "make");

    open_editor(tui);
    tui_keys(tui, " all\x1b");
    tui_advance(tui, 100);
    assert_false(tui_shows(tui, "change the command"));
    assert_string_equal(call->prompt->command, "make");
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

static void what_is_not_taken_stays_open(void **state)
{
    struct tui *tui = *state;
    struct call *call = ready_request(tui, "make");

    open_editor(tui);
    tui_lines(tui, "\x15"
                   "forbidden\r");
    assert_true(tui_shows(tui, "this is not allowed: forbidden"));
    assert_true(tui_shows(tui, "change the command"));
    tui_lines(tui, "\x15"
                   "make all\r");
    assert_string_equal(call->prompt->command, "make all");
}

static void it_goes_with_its_request(void **state)
{
    struct tui *tui = *state;
    struct call *call = ready_request(tui, "make");

    open_editor(tui);
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    assert_false(tui_shows(tui, "change the command"));
}

/* Nothing is left of the request once what was made of it is denied. */
static void a_denial_is_of_what_was_asked(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, "make install");
    open_editor(tui);
    tui_lines(tui, " -n\r");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "d  deny it, as changed and as asked"));
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_DENIED);
    assert_true(tui_shows(tui, "denied, as asked and as changed (:undo"));
    assert_false(tui_shows(tui, "for this session: make install -n"));
}

/* What the first attempt has done is taken out of the second. */
static void a_second_attempt_can_be_changed(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.retry = true, .repeats_some = true};

    struct call *call = fake_core_call(tui->core, tui->agent, "make && cp a /x");

    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "ALL of it runs again "));
    call->attempts[0].touched_some = true;
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "ALL of it runs again, also what is done (e: take that out)"));
    tui_keys(tui, "e");
    assert_true(tui_shows(tui, "change the command"));
}

#define LONG                                                                                       \
    "for name in one two three four five six seven; do\n  printf '%s is a word that is "           \
    "not short, and its line goes on\\n' \"$name\"\ndone"

static void a_script_has_as_many_rows_as_it_needs(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, LONG);
    open_editor(tui);
    assert_true(tui_shows(tui, "for name in one two"));
    assert_true(tui_shows(tui, "done"));
    tui_golden(tui, "edit");
    tui_resize(tui, 50, 200);
    tui_golden(tui, "edit-200x50");
}

static void hostile_text_is_shown_as_marks(void **state)
{
    struct tui *tui = *state;
    struct call *call = ready_request(tui, "make");

    tui->careless = true; /* nobody tells the console of this */
    free(call->prompt->command);
    call->prompt->command = xstrdup("make \x1b[2J\xe2\x80\xae");
    open_editor(tui);
    assert_true(tui_shows(tui, "<ESC>[2J"));
    tui_lines(tui, "x\r");
    assert_string_equal(call->prompt->command, "make \x1b[2J\xe2\x80\xaex");
}

/* The cursor stays in view in a text of more rows than there are. */
static void a_long_text_scrolls(void **state)
{
    struct tui *tui = *state;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    for (int i = 0; i < 60; i++)
        strbuf_addf(&text, "echo %d\n", i);
    strbuf_addstr(&text, "true");
    ready_request(tui, strbuf_str(&text));
    open_editor(tui);
    assert_true(tui_shows(tui, "echo 59"));
    assert_false(tui_shows(tui, "echo 0 "));
    tui_keys(tui, "\x1b[H"); /* Home */
    assert_true(tui_shows(tui, "echo 0 "));
    assert_false(tui_shows(tui, "echo 59"));
}

int main(void)
{
#define WITH_TUI(test) cmocka_unit_test_setup_teardown(test, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        WITH_TUI(what_is_typed_is_what_is_asked_about),
        WITH_TUI(a_host_is_said_to_be_asked_for),
        WITH_TUI(a_host_that_is_denied_is_not_said_to_be_asked_for),
        WITH_TUI(escape_changes_nothing),
        WITH_TUI(what_is_not_taken_stays_open),
        WITH_TUI(it_goes_with_its_request),
        WITH_TUI(a_denial_is_of_what_was_asked),
        WITH_TUI(a_second_attempt_can_be_changed),
        WITH_TUI(a_script_has_as_many_rows_as_it_needs),
        WITH_TUI(hostile_text_is_shown_as_marks),
        WITH_TUI(a_long_text_scrolls),
    };
    return cmocka_run_group_tests_name("edit", tests, NULL, NULL);
}
