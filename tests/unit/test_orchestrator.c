/* SPDX-License-Identifier: MIT */
/* The life of a call, with a runner that does what the test says. */
#include "config.h"

#include "approval/orchestrator.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "orchestrator_world.h"

/* ---- the first attempt ----------------------------------------------------------------------- */

static void runs_in_the_sandbox_unasked(void **state)
{
    struct world *world = *state;
    struct call *call = submit_in(world, world->agent, SPEC(world, "touch", "x"));
    assert_events(world, ""); /* the caller can note the id first */
    assert_int_equal(call->id, 1);
    settle(world);
    assert_events(world, "received 1\ndecided 1 approved config\nstarted 1.1 turn_default\n");
    assert_int_equal(call->run->type, SANDBOX_TYPE_LINUX);
    assert_string_equal(strbuf_str(&call->run->program), "touch x");
    assert_string_equal(call->program, "/usr/bin/touch");
    exit_with(world, call, 3);
    assert_events(world, "ended 1.1\nfinished 1 3\n");
    assert_null(call->run);
}

static void nothing_runs_before_its_decision_is_recorded(void **state)
{
    struct world *world = *state;
    world->withhold_commits = true;
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(call->state, CALL_RECORDING);
    assert_int_equal(fake_starts, 0);
    let_commit(world, 0);
    settle(world);
    assert_int_equal(call->state, CALL_RUNNING);
    assert_int_equal(fake_starts, 1);
    exit_with(world, call, 0);
}

static void what_cannot_be_recorded_does_not_run(void **state)
{
    struct world *world = *state;
    world->withhold_commits = true;
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    let_commit(world, -ENOSPC);
    settle(world);
    assert_int_equal(fake_starts, 0);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(call), 125);
    assert_non_null(strstr(call->failure, "recorded"));
}

static void a_decision_comes_before_its_effect(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    assert_events(world, "received 1\nasked 1\n");
    assert_int_equal(fake_starts, 0);
    world->clock.now_ms += 1500;
    decide_with(world, call, REVIEW_APPROVED, "fine");
    assert_events(world, "decided 1 approved user prompt\nstarted 1.1 turn_default\n");
    assert_int_equal(call->decision.waited_ms, 1500);
    assert_string_equal(call->decision.message, "fine");
    exit_with(world, call, 0);
    assert_events(world, "ended 1.1\nfinished 1 0\n");

    /* A one-off approval is never remembered. */
    struct call *again = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(again->state, CALL_ASKING);
}

static void denied_ends_with_the_operators_words(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "x"));
    assert_non_null(strstr(wording_english(call->prompt->reason), "deletes"));
    decide_with(world, call, REVIEW_DENIED, "use git clean");
    assert_events(world, "received 1\nasked 1\ndecided 1 denied user prompt\nfinished 1 77\n");
    assert_string_equal(call->decision.message, "use git clean");
    assert_int_equal(fake_starts, 0);
}

static void which_policy_asks_for_what(void **state)
{
    struct world *world = *state;
    enum want { RUNS, ASKS, REFUSED };
    static const struct {
        const char *policy;
        enum want other, safe, dangerous, escalated;
    } rows[] = {
        {"never", RUNS, RUNS, REFUSED, REFUSED},
        {"on-failure", RUNS, RUNS, ASKS, ASKS},
        {"on-request", RUNS, RUNS, ASKS, ASKS},
        {"reject:rules", RUNS, RUNS, ASKS, ASKS},
        {"reject:sandbox_approval", RUNS, RUNS, REFUSED, REFUSED},
        {"untrusted", ASKS, RUNS, ASKS, ASKS},
    };
    for (size_t i = 0; i < COUNT(rows) * 4; i++) {
        struct session *session = open_session(world, SESSION_CLIENT, "row", rows[i / 4].policy);
        struct command_spec *spec = i % 4 == 1   ? SPEC(world, "ls")
                                    : i % 4 == 2 ? SPEC(world, "rm", "-rf", "x")
                                                 : SPEC(world, "touch", "x");
        if (i % 4 == 3)
            spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
        struct call *call = submit_in(world, session, spec);
        settle(world);
        const enum want wants[] = {rows[i / 4].other, rows[i / 4].safe, rows[i / 4].dangerous,
                                   rows[i / 4].escalated};
        static const enum call_state states[] = {
            [RUNS] = CALL_RUNNING, [ASKS] = CALL_ASKING, [REFUSED] = CALL_FINISHED};
        if (call->state != states[wants[i % 4]])
            print_error("%s, column %zu: %s\n", rows[i / 4].policy, i % 4,
                        call_state_name(call->state));
        assert_int_equal(call->state, states[wants[i % 4]]);
        if (wants[i % 4] == REFUSED)
            assert_int_equal(call_exit_status(call), 77);
        orchestrator_close_session(world->orchestrator, session);
        settle(world);
        if (call->run != NULL)
            exit_with(world, call, 0);
    }
}

static void reject_says_what_it_rejects(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "reject:sandbox_approval");
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "x"));
    assert_string_equal(call->decision.message, "approval policy rejected sandbox approval prompt");
    assert_int_equal(call->decision.source, DECIDED_BY_CONFIG);
}

static void an_unknown_program_ends_at_once(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "no-such-program"));
    assert_events(world, "received 1\nfinished 1 127\n");
    assert_non_null(strstr(call->failure, "not found"));
}

static void asks_to_leave_the_sandbox(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = SPEC(world, "touch", "x");
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *call = submit(world, spec);
    assert_int_equal(call->prompt->sandbox, ATTEMPT_UNSANDBOXED);
    assert_non_null(strstr(wording_english(call->prompt->under), "no sandbox"));
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->run->type, SANDBOX_TYPE_NONE);
    assert_true(call->decision.unsandboxed);
    /* Unsandboxed: no denial, whatever it says. */
    exit_denied(world, call);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(call), 1);
}

/* Of two reasons neither hides the other. */
static void says_every_reason_to_ask(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = SPEC(world, "rm", "-rf", "x");
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *call = submit(world, spec);
    assert_string_equal(wording_english(call->prompt->reason),
                        "it deletes files by force; and the agent asks for more than the sandbox "
                        "gives");
    call = submit(world, SPEC(world, "rm", "-rf", "y"));
    assert_string_equal(wording_english(call->prompt->reason), "it deletes files by force");
    call = submit(world, SPEC(world, "rm", "-r", "z"));
    assert_string_equal(wording_english(call->prompt->reason),
                        "it deletes files and whole directories");
}

static void asks_for_exactly_these_permissions(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = SPEC(world, "touch", "/opt/x");
    char *writable[] = {xstrdup("/opt"), NULL};
    struct additional_permissions more = {.writable = writable};
    spec->permissions = SANDBOX_PERMISSIONS_WITH_ADDITIONAL;
    spec->additional = additional_permissions_copy(&more);
    free(writable[0]);
    struct call *call = submit(world, spec);
    assert_non_null(strstr(wording_english(call->prompt->under), "also write all in /opt"));
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(call->run->type, SANDBOX_TYPE_LINUX);
    assert_non_null(strstr(call->run->policy, "/opt"));
    assert_non_null(call->keys[0]);
    exit_with(world, call, 0);
    assert_null(call->keys); /* the session has it; finished calls are many */

    /* The grant carries these permissions and no others. */
    spec = command_spec_copy(call->spec);
    struct call *same = submit(world, spec);
    assert_int_equal(same->state, CALL_RUNNING);
    assert_non_null(strstr(same->run->policy, "/opt"));
    exit_with(world, same, 0);
    spec = command_spec_copy(call->spec);
    spec->additional->network = true;
    assert_int_equal(submit(world, spec)->state, CALL_ASKING);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void only_the_shown_prompt_can_be_answered(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "x"));
    uint64_t id = call->prompt->id;
    unsigned revision = call->prompt->revision;
    struct orchestrator *orchestrator = world->orchestrator;
    assert_int_equal(
        orchestrator_decide(orchestrator, id + 1, revision, REVIEW_APPROVED, NULL, &error), -1);
    assert_int_equal(
        orchestrator_decide(orchestrator, id, revision + 1, REVIEW_APPROVED, NULL, &error), -1);
    assert_int_equal(
        orchestrator_decide(orchestrator, id, revision, REVIEW_APPROVED_AMENDMENT, NULL, &error),
        -1);
    assert_int_equal(orchestrator_decide(orchestrator, id, revision, REVIEW_NONE, NULL, &error),
                     -1);
    assert_int_equal(call->state, CALL_ASKING);

    /* Its risk rises while it is shown: a key pressed for the old picture decides nothing. */
    call->assessment.level = RISK_MEDIUM;
    const struct opinion worse = {.status = OPINION_SUCCESS, .level = RISK_HIGH};
    assert_int_equal(orchestrator_note_opinion(orchestrator, id, &worse), 0);
    assert_int_equal(call->assessment.level, RISK_HIGH);
    assert_int_equal(orchestrator_decide(orchestrator, id, revision, REVIEW_APPROVED, NULL, &error),
                     -1);
    assert_non_null(strstr(error.message, "changed"));
    assert_int_equal(call->prompt->revision, revision + 1);

    assert_int_equal(
        orchestrator_decide(orchestrator, id, revision + 1, REVIEW_DENIED, NULL, &error), 0);
    assert_int_equal(call->state, CALL_ASKING); /* it takes effect in the next turn */
    assert_int_equal(
        orchestrator_decide(orchestrator, id, revision + 1, REVIEW_APPROVED, NULL, &error), -1);
    settle(world);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(
        orchestrator_decide(orchestrator, id, revision + 1, REVIEW_APPROVED, NULL, &error), -1);
    assert_non_null(strstr(error.message, "not open"));
    assert_int_equal(fake_starts, 0);
}

static void risk_is_never_lowered(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "x"));
    struct opinion low = {.status = OPINION_SUCCESS, .description = "All is well."};
    orchestrator_note_opinion(world->orchestrator, call->prompt->id, &low);
    assert_int_equal(call->assessment.level, RISK_HIGH);
    assert_int_equal(call->prompt->revision, 1); /* nothing to look at again */
    assert_string_equal(call->opinion.description, "All is well.");
    /* What failed says nothing, whatever level it holds. */
    struct opinion failed = {.status = OPINION_PARSE_ERROR, .level = RISK_HIGH};
    call->assessment.level = RISK_MEDIUM;
    orchestrator_note_opinion(world->orchestrator, call->prompt->id, &failed);
    assert_int_equal(call->assessment.level, RISK_MEDIUM);
    assert_int_equal(call->prompt->revision, 1);
    assert_int_equal(orchestrator_note_opinion(world->orchestrator, 999, &low), -1);
}

static void abort_cancels_the_sessions_other_calls(void **state)
{
    struct world *world = *state;
    struct call *running = submit(world, SPEC(world, "touch", "x"));
    struct call *asking = submit(world, SPEC(world, "rm", "-rf", "a"));
    struct call *aborted = submit(world, SPEC(world, "rm", "-rf", "b"));
    struct session *other = open_session(world, SESSION_CLIENT, "other", "on-request");
    struct call *spared = submit_in(world, other, SPEC(world, "rm", "-rf", "a"));
    world->withhold_commits = true;
    struct call *recording = submit(world, SPEC(world, "touch", "y"));
    assert_int_equal(recording->state, CALL_RECORDING);
    forget_events(world);
    decide_with(world, aborted, REVIEW_ABORT, "stop it");
    assert_int_equal(aborted->state, CALL_FINISHED);
    assert_false(aborted->decision.alone);
    assert_int_equal(asking->state, CALL_FINISHED);
    assert_int_equal(recording->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(asking), 77);
    assert_true(running->run->cancelled);
    fake_end(running->run, (struct run_result){.outcome = RUN_SIGNALED, .signal = 15});
    settle(world);
    assert_int_equal(running->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(running), 128 + 15);
    assert_int_equal(spared->state, CALL_ASKING);
    assert_true(running->ended_with && asking->ended_with);
    assert_false(aborted->ended_with || spared->ended_with);
    let_commit(world, 0); /* comes too late: nothing happens */
    settle(world);
    assert_int_equal(fake_starts, 1);
    decide_with(world, spared, REVIEW_ABORT, NULL);
    assert_true(spared->decision.alone);
}

static void abort_up_to(struct world *world, const struct call *call, uint64_t up_to)
{
    struct error error = ERROR_INIT;
    assert_int_equal(
        orchestrator_decide_abort(world->orchestrator, call->prompt->id, 1, up_to, &error), 0);
    settle(world);
}

/* The operator was not shown what came since: an agent that goes on asking does not get those ended
 * unseen, nor keeps the others from being ended. */
static void abort_spares_what_came_later(void **state)
{
    struct world *world = *state;
    struct call *running = submit(world, SPEC(world, "touch", "x"));
    struct call *aborted = submit(world, SPEC(world, "rm", "-rf", "a"));
    struct call *shown = submit(world, SPEC(world, "rm", "-rf", "b"));
    struct call *newer = submit(world, SPEC(world, "rm", "-rf", "c"));
    struct call *newer_running = submit(world, SPEC(world, "touch", "y"));
    abort_up_to(world, aborted, shown->id);
    assert_int_equal(aborted->decision.kind, REVIEW_ABORT);
    assert_false(aborted->decision.alone);
    assert_int_equal(shown->decision.kind, REVIEW_ABORT);
    assert_true(running->run->cancelled);
    assert_int_equal(newer->state, CALL_ASKING);
    assert_false(newer_running->run->cancelled);
    fake_end(running->run, (struct run_result){.outcome = RUN_SIGNALED, .signal = 15});
    settle(world);
    abort_up_to(world, newer, newer->id);
    assert_int_equal(newer->decision.kind, REVIEW_ABORT);
    assert_true(newer->decision.alone);
    assert_false(newer_running->run->cancelled);
}

static struct call *submit_as(struct world *world, struct session *session, const char *name,
                              pid_t tree)
{
    const struct call_client client = {.name = (char *)name, .tree = tree};
    const struct call_options options = {.client = client};
    cleanup_free char *path = xasprintf("%s-%d", name, (int)tree);
    return orchestrator_submit(world->orchestrator, session, CALL_SHELL,
                               SPEC(world, "rm", "-rf", path), &options, NULL);
}

/* A session that plain clients share is one session: whose the calls are does not matter. */
static void abort_cancels_what_others_have_open_in_a_shared_session(void **state)
{
    struct world *world = *state;
    struct session *shared = open_session(world, SESSION_DEFAULT, "default", "on-request");
    struct session *other = open_session(world, SESSION_CLIENT, "other", "on-request");
    struct call *aborted = submit_as(world, shared, "c", 40);
    struct call *beside = submit_as(world, shared, "b", 40);
    struct call *elsewhere = submit_as(world, shared, "c", 50);
    struct call *spared = submit_as(world, other, "c", 40);
    settle(world);
    decide_with(world, aborted, REVIEW_ABORT, NULL);
    assert_int_equal(aborted->state, CALL_FINISHED);
    assert_false(aborted->decision.alone);
    assert_int_equal(beside->state, CALL_FINISHED);
    assert_int_equal(elsewhere->state, CALL_FINISHED);
    assert_int_equal(spared->state, CALL_ASKING);
}

/* ---- the sandbox denies ---------------------------------------------------------------------- */

static void who_is_asked_to_retry(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *policy;
        bool escalate_on_request;
        bool asks;
    } rows[] = {
        {"untrusted", true, true},    {"on-failure", true, true},
        {"on-request", true, true},   {"on-request", false, false},
        {"reject:rules", true, true}, {"reject:sandbox_approval", true, false},
        {"never", true, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct turn_context *context = context_of(world, rows[i].policy, SANDBOX_WORKSPACE_WRITE);
        context->approval.escalate_on_request = rows[i].escalate_on_request;
        struct session *session =
            orchestrator_open_session(world->orchestrator, SESSION_CLIENT, "row", 0, NULL, context);
        turn_context_unref(&context);
        struct call *call = submit_in(world, session, SPEC(world, "touch", "/x"));
        settle(world);
        if (call->state == CALL_ASKING)
            decide(world, call, REVIEW_APPROVED);
        exit_denied(world, call);
        assert_int_equal(call->state, rows[i].asks ? CALL_ASKING : CALL_FINISHED);
        if (!rows[i].asks) /* nobody was asked: the command's own code, and its output */
            assert_int_equal(call_exit_status(call), 1);
        assert_non_null(call->attempts[0].denial);
        orchestrator_close_session(world->orchestrator, session);
        settle(world);
    }
}

/* Some of it may have been done, and would be again. */
static void a_line_of_several_commands_says_that_all_run_again(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "bash", "-c", "touch /x && touch /y"));
    exit_denied(world, call);
    assert_int_equal(call->state, CALL_ASKING);
    assert_true(call->prompt->repeats_some);
}

static void a_second_attempt_and_no_third(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "touch", "/x"));
    forget_events(world);
    exit_denied(world, call);
    assert_events(world, "ended 1.1 denied\nasked 1 retry\n");
    assert_true(call->prompt->retry);
    assert_int_equal(call->prompt->sandbox, ATTEMPT_UNSANDBOXED);
    assert_non_null(strstr(wording_english(call->prompt->reason), "inferred from what"));
    assert_non_null(call->prompt->first_attempt);
    assert_false(call->prompt->repeats_some);
    decide(world, call, REVIEW_APPROVED);
    assert_events(world, "decided 1 approved user prompt\nstarted 1.2 unsandboxed\n");
    assert_int_equal(call->run->type, SANDBOX_TYPE_NONE);
    exit_denied(world, call);
    assert_events(world, "ended 1.2\nfinished 1 1\n");
    assert_int_equal(fake_starts, 2);
}

/* The second attempt stays in the sandbox, and what it may write beside is one path. */
static void a_second_attempt_with_the_denied_path_alone(void **state)
{
    struct world *world = *state;
    cleanup_free char *data = xasprintf("%s/data", world->base);
    cleanup_free char *blocked = xasprintf("write %s/x", data);
    static const struct {
        enum sandbox_mode mode;
        bool offered;
    } rows[] = {{SANDBOX_READ_ONLY, true}, {SANDBOX_DANGER_FULL_ACCESS, false}};
    assert_int_equal(mkdir(data, 0755), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct turn_context *context = context_of(world, "on-failure", rows[i].mode);
        struct session *session = orchestrator_open_session(world->orchestrator, SESSION_CLIENT,
                                                            "path", 0, NULL, context);
        turn_context_unref(&context);
        struct call *call = submit_in(world, session, SPEC(world, "touch", "/x"));
        settle(world);
        fake_exit_blocked(call->run, 1, blocked);
        settle(world);
        if (!rows[i].offered) {
            assert_int_equal(call->state, CALL_FINISHED);
            continue;
        }
        assert_string_equal(call->prompt->path, data);
        assert_true(call->prompt->path_holds);
        assert_non_null(strstr(wording_english(call->prompt->path_under), "; also write all in "));
        decide(world, call, REVIEW_APPROVED_PATH);
        assert_string_equal(call->decision.path, data);
        assert_false(call->decision.unsandboxed);
        assert_int_equal(call->attempts[1].sandbox, ATTEMPT_PERMISSIONS);
        assert_non_null(strstr(call->run->policy, "entry write "));
        assert_non_null(strstr(call->run->policy, data));
        fake_exit_blocked(call->run, 1, blocked);
        settle(world);
        assert_int_equal(call->state, CALL_FINISHED);
        assert_int_equal(call->attempt_count, 2);
    }
}

/* Where no namespace holds what is protected within a directory, that would be given with it. */
static void no_directory_without_namespaces(void **state)
{
    struct world *world = *state;
    cleanup_free char *data = xasprintf("%s/data", world->base);
    cleanup_free char *file = xasprintf("%s/file", data);
    struct turn_context *whole = context_of(world, "on-failure", SANDBOX_READ_ONLY);
    struct sandbox_policy *policy = sandbox_policy_copy(whole->sandbox);
    policy->no_user_namespaces = policy->allow_degraded = true;
    struct turn_context *degraded =
        turn_context_new(&whole->approval, policy, whole->preference, whole->root);
    struct session *session =
        orchestrator_open_session(world->orchestrator, SESSION_CLIENT, "path", 0, NULL, degraded);
    assert_int_equal(mkdir(data, 0755), 0);
    assert_int_equal(mknod(file, S_IFREG | 0644, 0), 0);
    for (int there = 0; there < 2; there++) {
        cleanup_free char *blocked = xasprintf("write %s", there ? file : data);
        struct call *call = submit_in(world, session, SPEC(world, "touch", there ? "/file" : "/x"));
        settle(world);
        fake_exit_blocked(call->run, 1, blocked);
        settle(world);
        assert_int_equal(call->prompt->path != NULL, there);
        decide_with(world, call, REVIEW_DENIED, NULL);
    }
    turn_context_unref(&degraded);
    turn_context_unref(&whole);
    sandbox_policy_free(&policy);
}

static void a_retry_that_is_denied_returns_the_output(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "touch", "/x"));
    exit_denied(world, call);
    decide_with(world, call, REVIEW_DENIED, "stay inside");
    assert_int_equal(call_exit_status(call), 77);
    assert_int_equal(call->attempt_count, 1);
    assert_non_null(call->output);
    assert_int_equal(output_total(call->output), strlen(DENIED_WORDS));
    assert_string_equal(call->decision.message, "stay inside");
}

/* Who is asked about the first one again is told that no second question follows. */
static void what_was_denied_after_the_sandbox_is_not_promised(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "/x"));
    settle(world);
    assert_int_equal(call->prompt->retry_denied, 0);
    decide(world, call, REVIEW_APPROVED);
    settle(world);
    exit_denied(world, call);
    assert_true(call->prompt->retry);
    decide(world, call, REVIEW_DENIED);
    struct call *again = submit(world, SPEC(world, "touch", "/x"));
    settle(world);
    assert_false(again->prompt->retry);
    assert_int_equal(again->prompt->retry_denied, call->id);
    assert_string_equal(again->asked_as, call->first_asked_as);
    assert_string_not_equal(again->asked_as, call->asked_as);
    /* and it is promised once that is taken back */
    struct undo undo;
    assert_int_equal(orchestrator_undo(world->orchestrator, &undo, NULL), 0);
    undo_clear(&undo);
    settle(world);
    assert_int_equal(again->prompt->retry_denied, 0);
}

static void a_denial_with_evidence_names_it(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "touch", "/etc/x"));
    fake_exit_blocked(call->run, 1, "write /etc/x");
    settle(world);
    assert_int_equal(call->state, CALL_ASKING);
    assert_non_null(
        strstr(wording_english(call->prompt->reason), "the sandbox blocked: write /etc/x"));
    assert_null(strstr(wording_english(call->prompt->reason), "inferred from what"));
}

static void what_failed_for_its_own_reasons_is_not_retried(void **state)
{
    struct world *world = *state;
    static const struct {
        struct run_result result;
        const char *words;
    } rows[] = {
        {{.outcome = RUN_EXITED, .code = 0}, DENIED_WORDS},
        {{.outcome = RUN_EXITED, .code = 1}, "no such file\n"},
        {{.outcome = RUN_EXITED, .code = 1, .timed_out = true}, DENIED_WORDS},
        {{.outcome = RUN_FAILED, .code = 127}, DENIED_WORDS},
        {{.outcome = RUN_SIGNALED, .signal = 9}, "killed\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct call *call = submit(world, SPEC(world, "touch", "x"));
        fake_print(call->run, rows[i].words);
        fake_end(call->run, rows[i].result);
        settle(world);
        assert_int_equal(call->state, CALL_FINISHED);
        assert_null(call->attempts[0].denial);
    }
}

/* "Permission denied" is said of both; who may read it would have been stopped at writing, or by
 * somebody else. */
static void what_may_not_be_read_was_a_read(void **state)
{
    static const char *const names[] = {".env", "x", "./.env"};
    static const char *const causes[] = {"read", "file system", "read"};
    struct world *world = *state;
    for (size_t i = 0; i < COUNT(names); i++) {
        cleanup_free char *there = xasprintf("%s/.env", world->root);
        FILE *file = i == 2 ? fopen(there, "w") : NULL;
        if (file != NULL)
            fclose(file);
        struct call *call = submit(world, SPEC(world, "cp", names[i], "y"));
        cleanup_free char *words =
            names[i][0] == '.' && names[i][1] == '/'
                ? xasprintf("cp: %s: Permission denied\n", names[i])
                : xasprintf("cp: %s/%s: Permission denied\n", world->root, names[i]);
        fake_print(call->run, words);
        fake_exit(call->run, 1);
        settle(world);
        assert_string_equal(call->attempts[0].denial->cause, causes[i]);
        /* What is not known to have been a write is not said to be one, nor anything else. */
        cleanup_free char *access =
            xasprintf("the sandbox may have blocked access to %s/x (inferred", world->root);
        if (i == 1)
            assert_non_null(strstr(wording_english(call->prompt->reason), access));
    }
}

/* An approval covers the sandbox that was shown with it. The attack: a command that was approved
 * to run in the sandbox says "Permission denied" and exits 1, hoping to be run again without. */
static void an_approval_covers_only_the_sandbox_shown(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    assert_false(call->prompt->covers_retry);
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_denied(world, call);
    assert_int_equal(call->state, CALL_ASKING);
    assert_true(call->prompt->retry);
    assert_int_equal(fake_starts, 1);
    decide(world, call, REVIEW_DENIED);

    /* The grant for the first attempt says nothing of the second, this time either. */
    struct call *again = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(again->state, CALL_RUNNING);
    exit_denied(world, again);
    assert_int_equal(fake_starts, 2);
    assert_int_equal(call_exit_status(again), 77); /* denied before, and not asked again */
}

static void a_first_approval_may_cover_the_retry_if_it_said_so(void **state)
{
    struct world *world = *state;
    for (int inferred = 0; inferred < 2; inferred++) {
        struct turn_context *context = context_of(world, "untrusted", SANDBOX_WORKSPACE_WRITE);
        context->approval.first_covers_retry = true;
        struct session *session = orchestrator_open_session(world->orchestrator, SESSION_CLIENT,
                                                            "both", 0, NULL, context);
        turn_context_unref(&context);
        struct call *call = submit_in(world, session, SPEC(world, "touch", "/x"));
        settle(world);
        assert_true(call->prompt->covers_retry);
        assert_non_null(strstr(wording_english(call->prompt->reason), "without the sandbox"));
        decide(world, call, REVIEW_APPROVED);
        if (inferred) { /* only the command's words: there is a prompt all the same */
            exit_denied(world, call);
            assert_int_equal(call->state, CALL_ASKING);
            continue;
        }
        fake_exit_blocked(call->run, 1, "write /x");
        settle(world);
        assert_int_equal(call->state, CALL_RUNNING);
        assert_int_equal(call->run->type, SANDBOX_TYPE_NONE);
        exit_with(world, call, 0);
    }
}

static void a_retry_grant_serves_the_same_retry(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "touch", "/x"));
    exit_denied(world, call);
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, call, 0);
    forget_events(world);
    struct call *again = submit(world, SPEC(world, "touch", "/x"));
    assert_int_equal(again->run->type, SANDBOX_TYPE_LINUX); /* first inside, as ever */
    exit_denied(world, again);
    assert_events(world, "received 2\ndecided 2 approved config\nstarted 2.1 turn_default\n"
                         "ended 2.1 denied\ndecided 2 approved_for_session cache\n"
                         "started 2.2 unsandboxed\n");
    exit_with(world, again, 0);

    /* It is no grant to leave the sandbox at once. */
    struct command_spec *spec = SPEC(world, "touch", "/x");
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    assert_int_equal(submit(world, spec)->state, CALL_ASKING);
}

static void a_second_attempt_that_cannot_start_is_no_success(void **state)
{
    struct world *world = *state;
    write_program(world, "tool");
    struct call *call = submit(world, SPEC(world, "./tool"));
    exit_denied(world, call);
    write_program(world, "tool"); /* another file by the same name */
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(call), 125);
    assert_int_equal(fake_starts, 1);
}

/* ---- the same asked again ---------------------------------------------------------------------
 */

/* Asks, and takes that back; what it was noted as. */
static void note(struct world *world, struct command_spec *spec, char out[static SHA256_HEX_SIZE])
{
    struct call *call = submit(world, spec);
    assert_int_equal(call->state, CALL_ASKING);
    memcpy(out, call->asked_as, SHA256_HEX_SIZE);
    assert_string_not_equal(out, "");
    orchestrator_cancel(world->orchestrator, call, CANCELLED_BY_CLIENT, "client gone");
    settle(world);
}

static struct command_spec *outside(struct command_spec *spec)
{
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    return spec;
}

/* The same words run another program once another file is there by its name. */
static void the_same_is_of_the_same_program(void **state)
{
    struct world *world = *state;
    char first[SHA256_HEX_SIZE], again[SHA256_HEX_SIZE], other[SHA256_HEX_SIZE];
    set_policy(world, world->agent, "untrusted");
    for (int leaves = 0; leaves < 2; leaves++) {
        write_program(world, "tool");
        for (size_t i = 0; i < 3; i++) {
            struct command_spec *spec = SPEC(world, "./tool", "x");
            if (i == 2)
                write_program(world, "tool");
            note(world, leaves ? outside(spec) : spec, i == 0 ? first : i == 1 ? again : other);
        }
        assert_string_equal(first, again);
        assert_string_not_equal(first, other);
    }
}

/* ---- ends of the orchestrator ---------------------------------------------------------------- */

static void headless_denies_what_needs_a_prompt(void **state)
{
    struct world *world = *state;
    orchestrator_free(&world->orchestrator);
    world->orchestrator = make_orchestrator(world, true);
    orchestrator_add_observer(world->orchestrator, &world_observer, world);
    world->agent = open_session(world, SESSION_CLIENT, "agent", "on-request");
    forget_events(world);
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "x"));
    assert_events(world, "received 1\ndecided 1 denied config\nfinished 1 77\n");
    assert_non_null(strstr(call->decision.message, "headless"));

    struct call *denied = submit(world, SPEC(world, "touch", "/x"));
    exit_denied(world, denied);
    assert_int_equal(denied->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(denied), 1); /* nobody was asked: the command's own */
    assert_int_equal(fake_starts, 1);
}

static void the_end_denies_and_kills(void **state)
{
    struct world *world = *state;
    submit(world, SPEC(world, "touch", "x"));
    fake_last()->spent_ms = 6600;
    submit(world, SPEC(world, "rm", "-rf", "x"));
    world->withhold_commits = true;
    submit(world, SPEC(world, "touch", "y"));
    forget_events(world);
    orchestrator_free(&world->orchestrator);
    assert_null(world->orchestrator);
    assert_null(fake_runs);
    assert_non_null(strstr(strbuf_str(&world->events), "decided 2 denied ended prompt\n"));
    assert_non_null(strstr(strbuf_str(&world->events), "ran for 6600 ms\n"));
    assert_non_null(strstr(strbuf_str(&world->events), "finished 1 125\n"));
    assert_non_null(strstr(strbuf_str(&world->events), "session ended agent\n"));
    let_commit(world, 0); /* the record lives longer: its answer is harmless */
    world->orchestrator = make_orchestrator(world, false);
}

struct decider {
    struct world *world;
    unsigned asked;
};

static void decide_when_asked(void *argument, const struct call *call)
{
    struct decider *decider = argument;
    decider->asked++;
    struct error error = ERROR_INIT;
    assert_int_equal(orchestrator_decide(decider->world->orchestrator, call->prompt->id,
                                         call->prompt->revision, REVIEW_APPROVED, NULL, &error),
                     0);
    orchestrator_remove_observer(decider->world->orchestrator, decider);
}

static void a_decision_may_come_from_an_observer(void **state)
{
    struct world *world = *state;
    static const struct observer deciding = {.name = "decider", .asked = decide_when_asked};
    struct decider decider = {.world = world};
    orchestrator_add_observer(world->orchestrator, &deciding, &decider);
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "x"));
    assert_int_equal(decider.asked, 1);
    assert_int_equal(call->state, CALL_RUNNING);
    exit_with(world, call, 0);
    assert_int_equal(submit(world, SPEC(world, "rm", "-rf", "x"))->state, CALL_ASKING);
    assert_int_equal(decider.asked, 1); /* it left */
}

#define LIFE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIFE(runs_in_the_sandbox_unasked),
        LIFE(nothing_runs_before_its_decision_is_recorded),
        LIFE(what_cannot_be_recorded_does_not_run),
        LIFE(a_decision_comes_before_its_effect),
        LIFE(denied_ends_with_the_operators_words),
        LIFE(which_policy_asks_for_what),
        LIFE(reject_says_what_it_rejects),
        LIFE(an_unknown_program_ends_at_once),
        LIFE(the_same_is_of_the_same_program),
        LIFE(asks_to_leave_the_sandbox),
        LIFE(says_every_reason_to_ask),
        LIFE(asks_for_exactly_these_permissions),
        LIFE(only_the_shown_prompt_can_be_answered),
        LIFE(risk_is_never_lowered),
        LIFE(abort_cancels_the_sessions_other_calls),
        LIFE(abort_spares_what_came_later),
        LIFE(abort_cancels_what_others_have_open_in_a_shared_session),
        LIFE(who_is_asked_to_retry),
        LIFE(a_second_attempt_and_no_third),
        LIFE(a_line_of_several_commands_says_that_all_run_again),
        LIFE(a_second_attempt_with_the_denied_path_alone),
        LIFE(no_directory_without_namespaces),
        LIFE(a_retry_that_is_denied_returns_the_output),
        LIFE(what_was_denied_after_the_sandbox_is_not_promised),
        LIFE(a_denial_with_evidence_names_it),
        LIFE(what_failed_for_its_own_reasons_is_not_retried),
        LIFE(what_may_not_be_read_was_a_read),
        LIFE(an_approval_covers_only_the_sandbox_shown),
        LIFE(a_first_approval_may_cover_the_retry_if_it_said_so),
        LIFE(a_retry_grant_serves_the_same_retry),
        LIFE(a_second_attempt_that_cannot_start_is_no_success),
        LIFE(headless_denies_what_needs_a_prompt),
        LIFE(the_end_denies_and_kills),
        LIFE(a_decision_may_come_from_an_observer),
    };
    return cmocka_run_group_tests_name("orchestrator", tests, NULL, NULL);
}
