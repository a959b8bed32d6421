/* SPDX-License-Identifier: MIT */
/* The context of calls, their limits, their input, how they are cancelled. */
#include "config.h"

#include "approval/orchestrator.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "orchestrator_world.h"

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

/* Its client is told who said no, and not that we have failed. */
static void assert_refused_by_the_operator(const struct call *call)
{
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call->decision.kind, REVIEW_DENIED);
    assert_int_equal(call->decision.source, DECIDED_BY_USER);
    assert_string_equal(call->decision.message, "stopped");
    assert_int_equal(call_exit_status(call), 77);
}

static void cancelled_in_every_state(void **state)
{
    struct world *world = *state;
    struct orchestrator *orchestrator = world->orchestrator;
    struct call *received = submit_in(world, world->agent, SPEC(world, "touch", "x"));
    orchestrator_cancel(orchestrator, received, CANCELLED_BY_CLIENT, "client gone");
    settle(world);
    assert_int_equal(received->state, CALL_FINISHED);
    assert_string_equal(received->failure, "client gone");
    assert_int_equal(received->cancelled_by, CANCELLED_BY_CLIENT);

    struct call *asking = submit(world, SPEC(world, "rm", "-rf", "x"));
    orchestrator_cancel(orchestrator, asking, CANCELLED_BY_OPERATOR, "stopped");
    settle(world);
    assert_int_equal(asking->state, CALL_FINISHED);
    assert_int_equal(asking->cancelled_by, CANCELLED_BY_OPERATOR);
    assert_int_equal(orchestrator_waiting_count(orchestrator), 0);
    assert_int_equal(world->agent->open_prompts, 0);
    assert_refused_by_the_operator(asking);

    struct call *running = submit(world, SPEC(world, "touch", "x"));
    orchestrator_cancel(orchestrator, running, CANCELLED_BY_CLIENT, "client gone");
    orchestrator_cancel(orchestrator, running, CANCELLED_BY_CLIENT, "twice");
    settle(world);
    assert_true(running->run->cancelled);
    fake_print(running->run, DENIED_WORDS);
    fake_end(running->run, (struct run_result){.outcome = RUN_SIGNALED, .signal = 9});
    settle(world);
    assert_int_equal(running->state, CALL_FINISHED); /* and nobody is asked to retry */
    assert_true(running->cancelled);

    /* It ended by itself before the signal reached it. */
    running = submit(world, SPEC(world, "touch", "x"));
    orchestrator_cancel(orchestrator, running, CANCELLED_BY_CLIENT, "client gone");
    settle(world);
    running->run->cancelled = false;
    exit_denied(world, running);
    assert_int_equal(running->state, CALL_FINISHED);

    world->withhold_commits = true;
    struct call *recording = submit(world, SPEC(world, "touch", "x"));
    orchestrator_cancel(orchestrator, recording, CANCELLED_BY_CLIENT, "client gone");
    settle(world);
    assert_int_equal(recording->state, CALL_FINISHED);
    let_commit(world, 0);
    settle(world);
    assert_int_equal(fake_starts, 2);
    orchestrator_cancel(orchestrator, recording, CANCELLED_BY_CLIENT, "too late");
    settle(world);
    assert_string_equal(recording->failure, "client gone");

    struct call *approved = submit(world, SPEC(world, "touch", "x"));
    orchestrator_cancel(orchestrator, approved, CANCELLED_BY_OPERATOR, "stopped");
    settle(world);
    assert_refused_by_the_operator(approved);
    let_commit(world, 0);
    settle(world);
    assert_int_equal(fake_starts, 2);
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
    orchestrator_cancel(world->orchestrator, calls[3], CANCELLED_BY_CLIENT, "client gone");
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
    assert_non_null(
        strstr(wording_english(call->prompt->reason), "the 10 bytes of the first attempt again"));
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
    assert_null(strstr(wording_english(call->prompt->reason), "standard input"));
    assert_true(call->prompt->may_approve_for_session);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->run->standard_input, STDIN_NULL);
    exit_with(world, call, 0);
}

#define LIFE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("orchestrator limits", tests, NULL, NULL);
}
