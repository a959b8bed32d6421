/* SPDX-License-Identifier: MIT */
/* The console in plain lines: what a full screen shows and does is had there as well. */
#include "config.h"

#include "plain_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "ui/console.h"
#include "ui/operator_table.h"

/* ---- to be read ------------------------------------------------------------------------------ */

/* What holds is listed in the words of the full screen, and nothing in it moves the terminal. */
static void grants_are_listed(void **state)
{
    struct world *world = *state;
    static const struct lease lease = {.kind = LEASE_RUNS, .runs = 5};
    static const char *const keys[] = {"key", NULL};
    static const char *const outside[] = {"{\"sandbox\":\"unsandboxed\",\"tool\":\"shell\"}", NULL};

    type(world, ":grants\n");
    assert_true(said(world, "Nothing yet. An answer for this session"));
    grants_add(world->agent->grants, keys, "make \033[2Jcheck", 7, &lease);
    type(world, ":grants\n");
    assert_true(said(world, "  | make "));
    assert_false(said(world, "\033"));
    assert_true(
        said(world, "codex; for 5 more runs, 5 left; used 0 times since; your answer to c7\n"));
    assert_true(
        said(world, "No rules in your files yet: an answer \"... for this project\" makes one"));
    fake_core_own_rules(world->core, "prefix_rule(pattern=[\"make\"], decision=\"allow\")\n"
                                     "network_rule(host=\"example.org\", protocol=\"https\", "
                                     "decision=\"allow\")\n");
    strbuf_reset(&world->said);
    type(world, ":grants\n");
    assert_true(said(world, "Of your files 2 rules are in force"));
    assert_false(said(world, "WITHOUT"));
    grants_revoke(world->agent->grants, 1);
    type(world, ":grants\n");
    assert_true(said(world, "Nothing of this session yet. Answers for it, and its rules"));
    grants_add(world->agent->grants, outside, "make", 8, NULL);
    type(world, ":grants\n");
    assert_true(
        said(world,
             "    WITHOUT the sandbox; codex; for this session; used 0 times since; your answer"));
}

static void an_answer_is_taken_back(void **state)
{
    struct world *world = *state;
    static const struct lease lease = {.kind = LEASE_SESSION};
    static const char *const keys[] = {"key", NULL};

    grants_add(world->agent->grants, keys, "make check", 7, &lease);
    type(world, ":revoke c8\n");
    assert_true(said(world, "there is no such approval (:grants)\n"));
    assert_int_equal(grants_count(world->agent->grants), 1);
    type(world, ":revoke\n"); /* which? */
    assert_true(said(world, ":revoke CALL: take such an approval back\n"));
    type(world, ":revoke c7\n");
    assert_true(said(world, "your answer to c7 is taken back\n"));
    assert_int_equal(grants_count(world->agent->grants), 0);
}

static void the_newest_answer_is_taken_back(void **state)
{
    struct world *world = *state;
    static char command[] = "make check";

    fake_core_answered(world->core,
                       &(struct undo){.kind = UNDO_DENIAL, .call = 9, .what = command});
    fake_core_answered(world->core, &(struct undo){.kind = UNDO_ONCE, .call = 15});
    type(world, ":undo\n");
    assert_true(said(world,
                     "you answered c15 for once: nothing to take back; :undo once more takes "
                     "back: c9, denied: make check\n"));
    wait_guard(world);
    type(world, ":undo\n");
    assert_true(said(world, "taken back: c9, denied: make check; from now on that may be asked "
                            "again\n"));
    wait_guard(world);
    type(world, ":undo\n");
    assert_true(said(world, "nothing that you answered holds any more\n"));
}

/* Which denial is lifted is said: without a word, none is. */
static void a_denial_is_forgotten_by_its_number(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    type(world, ":forget\n");
    wait_guard(world);
    type(world, ":forget\n");
    assert_true(said(world, ":forget CALL|all: let agents ask again for what you denied\n"));
    wait_guard(world);
    type(world, ":forget c1\n");
    assert_true(said(world, "c1 was not denied by you\n"));
    fake_core_withdraw(world->core, orchestrator_call_at(world->core, 0));
    orchestrator_call_at(world->core, 0)->decision.kind = REVIEW_DENIED;
    settle(world);
    type(world, ":forget c1\n");
    assert_true(said(world, "what c1 asked for may be asked again\n"));
    assert_false(said(world, "what you denied may be asked again"));
    type(world, ":forget all\n");
    assert_true(said(world, "what you denied may be asked again\n"));
}

/* What a screen shows of it is read out. */
static void what_came_back_is_read_out(void **state)
{
    struct world *world = *state;
    const struct console_restored restored = {
        .console = "one", .calls = 3, .rest = (char *)"1 denial of yours\n2 rules"};
    struct plain_setup setup = world->setup;
    struct error error = ERROR_INIT;
    struct plain *plain;

    setup.restored = &restored;
    fake_core_own_rules(world->core,
                        "prefix_rule(pattern=[\"npm\"], decision=\"allow\", sandbox=\"keep\")");
    plain = plain_new(&setup, &error);
    assert_non_null(plain);
    settle(world);
    assert_true(said(world, "What came back\n"));
    assert_true(said(world, "3 calls; :log shows them\n"));
    assert_true(said(world, "none for the session\n"));
    assert_true(said(world, "1 rule of your files holds as before; :rules shows it\n"));
    assert_true(said(world, "1 denial of yours\n"));
    plain_free(&plain);
}

/* What needs no question and no sandbox is told at once. */
static void rules_that_leave_the_sandbox_came_back(void **state)
{
    struct world *world = *state;
    const struct console_restored restored = {.console = "one"};
    struct plain_setup setup = world->setup;
    struct error error = ERROR_INIT;
    struct plain *plain;

    setup.restored = &restored;
    fake_core_own_rules(world->core,
                        "prefix_rule(pattern=[\"npm\"], decision=\"allow\")\n"
                        "prefix_rule(pattern=[\"rm\"], decision=\"allow\", shadow=True)\n"
                        "prefix_rule(pattern=[\"ls\"], decision=\"allow\", sandbox=\"keep\")");
    plain = plain_new(&setup, &error);
    assert_non_null(plain);
    settle(world);
    assert_true(said(world, "3 rules of your files hold as before, 1 WITHOUT the sandbox; :rules "
                            "shows them\n"));
    plain_free(&plain);
}

static void rules_are_shown_with_what_they_did(void **state)
{
    struct world *world = *state;
    static const struct rule_use used = {.file = "my\nallow  evil", .line = 1, .matched = 3};

    type(world, ":rules\n");
    assert_true(said(world, "There are no rules yet."));
    strbuf_reset(&world->said);
    fake_core_rules(world->agent, "my\nallow  evil",
                    "prefix_rule(pattern=[\"npm\"], decision=\"allow\")");
    world->lab.uses = &used;
    world->lab.use_count = 1;
    world->lab.steps = 3;
    type(world, ":rules\n");
    assert_true(said(world, "Rules\n  For a session:\n    | allow     npm  [without the sandbox]  "
                            "my<LF>allow  evil:1\n"));
    assert_true(said(world, "    |           3 calls on record would match it\n"));
    assert_true(said(world, "The strictest rule that matches decides."));
    assert_int_equal(world->lab.open, 0);
}

static void the_record_is_read_while_requests_come(void **state)
{
    struct world *world = *state;

    type(world, ":log denied\n");
    world->calls.rows = "09:08:08  c8 denied\n";
    settle(world);
    assert_true(said(world, "Record: denials of yours that still hold\n    | 09:08:08  c8 "));
    world->calls.rows = NULL;
    strbuf_reset(&world->said);
    type(world, ":log make\n");
    assert_string_equal(world->calls.asked, "make");
    assert_int_equal(world->calls.open, 1);
    request(world, "make", RISK_LOW);
    assert_true(said(world, "c1 codex asks"));
    assert_false(said(world, "Record"));
    world->calls.rows = "09:08:07  c7  codex  approved\n09:08:08  c8 denied\n";
    settle(world);
    assert_true(said(world, "Record\n    | 09:08:07  c7  codex  approved\n    | 09:08:08  c8 "));
    assert_int_equal(world->calls.open, 0);
    strbuf_reset(&world->said);
    world->calls.rows = "";
    wait_guard(world);
    type(world, ":log nonesuch\n");
    settle(world);
    assert_true(said(world, "there are no such calls on record\n"));
    /* The question stands. */
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

/* One that is not over when the console ends, or something else is wanted, is left. */
static void a_reading_ends_with_what_wanted_it(void **state)
{
    struct world *world = *state;
    int steps;

    type(world, ":log\n");
    assert_int_equal(world->calls.open, 1);
    type(world, ":rules\n");
    assert_int_equal(world->calls.open, 0);
    steps = world->calls.steps;
    settle(world);
    assert_int_equal(world->calls.steps, steps);
}

static void calls_sessions_and_the_trail_are_shown(void **state)
{
    struct world *world = *state;

    type(world, ":trail\n");
    assert_true(said(world, "What was decided so far\n    nothing yet\n"));
    request(world, "make install", RISK_LOW);
    wait_guard(world);
    type(world, "d\n");
    strbuf_reset(&world->said);
    type(world, ":show c1\n");
    assert_true(said(world, "Call c1\n  Command:\n    | make install\n"));
    assert_true(said(world, "  It says:\n    | The tests need it.\n"));
    type(world, ":show\n");
    assert_true(said(world, "there is no such call\n"));
    type(world, ":sessions\n");
    assert_true(said(world, "Sessions\n"));
    assert_true(said(world, "  2  codex:\n"));
    type(world, ":trail\n");
    assert_true(said(
        world, "c1 codex, denied (:undo, later :forget c1, lets it ask again), by you, for this "
               "session: make install\n"));
}

static void settings_are_changed_by_a_few_letters(void **state)
{
    struct world *world = *state;

    type(world, ":po\n");
    assert_true(said(world, ":policy is "));
    type(world, ":po never\n");
    assert_int_equal(world->agent->context->approval.kind, APPROVAL_NEVER);
    type(world, ":sandbox read-only\n");
    assert_true(said(world, "From the next call on: sandbox read-only"));
    assert_int_equal(world->agent->context->sandbox->mode, SANDBOX_READ_ONLY);
    type(world, ":sandbox danger-full-access\n");
    assert_true(said(world, ":sandbox danger-full-access once more lets commands run WITHOUT"));
    type(world, ":calls\n:sandbox danger-full-access\n");
    assert_int_equal(world->agent->context->sandbox->mode, SANDBOX_READ_ONLY);
    type(world, ":sandbox danger-full-access\n");
    assert_int_equal(world->agent->context->sandbox->mode, SANDBOX_DANGER_FULL_ACCESS);
    type(world, ":theme dark\n"); /* nothing is drawn here */
    assert_true(said(world, "There is no such command; :help lists them."));
    type(world, ":stats\n");
    assert_true(said(world, "There is no such command, but :log stats"));
}

/* Every command of the full screen is there, but those that need one. */
static void no_command_is_missing(void **state)
{
    static const char *const of_a_screen[] = {"find", "theme", "keys"};
    struct world *world = *state;
    const struct operator_command *command;

    type(world, ":help\n");
    for (size_t i = 0; (command = operator_command_at(i)) != NULL; i++) {
        cleanup_free char *line = xasprintf("\n:%s", command->name);
        bool needs_screen = false;

        for (size_t j = 0; j < sizeof(of_a_screen) / sizeof(of_a_screen[0]); j++)
            needs_screen = needs_screen || strcmp(command->name, of_a_screen[j]) == 0;
        if (said(world, line) == needs_screen)
            fail_msg("%s", command->usage);
    }
}

/* As people ask for it at any prompt: of the commands, and of the answers while one is wanted. */
static void help_needs_no_colon(void **state)
{
    static const char *const asks[] = {"help\n", "?\n"};
    struct world *world = *state;

    for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
        strbuf_reset(&world->said);
        type(world, asks[i]);
        assert_true(said(world, "\n:help: list the commands\n"));
        assert_false(said(world, "This is no command"));
    }
    request(world, "make", RISK_LOW);
    for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
        strbuf_reset(&world->said);
        wait_guard(world);
        type(world, asks[i]);
        assert_true(
            said(world, "  d: deny just this, for this session (:undo lets it ask again)\n"));
        assert_false(said(world, "This is no answer"));
    }
    assert_int_equal(fake_core_decisions(world->core), 0);
}

/* ---- rules that could be made ---------------------------------------------------------------- */

static void suggestions_are_added_by_number(void **state)
{
    struct world *world = *state;

    world->lab.suggestions = fake_suggestions;
    world->lab.suggestion_count = 2;
    type(world, ":suggest 1\n"); /* nothing was shown yet */
    assert_null(fake_core_rule(world->core));
    assert_true(said(world, "There is no such rule in a list that you have read"));
    type(world, ":suggest\n");
    settle(world);
    assert_true(said(world, "1  exactly this; saves 4 questions\n"));
    assert_true(said(world, "    |    4  npm test <ESC>[2J\n"));
    assert_true(said(world, "ALSO ALLOWS 1 that you denied"));
    type(world, ":suggest 1\n"); /* not yet read */
    assert_null(fake_core_rule(world->core));
    wait_guard(world);
    type(world, ":suggest 1\n");
    assert_string_equal(fake_core_rule(world->core), fake_suggestions[0].rule);
    assert_true(
        said(world, "added (:undo takes it back): prefix_rule(pattern=[\"npm\", \"test\"]"));
    wait_guard(world);
    type(world, ":suggest 2\n");
    assert_string_equal(fake_core_rule(world->core), fake_suggestions[0].rule);
    assert_true(said(world, "It is wide: to add it all the same, :suggest 2 yes\n"));
    wait_guard(world);
    type(world, ":suggest 2 yes\n");
    assert_string_equal(fake_core_rule(world->core), fake_suggestions[1].rule);
}

/* ---- with a request -------------------------------------------------------------------------- */

static void everything_about_a_request_is_read_out(void **state)
{
    struct world *world = *state;
    cleanup_free char *line = xcalloc(1, 9001);

    memset(line, 'x', 9000);
    request(world, line, RISK_LOW);
    wait_guard(world);
    type(world, "v\n");
    assert_true(said(world, "Everything about c1\n  Command:\n    | xxx"));
    assert_true(said(world, "  Word by word:\n    | 0  "));
    assert_true(said(world, "Answer for c1:\n"));
    wait_guard(world);
    type(world, "y 1\n"); /* its end was among it */
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

/* Three rules, the second offered first. */
static struct call *request_with_rules(struct world *world)
{
    cleanup_wording struct wording *words = wording_from("words");
    struct prompt prompt = {.ladder = XNEW(struct ladder), .reason = words, .under = words};
    struct call *call = fake_core_call(world->core, world->agent, "npm test");

    for (size_t i = 0; i < 3; i++)
        prompt.ladder->steps[i] =
            (struct ladder_step){.width = LADDER_SUBCOMMAND,
                                 .words = strv_copy((const char *const[]){"npm",
                                                                          i == 0   ? "test"
                                                                          : i == 1 ? "run"
                                                                                   : "any",
                                                                          NULL})};
    prompt.ladder->steps[2].refused = "it is too wide";
    prompt.ladder->count = 3;
    prompt.ladder->first = 1;
    call->assessment.level = RISK_LOW;
    fake_core_ask(world->core, call, &prompt);
    settle(world);
    return call;
}

static void another_rule_can_be_chosen(void **state)
{
    struct world *world = *state;

    request_with_rules(world);
    assert_true(said(world, "  Rule for p: npm run"));
    assert_true(said(world, "rule 2 of 2; kept for this project"));
    wait_guard(world);
    type(world, "r 3\n");
    assert_true(said(world, "There is no such rule for this request."));
    wait_guard(world);
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "r 1 session\n");
    assert_true(said(world, "  Rule for p: npm test"));
    assert_true(said(world, "rule 1 of 2; for this session"));
    type(world, "p 1\n"); /* before it could be read */
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "p 1\n");
    assert_true(said(world, "The rule for c1 allows more than exactly this command."));
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED_AMENDMENT);
    assert_int_equal(decision(world)->choice.step, 0);
    assert_int_equal(decision(world)->choice.scope, LADDER_SESSION);
}

static void what_else_would_run_is_said_and_looked_at_again(void **state)
{
    struct world *world = *state;
    static const uint64_t others[] = {8, 9};

    fake_core_release(world->core, others, 1);
    request(world, "make", RISK_LOW)->prompt->sandbox = ATTEMPT_TURN_DEFAULT;
    assert_true(said(world, "  Others: a also allows c8\n"));
    wait_guard(world);
    fake_core_release(world->core, others, 2);
    type(world, "a 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(
        said(world, "The other requests that this would allow have just changed: look again.\n"));
    assert_true(said(world, "  Others: a also allows c8, c9\n"));
    wait_guard(world);
    type(world, "a 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED_FOR_SESSION);
}

static void a_command_is_changed_and_asked_about_anew(void **state)
{
    struct world *world = *state;

    request(world, "make all", RISK_LOW);
    wait_guard(world);
    type(world, "e\n");
    assert_true(said(world, "The command instead, in one line; nothing runs yet."));
    type(world, "make one\n"); /* typed too soon */
    wait_guard(world);
    type(world, "\n");
    assert_true(said(world, "Answer for c1:\n"));
    wait_guard(world);
    type(world, "e\n");
    wait_guard(world);
    type(world, "forbidden\n");
    assert_true(said(world, "this is not allowed: forbidden\n"));
    wait_guard(world);
    type(world, "e\n");
    wait_guard(world);
    strbuf_reset(&world->said);
    type(world, "make two\n");
    assert_true(said(world, "    | make two\n"));
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, plain_world_set_up, plain_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(grants_are_listed),
        TEST(an_answer_is_taken_back),
        TEST(the_newest_answer_is_taken_back),
        TEST(what_came_back_is_read_out),
        TEST(rules_that_leave_the_sandbox_came_back),
        TEST(a_denial_is_forgotten_by_its_number),
        TEST(rules_are_shown_with_what_they_did),
        TEST(the_record_is_read_while_requests_come),
        TEST(a_reading_ends_with_what_wanted_it),
        TEST(calls_sessions_and_the_trail_are_shown),
        TEST(settings_are_changed_by_a_few_letters),
        TEST(help_needs_no_colon),
        TEST(no_command_is_missing),
        TEST(suggestions_are_added_by_number),
        TEST(everything_about_a_request_is_read_out),
        TEST(another_rule_can_be_chosen),
        TEST(what_else_would_run_is_said_and_looked_at_again),
        TEST(a_command_is_changed_and_asked_about_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
