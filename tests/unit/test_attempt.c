/* SPDX-License-Identifier: MIT */
/* Calls with the real runner, the real helper and real files: what happened on the disk counts. */
#include "config.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "approval/headless.h"
#include "approval/orchestrator.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/probe.h"

#define DEADLINE_MS 30000 /* for what takes a moment; only a hang gets there */

struct world {
    struct loop *loop;
    struct orchestrator *orchestrator;
    struct session *agent;
    char *base, *root, *outside; /* outside lies beside the workspace */
};

static struct turn_context *context_of(const struct world *world, const char *policy_name)
{
    struct approval_policy policy;
    assert_int_equal(approval_policy_parse(policy_name, &policy, NULL), 0);
    struct sandbox_policy *sandbox = sandbox_policy_new_workspace_write(world->root);
    sandbox->allow_degraded = true; /* the layers are tested elsewhere */
    struct turn_context *context = turn_context_new(&policy, sandbox, SANDBOX_AUTO, world->root);
    sandbox_policy_free(&sandbox);
    return context;
}

static void set_policy(struct world *world, const char *policy)
{
    struct turn_context *context = context_of(world, policy);
    orchestrator_set_context(world->orchestrator, world->agent, context);
    turn_context_unref(&context);
}

static int set_up(void **state)
{
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "LANG=C",
                                              NULL};
    struct world *world = XNEW(struct world);
    /* Not in /tmp, which the sandbox may give each session anew. */
    char template[] = "/var/tmp/assent-attempt-XXXXXX";
    world->base = realpath(mkdtemp(template), NULL);
    world->root = xasprintf("%s/work", world->base);
    world->outside = xasprintf("%s/outside", world->base);
    if (fd_make_directories(world->root, 0755) != 0 ||
        fd_make_directories(world->outside, 0755) != 0)
        return -1;
    struct sandbox_capability capability;
    probe_capability(&capability);
    world->loop = loop_new(NULL);
    struct orchestrator_setup setup = {
        .loop = world->loop,
        .helper_path = HELPER_PATH,
        .base_environment = environment,
        .output_cap = 65536,
        .grace_ms = 200,
        .capability = &capability,
        .max_open_calls = 10,
        .max_finished_calls = 10,
    };
    world->orchestrator = orchestrator_new(&setup);
    struct turn_context *context = context_of(world, "on-request");
    world->agent =
        orchestrator_open_session(world->orchestrator, SESSION_CLIENT, "agent", 0, NULL, context);
    turn_context_unref(&context);
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
    free(world->base);
    free(world->root);
    free(world->outside);
    free(world);
    return result;
}

/* Until the call needs an answer or has its result. */
static void wait_for(struct world *world, const struct call *call)
{
    int64_t end = loop_now_ms(world->loop) + DEADLINE_MS;
    while (call->state != CALL_ASKING && call->state != CALL_FINISHED &&
           loop_now_ms(world->loop) < end)
        loop_step(world->loop, 100);
    assert_true(call->state == CALL_ASKING || call->state == CALL_FINISHED);
}

static void wait_until_running(struct world *world, const struct call *call)
{
    int64_t end = loop_now_ms(world->loop) + DEADLINE_MS;
    while ((call->output == NULL || output_total(call->output) == 0) &&
           call->state != CALL_FINISHED && loop_now_ms(world->loop) < end)
        loop_step(world->loop, 100);
    assert_int_equal(call->state, CALL_RUNNING);
}

static struct command_spec *spec_of(const struct world *world, const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct command_spec *spec = command_spec_new();
    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup(world->root);
    return spec;
}

static struct call *submit_spec(struct world *world, struct command_spec *spec)
{
    struct error error = ERROR_INIT;
    struct call *call =
        orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL, spec, NULL, &error);
    if (call == NULL)
        print_error("%s\n", error.message);
    assert_non_null(call);
    return call;
}

static struct call *submit(struct world *world, const char *script)
{
    struct call *call = submit_spec(world, spec_of(world, script));
    wait_for(world, call);
    return call;
}

static void decide(struct world *world, const struct call *call, enum review_kind kind)
{
    assert_non_null(call->prompt);
    assert_int_equal(orchestrator_decide(world->orchestrator, call->prompt->id,
                                         call->prompt->revision, kind, NULL, NULL),
                     0);
    while (call->prompt != NULL)
        loop_step(world->loop, 100);
    wait_for(world, call);
}

static bool exists(const char *directory, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

static void assert_output(const struct call *call, const char *expected)
{
    struct strbuf text = STRBUF_INIT;
    bool truncated;
    output_for_agent(call->output, &text, &truncated);
    assert_string_equal(strbuf_str(&text), expected);
    strbuf_free(&text);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void it_runs_and_says_how_it_ended(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, "echo hello; touch made; exit 3");
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(call), 3);
    assert_output(call, "hello\n");
    assert_true(exists(world->root, "made"));
    assert_int_equal(call->attempts[0].type, SANDBOX_TYPE_LINUX);
    assert_string_not_equal(call->attempts[0].result.layers, "");

    call = submit(world, "kill -TERM $$");
    assert_int_equal(call_exit_status(call), 128 + 15);
}

static void what_is_denied_did_not_happen(void **state)
{
    struct world *world = *state;
    cleanup_free char *script = xasprintf("echo x > %s/file", world->outside);
    struct call *call = submit(world, script);
    assert_int_equal(call->state, CALL_ASKING);
    assert_true(call->prompt->retry);
    assert_false(exists(world->outside, "file"));
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call_exit_status(call), 0);
    assert_true(exists(world->outside, "file"));
    assert_int_equal(call->attempts[1].type, SANDBOX_TYPE_NONE);
}

static void a_denied_retry_leaves_nothing(void **state)
{
    struct world *world = *state;
    cleanup_free char *script = xasprintf("echo before; echo x > %s/file", world->outside);
    struct call *call = submit(world, script);
    decide(world, call, REVIEW_DENIED);
    assert_int_equal(call_exit_status(call), 77);
    assert_false(exists(world->outside, "file"));
    assert_true(output_total(call->output) > strlen("before\n"));
}

/* It was approved to run in the sandbox, pretends to be denied, and waits for a run without. */
static void pretending_to_be_denied_gains_nothing(void **state)
{
    struct world *world = *state;
    set_policy(world, "untrusted");
    cleanup_free char *script = xasprintf(
        "[ -n \"$ASSENT_SANDBOX\" ] || echo x > %s/stolen; echo Permission denied; exit 1",
        world->outside);
    struct call *call = submit(world, script);
    assert_false(call->prompt->retry);
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(call->state, CALL_ASKING); /* not run again unasked */
    assert_true(call->prompt->retry);
    assert_non_null(strstr(wording_english(call->prompt->reason), "inferred from what"));
    assert_false(exists(world->outside, "stolen"));
    decide(world, call, REVIEW_DENIED);
    assert_false(exists(world->outside, "stolen"));

    struct call *again = submit(world, script);
    assert_int_equal(again->state, CALL_FINISHED);
    assert_int_equal(call_exit_status(again), 77);
    assert_false(exists(world->outside, "stolen"));
}

static void write_file(const char *directory, const char *name, const char *text)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    assert_int_equal(fd_replace_file(path, text, strlen(text), 0755), 0);
}

/* `git status` is known to be safe; with these variables it runs ./evil. */
static void variables_do_not_ride_on_a_safe_command(void **state)
{
    struct world *world = *state;
    static const char *const git[] = {"git", "status", NULL};
    static const char *const variables[] = {"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.fsmonitor",
                                            "GIT_CONFIG_VALUE_0=./evil", NULL};
    cleanup_free char *init = xasprintf("git init -q '%s'", world->root);
    assert_int_equal(system(init), 0);
    write_file(world->root, "evil", "#!/bin/sh\ntouch ran\n");
    set_policy(world, "untrusted");

    struct command_spec *spec = spec_of(world, "");
    strv_free(&spec->argv);
    spec->argv = strv_copy(git);
    struct call *call = submit_spec(world, spec);
    wait_for(world, call);
    assert_int_equal(call->state, CALL_FINISHED); /* unasked */
    assert_int_equal(call_exit_status(call), 0);
    assert_false(exists(world->root, "ran"));

    spec = command_spec_copy(call->spec);
    spec->env = strv_copy(variables);
    call = submit_spec(world, spec);
    wait_for(world, call);
    assert_int_equal(call->state, CALL_ASKING);
    assert_non_null(strstr(wording_english(call->prompt->reason), "GIT_CONFIG_VALUE_0=./evil"));
    assert_false(exists(world->root, "ran"));
    decide(world, call, REVIEW_DENIED);
    assert_false(exists(world->root, "ran"));
}

/* The program is the one that was judged: found on the console's path, not on the call's. */
static void a_path_of_its_choice_finds_no_program(void **state)
{
    struct world *world = *state;
    static const char *const argv[] = {"touch", "made", NULL};
    write_file(world->root, "touch", "#!/bin/sh\n: > evil\n");
    struct command_spec *spec = spec_of(world, "");
    strv_free(&spec->argv);
    spec->argv = strv_copy(argv);
    cleanup_free char *variable = xasprintf("PATH=%s:/usr/bin:/bin", world->root);
    spec->env = strv_copy((const char *const[]){variable, NULL});
    struct call *call = submit_spec(world, spec);
    wait_for(world, call);
    assert_int_equal(call_exit_status(call), 0);
    assert_true(exists(world->root, "made"));
    assert_false(exists(world->root, "evil"));
}

/* The client says where it runs and what TMPDIR is; neither becomes writable by that. */
static void a_directory_of_its_choice_is_no_root(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = spec_of(world, "echo x > \"$TMPDIR/file\"; echo x > file");
    free(spec->cwd);
    spec->cwd = xstrdup(world->outside);
    cleanup_free char *variable = xasprintf("TMPDIR=%s", world->outside);
    spec->env = strv_copy((const char *const[]){variable, NULL});
    struct call *call = submit_spec(world, spec);
    wait_for(world, call);
    assert_false(exists(world->outside, "file"));
    assert_int_equal(call->state, CALL_ASKING);
    decide(world, call, REVIEW_DENIED);
    assert_false(exists(world->outside, "file"));
}

static void input_goes_into_both_attempts(void **state)
{
    struct world *world = *state;
    cleanup_free char *script = xasprintf("cat > %s/copy", world->outside);
    cleanup_free char *copy = xasprintf("%s/copy", world->outside);
    struct command_spec *spec = spec_of(world, script);
    spec->standard_input = STDIN_PIPE;
    struct call *call = submit_spec(world, spec);
    assert_int_equal(orchestrator_write(world->orchestrator, call, "some words", 10), 0);
    orchestrator_write_end(world->orchestrator, call);
    wait_for(world, call);
    assert_int_equal(call->state, CALL_ASKING);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call_exit_status(call), 0);
    size_t length;
    cleanup_free char *bytes = fd_read_file(copy, 100, true, &length);
    assert_string_equal(bytes, "some words");
}

static void time_ends_it(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = spec_of(world, "echo Permission denied; sleep 1000");
    spec->timeout_ms = 200;
    struct call *call = submit_spec(world, spec);
    wait_for(world, call);
    assert_int_equal(call->state, CALL_FINISHED); /* and it is not a denial */
    assert_int_equal(call_exit_status(call), 124);
}

static void cancelling_ends_the_tree(void **state)
{
    struct world *world = *state;
    struct call *call = submit_spec(
        world, spec_of(world, "setsid sh -c 'sleep 2; touch late' & echo up; sleep 1000"));
    wait_until_running(world, call);
    orchestrator_cancel(world->orchestrator, call, CANCELLED_BY_CLIENT, "client gone");
    wait_for(world, call);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_true(call->cancelled);
    assert_string_equal(call->failure, "client gone");
    assert_null(call->run);
    assert_false(exists(world->root, "late"));
}

static void streams_can_be_apart(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = spec_of(world, "echo out; echo err >&2");
    spec->split_streams = true;
    struct call *call = submit_spec(world, spec);
    wait_for(world, call);
    assert_output(call, "out\n");
    assert_int_equal(output_total(call->error_output), 4);
}

static void headless_writes_one_line_for_each_decision(void **state)
{
    struct world *world = *state;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    struct headless *headless = headless_new(out);
    orchestrator_add_observer(world->orchestrator, headless_observer(), headless);
    struct call *call = submit(world, "echo '\033[31m'");
    assert_int_equal(call_exit_status(call), 0);
    call = submit(world, "rm -rf x");
    decide(world, call, REVIEW_DENIED);
    orchestrator_remove_observer(world->orchestrator, headless);
    headless_free(&headless);
    fclose(out);
    assert_non_null(strstr(text, "c1 approved (config), asked by "));
    assert_non_null(strstr(text, "<ESC>"));
    assert_null(strchr(text, '\033'));
    assert_non_null(strstr(text, "c1 finished, exit status 0\n"));
    assert_non_null(strstr(text, ": sh -c 'rm -rf x'\n"));
    assert_non_null(strstr(text, "c2 refused: did not run, its client ends with status 77\n"));
    free(text);
}

#define LIFE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    signal(SIGPIPE, SIG_IGN); /* as the console does: a command may end before its input */
    const struct CMUnitTest tests[] = {
        LIFE(it_runs_and_says_how_it_ended),
        LIFE(what_is_denied_did_not_happen),
        LIFE(a_denied_retry_leaves_nothing),
        LIFE(pretending_to_be_denied_gains_nothing),
        LIFE(variables_do_not_ride_on_a_safe_command),
        LIFE(a_path_of_its_choice_finds_no_program),
        LIFE(a_directory_of_its_choice_is_no_root),
        LIFE(input_goes_into_both_attempts),
        LIFE(time_ends_it),
        LIFE(cancelling_ends_the_tree),
        LIFE(streams_can_be_apart),
        LIFE(headless_writes_one_line_for_each_decision),
    };
    return cmocka_run_group_tests_name("attempt", tests, NULL, NULL);
}
