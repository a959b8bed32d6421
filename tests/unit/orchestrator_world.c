/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "orchestrator_world.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"

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

static void on_held_frozen(void *argument, const struct call *call)
{
    log_event(argument, "frozen %" PRIu64, call->id);
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
              call->attempts[attempt].denial != NULL ? " denied" : "");
    if (call->cancelled_by == CANCELLED_BY_CONSOLE)
        log_event(argument, "ran for %" PRId64 " ms", call->attempts[attempt].result.duration_ms);
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

static void on_edited(void *argument, const struct call *call)
{
    log_event(argument, "edited %" PRIu64, call->id);
}

static void on_grant_ended(void *argument, const struct session *session, const struct grant *grant,
                           enum grant_end end)
{
    (void)session;
    log_event(argument, "grant ended %" PRIu64 " %s%s%s", grant->id, grant_end_name(end),
              grant->changed != NULL ? ": " : "", grant->changed != NULL ? grant->changed : "");
}

const struct observer world_observer = {
    .name = "test",
    .session_ended = on_session_ended,
    .call_received = on_received,
    .held_frozen = on_held_frozen,
    .asked = on_asked,
    .prompt_changed = on_changed,
    .edited = on_edited,
    .decided = on_decided,
    .attempt_started = on_started,
    .attempt_ended = on_ended,
    .finished = on_finished,
    .forgotten = on_forgotten,
    .grant_ended = on_grant_ended,
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

void let_commit(struct world *world, int result)
{
    assert_non_null(world->commit_done);
    world->commit_done(world->commit_argument, result);
    world->commit_done = NULL;
}

const struct sandbox_capability world_capability = {.platform = SANDBOX_PLATFORM_LINUX,
                                                    .landlock_abi = 4,
                                                    .seccomp = true,
                                                    .user_namespaces = true};
const char *const world_environment[] = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "LANG=C", NULL};

struct orchestrator *make_orchestrator(struct world *world, bool headless)
{
    cleanup_free char *helper = xasprintf("%s/assent-sandbox", world->base);
    struct orchestrator_setup setup = {
        .loop = world->loop,
        .commit = {hold_commit, world},
        .helper_path = helper,
        .base_environment = world_environment,
        .output_cap = 65536,
        .grace_ms = 1000,
        .capability = &world_capability,
        .max_open_calls = 40,
        .max_open_prompts = 3,
        .max_finished_calls = 100,
        .headless = headless,
    };
    return orchestrator_new(&setup);
}

struct turn_context *context_of(const struct world *world, const char *policy_name,
                                enum sandbox_mode mode)
{
    struct approval_policy policy;
    assert_int_equal(approval_policy_parse(policy_name, &policy, NULL), 0);
    struct sandbox_policy *sandbox = sandbox_policy_new(mode, world->root);
    struct turn_context *context = turn_context_new(&policy, sandbox, SANDBOX_AUTO, world->root);
    sandbox_policy_free(&sandbox);
    return context;
}

struct session *open_session(struct world *world, enum session_origin origin, const char *name,
                             const char *policy)
{
    struct turn_context *context = context_of(world, policy, SANDBOX_WORKSPACE_WRITE);
    struct session *session =
        orchestrator_open_session(world->orchestrator, origin, name, 0, NULL, context);
    turn_context_unref(&context);
    return session;
}

void set_policy(struct world *world, struct session *session, const char *policy)
{
    struct turn_context *context = context_of(world, policy, SANDBOX_WORKSPACE_WRITE);
    orchestrator_set_context(world->orchestrator, session, context);
    turn_context_unref(&context);
}

int set_up(void **state)
{
    struct world *world = XNEW(struct world);
    char template[] = "/tmp/assent-orchestrator-XXXXXX";
    world->base = realpath(mkdtemp(template), NULL);
    world->root = xasprintf("%s/work", world->base);
    if (fd_make_directories(world->root, 0755) != 0)
        return -1;
    cleanup_free char *patcher = xasprintf("%s/assent-patch", world->base);
    cleanup_free char *helper = xasprintf("%s/assent-sandbox", world->base);
    if (fd_replace_file(patcher, "", 0, 0755) != 0 || fd_replace_file(helper, "", 0, 0755) != 0)
        return -1;
    clock_fake_init(&world->clock, 1000000);
    world->loop = loop_new(&world->clock.clock);
    world->orchestrator = make_orchestrator(world, false);
    orchestrator_add_observer(world->orchestrator, &world_observer, world);
    world->agent = open_session(world, SESSION_CLIENT, "agent", "on-request");
    fake_reset();
    *state = world;
    return 0;
}

int tear_down(void **state)
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

void settle(struct world *world)
{
    for (int i = 0; i < 8; i++)
        loop_step(world->loop, 0);
}

void forget_events(struct world *world)
{
    strbuf_reset(&world->events);
}

void assert_events(struct world *world, const char *expected)
{
    assert_string_equal(strbuf_str(&world->events), expected);
    forget_events(world);
}

struct command_spec *spec_of(const struct world *world, const char *const *argv)
{
    struct command_spec *spec = command_spec_new();
    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup(world->root);
    return spec;
}

struct call *submit_in(struct world *world, struct session *session, struct command_spec *spec)
{
    struct error error = ERROR_INIT;
    struct call *call =
        orchestrator_submit(world->orchestrator, session, CALL_SHELL, spec, NULL, &error);
    if (call == NULL)
        print_error("%s\n", error.message);
    assert_non_null(call);
    return call;
}

struct call *submit(struct world *world, struct command_spec *spec)
{
    struct call *call = submit_in(world, world->agent, spec);
    settle(world);
    return call;
}

void decide_with(struct world *world, const struct call *call, enum review_kind kind,
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

void decide(struct world *world, const struct call *call, enum review_kind kind)
{
    decide_with(world, call, kind, NULL);
}

void exit_denied(struct world *world, struct call *call)
{
    assert_non_null(call->run);
    fake_print(call->run, DENIED_WORDS);
    fake_exit(call->run, 1);
    settle(world);
}

void exit_with(struct world *world, struct call *call, int code)
{
    assert_non_null(call->run);
    fake_exit(call->run, code);
    settle(world);
}

void assert_undone(struct world *world, enum undo_kind kind, const char *what)
{
    struct undo undo;
    assert_int_equal(orchestrator_undo(world->orchestrator, &undo, NULL), 0);
    assert_int_equal(undo.kind, kind);
    if (what != NULL)
        assert_non_null(strstr(undo.what, what));
    else
        assert_null(undo.what);
    undo_clear(&undo);
}

void write_program(const struct world *world, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", world->root, name);
    assert_int_equal(fd_replace_file(path, "#!/bin/sh\n", 10, 0755), 0);
}
