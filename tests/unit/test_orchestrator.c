/* SPDX-License-Identifier: MIT */
/* The life of a call, with a runner that does what the test says. */
#include "config.h"

#include "approval/orchestrator.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
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
#include "base/fd.h"
#include "base/strbuf.h"
#include "fake_runner.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define DENIED_WORDS "sh: cannot create /x: Permission denied\n"

struct world {
    struct clock_fake clock;
    struct loop *loop;
    struct orchestrator *orchestrator;
    struct session *agent;
    char *base, *root;
    struct strbuf events; /* one word-list a line */
    bool withhold_commits;
    void (*commit_done)(void *argument, int result);
    void *commit_argument;
};

/* ---- observer -------------------------------------------------------------------------------- */

static void log_event(void *argument, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void log_event(void *argument, const char *format, ...)
{
    struct world *world = argument;
    va_list arguments;
    va_start(arguments, format);
    strbuf_vaddf(&world->events, format, arguments);
    va_end(arguments);
    strbuf_addch(&world->events, '\n');
}

static void on_session_ended(void *argument, const struct session *session)
{
    log_event(argument, "session ended %s", session->name);
}

static void on_received(void *argument, const struct call *call)
{
    log_event(argument, "received %" PRIu64, call->id);
}

static void on_asked(void *argument, const struct call *call)
{
    assert_int_equal(call->state, CALL_ASKING);
    assert_non_null(call->prompt);
    log_event(argument, "asked %" PRIu64 "%s", call->id, call->prompt->retry ? " retry" : "");
}

static void on_changed(void *argument, const struct call *call)
{
    log_event(argument, "changed %" PRIu64, call->id);
}

static void on_decided(void *argument, const struct call *call, const struct prompt *prompt)
{
    log_event(argument, "decided %" PRIu64 " %s %s%s", call->id,
              review_kind_name(call->decision.kind), decision_source_name(call->decision.source),
              prompt != NULL ? " prompt" : "");
}

static void on_started(void *argument, const struct call *call, unsigned attempt)
{
    assert_int_equal(call->state, CALL_RUNNING);
    log_event(argument, "started %" PRIu64 ".%u %s", call->id, attempt + 1,
              attempt_sandbox_name(call->attempts[attempt].sandbox));
}

static void on_ended(void *argument, const struct call *call, unsigned attempt)
{
    log_event(argument, "ended %" PRIu64 ".%u%s", call->id, attempt + 1,
              call->attempts[attempt].denial.denied ? " denied" : "");
}

static void on_finished(void *argument, const struct call *call)
{
    assert_int_equal(call->state, CALL_FINISHED);
    assert_null(call->prompt);
    log_event(argument, "finished %" PRIu64 " %d", call->id, call_exit_status(call));
}

static void on_forgotten(void *argument, const struct call *call)
{
    log_event(argument, "forgotten %" PRIu64, call->id);
}

static const struct observer observer = {
    .name = "test",
    .session_ended = on_session_ended,
    .call_received = on_received,
    .asked = on_asked,
    .prompt_changed = on_changed,
    .decided = on_decided,
    .attempt_started = on_started,
    .attempt_ended = on_ended,
    .finished = on_finished,
    .forgotten = on_forgotten,
};

/* ---- the world ------------------------------------------------------------------------------- */

static void hold_commit(void *argument, void (*done)(void *done_argument, int result),
                        void *done_argument)
{
    struct world *world = argument;
    world->commit_done = done;
    world->commit_argument = done_argument;
    if (!world->withhold_commits)
        done(done_argument, 0);
}

static void let_commit(struct world *world, int result)
{
    assert_non_null(world->commit_done);
    world->commit_done(world->commit_argument, result);
    world->commit_done = NULL;
}

static const struct sandbox_capability capability = {.platform = SANDBOX_PLATFORM_LINUX,
                                                     .landlock_abi = 4,
                                                     .seccomp = true,
                                                     .user_namespaces = true};
static const char *const environment[] = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "LANG=C",
                                          NULL};

static struct orchestrator *make_orchestrator(struct world *world, bool headless)
{
    struct orchestrator_setup setup = {
        .loop = world->loop,
        .commit = {hold_commit, world},
        .helper_path = "/bin/true",
        .base_environment = environment,
        .output_cap = 65536,
        .grace_ms = 1000,
        .capability = &capability,
        .max_open_calls = 40,
        .max_open_prompts = 3,
        .max_finished_calls = 100,
        .headless = headless,
    };
    return orchestrator_new(&setup);
}

static struct turn_context *context_of(const struct world *world, const char *policy_name,
                                       enum sandbox_mode mode)
{
    struct approval_policy policy;
    assert_int_equal(approval_policy_parse(policy_name, &policy, NULL), 0);
    struct sandbox_policy *sandbox = sandbox_policy_new(mode, world->root);
    struct turn_context *context = turn_context_new(&policy, sandbox, SANDBOX_AUTO, world->root);
    sandbox_policy_free(&sandbox);
    return context;
}

static struct session *open_session(struct world *world, enum session_origin origin,
                                    const char *name, const char *policy)
{
    struct turn_context *context = context_of(world, policy, SANDBOX_WORKSPACE_WRITE);
    struct session *session =
        orchestrator_open_session(world->orchestrator, origin, name, 0, NULL, context);
    turn_context_unref(&context);
    return session;
}

static void set_policy(struct world *world, struct session *session, const char *policy)
{
    struct turn_context *context = context_of(world, policy, SANDBOX_WORKSPACE_WRITE);
    orchestrator_set_context(world->orchestrator, session, context);
    turn_context_unref(&context);
}

static int set_up(void **state)
{
    struct world *world = XNEW(struct world);
    char template[] = "/tmp/assent-orchestrator-XXXXXX";
    world->base = realpath(mkdtemp(template), NULL);
    world->root = xasprintf("%s/work", world->base);
    if (fd_make_directories(world->root, 0755) != 0)
        return -1;
    clock_fake_init(&world->clock, 1000000);
    world->loop = loop_new(&world->clock.clock);
    world->orchestrator = make_orchestrator(world, false);
    orchestrator_add_observer(world->orchestrator, &observer, world);
    world->agent = open_session(world, SESSION_CLIENT, "agent", "on-request");
    fake_reset();
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    orchestrator_free(&world->orchestrator);
    loop_free(&world->loop);
    cleanup_free char *command = xasprintf("rm -rf '%s'", world->base);
    int result = system(command);
    strbuf_free(&world->events);
    free(world->base);
    free(world->root);
    free(world);
    return fake_runs == NULL ? result : -1;
}

/* As many turns as anything here takes. */
static void settle(struct world *world)
{
    for (int i = 0; i < 8; i++)
        loop_step(world->loop, 0);
}

static void forget_events(struct world *world)
{
    strbuf_reset(&world->events);
}

static void assert_events(struct world *world, const char *expected)
{
    assert_string_equal(strbuf_str(&world->events), expected);
    forget_events(world);
}

static struct command_spec *spec_of(const struct world *world, const char *const *argv)
{
    struct command_spec *spec = command_spec_new();
    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup(world->root);
    return spec;
}

#define SPEC(world, ...) spec_of(world, (const char *const[]){__VA_ARGS__, NULL})
#define SCRIPT(world, script) SPEC(world, "bash", "-c", script)

static struct call *submit_in(struct world *world, struct session *session,
                              struct command_spec *spec)
{
    struct error error = ERROR_INIT;
    struct call *call =
        orchestrator_submit(world->orchestrator, session, CALL_SHELL, spec, NULL, &error);
    if (call == NULL)
        print_error("%s\n", error.message);
    assert_non_null(call);
    return call;
}

static struct call *submit(struct world *world, struct command_spec *spec)
{
    struct call *call = submit_in(world, world->agent, spec);
    settle(world);
    return call;
}

static void decide_with(struct world *world, const struct call *call, enum review_kind kind,
                        const char *message)
{
    struct error error = ERROR_INIT;
    assert_non_null(call->prompt);
    int result = orchestrator_decide(world->orchestrator, call->prompt->id, call->prompt->revision,
                                     kind, message, &error);
    if (result != 0)
        print_error("%s\n", error.message);
    assert_int_equal(result, 0);
    settle(world);
}

static void decide(struct world *world, const struct call *call, enum review_kind kind)
{
    decide_with(world, call, kind, NULL);
}

/* The running command says that something was denied and fails. */
static void exit_denied(struct world *world, struct call *call)
{
    assert_non_null(call->run);
    fake_print(call->run, DENIED_WORDS);
    fake_exit(call->run, 1);
    settle(world);
}

static void exit_with(struct world *world, struct call *call, int code)
{
    assert_non_null(call->run);
    fake_exit(call->run, code);
    settle(world);
}

static void write_program(const struct world *world, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", world->root, name);
    assert_int_equal(fd_replace_file(path, "#!/bin/sh\n", 10, 0755), 0);
}

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
    assert_non_null(strstr(call->prompt->reason, "deletes"));
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
    assert_non_null(strstr(call->prompt->under, "no sandbox"));
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->run->type, SANDBOX_TYPE_NONE);
    /* Unsandboxed: no denial, whatever it says. */
    exit_denied(world, call);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(call), 1);
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
    assert_non_null(strstr(call->prompt->under, "also write /opt"));
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(call->run->type, SANDBOX_TYPE_LINUX);
    assert_non_null(strstr(call->run->policy, "/opt"));
    exit_with(world, call, 0);

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
                                                REVIEW_APPROVED_FOR_SESSION, ids, COUNT(ids)),
                     1);
    assert_int_equal(ids[0], second->id);
    assert_int_equal(orchestrator_would_release(orchestrator, other->prompt->id,
                                                REVIEW_APPROVED_FOR_SESSION, ids, COUNT(ids)),
                     0);
    assert_int_equal(orchestrator_would_release(orchestrator, first->prompt->id, REVIEW_APPROVED,
                                                ids, COUNT(ids)),
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
                                                REVIEW_APPROVED_FOR_SESSION, NULL, 0),
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
    assert_string_equal(call->prompt->amendment[0], "mkdir");
    assert_null(call->prompt->amendment[1]);
    assert_int_equal(orchestrator_would_release(world->orchestrator, call->prompt->id,
                                                REVIEW_APPROVED_AMENDMENT, NULL, 0),
                     1);
    decide(world, call, REVIEW_APPROVED_AMENDMENT);
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

static void an_allowed_prefix_releases_no_high_risk_that_waits(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "cp", "a", "b"));
    struct call *high = submit(world, SPEC(world, "cp", "a", "/etc/passwd"));
    assert_int_equal(high->assessment.level, RISK_HIGH);
    assert_int_equal(orchestrator_would_release(world->orchestrator, call->prompt->id,
                                                REVIEW_APPROVED_AMENDMENT, NULL, 0),
                     0);
    decide(world, call, REVIEW_APPROVED_AMENDMENT);
    assert_int_equal(high->state, CALL_ASKING);
    exit_with(world, call, 0);
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
    struct assessment worse = call->assessment;
    worse.categories |= RISK_DATA_EXFILTRATION;
    assert_int_equal(orchestrator_raise_risk(orchestrator, id, &worse), 0);
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
    struct assessment low = {.level = RISK_LOW, .description = "All is well."};
    orchestrator_raise_risk(world->orchestrator, call->prompt->id, &low);
    assert_int_equal(call->assessment.level, RISK_HIGH);
    assert_int_equal(call->prompt->revision, 1);
    assert_int_equal(orchestrator_raise_risk(world->orchestrator, 999, &low), -1);
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
    assert_int_equal(asking->state, CALL_FINISHED);
    assert_int_equal(recording->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(asking), 77);
    assert_true(running->run->cancelled);
    fake_end(running->run, (struct run_result){.outcome = RUN_SIGNALED, .signal = 15});
    settle(world);
    assert_int_equal(running->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(running), 128 + 15);
    assert_int_equal(spared->state, CALL_ASKING);
    let_commit(world, 0); /* comes too late: nothing happens */
    settle(world);
    assert_int_equal(fake_starts, 1);
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
        assert_true(call->attempts[0].denial.denied);
        orchestrator_close_session(world->orchestrator, session);
        settle(world);
    }
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
    assert_non_null(strstr(call->prompt->reason, "own words"));
    assert_non_null(call->prompt->first_attempt);
    decide(world, call, REVIEW_APPROVED);
    assert_events(world, "decided 1 approved user prompt\nstarted 1.2 unsandboxed\n");
    assert_int_equal(call->run->type, SANDBOX_TYPE_NONE);
    exit_denied(world, call);
    assert_events(world, "ended 1.2\nfinished 1 1\n");
    assert_int_equal(fake_starts, 2);
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

static void a_denial_with_evidence_names_it(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "touch", "/etc/x"));
    fake_exit_blocked(call->run, 1, "write /etc/x");
    settle(world);
    assert_int_equal(call->state, CALL_ASKING);
    assert_non_null(strstr(call->prompt->reason, "the sandbox blocked: write /etc/x"));
    assert_null(strstr(call->prompt->reason, "own words"));
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
        assert_false(call->attempts[0].denial.denied);
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
        assert_non_null(strstr(call->prompt->reason, "without the sandbox"));
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

/* ---- attacks --------------------------------------------------------------------------------- */

/* What was judged is what runs: a program that is swapped while the question is open does not. */
static void a_swapped_program_does_not_run(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    write_program(world, "tool");
    struct call *call = submit(world, SPEC(world, "./tool"));
    assert_non_null(strstr(call->prompt->reason, "an agent may have put there"));
    write_program(world, "tool");
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(fake_starts, 0);
    assert_non_null(strstr(call->failure, "replaced"));
}

/* Writes into the file that is there, until the file system's clock has noticed. */
static void edit_program(const struct world *world, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", world->root, name);
    struct stat before, now;
    assert_int_equal(stat(path, &before), 0);
    do {
        cleanup_fd int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
        assert_int_equal(write(fd, "id\n", 3), 3);
        assert_int_equal(fstat(fd, &now), 0);
    } while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
             now.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
}

static void a_program_edited_in_place_does_not_run(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    write_program(world, "tool");
    struct call *call = submit(world, SPEC(world, "./tool"));
    edit_program(world, "tool");
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(fake_starts, 0);
    assert_non_null(strstr(call->failure, "changed"));
}

/* "This session" outside the sandbox is for the program as it was, not for what the agent makes of
 * it afterwards. */
static void a_grant_ends_when_its_program_is_edited(void **state)
{
    struct world *world = *state;
    write_program(world, "tool");
    struct command_spec *spec = SPEC(world, "./tool");
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *call = submit(world, command_spec_copy(spec));
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, call, 0);
    edit_program(world, "tool");
    assert_int_equal(submit(world, spec)->state, CALL_ASKING);
}

static void a_swapped_directory_is_noticed(void **state)
{
    struct world *world = *state;
    cleanup_free char *sub = xasprintf("%s/sub", world->root);
    cleanup_free char *moved = xasprintf("%s/moved", world->root);
    assert_int_equal(mkdir(sub, 0755), 0);
    struct command_spec *spec = SPEC(world, "rm", "-rf", "x");
    free(spec->cwd);
    spec->cwd = xstrdup(sub);
    struct call *call = submit(world, spec);
    assert_int_equal(rename(sub, moved), 0);
    assert_int_equal(symlink("/", sub), 0);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(fake_starts, 0);
    assert_int_equal(call_exit_status(call), 125);
}

/* Variables make any program run other code: such a call is neither safe nor what was granted. */
static void variables_are_shown_and_in_the_key(void **state)
{
    struct world *world = *state;
    static const char *const evil[] = {"LD_PRELOAD=./x.so", "GIT_CONFIG_COUNT=1",
                                       "BASH_FUNC_ls%%=() { id; }", "BASH_ENV=./x", "PATH=/tmp"};
    set_policy(world, world->agent, "untrusted");
    struct call *safe = submit(world, SPEC(world, "ls"));
    assert_int_equal(safe->state, CALL_RUNNING);
    exit_with(world, safe, 0);
    for (size_t i = 0; i < COUNT(evil); i++) {
        struct session *session = open_session(world, SESSION_CLIENT, "evil", "untrusted");
        struct command_spec *spec = SPEC(world, "ls");
        spec->env = strv_copy((const char *const[]){evil[i], NULL});
        struct call *call = submit_in(world, session, spec);
        settle(world);
        assert_int_equal(call->state, CALL_ASKING);
        cleanup_free char *name = xstrndup(evil[i], strcspn(evil[i], "=%"));
        assert_non_null(strstr(call->prompt->reason, name));
        assert_string_equal(call->program, "/usr/bin/ls"); /* not looked up on its PATH */
    }
    struct command_spec *spec = SPEC(world, "ls");
    spec->env = strv_copy((const char *const[]){"CI=1", NULL});
    struct call *harmless = submit(world, spec);
    assert_int_equal(harmless->state, CALL_RUNNING);
    exit_with(world, harmless, 0);
    assert_int_equal(grants_count(world->agent->grants), 0);

    struct call *asked = submit(world, SPEC(world, "touch", "x"));
    decide(world, asked, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, asked, 0);
    spec = SPEC(world, "touch", "x");
    spec->env = strv_copy((const char *const[]){"CI=1", NULL});
    assert_int_equal(submit(world, spec)->state, CALL_ASKING);
}

/* `bash` is approved, and the code comes on its input. */
static void input_from_the_agent_is_said_and_not_remembered(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct command_spec *spec = SPEC(world, "bash");
    spec->standard_input = STDIN_PIPE;
    struct call *call = submit(world, spec);
    assert_non_null(strstr(call->prompt->reason, "standard input comes from the agent"));
    assert_false(call->prompt->may_approve_for_session);
    decide(world, call, REVIEW_APPROVED);
    exit_with(world, call, 0);
    spec = SPEC(world, "bash");
    spec->standard_input = STDIN_PIPE;
    assert_int_equal(submit(world, spec)->state, CALL_ASKING);

    /* A filter may be granted, but not for another kind of input. */
    struct call *plain = submit(world, SPEC(world, "touch", "x"));
    decide(world, plain, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, plain, 0);
    spec = SPEC(world, "touch", "x");
    spec->standard_input = STDIN_PIPE;
    struct call *fed = submit(world, spec);
    assert_int_equal(fed->state, CALL_ASKING);
    assert_true(fed->prompt->may_approve_for_session);

    /* Outside the sandbox it always asks. */
    spec = SPEC(world, "touch", "x");
    spec->standard_input = STDIN_PIPE;
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    assert_false(submit(world, spec)->prompt->may_approve_for_session);
}

static void the_agent_stops_typing_when_the_operator_does(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = SPEC(world, "bash");
    spec->tty = true;
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *call = submit(world, spec);
    assert_non_null(strstr(call->prompt->reason, "can type into its terminal"));
    decide(world, call, REVIEW_APPROVED);
    struct orchestrator *orchestrator = world->orchestrator;
    assert_int_equal(orchestrator_write(orchestrator, call, "a", 1), 0);
    assert_int_equal(orchestrator_reply(orchestrator, call, "r", 1), 0);
    assert_int_equal(orchestrator_write(orchestrator, call, "a", 1), 0);
    assert_int_equal(orchestrator_type(orchestrator, call, "b", 1), 0);
    assert_int_equal(orchestrator_write(orchestrator, call, "c", 1), -EPERM);
    assert_int_equal(orchestrator_type(orchestrator, call, "d", 1), 0);
    assert_string_equal(strbuf_str(&call->run->input), "arabd");
    exit_with(world, call, 0);
}

/* A client picks its directory and its TMPDIR; the roots are those of the context. */
static void a_call_adds_no_root(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    cleanup_free char *policy = xstrdup(call->run->policy);
    exit_with(world, call, 0);
    static const char *const places[] = {"/", "/etc", "/tmp"};
    for (size_t i = 0; i < COUNT(places); i++) {
        struct command_spec *spec = SPEC(world, "touch", "x");
        free(spec->cwd);
        spec->cwd = xstrdup(places[i]);
        spec->env = strv_copy((const char *const[]){"TMPDIR=/root", "HOME=/", NULL});
        struct call *elsewhere = submit(world, spec);
        assert_string_equal(elsewhere->run->policy, policy);
        assert_string_equal(elsewhere->run->cwd, places[i]);
        exit_with(world, elsewhere, 0);
    }
}

static void denied_once_is_denied_again(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "x"));
    decide_with(world, call, REVIEW_DENIED, "no");
    forget_events(world);
    for (int i = 0; i < 20; i++) {
        struct command_spec *spec = SPEC(world, "rm", "-rf", "x");
        spec->justification = xasprintf("please, attempt %d", i);
        spec->timeout_ms = 1000 + i;
        struct call *again = submit(world, spec);
        assert_int_equal(again->state, CALL_FINISHED);
        assert_int_equal(again->decision.source, DECIDED_BY_CACHE);
        assert_string_equal(again->decision.message, "no");
    }
    assert_null(strstr(strbuf_str(&world->events), "asked"));
    assert_int_equal(submit(world, SPEC(world, "rm", "-rf", "y"))->state, CALL_ASKING);
    orchestrator_forget_denials(world->orchestrator, world->agent);
    assert_int_equal(submit(world, SPEC(world, "rm", "-rf", "x"))->state, CALL_ASKING);
}

static void the_operator_may_change_their_mind(void **state)
{
    struct world *world = *state;
    struct session *operator_ = open_session(world, SESSION_OPERATOR, "you", "on-request");
    for (int i = 0; i < 2; i++) {
        struct call *call = submit_in(world, operator_, SPEC(world, "rm", "-rf", "x"));
        settle(world);
        assert_int_equal(call->state, CALL_ASKING);
        decide(world, call, REVIEW_DENIED);
    }
}

/* One session floods the console; another one's question is not behind all of it. */
static void a_flood_does_not_crowd_out_others(void **state)
{
    struct world *world = *state;
    struct session *other = open_session(world, SESSION_CLIENT, "other", "on-request");
    char name[16];
    struct call *first = NULL;
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof(name), "x%d", i);
        struct call *call = submit(world, SPEC(world, "rm", "-rf", name));
        first = first == NULL ? call : first;
    }
    struct call *quiet = submit_in(world, other, SPEC(world, "rm", "-rf", "y"));
    settle(world);
    assert_int_equal(orchestrator_waiting_count(world->orchestrator), 4);
    assert_int_equal(orchestrator_held_count(world->orchestrator), 27);
    assert_ptr_equal(orchestrator_waiting_at(world->orchestrator, 0), first);
    assert_ptr_equal(orchestrator_waiting_at(world->orchestrator, 3), quiet);
    decide(world, first, REVIEW_DENIED);
    assert_ptr_equal(orchestrator_waiting_at(world->orchestrator, 2), quiet);
    assert_int_equal(orchestrator_waiting_count(world->orchestrator), 4);

    struct error error = ERROR_INIT;
    for (int i = 0; i < 20; i++) {
        struct call *call = orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL,
                                                SPEC(world, "touch", "x"), NULL, &error);
        if (call == NULL)
            break;
    }
    assert_non_null(strstr(error.message, "open calls"));
    assert_int_equal(world->agent->open_calls, 40);
    while (fake_runs != NULL) {
        fake_exit(fake_runs, 0);
        settle(world);
    }
}

/* ---- context, limits, cancelling ------------------------------------------------------------- */

static void a_received_call_keeps_its_context(void **state)
{
    struct world *world = *state;
    struct call *call = submit_in(world, world->agent, SPEC(world, "touch", "x"));
    struct turn_context *wider = context_of(world, "untrusted", SANDBOX_DANGER_FULL_ACCESS);
    orchestrator_set_context(world->orchestrator, world->agent, wider);
    turn_context_unref(&wider);
    settle(world);
    assert_int_equal(call->state, CALL_RUNNING); /* on-request, in the sandbox */
    assert_int_equal(call->run->type, SANDBOX_TYPE_LINUX);
    exit_with(world, call, 0);
    struct call *next = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(next->state, CALL_ASKING); /* untrusted */
}

static void cancelled_in_every_state(void **state)
{
    struct world *world = *state;
    struct orchestrator *orchestrator = world->orchestrator;
    struct call *received = submit_in(world, world->agent, SPEC(world, "touch", "x"));
    orchestrator_cancel(orchestrator, received, "client gone");
    settle(world);
    assert_int_equal(received->state, CALL_FINISHED);
    assert_string_equal(received->failure, "client gone");

    struct call *asking = submit(world, SPEC(world, "rm", "-rf", "x"));
    orchestrator_cancel(orchestrator, asking, "client gone");
    settle(world);
    assert_int_equal(asking->state, CALL_FINISHED);
    assert_int_equal(orchestrator_waiting_count(orchestrator), 0);
    assert_int_equal(world->agent->open_prompts, 0);

    struct call *running = submit(world, SPEC(world, "touch", "x"));
    orchestrator_cancel(orchestrator, running, "client gone");
    orchestrator_cancel(orchestrator, running, "twice");
    settle(world);
    assert_true(running->run->cancelled);
    fake_print(running->run, DENIED_WORDS);
    fake_end(running->run, (struct run_result){.outcome = RUN_SIGNALED, .signal = 9});
    settle(world);
    assert_int_equal(running->state, CALL_FINISHED); /* and nobody is asked to retry */
    assert_true(running->cancelled);

    /* It ended by itself before the signal reached it. */
    running = submit(world, SPEC(world, "touch", "x"));
    orchestrator_cancel(orchestrator, running, "client gone");
    settle(world);
    running->run->cancelled = false;
    exit_denied(world, running);
    assert_int_equal(running->state, CALL_FINISHED);

    world->withhold_commits = true;
    struct call *recording = submit(world, SPEC(world, "touch", "x"));
    orchestrator_cancel(orchestrator, recording, "client gone");
    settle(world);
    assert_int_equal(recording->state, CALL_FINISHED);
    let_commit(world, 0);
    settle(world);
    assert_int_equal(fake_starts, 2);
    orchestrator_cancel(orchestrator, recording, "too late");
    settle(world);
    assert_string_equal(recording->failure, "client gone");
}

static void a_held_retry_can_be_cancelled(void **state)
{
    struct world *world = *state;
    struct call *calls[4];
    char name[16];
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof(name), "/x%d", i);
        calls[i] = submit(world, SPEC(world, "touch", name));
        exit_denied(world, calls[i]);
    }
    assert_int_equal(calls[3]->state, CALL_RUNNING);
    assert_int_equal(orchestrator_held_count(world->orchestrator), 1);
    orchestrator_cancel(world->orchestrator, calls[3], "client gone");
    settle(world);
    assert_int_equal(calls[3]->state, CALL_FINISHED);
    struct call *next = submit(world, SPEC(world, "touch", "/y"));
    exit_denied(world, next);
    decide(world, calls[0], REVIEW_DENIED);
    assert_int_equal(next->state, CALL_ASKING);
}

static void a_session_ends_with_its_last_call(void **state)
{
    struct world *world = *state;
    struct session *session = open_session(world, SESSION_CLIENT, "short", "on-request");
    struct call *call = submit_in(world, session, SPEC(world, "touch", "x"));
    settle(world);
    orchestrator_close_session(world->orchestrator, session);
    settle(world);
    forget_events(world);
    struct error error = ERROR_INIT;
    assert_null(orchestrator_submit(world->orchestrator, session, CALL_SHELL,
                                    SPEC(world, "touch", "x"), NULL, &error));
    exit_with(world, call, 0);
    assert_events(world, "ended 1.1\nfinished 1 0\nsession ended short\n");
}

static void old_calls_are_forgotten_in_order(void **state)
{
    struct world *world = *state;
    for (int i = 0; i < 103; i++)
        exit_with(world, submit(world, SPEC(world, "touch", "x")), 0);
    assert_int_equal(orchestrator_call_count(world->orchestrator), 100);
    assert_non_null(strstr(strbuf_str(&world->events), "forgotten 3\n"));
    assert_null(strstr(strbuf_str(&world->events), "forgotten 4\n"));
    assert_null(orchestrator_find_call(world->orchestrator, 3));
    assert_int_equal(orchestrator_find_call(world->orchestrator, 4)->id, 4);
    assert_int_equal(orchestrator_call_at(world->orchestrator, 0)->id, 4);
}

static void times_are_capped_by_the_context(void **state)
{
    struct world *world = *state;
    static const struct {
        int64_t asked, standard, maximum, want;
    } rows[] = {
        {COMMAND_TIMEOUT_DEFAULT, 0, 0, 0},
        {COMMAND_TIMEOUT_DEFAULT, 500, 0, 500},
        {COMMAND_TIMEOUT_DEFAULT, 500, 300, 300},
        {200, 500, 300, 200},
        {1000, 500, 300, 300},
        {COMMAND_TIMEOUT_DEFAULT, 0, 300, 300},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct turn_context *context = context_of(world, "never", SANDBOX_WORKSPACE_WRITE);
        context->default_timeout_ms = rows[i].standard;
        context->max_timeout_ms = rows[i].maximum;
        orchestrator_set_context(world->orchestrator, world->agent, context);
        turn_context_unref(&context);
        struct command_spec *spec = SPEC(world, "touch", "x");
        spec->timeout_ms = rows[i].asked;
        struct call *call = submit(world, spec);
        assert_int_equal(call->run->options.timeout_ms, rows[i].want);
        fake_end(call->run,
                 (struct run_result){.outcome = RUN_SIGNALED, .signal = 15, .timed_out = true});
        settle(world);
        assert_int_equal(call_exit_status(call), 124);
    }
}

static void bad_specs_are_refused_with_a_reason(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    cleanup_free char *file = xasprintf("%s/file", world->root);
    assert_int_equal(fd_replace_file(file, "", 0, 0644), 0);
    struct {
        struct command_spec *spec;
        const char *words;
    } rows[] = {
        {command_spec_new(), "empty"},
        {SPEC(world, ""), "empty"},
        {SPEC(world, "ls"), "absolute"},
        {SPEC(world, "ls"), "No such file"},
        {SPEC(world, "ls"), "not a directory"},
        {SPEC(world, "ls"), "twice"},
        {SPEC(world, "ls"), "asks for nothing"},
        {SPEC(world, "ls"), "with_additional_permissions"},
        {SPEC(world, "ls"), "tty"},
    };
    struct additional_permissions network = {.network = true};
    free(rows[2].spec->cwd);
    rows[2].spec->cwd = xstrdup("work");
    free(rows[3].spec->cwd);
    rows[3].spec->cwd = xasprintf("%s/missing", world->root);
    free(rows[4].spec->cwd);
    rows[4].spec->cwd = xstrdup(file);
    rows[5].spec->env = strv_copy((const char *const[]){"A=1", "B=2", "A=3", NULL});
    rows[6].spec->permissions = SANDBOX_PERMISSIONS_WITH_ADDITIONAL;
    rows[7].spec->additional = additional_permissions_copy(&network);
    rows[8].spec->standard_input = STDIN_TTY;
    for (size_t i = 0; i < COUNT(rows); i++) {
        error.message[0] = '\0';
        assert_null(orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL, rows[i].spec,
                                        NULL, &error));
        if (strstr(error.message, rows[i].words) == NULL)
            print_error("row %zu: %s\n", i, error.message);
        assert_non_null(strstr(error.message, rows[i].words));
    }
    assert_null(orchestrator_submit(world->orchestrator, world->agent, CALL_NETWORK,
                                    SPEC(world, "ls"), NULL, &error));
    assert_int_equal(world->agent->open_calls, 0);
    settle(world);
    assert_string_equal(strbuf_str(&world->events), "");
}

static void a_linked_directory_is_resolved(void **state)
{
    struct world *world = *state;
    cleanup_free char *link = xasprintf("%s/link", world->base);
    assert_int_equal(symlink(world->root, link), 0);
    struct command_spec *spec = SPEC(world, "touch", "x");
    free(spec->cwd);
    spec->cwd = xstrdup(link);
    struct call *call = submit(world, spec);
    assert_string_equal(call->spec->cwd, world->root);
    assert_string_equal(call->run->cwd, world->root);
    exit_with(world, call, 0);
}

static void no_process_is_a_failed_attempt(void **state)
{
    struct world *world = *state;
    fake_start_fails = true;
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(call), 125);
    assert_non_null(strstr(call->attempts[0].result.failure, "processes"));
}

/* ---- input ----------------------------------------------------------------------------------- */

static void input_waits_for_the_command(void **state)
{
    struct world *world = *state;
    struct orchestrator *orchestrator = world->orchestrator;
    set_policy(world, world->agent, "untrusted");
    struct command_spec *spec = SPEC(world, "tee", "x");
    spec->standard_input = STDIN_PIPE;
    struct call *call = submit(world, spec);
    assert_int_equal(orchestrator_write(orchestrator, call, "early ", 6), 0);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(orchestrator_write(orchestrator, call, "late", 4), 0);
    orchestrator_write_end(orchestrator, call);
    assert_string_equal(strbuf_str(&call->run->input), "early late");
    assert_true(call->run->input_ended);
    assert_int_equal(orchestrator_write(orchestrator, call, "x", 1), -EPIPE);

    /* The second attempt gets the same again, and the prompt says so. */
    exit_denied(world, call);
    assert_non_null(strstr(call->prompt->reason, "the 10 bytes of the first attempt again"));
    decide(world, call, REVIEW_APPROVED);
    assert_string_equal(strbuf_str(&call->run->input), "early late");
    assert_true(call->run->input_ended);
    exit_with(world, call, 0);
}

static void input_that_cannot_be_repeated_means_no_retry(void **state)
{
    struct world *world = *state;
    struct orchestrator *orchestrator = world->orchestrator;
    struct command_spec *spec = SPEC(world, "tee", "/x");
    spec->standard_input = STDIN_PIPE;
    struct call *call = submit(world, spec);
    cleanup_free char *much = xcalloc(1, 200000);
    memset(much, 'a', 200000);
    assert_int_equal(orchestrator_write(orchestrator, call, much, 200000), 0);
    assert_int_equal(orchestrator_write(orchestrator, call, much, 200000), 0);
    exit_denied(world, call);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(call), 1);

    set_policy(world, world->agent, "untrusted");
    spec = SPEC(world, "tee", "/x");
    spec->standard_input = STDIN_PIPE;
    call = submit(world, spec);
    assert_int_equal(orchestrator_write(orchestrator, call, much, 200000), 0);
    assert_int_equal(orchestrator_write(orchestrator, call, much, 200000), -EAGAIN);
}

static void a_command_without_input_takes_none(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(orchestrator_write(world->orchestrator, call, "x", 1), -EPIPE);
    assert_false(call->run->options.stdin_open);
    exit_with(world, call, 0);
    assert_int_equal(orchestrator_write(world->orchestrator, call, "x", 1), -EPIPE);
    assert_int_equal(orchestrator_signal(world->orchestrator, call, 2), -ESRCH);
}

/* A pipe that carried nothing is no input: the retry is of a command without any. */
static void an_unused_pipe_is_no_input(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = SPEC(world, "bash", "-c", "touch /x");
    spec->standard_input = STDIN_PIPE;
    struct call *call = submit(world, spec);
    orchestrator_write_end(world->orchestrator, call);
    exit_denied(world, call);
    assert_null(strstr(call->prompt->reason, "standard input"));
    assert_true(call->prompt->may_approve_for_session);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->run->standard_input, STDIN_NULL);
    exit_with(world, call, 0);
}

/* ---- ends of the orchestrator ---------------------------------------------------------------- */

static void headless_denies_what_needs_a_prompt(void **state)
{
    struct world *world = *state;
    orchestrator_free(&world->orchestrator);
    world->orchestrator = make_orchestrator(world, true);
    orchestrator_add_observer(world->orchestrator, &observer, world);
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
    submit(world, SPEC(world, "rm", "-rf", "x"));
    world->withhold_commits = true;
    submit(world, SPEC(world, "touch", "y"));
    forget_events(world);
    orchestrator_free(&world->orchestrator);
    assert_null(world->orchestrator);
    assert_null(fake_runs);
    assert_non_null(strstr(strbuf_str(&world->events), "decided 2 denied config prompt\n"));
    assert_non_null(strstr(strbuf_str(&world->events), "finished 1 137\n"));
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
        LIFE(asks_to_leave_the_sandbox),
        LIFE(asks_for_exactly_these_permissions),
        LIFE(a_session_grant_covers_the_same_again),
        LIFE(a_grant_serves_no_other_session),
        LIFE(a_grant_serves_no_other_sandbox),
        LIFE(open_prompts_that_are_covered_now_close),
        LIFE(a_grant_releases_no_high_risk_that_waits),
        LIFE(an_allowed_prefix_keeps_the_sandbox),
        LIFE(an_allowed_prefix_releases_no_high_risk_that_waits),
        LIFE(only_the_shown_prompt_can_be_answered),
        LIFE(risk_is_never_lowered),
        LIFE(abort_cancels_the_sessions_other_calls),
        LIFE(who_is_asked_to_retry),
        LIFE(a_second_attempt_and_no_third),
        LIFE(a_retry_that_is_denied_returns_the_output),
        LIFE(a_denial_with_evidence_names_it),
        LIFE(what_failed_for_its_own_reasons_is_not_retried),
        LIFE(an_approval_covers_only_the_sandbox_shown),
        LIFE(a_first_approval_may_cover_the_retry_if_it_said_so),
        LIFE(a_retry_grant_serves_the_same_retry),
        LIFE(a_second_attempt_that_cannot_start_is_no_success),
        LIFE(a_swapped_program_does_not_run),
        LIFE(a_program_edited_in_place_does_not_run),
        LIFE(a_grant_ends_when_its_program_is_edited),
        LIFE(a_swapped_directory_is_noticed),
        LIFE(variables_are_shown_and_in_the_key),
        LIFE(input_from_the_agent_is_said_and_not_remembered),
        LIFE(the_agent_stops_typing_when_the_operator_does),
        LIFE(a_call_adds_no_root),
        LIFE(denied_once_is_denied_again),
        LIFE(the_operator_may_change_their_mind),
        LIFE(a_flood_does_not_crowd_out_others),
        LIFE(a_received_call_keeps_its_context),
        LIFE(cancelled_in_every_state),
        LIFE(a_held_retry_can_be_cancelled),
        LIFE(a_session_ends_with_its_last_call),
        LIFE(old_calls_are_forgotten_in_order),
        LIFE(times_are_capped_by_the_context),
        LIFE(bad_specs_are_refused_with_a_reason),
        LIFE(a_linked_directory_is_resolved),
        LIFE(no_process_is_a_failed_attempt),
        LIFE(input_waits_for_the_command),
        LIFE(input_that_cannot_be_repeated_means_no_retry),
        LIFE(a_command_without_input_takes_none),
        LIFE(an_unused_pipe_is_no_input),
        LIFE(headless_denies_what_needs_a_prompt),
        LIFE(the_end_denies_and_kills),
        LIFE(a_decision_may_come_from_an_observer),
    };
    return cmocka_run_group_tests_name("orchestrator", tests, NULL, NULL);
}
