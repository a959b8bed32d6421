/* SPDX-License-Identifier: MIT */
/* What is answered for more than one call: grants and rules. */
#include "config.h"

#include "approval/orchestrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "approval/ladder.h"
#include "base/alloc.h"
#include "base/array.h"
#include "orchestrator_world.h"

/* ---- grants ---------------------------------------------------------------------------------- */

static void a_session_grant_covers_the_same_again(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    assert_true(call->prompt->may_approve_for_session);
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(call->decision.grant_id, 1);
    exit_with(world, call, 0);
    forget_events(world);

    struct call *again = submit(world, SPEC(world, "touch", "x"));
    assert_events(world, "received 2\ndecided 2 approved_for_session cache\n"
                         "started 2.1 turn_default\n");
    assert_int_equal(again->decision.grant_id, 1);
    assert_int_equal(grants_at(world->agent->grants, 0)->uses, 1);
    exit_with(world, again, 0);

    assert_int_equal(submit(world, SPEC(world, "touch", "y"))->state, CALL_ASKING);
    assert_true(orchestrator_revoke(world->orchestrator, world->agent, 1));
    assert_int_equal(submit(world, SPEC(world, "touch", "x"))->state, CALL_ASKING);
}

/* It widens what the session may do, until that ends: no grant beside it, which a length would be
 * for, and which would give the same again unasked. */
static void what_is_given_to_the_session_is_asked_for_each_time(void **state)
{
    struct world *world = *state;

    for (int i = 0; i < 2; i++) {
        struct command_spec *spec = SPEC(world, "request_permissions", "network=on");
        struct call_options options = {
            .agent_tool = "request_permissions", .agent_fields = true, .widens = true};
        struct call *call;

        spec->permissions = SANDBOX_PERMISSIONS_WITH_ADDITIONAL;
        spec->additional = XNEW(struct additional_permissions);
        spec->additional->network = true;
        call = orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL, spec, &options,
                                   NULL);
        assert_non_null(call);
        settle(world);
        assert_int_equal(call->state, CALL_ASKING);
        assert_false(call->prompt->may_approve_for_session);
        decide(world, call, REVIEW_APPROVED);
    }
    assert_int_equal(grants_count(world->agent->grants), 0);
}

static size_t most_covered(const struct ladder *ladder)
{
    size_t most = 0;
    for (size_t i = 0; i < ladder->count; i++)
        most = ladder->steps[i].covers > most ? ladder->steps[i].covers : most;
    return most;
}

/* As the operator counts: who was asked, for whatever reason, and before. */
static void a_rule_says_how_many_earlier_questions_it_covers(void **state)
{
    struct world *world = *state;
    struct call *call = NULL;
    for (unsigned before = 0; before < 3; before++) {
        call = submit(world, SPEC(world, "mkdir", "/there"));
        exit_denied(world, call);
        assert_int_equal(call->prompt->ladder->past, before);
        assert_int_equal(most_covered(call->prompt->ladder), before);
        if (before == 2) /* which still waits when the next one asks */
            break;
        decide(world, call, REVIEW_APPROVED);
        exit_with(world, call, 0);
    }
    set_policy(world, world->agent, "untrusted");
    struct call *inside = submit(world, SPEC(world, "mkdir", "/there"));
    assert_int_equal(inside->prompt->ladder->past, 3);
    /* They were stopped by the sandbox, and a rule that stays in it helps none of them. */
    assert_int_equal(most_covered(inside->prompt->ladder), 0);
}

/* Grants belong to a connection: another one of the same name has none of them. */
static void a_grant_serves_no_other_session(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, call, 0);
    struct session *thief = open_session(world, SESSION_CLIENT, "agent", "untrusted");
    assert_string_not_equal(thief->id, world->agent->id);
    struct call *stolen = submit_in(world, thief, SPEC(world, "touch", "x"));
    settle(world);
    assert_int_equal(stolen->state, CALL_ASKING);
}

static void a_grant_serves_no_other_sandbox(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, call, 0);
    struct command_spec *spec = SPEC(world, "touch", "x");
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    assert_int_equal(submit(world, spec)->state, CALL_ASKING);
    struct turn_context *wider = context_of(world, "untrusted", SANDBOX_DANGER_FULL_ACCESS);
    orchestrator_set_context(world->orchestrator, world->agent, wider);
    turn_context_unref(&wider);
    assert_int_equal(submit(world, SPEC(world, "touch", "x"))->state, CALL_ASKING);
}

static void open_prompts_that_are_covered_now_close(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *first = submit(world, SPEC(world, "touch", "x"));
    struct call *second = submit(world, SPEC(world, "touch", "x"));
    struct call *other = submit(world, SPEC(world, "touch", "y"));
    uint64_t ids[4];
    struct orchestrator *orchestrator = world->orchestrator;
    assert_int_equal(orchestrator_would_release(orchestrator, first->prompt->id,
                                                REVIEW_APPROVED_FOR_SESSION, NULL, ids, COUNT(ids)),
                     1);
    assert_int_equal(ids[0], second->id);
    assert_int_equal(orchestrator_would_release(orchestrator, other->prompt->id,
                                                REVIEW_APPROVED_FOR_SESSION, NULL, ids, COUNT(ids)),
                     0);
    assert_int_equal(orchestrator_would_release(orchestrator, first->prompt->id, REVIEW_APPROVED,
                                                NULL, ids, COUNT(ids)),
                     0);
    decide(world, first, REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(second->state, CALL_RUNNING);
    assert_int_equal(second->decision.source, DECIDED_BY_CACHE);
    assert_int_equal(second->decision.grant_id, first->decision.grant_id);
    assert_int_equal(other->state, CALL_ASKING);
    assert_int_equal(orchestrator_waiting_count(world->orchestrator), 1);
    exit_with(world, first, 0);
    exit_with(world, second, 0);
}

/* What nobody saw is not released: a waiting high-risk request needs its own answer. */
static void a_grant_releases_no_high_risk_that_waits(void **state)
{
    struct world *world = *state;
    struct call *calls[5]; /* three are shown, two are held back */
    for (size_t i = 0; i < COUNT(calls); i++)
        calls[i] = submit(world, SPEC(world, "rm", "-rf", "x"));
    assert_int_equal(calls[0]->assessment.level, RISK_HIGH);
    assert_int_equal(orchestrator_held_count(world->orchestrator), 2);
    assert_int_equal(orchestrator_would_release(world->orchestrator, calls[0]->prompt->id,
                                                REVIEW_APPROVED_FOR_SESSION, NULL, NULL, 0),
                     0);
    decide(world, calls[0], REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(fake_starts, 1);
    assert_int_equal(calls[1]->state, CALL_ASKING);
    assert_int_equal(calls[2]->state, CALL_ASKING);
    assert_int_equal(calls[3]->state, CALL_ASKING); /* there was room for it */
    assert_int_equal(calls[4]->state, CALL_RECEIVED);
    /* One that is asked after the grant was given is covered by it. */
    struct call *later = submit(world, SPEC(world, "rm", "-rf", "x"));
    assert_int_equal(later->state, CALL_RUNNING);
    exit_with(world, calls[0], 0);
    exit_with(world, later, 0);
}

static void an_allowed_prefix_keeps_the_sandbox(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "mkdir", "a"));
    struct call *waiting = submit(world, SPEC(world, "mkdir", "b"));
    const struct rule_choice any = {call->prompt->ladder->count - 1, LADDER_SESSION};
    /* What is offered first is narrow; what is recorded is what such requests have in common. */
    assert_string_equal(call->prompt->ladder->steps[call->prompt->ladder->first].words[1], "a");
    assert_null(call->prompt->amendment[1]);
    assert_int_equal(orchestrator_would_release(world->orchestrator, call->prompt->id,
                                                REVIEW_APPROVED_AMENDMENT, &any, NULL, 0),
                     1);
    assert_int_equal(orchestrator_decide_rule(world->orchestrator, call->prompt->id,
                                              call->prompt->revision, &any, NULL),
                     0);
    settle(world);
    assert_int_equal(waiting->state, CALL_RUNNING);
    assert_int_equal(waiting->decision.source, DECIDED_BY_RULE);
    exit_with(world, call, 0);
    exit_with(world, waiting, 0);
    struct call *later = submit(world, SPEC(world, "bash", "-c", "mkdir c"));
    assert_int_equal(later->state, CALL_RUNNING);
    assert_int_equal(later->run->type, SANDBOX_TYPE_LINUX);
    exit_with(world, later, 0);

    struct command_spec *spec = SPEC(world, "mkdir", "d");
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *leaving = submit(world, spec);
    assert_int_equal(leaving->state, CALL_ASKING);
    assert_null(leaving->prompt->amendment);
    spec = SPEC(world, "mkdir", "e");
    spec->env = strv_copy((const char *const[]){"LD_PRELOAD=./x.so", NULL});
    assert_int_equal(submit(world, spec)->state, CALL_ASKING);
    assert_int_equal(submit(world, SCRIPT(world, "mkdir f; touch x"))->state, CALL_ASKING);
}

/* Several commands ask: one rule for them, when their prefixes differ in the last word only. */
static void a_family_of_prefixes_is_one_rule(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    assert_null(submit(world, SCRIPT(world, "mkdir a && touch b"))->prompt->ladder);
    assert_null(submit(world, SCRIPT(world, "git add a && git rebase -x ./x b"))->prompt->ladder);
    struct call *call = submit(world, SCRIPT(world, "git add a && ls && git commit -m b"));
    cleanup_free char *rule =
        ladder_rule(call->prompt->ladder, call->prompt->ladder->first, LADDER_SESSION);
    assert_non_null(strstr(rule, "[\"git\", [\"add\", \"commit\"]]"));
    decide(world, call, REVIEW_APPROVED_AMENDMENT);
    exit_with(world, call, 0);
    struct call *later = submit(world, SPEC(world, "bash", "-c", "git commit -m c; git add d"));
    assert_int_equal(later->state, CALL_RUNNING);
    assert_int_equal(later->run->type, SANDBOX_TYPE_LINUX);
    exit_with(world, later, 0);
    assert_int_equal(submit(world, SCRIPT(world, "git add a && git push"))->state, CALL_ASKING);
}

static void an_allowed_prefix_releases_no_high_risk_that_waits(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "cp", "a", "b"));
    struct call *high = submit(world, SPEC(world, "cp", "a", "/etc/passwd"));
    assert_int_equal(high->assessment.level, RISK_HIGH);
    assert_int_equal(orchestrator_would_release(
                         world->orchestrator, call->prompt->id, REVIEW_APPROVED_AMENDMENT,
                         &(struct rule_choice){call->prompt->ladder->first, LADDER_SESSION}, NULL,
                         0),
                     0);
    decide(world, call, REVIEW_APPROVED_AMENDMENT);
    assert_int_equal(high->state, CALL_ASKING);
    exit_with(world, call, 0);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* A rule file in memory: one line, and whether it can be written. */
struct kept {
    char line[512];
    bool fails;
    const char *lines[2];
};

static int keep_rule(void *argument, const char *line, struct rules_source *source,
                     struct error *error)
{
    struct kept *kept = argument;
    if (kept->fails)
        return error_set(error, 0, "disk full");
    snprintf(kept->line, sizeof(kept->line), "%s", line);
    *source = (struct rules_source){.path = "default.rules", .layer = RULES_USER, .lines = 6};
    return 0;
}

static const char *const *kept_rules(void *argument)
{
    struct kept *kept = argument;
    kept->lines[0] = kept->line[0] != '\0' ? kept->line : NULL;
    return kept->lines;
}

static int drop_rule(void *argument, const char *only, char **line, struct error *error)
{
    struct kept *kept = argument;
    (void)error;
    if (kept->line[0] == '\0' || (only != NULL && strcmp(only, kept->line) != 0))
        return 0;
    *line = xstrdup(kept->line);
    kept->line[0] = '\0';
    return 1;
}

/* The widest that there is. */
static int decide_rule(struct world *world, const struct call *call, enum ladder_scope scope)
{
    struct rule_choice choice = {call->prompt->ladder->count - 1, scope};
    int result = orchestrator_decide_rule(world->orchestrator, call->prompt->id,
                                          call->prompt->revision, &choice, NULL);
    settle(world);
    return result;
}

static void a_remembered_rule_holds_everywhere_and_releases_here(void **state)
{
    struct world *world = *state;
    struct kept kept = {.fails = false};
    struct rule_memory memory = {keep_rule, kept_rules, drop_rule, &kept};
    orchestrator_set_memory(world->orchestrator, &memory);
    set_policy(world, world->agent, "untrusted");
    struct session *other = open_session(world, SESSION_CLIENT, "other", "untrusted");
    struct call *call = submit(world, SPEC(world, "mkdir", "a"));
    struct call *mine = submit(world, SPEC(world, "mkdir", "b"));
    struct call *theirs = submit_in(world, other, SPEC(world, "mkdir", "c"));
    settle(world);
    assert_int_equal(decide_rule(world, call, LADDER_PROJECT), 0);
    assert_non_null(strstr(kept.line, "pattern=[\"mkdir\"]"));
    assert_string_equal(call->decision.rule, kept.line);
    assert_true(call->decision.rule_lasts);
    assert_int_equal(mine->state, CALL_RUNNING);
    assert_int_equal(theirs->state, CALL_ASKING); /* nobody saw it when the rule was made */
    struct call *later = submit_in(world, other, SPEC(world, "mkdir", "d"));
    settle(world);
    assert_int_equal(later->state, CALL_RUNNING);
    assert_int_equal(rules_at(orchestrator_rules(world->orchestrator), 0)->line, 7);
    exit_with(world, call, 0);
    exit_with(world, mine, 0);
    exit_with(world, later, 0);
}

/* Of no request: what waits goes on waiting, what comes next does not, and it is taken back like
 * others. */
static void a_rule_of_no_request_is_kept_like_others(void **state)
{
    static const char line[] =
        "prefix_rule(pattern=[\"mkdir\"], decision=\"allow\", sandbox=\"keep\")";
    struct world *world = *state;
    struct kept kept = {.fails = true};
    struct rule_memory memory = {keep_rule, kept_rules, drop_rule, &kept};
    struct error error = ERROR_INIT;
    set_policy(world, world->agent, "untrusted");
    assert_int_equal(orchestrator_remember_rule(world->orchestrator, line, &error), -1);
    orchestrator_set_memory(world->orchestrator, &memory);
    assert_int_equal(orchestrator_remember_rule(world->orchestrator, line, &error), -1);
    assert_string_equal(error.message, "disk full");
    assert_null(orchestrator_rules(world->orchestrator));
    kept.fails = false;
    struct call *waits = submit(world, SPEC(world, "mkdir", "a"));
    assert_int_equal(waits->state, CALL_ASKING);
    assert_int_equal(orchestrator_remember_rule(world->orchestrator, line, &error), 0);
    settle(world);
    assert_string_equal(kept.line, line);
    assert_int_equal(waits->state, CALL_ASKING);
    struct call *later = submit(world, SPEC(world, "mkdir", "b"));
    assert_int_equal(later->state, CALL_RUNNING);
    exit_with(world, later, 0);
    assert_undone(world, UNDO_RULE, line);
    assert_string_equal(kept.line, "");
}

static void a_rule_for_the_session_stays_in_it(void **state)
{
    struct world *world = *state;
    struct kept kept = {.fails = false};
    struct rule_memory memory = {keep_rule, kept_rules, drop_rule, &kept};
    orchestrator_set_memory(world->orchestrator, &memory);
    set_policy(world, world->agent, "untrusted");
    struct session *other = open_session(world, SESSION_CLIENT, "other", "untrusted");
    struct call *call = submit(world, SPEC(world, "mkdir", "a"));
    assert_int_equal(decide_rule(world, call, LADDER_SESSION), 0);
    assert_string_equal(kept.line, "");
    assert_false(call->decision.rule_lasts);
    struct call *later = submit(world, SPEC(world, "mkdir", "b"));
    assert_int_equal(later->state, CALL_RUNNING);
    struct call *theirs = submit_in(world, other, SPEC(world, "mkdir", "c"));
    settle(world);
    assert_int_equal(theirs->state, CALL_ASKING);
    assert_undone(world, UNDO_RULE, "pattern=[\"mkdir\"]");
    assert_int_equal(submit(world, SPEC(world, "mkdir", "d"))->state, CALL_ASKING);
    assert_undone(world, UNDO_NOTHING, NULL);
    exit_with(world, call, 0);
    exit_with(world, later, 0);
}

/* Not the newest of all: after it, the session's own is the newest still. */
static void a_kept_rule_is_taken_back_by_itself(void **state)
{
    struct world *world = *state;
    struct kept kept = {.fails = false};
    struct rule_memory memory = {keep_rule, kept_rules, drop_rule, &kept};
    orchestrator_set_memory(world->orchestrator, &memory);
    assert_null(orchestrator_kept_rules(world->orchestrator));
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "mkdir", "a"));
    assert_int_equal(decide_rule(world, call, LADDER_PROJECT), 0);
    exit_with(world, call, 0);
    call = submit(world, SPEC(world, "touch", "a"));
    assert_int_equal(decide_rule(world, call, LADDER_SESSION), 0);
    exit_with(world, call, 0);
    const char *const *rules = orchestrator_kept_rules(world->orchestrator);
    assert_non_null(strstr(rules[0], "mkdir"));
    struct orchestrator *orchestrator = world->orchestrator;
    assert_int_equal(orchestrator_take_back_rule(orchestrator, "another", NULL), 0);
    assert_int_equal(orchestrator_take_back_rule(orchestrator, rules[0], NULL), 1);
    assert_null(orchestrator_kept_rules(orchestrator));
    assert_undone(world, UNDO_RULE, "touch");
    assert_undone(world, UNDO_NOTHING, NULL);
}

static void a_rule_that_cannot_be_written_lasts_for_the_session(void **state)
{
    struct world *world = *state;
    struct kept kept = {.fails = true};
    struct rule_memory memory = {keep_rule, kept_rules, drop_rule, &kept};
    orchestrator_set_memory(world->orchestrator, &memory);
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "mkdir", "a"));
    decide_rule(world, call, LADDER_PROJECT);
    struct call *later = submit(world, SPEC(world, "mkdir", "b"));
    assert_int_equal(later->state, CALL_RUNNING);
    assert_null(orchestrator_rules(world->orchestrator));
    exit_with(world, call, 0);
    exit_with(world, later, 0);
}

static void a_refused_step_cannot_be_chosen(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "make", "x"));
    const struct ladder *ladder = call->prompt->ladder;
    for (size_t i = 0; i < ladder->count + 2; i++) {
        bool offered = i < ladder->count && ladder->steps[i].refused == NULL;
        struct rule_choice choice = {i, LADDER_SESSION};
        if (offered)
            continue;
        assert_int_equal(orchestrator_decide_rule(world->orchestrator, call->prompt->id,
                                                  call->prompt->revision, &choice, NULL),
                         -1);
    }
    assert_int_equal(call->state, CALL_ASKING);
}

static void files_forbid_and_allow_outside(void **state)
{
    struct world *world = *state;
    static const char text[] = "prefix_rule([\"uname\"])\nprefix_rule([\"id\"], \"forbidden\", "
                               "justification=\"not here\")\nprefix_rule([\"ls\"], \"prompt\")\n";
    struct rules *rules = rules_new();
    struct rules_source source = {.path = "f.rules", .layer = RULES_USER};
    assert_int_equal(rules_add_text(rules, text, strlen(text), &source, NULL), 0);
    orchestrator_set_rules(world->orchestrator, rules, NULL);
    struct call *call = submit(world, SPEC(world, "uname"));
    assert_int_equal(call->state, CALL_RUNNING);
    assert_int_equal(call->run->type, SANDBOX_TYPE_NONE);
    assert_int_equal(call->decision.source, DECIDED_BY_RULE);
    exit_with(world, call, 0);
    call = submit(world, SPEC(world, "id"));
    assert_int_equal(call_exit_status(call), 77);
    assert_int_equal(call->decision.source, DECIDED_BY_RULE);
    assert_non_null(strstr(call->decision.message, "not here"));
    call = submit(world, SPEC(world, "ls"));
    assert_int_equal(call->state, CALL_ASKING);
    assert_null(call->prompt->ladder); /* a rule asked: no rule is offered against it */
}

#define LIFE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

/* One answer may be given to several prompts only if who asks is all the difference. */
static void the_same_question_of_two_agents(void **state)
{
    struct world *world = *state;
    struct session *other = open_session(world, SESSION_CLIENT, "other", "untrusted");
    struct call *first, *second, *elsewhere, *fed, *reader;
    struct command_spec *spec;

    set_policy(world, world->agent, "untrusted");
    first = submit(world, SPEC(world, "touch", "x"));
    second = submit_in(world, other, SPEC(world, "touch", "x"));
    settle(world);
    assert_int_equal(second->state, CALL_ASKING);
    assert_true(orchestrator_same_question(first, second));
    assert_false(orchestrator_same_question(first, submit(world, SPEC(world, "touch", "y"))));
    spec = SPEC(world, "touch", "x");
    free(spec->cwd);
    spec->cwd = xstrdup("/");
    elsewhere = submit(world, spec);
    assert_false(orchestrator_same_question(first, elsewhere));
    /* What an agent feeds is not in the question. */
    spec = SPEC(world, "tee", "x");
    spec->standard_input = STDIN_PIPE;
    fed = submit(world, spec);
    spec = SPEC(world, "tee", "x");
    spec->standard_input = STDIN_PIPE;
    reader = submit_in(world, other, spec);
    settle(world);
    assert_int_equal(reader->state, CALL_ASKING);
    assert_false(orchestrator_same_question(fed, reader));
}

/* What was denied to one of them alone is a row that the other does not show. */
static void what_one_was_denied_in_part_is_another_question(void **state)
{
    struct world *world = *state;
    struct session *other = open_session(world, SESSION_CLIENT, "other", "untrusted");
    set_policy(world, world->agent, "untrusted");
    decide(world, submit(world, SPEC(world, "mkdir", "a")), REVIEW_DENIED);
    struct call *first = submit(world, SCRIPT(world, "mkdir a && touch b"));
    struct call *second = submit_in(world, other, SCRIPT(world, "mkdir a && touch b"));
    settle(world);
    assert_non_null(first->prompt->denied);
    assert_null(second->prompt->denied);
    assert_false(orchestrator_same_question(first, second));
}

static struct call *ask_host_for(struct world *world, struct call *command)
{
    struct reach *reach = XNEW(struct reach);
    struct error error = ERROR_INIT;
    struct call *asked;

    reach->host = xstrdup("example.org");
    reach->protocol = "https";
    reach->port = 443;
    reach->waiting = 1;
    asked = orchestrator_ask_reach(world->orchestrator, command, reach, &error);
    assert_non_null(asked);
    settle(world);
    assert_int_equal(asked->state, CALL_ASKING);
    return asked;
}

/* A running command of that session's asks for a host. */
static struct call *ask_host(struct world *world, struct session *session, const char *target)
{
    struct call *command = submit_in(world, session, SPEC(world, "touch", target));

    settle(world);
    decide(world, command, REVIEW_APPROVED);
    assert_int_equal(command->state, CALL_RUNNING);
    return ask_host_for(world, command);
}

/* What a command asks to connect to ends with it, however late it asks; what one that does not end
 * asks goes on. */
static void aborting_ends_the_hosts_of_what_ends(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *shown = submit(world, SPEC(world, "touch", "x"));
    settle(world);
    decide(world, shown, REVIEW_APPROVED);
    struct call *aborted = submit(world, SPEC(world, "rm", "-rf", "a"));
    settle(world);
    struct call *its = ask_host_for(world, shown);
    struct call *newer = ask_host(world, world->agent, "y");
    assert_int_equal(
        orchestrator_decide_abort(world->orchestrator, aborted->prompt->id, 1, aborted->id, NULL),
        0);
    settle(world);
    assert_true(shown->run->cancelled);
    assert_int_equal(its->decision.kind, REVIEW_ABORT);
    assert_int_equal(newer->state, CALL_ASKING);
}

/* High-risk ones that wait are not closed by a yes for the session: who says no to the next of them
 * has taken that yes back. */
static void the_last_word_counts(void **state)
{
    struct world *world = *state;

    set_policy(world, world->agent, "untrusted");
    struct call *part = submit(world, SPEC(world, "touch", "x"));
    struct call *yes = submit(world, SPEC(world, "rm", "-rf", "a"));
    struct call *no = submit(world, SPEC(world, "rm", "-rf", "a"));
    struct call *line = submit(world, SCRIPT(world, "touch x && touch y"));
    settle(world);
    decide(world, part, REVIEW_APPROVED_FOR_SESSION);
    decide(world, yes, REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(grants_count(world->agent->grants), 2);
    assert_int_equal(no->state, CALL_ASKING);
    decide(world, no, REVIEW_DENIED);
    assert_int_equal(grants_count(world->agent->grants), 1);
    decide(world, line, REVIEW_DENIED); /* what was allowed by itself stays so */
    assert_int_equal(grants_count(world->agent->grants), 1);
    session_forget_denials(world->agent);
    struct call *again = submit(world, SPEC(world, "rm", "-rf", "a"));
    settle(world);
    assert_int_equal(again->state, CALL_ASKING);
}

static enum risk_level level_of_host_for(struct world *world, const char *line)
{
    struct call *command = submit(world, SCRIPT(world, line));

    settle(world);
    decide(world, command, REVIEW_APPROVED);
    return ask_host_for(world, command)->assessment.level;
}

/* What a command sends goes to the host that it asks for; what only fetches, as installers do, is
 * not made to look like it. */
static void a_host_that_data_is_sent_to_is_grave(void **state)
{
    struct world *world = *state;

    set_policy(world, world->agent, "untrusted");
    assert_int_equal(level_of_host_for(world, "sleep 100; curl -d @README https://example.org/in"),
                     RISK_HIGH);
    assert_int_equal(level_of_host_for(world, "sleep 100; pip install requests"), RISK_MEDIUM);
}

/* … and so with hosts, where the command that wants to reach it is part of the question. */
static void the_same_host_for_two_agents(void **state)
{
    struct world *world = *state;
    struct session *other = open_session(world, SESSION_CLIENT, "other", "untrusted");
    struct call *first, *second, *for_another;

    set_policy(world, world->agent, "untrusted");
    first = ask_host(world, world->agent, "x");
    second = ask_host(world, other, "x");
    for_another = ask_host(world, other, "y");
    assert_true(orchestrator_same_question(first, second));
    assert_false(orchestrator_same_question(first, for_another));
    assert_false(orchestrator_same_question(second, for_another));
}

static void on_notice(void *argument, enum notice_level level, const char *text)
{
    (void)level;
    strbuf_addstr(argument, text);
}

static const struct observer notices = {.name = "notices", .notice = on_notice};

#define STOPPED_PUSH                                                                               \
    "To /srv/a/long/way/to/x.git\n ! [remote rejected] main -> main (unpacker error)\n"            \
    "error: failed to push some refs to '/srv/a/long/way/to/x.git'\n"

static struct call *ends_printing(struct world *world, const char *text, int code)
{
    struct call *call = submit(world, SCRIPT(world, "make publish 2>&1 | tail -3"));
    fake_print(call->run, text);
    exit_with(world, call, code);
    return call;
}

/* What its tail ends with is no failure, and nobody is asked: the operator is told, in one row. */
static void a_stopped_push_that_ends_well_is_told(void **state)
{
    struct world *world = *state;
    cleanup_strbuf struct strbuf told = STRBUF_INIT;
    orchestrator_add_observer(world->orchestrator, &notices, &told);
    struct call *call = ends_printing(world, STOPPED_PUSH, 0);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_non_null(call->attempts[0].push_stopped);
    assert_string_equal(call->attempts[0].push_stopped, "/srv/a/long/way/to/x.git");
    assert_string_equal(strbuf_str(&told), "c1: done, but the sandbox may have stopped its push to "
                                           "/srv/a/…/way/to/x.git");
    strbuf_reset(&told);
    call = ends_printing(world, "To /srv/x.git\n   1..2  main -> main\n", 0);
    assert_null(call->attempts[0].push_stopped);
    call = ends_printing(world, STOPPED_PUSH, 1); /* set -o pipefail */
    assert_int_equal(call->state, CALL_ASKING);
    assert_true(call->prompt->retry);
    assert_null(call->attempts[0].push_stopped);
    assert_string_equal(call->attempts[0].denial->path, "/srv/a/long/way/to/x.git");
    assert_string_equal(strbuf_str(&told), "");
    orchestrator_remove_observer(world->orchestrator, &told);
}

/* What mkdir says of a name that is there is a denial where the sandbox has put it there. */
static void a_held_name_is_asked_about(void **state)
{
    static const char WORDS[] = "mkdir: cannot create directory '.vscode': File exists\n";
    struct world *world = *state;
    struct run_result result = {.outcome = RUN_EXITED, .code = 1};
    struct call *call = ends_printing(world, WORDS, 1);
    assert_int_equal(call->state, CALL_FINISHED);
    call = submit(world, SCRIPT(world, "make editor"));
    fake_print(call->run, WORDS);
    strcpy(result.placeholders, ".idea/.vscode");
    fake_end(call->run, result);
    settle(world);
    assert_int_equal(call->state, CALL_ASKING);
    assert_true(call->prompt->retry);
    assert_string_equal(call->attempts[0].denial->path, ".vscode");
}

/* No call is made of it, so the operator and the command's client are told, once. */
static void a_denied_host_is_denied_again_aloud(void **state)
{
    struct world *world = *state;
    struct reach_answer answer;
    cleanup_strbuf struct strbuf told = STRBUF_INIT;
    set_policy(world, world->agent, "untrusted");
    struct call *first = ask_host(world, world->agent, "x");
    struct call *later = submit(world, SPEC(world, "touch", "y"));
    settle(world);
    decide(world, later, REVIEW_APPROVED);
    decide_with(world, first, REVIEW_DENIED, "no");
    orchestrator_add_observer(world->orchestrator, &notices, &told);
    for (int i = 0; i < 3; i++) {
        orchestrator_known_reach(world->orchestrator, later, first->reach, &answer);
        assert_true(answer.known && !answer.allowed);
        free(answer.message);
    }
    assert_non_null(later->unreached);
    assert_string_equal(later->unreached[0], "https://example.org:443: no");
    assert_null(later->unreached[1]);
    assert_string_equal(later->unreached_by[0], "user");
    assert_int_equal(world->agent->denials->items[0].repeats, 1);
    orchestrator_remove_observer(world->orchestrator, &told);
    cleanup_free char *once = xasprintf("c%u: https://example.org:443 is denied as before; "
                                        ":forget c%u lets it ask again",
                                        (unsigned)later->id, (unsigned)first->id);
    assert_string_equal(strbuf_str(&told), once);
}

static void on_connection(void *argument, const struct call *call,
                          const struct reach_connection *connection)
{
    (void)call;
    *(uint64_t *)argument = connection->covered_by;
}

static const struct observer connections = {.name = "connections",
                                            .connection_ended = on_connection};

/* Nobody is asked, and no call is made of it: the command tells which answer let it out, and the
 * operator is told once. */
static void a_covered_host_names_the_answer(void **state)
{
    struct world *world = *state;
    struct reach_answer answer;
    cleanup_strbuf struct strbuf told = STRBUF_INIT;
    uint64_t by = 0;
    set_policy(world, world->agent, "untrusted");
    struct call *first = ask_host(world, world->agent, "x");
    struct call *later = submit(world, SPEC(world, "touch", "y"));
    settle(world);
    decide(world, later, REVIEW_APPROVED);
    decide(world, first, REVIEW_APPROVED_FOR_SESSION);
    orchestrator_add_observer(world->orchestrator, &notices, &told);
    for (int i = 0; i < 3; i++) {
        orchestrator_known_reach(world->orchestrator, later, first->reach, &answer);
        assert_true(answer.known && answer.allowed);
    }
    orchestrator_remove_observer(world->orchestrator, &told);
    cleanup_free char *once = xasprintf(
        "c%u may reach https://example.org:443: you allowed it with c%u, for this session",
        (unsigned)later->id, (unsigned)first->id);
    assert_string_equal(strbuf_str(&told), once);
    assert_int_equal(later->covered_count, 1);
    assert_string_equal(later->covered[0].url, "https://example.org:443");
    assert_int_equal(later->covered[0].by, first->id);
    orchestrator_add_observer(world->orchestrator, &connections, &by);
    struct reach_connection connection = {
        .url = "https://example.org:443", .outcome = "passed", .detail = ""};
    orchestrator_tell_connection(world->orchestrator, later, &connection);
    assert_int_equal(by, first->id);
    connection.url = "https://example.com:443";
    orchestrator_tell_connection(world->orchestrator, later, &connection);
    assert_int_equal(by, 0);
    orchestrator_remove_observer(world->orchestrator, &by);
}

static bool is_let_out(struct world *world, struct call *command, const struct reach *reach)
{
    struct reach_answer answer;
    orchestrator_known_reach(world->orchestrator, command, reach, &answer);
    free(answer.message);
    return answer.allowed;
}

/* "Until c1 ends" is for the connections of c1: no other command uses it, nor one that waits. */
static void a_host_until_its_command_ends_is_for_that_alone(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    set_policy(world, world->agent, "untrusted");
    struct call *first = ask_host(world, world->agent, "x");
    struct call *second = ask_host(world, world->agent, "y");
    struct call *command = orchestrator_find_call(world->orchestrator, first->reach->command);
    struct call *other = orchestrator_find_call(world->orchestrator, second->reach->command);
    const struct lease lease = {.kind = LEASE_CALL, .call = command->id};
    assert_int_equal(orchestrator_decide_lease(world->orchestrator, first->prompt->id,
                                               first->prompt->revision, &lease, &error),
                     0);
    settle(world);
    assert_int_equal(second->state, CALL_ASKING);
    assert_true(is_let_out(world, command, first->reach));
    assert_false(is_let_out(world, other, first->reach));
    decide(world, second, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, command, 0);
    assert_true(is_let_out(world, other, first->reach));
    assert_int_equal(grants_count(world->agent->grants), 1);
}

/* What waits is refused with the same answer: the client of each is told. */
static void a_host_is_denied_to_all_that_wait(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *first = ask_host(world, world->agent, "x");
    struct call *second = ask_host(world, world->agent, "y");
    struct call *command = orchestrator_find_call(world->orchestrator, second->reach->command);
    decide_with(world, first, REVIEW_DENIED, "no");
    assert_int_equal(second->decision.source, DECIDED_BY_CACHE);
    assert_non_null(command->unreached);
    assert_string_equal(command->unreached[0], "https://example.org:443: no");
    assert_string_equal(command->unreached_by[0], "user");
}

/* An answer that nothing came of is known as such, until something does. */
static void an_allowed_host_may_not_be_reached(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *asked = ask_host(world, world->agent, "x");
    struct call *command = orchestrator_find_call(world->orchestrator, asked->reach->command);
    cleanup_free char *url = reach_url(asked->reach);
    struct reach_connection connection = {
        .url = "https://other:443", .outcome = "failed", .detail = "502"};
    decide(world, asked, REVIEW_APPROVED);
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    assert_null(asked->reach->unreached);
    connection.url = url;
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    assert_string_equal(asked->reach->unreached, "502");
    connection.outcome = "passed";
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    assert_null(asked->reach->unreached);
}

/* The command's result tells why its last try failed, once for each host, and not where a later one
 * came through. */
static void the_agent_is_told_which_hosts_were_not_reached(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *asked = ask_host(world, world->agent, "x");
    struct call *command = orchestrator_find_call(world->orchestrator, asked->reach->command);
    struct reach_connection connection = {
        .url = "https://one:443", .outcome = "failed", .detail = "502"};
    decide(world, asked, REVIEW_APPROVED);
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    connection.url = "https://two:443";
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    connection.detail = "no such name";
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    assert_int_equal(command->failure_count, 2);
    assert_string_equal(command->failures[1].url, "https://two:443");
    assert_string_equal(command->failures[1].why, "no such name");
    connection.url = "https://one:443";
    connection.outcome = "passed";
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    assert_int_equal(command->failure_count, 1);
    connection.outcome = "failed";
    for (int i = 0; i < 100; i++) {
        cleanup_free char *url = xasprintf("https://host%d:443", i);
        connection.url = url;
        orchestrator_tell_connection(world->orchestrator, command, &connection);
    }
    assert_int_equal(command->failure_count, 32);
}

static void note_allowed_by(void *argument, const struct call *command,
                            const struct reach_connection *connection)
{
    (void)command;
    *(uint64_t *)argument = connection->allowed_by;
}

/* Told with the connection, so that the record of the command names the operator's answer. */
static void a_connection_names_the_answer_that_let_it_out(void **state)
{
    static const struct observer observer = {.name = "test", .connection_ended = note_allowed_by};
    struct world *world = *state;
    uint64_t by = 1000;
    set_policy(world, world->agent, "untrusted");
    struct call *asked = ask_host(world, world->agent, "x");
    struct call *command = orchestrator_find_call(world->orchestrator, asked->reach->command);
    cleanup_free char *url = reach_url(asked->reach);
    struct reach_connection connection = {.url = url, .outcome = "withdrawn", .detail = ""};
    orchestrator_add_observer(world->orchestrator, &observer, &by);
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    assert_int_equal(by, 0);
    decide(world, asked, REVIEW_APPROVED);
    connection.outcome = "passed";
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    assert_int_equal(by, asked->id);
    connection.url = "https://other:443";
    orchestrator_tell_connection(world->orchestrator, command, &connection);
    assert_int_equal(by, 0);
    orchestrator_remove_observer(world->orchestrator, &by);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIFE(what_is_given_to_the_session_is_asked_for_each_time),
        LIFE(a_session_grant_covers_the_same_again),
        LIFE(a_rule_says_how_many_earlier_questions_it_covers),
        LIFE(the_same_question_of_two_agents),
        LIFE(what_one_was_denied_in_part_is_another_question),
        LIFE(aborting_ends_the_hosts_of_what_ends),
        LIFE(the_last_word_counts),
        LIFE(a_host_that_data_is_sent_to_is_grave),
        LIFE(the_same_host_for_two_agents),
        LIFE(a_covered_host_names_the_answer),
        LIFE(a_denied_host_is_denied_again_aloud),
        LIFE(a_stopped_push_that_ends_well_is_told),
        LIFE(a_held_name_is_asked_about),
        LIFE(a_host_until_its_command_ends_is_for_that_alone),
        LIFE(a_host_is_denied_to_all_that_wait),
        LIFE(an_allowed_host_may_not_be_reached),
        LIFE(the_agent_is_told_which_hosts_were_not_reached),
        LIFE(a_connection_names_the_answer_that_let_it_out),
        LIFE(a_grant_serves_no_other_session),
        LIFE(a_grant_serves_no_other_sandbox),
        LIFE(open_prompts_that_are_covered_now_close),
        LIFE(a_grant_releases_no_high_risk_that_waits),
        LIFE(an_allowed_prefix_keeps_the_sandbox),
        LIFE(a_family_of_prefixes_is_one_rule),
        LIFE(an_allowed_prefix_releases_no_high_risk_that_waits),
        LIFE(a_remembered_rule_holds_everywhere_and_releases_here),
        LIFE(a_rule_of_no_request_is_kept_like_others),
        LIFE(a_rule_for_the_session_stays_in_it),
        LIFE(a_kept_rule_is_taken_back_by_itself),
        LIFE(a_rule_that_cannot_be_written_lasts_for_the_session),
        LIFE(a_refused_step_cannot_be_chosen),
        LIFE(files_forbid_and_allow_outside),
    };
    return cmocka_run_group_tests_name("orchestrator grants", tests, NULL, NULL);
}
