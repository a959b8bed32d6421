/* SPDX-License-Identifier: MIT */
/* The operator changes a command before it runs. */
#include "config.h"

#include "approval/orchestrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/array.h"
#include "orchestrator_world.h"

static int edit_with(struct world *world, const struct call *call, const char *text,
                     struct error *error)
{
    return orchestrator_edit(world->orchestrator, call->prompt->id, call->prompt->revision, text,
                             error);
}

static void edit(struct world *world, const struct call *call, const char *text)
{
    struct error error = ERROR_INIT;
    if (edit_with(world, call, text, &error) != 0)
        fail_msg("%s", error.message);
    settle(world);
}

static void assert_refused(struct world *world, const struct call *call, const char *text,
                           const char *why)
{
    struct error error = ERROR_INIT;
    cleanup_free char *before = xstrdup(call->prompt->command);
    assert_int_equal(edit_with(world, call, text, &error), -1);
    if (strstr(error.message, why) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, why);
    assert_string_equal(call->prompt->command, before);
}

static struct call *asking(struct world *world, struct command_spec *spec)
{
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, spec);
    assert_int_equal(call->state, CALL_ASKING);
    forget_events(world);
    return call;
}

static void what_runs_is_what_was_edited(void **state)
{
    struct world *world = *state;
    struct call *call = asking(world, SCRIPT(world, "touch a"));
    uint64_t old = call->prompt->id;
    edit(world, call, "touch 'b c'");
    assert_events(world, "edited 1\nasked 1\n");
    assert_int_not_equal(call->prompt->id, old);
    assert_string_equal(call->prompt->command, "touch 'b c'");
    assert_string_equal(call->asked_command, "touch a");
    assert_int_equal(call->state, CALL_ASKING); /* it is shown before it runs */
    /* An answer to what was shown before is none. */
    assert_int_equal(orchestrator_decide(world->orchestrator, old, 1, REVIEW_APPROVED, NULL, NULL),
                     -1);
    decide(world, call, REVIEW_APPROVED);
    assert_string_equal(strbuf_str(&call->run->program), "bash -c touch 'b c'");
    exit_with(world, call, 0);
}

static void words_stay_words(void **state)
{
    struct world *world = *state;
    struct call *call = asking(world, SPEC(world, "touch", "a b"));
    assert_string_equal(call->prompt->command, "touch 'a b'");
    edit(world, call, "touch 'a b' '$HOME'");
    decide(world, call, REVIEW_APPROVED);
    assert_string_equal(strbuf_str(&call->run->program), "touch a b $HOME");
    assert_string_equal(call->program, "/usr/bin/touch");
    exit_with(world, call, 0);
}

static void more_than_words_becomes_a_script(void **state)
{
    struct world *world = *state;
    struct call *call = asking(world, SPEC(world, "touch", "a"));
    edit(world, call, "touch a && touch b");
    decide(world, call, REVIEW_APPROVED);
    assert_string_equal(strbuf_str(&call->run->program), "bash -c touch a && touch b");
    exit_with(world, call, 0);
}

/* Judged like a new call: risk, rules, keys. */
static void all_is_judged_anew(void **state)
{
    struct world *world = *state;
    struct call *call = asking(world, SCRIPT(world, "touch a"));
    enum risk_level before = call->assessment.level;
    cleanup_free char *key = xstrdup(call->keys[0]);
    edit(world, call, "rm -rf /");
    assert_true(call->assessment.level > before);
    assert_string_not_equal(call->keys[0], key);
    assert_string_not_equal(
        call->prompt->ladder != NULL ? call->prompt->ladder->steps[0].words[0] : "", "touch");
    edit(world, call, "ls"); /* known to be safe: asked all the same */
    assert_non_null(strstr(call->prompt->no_rule, "asked about because you changed it"));
    assert_int_equal(call->state, CALL_ASKING);
    assert_non_null(strstr(wording_english(call->prompt->reason), "you changed the command"));
    assert_string_equal(call->asked_command, "touch a"); /* of the agent, not of the last edit */
}

static void what_is_forbidden_stays_so(void **state)
{
    struct world *world = *state;
    struct rules *rules = rules_new();
    static const char text[] = "prefix_rule(pattern=[\"mkfs\"], decision=\"forbidden\")\n"
                               "prefix_rule(pattern=[\"dd\"], decision=\"forbidden\")";
    struct rules_source source = {.path = "x.rules", .layer = RULES_USER};
    assert_int_equal(rules_add_text(rules, text, strlen(text), &source, NULL), 0);
    orchestrator_set_rules(world->orchestrator, rules, NULL);
    struct call *call = asking(world, SCRIPT(world, "touch a"));
    assert_refused(world, call, "dd if=x of=y", "this is not allowed");
    assert_refused(world, call, "touch a; (sudo dd of=x)", "this is not allowed");
    assert_refused(world, call, "  \n", "no command left");
    assert_refused(world, call, "touch a", "nothing was changed");
    assert_events(world, "");
    struct call *words = asking(world, SPEC(world, "touch", "a"));
    assert_refused(world, words, "no-such-program-anywhere x", "was not found");
}

/* The session's approval of it is one of the edited command, not of the one that was asked for. */
static void a_grant_is_for_what_was_edited(void **state)
{
    struct world *world = *state;
    struct call *call = asking(world, SPEC(world, "touch", "a"));
    edit(world, call, "touch b");
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, call, 0);
    assert_int_equal(submit(world, SPEC(world, "touch", "a"))->state, CALL_ASKING);
    struct call *same = submit(world, SPEC(world, "touch", "b"));
    assert_int_equal(same->state, CALL_RUNNING);
    exit_with(world, same, 0);
}

static void a_denial_is_for_both(void **state)
{
    struct world *world = *state;
    struct call *call = asking(world, SPEC(world, "touch", "a"));
    edit(world, call, "touch b");
    decide(world, call, REVIEW_DENIED);
    assert_int_equal(submit(world, SPEC(world, "touch", "a"))->decision.kind, REVIEW_DENIED);
    assert_int_equal(submit(world, SPEC(world, "touch", "b"))->decision.kind, REVIEW_DENIED);
}

static void not_everything_can_be_edited(void **state)
{
    struct world *world = *state;
    struct call *call = asking(world, SCRIPT(world, "touch a"));
    struct call *bytes = submit(world, SPEC(world, "touch", "a\xff"));
    assert_refused(world, bytes, "touch y", "cannot be edited");
    assert_non_null(strstr(prompt_fixed(bytes), "not text"));
    assert_int_equal(orchestrator_edit(world->orchestrator, 999, 1, "touch y", NULL), -1);
    assert_int_equal(orchestrator_edit(world->orchestrator, call->prompt->id,
                                       call->prompt->revision + 1, "touch y", NULL),
                     -1);
}

/* What is done already can be taken out of a second try. */
static struct call *stopped(struct world *world, const char *script)
{
    set_policy(world, world->agent, "on-request");
    struct call *call = submit(world, SCRIPT(world, script));
    exit_denied(world, call);
    assert_true(call->prompt->retry);
    forget_events(world);
    return call;
}

static void a_second_try_can_be_of_less(void **state)
{
    struct world *world = *state;
    struct call *call = stopped(world, "mkdir a && touch /x");
    assert_true(call->prompt->repeats_some);
    edit(world, call, "touch /x");
    assert_events(world, "edited 1\nasked 1 retry\n");
    assert_string_equal(call->prompt->command, "touch /x");
    assert_string_equal(call->asked_command, "mkdir a && touch /x");
    assert_int_equal(call->prompt->sandbox, ATTEMPT_UNSANDBOXED);
    assert_false(call->prompt->repeats_some);
    assert_non_null(
        strstr(wording_english(call->prompt->first_attempt), "of what was asked for: "));
    assert_null(call->prompt->ladder);      /* a rule is for what the sandbox has stopped */
    assert_true(call->prompt->may_sandbox); /* perhaps what is left needs no more than that */
    edit(world, call, "touch /y && touch /z");
    assert_false(call->prompt->repeats_some);
    edit(world, call, "touch /y");
    assert_non_null(
        strstr(wording_english(call->prompt->first_attempt), "of what was asked for: "));
    decide(world, call, REVIEW_APPROVED);
    assert_string_equal(strbuf_str(&call->run->program), "bash -c touch /y");
    assert_int_equal(call->run->type, SANDBOX_TYPE_NONE);
    exit_with(world, call, 0);
    assert_int_equal(fake_starts, 2);
}

static void a_second_try_can_stay_in_the_sandbox(void **state)
{
    struct world *world = *state;
    struct call *call = stopped(world, "mkdir a && touch /x");
    assert_false(call->prompt->may_sandbox);
    edit(world, call, "make test");
    decide(world, call, REVIEW_APPROVED_SANDBOXED);
    assert_int_equal(call->attempts[1].sandbox, ATTEMPT_TURN_DEFAULT);
    exit_denied(world, call);
    assert_int_equal(call->state, CALL_FINISHED); /* there is no third */
}

/* What was edited before the first try is not what the agent has asked for. */
static void a_second_try_names_what_ran_at_first(void **state)
{
    struct world *world = *state;
    struct call *call = asking(world, SCRIPT(world, "touch a"));
    edit(world, call, "touch b; touch /x");
    decide(world, call, REVIEW_APPROVED);
    exit_denied(world, call);
    assert_true(call->prompt->retry);
    assert_null(strstr(wording_english(call->prompt->first_attempt), "of "));
    edit(world, call, "touch /x");
    assert_string_equal(call->asked_command, "touch a");
    assert_non_null(strstr(wording_english(call->prompt->first_attempt), "of touch b; touch /x: "));
    assert_string_equal(call->attempts[0].argv[2], "touch b; touch /x");
}

/* To allow the edited one for the session allows nothing that was asked for. */
static void a_grant_of_a_second_try_is_for_what_was_edited(void **state)
{
    struct world *world = *state;
    struct call *call = stopped(world, "touch /x");
    edit(world, call, "touch /y");
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, call, 0);
    assert_int_equal(stopped(world, "touch /x")->state, CALL_ASKING);
    struct call *again = submit(world, SCRIPT(world, "touch /y"));
    exit_denied(world, again);
    assert_int_equal(again->state, CALL_RUNNING);
    exit_with(world, again, 0);
}

/* A slip is told where it can be mended, and does not become a program that nobody knows. */
static void what_no_shell_takes_is_not_taken(void **state)
{
    static const char *const slips[] = {"touch don't", "touch \"a", "touch a >", "touch a &&",
                                        "&& ls"};
    struct world *world = *state;
    struct call *call = asking(world, SCRIPT(world, "touch a"));
    for (size_t i = 0; i < COUNT(slips); i++)
        assert_refused(world, call, slips[i], "cannot be read as a shell command: ");
    assert_string_equal(call->prompt->command, "touch a");
    edit(world, call, "touch don\\'t");
    assert_string_equal(call->prompt->command, "touch don\\'t");
}

/* It keeps its place among those that wait, and its time. */
static void it_keeps_its_place(void **state)
{
    struct world *world = *state;
    struct call *first = asking(world, SPEC(world, "touch", "a"));
    submit(world, SPEC(world, "touch", "b"));
    world->clock.now_ms += 5000;
    edit(world, first, "touch c");
    assert_ptr_equal(orchestrator_waiting_at(world->orchestrator, 0), first);
    assert_int_equal(orchestrator_waiting_count(world->orchestrator), 2);
    decide(world, first, REVIEW_APPROVED);
    assert_int_equal(first->decision.waited_ms, 5000);
    exit_with(world, first, 0);
}

int main(void)
{
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_WORLD(what_runs_is_what_was_edited),
        IN_WORLD(words_stay_words),
        IN_WORLD(more_than_words_becomes_a_script),
        IN_WORLD(all_is_judged_anew),
        IN_WORLD(what_is_forbidden_stays_so),
        IN_WORLD(a_grant_is_for_what_was_edited),
        IN_WORLD(a_denial_is_for_both),
        IN_WORLD(not_everything_can_be_edited),
        IN_WORLD(a_second_try_can_be_of_less),
        IN_WORLD(a_second_try_can_stay_in_the_sandbox),
        IN_WORLD(a_second_try_names_what_ran_at_first),
        IN_WORLD(a_grant_of_a_second_try_is_for_what_was_edited),
        IN_WORLD(what_no_shell_takes_is_not_taken),
        IN_WORLD(it_keeps_its_place),
    };
    return cmocka_run_group_tests_name("edit", tests, NULL, NULL);
}
