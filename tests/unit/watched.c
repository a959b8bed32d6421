/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sandbox/transform.h"

static void on_started(void *argument, pid_t pid)
{
    struct watched *watched = argument;
    assert_int_equal(pid, run_pid(watched->run));
    watched->started++;
}

static void on_output(void *argument, enum run_stream stream, const char *bytes, size_t length)
{
    struct watched *watched = argument;
    strbuf_add(stream == RUN_STDERR ? &watched->errors : &watched->out, bytes, length);
    watched->calls++;
    if (length > watched->largest)
        watched->largest = length;
    if (watched->free_on_output)
        run_free(&watched->run);
}

static void on_ended(void *argument, const struct run_result *result)
{
    struct watched *watched = argument;
    watched->ended++;
    watched->result = *result;
    if (watched->free_on_end)
        run_free(&watched->run);
}

static void on_gateway(void *argument, int listener)
{
    struct watched *watched = argument;
    assert_int_equal(watched->started, 0);
    watched->gateway = listener;
}

static void on_alarm(void *argument, const char *text)
{
    struct watched *watched = argument;
    assert_int_equal(watched->ended, 0);
    strbuf_addstr(&watched->alarm, text);
}

const struct run_events watched_events = {on_started, on_output, on_ended, on_gateway, on_alarm};

const struct run_options watched_plain = {.grace_ms = 500, .rows = 24, .columns = 80};

const char *watched_home = "HOME=/tmp";

struct exec_request *watched_request(const char *const *argv, const struct run_options *options,
                                     const struct sandbox_policy *policy)
{
    const char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", watched_home,
                                       "TERM=xterm-256color", NULL};
    struct sandbox_policy *full = sandbox_policy_new_danger_full_access();
    struct command_spec *spec = command_spec_new();
    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup("/tmp");
    spec->tty = options->tty;
    spec->standard_input = options->tty ? STDIN_TTY : options->stdin_open ? STDIN_PIPE : STDIN_NULL;
    spec->split_streams = options->split_streams;
    struct transform_context context = {
        .policy = policy != NULL ? policy : full,
        .type = policy != NULL ? SANDBOX_TYPE_LINUX : SANDBOX_TYPE_NONE,
        .helper = HELPER_PATH,
        .base_environment = environment,
    };
    struct error error = ERROR_INIT;
    struct exec_request *request = transform_command(spec, &context, &error);
    if (request == NULL)
        fail_msg("%s", error.message);
    command_spec_free(&spec);
    sandbox_policy_free(&full);
    return request;
}

void watched_start_under(struct watched *watched, struct loop *loop, const char *const *argv,
                         const struct run_options *options, const struct sandbox_policy *policy)
{
    *watched = (struct watched){.out = STRBUF_INIT, .errors = STRBUF_INIT, .alarm = STRBUF_INIT};
    struct exec_request *request = watched_request(argv, options, policy);
    struct error error = ERROR_INIT;
    watched->run = run_start(loop, request, options, &watched_events, watched, &error);
    if (watched->run == NULL)
        fail_msg("%s", error.message);
    exec_request_free(&request);
}

void watched_start(struct watched *watched, struct loop *loop, const struct run_options *options,
                   const char *script)
{
    watched_start_under(watched, loop, (const char *const[]){"/bin/sh", "-c", script, NULL},
                        options, NULL);
}

void watched_step(struct loop *loop, int64_t deadline)
{
    assert_true(clock_monotonic_ms(NULL) < deadline);
    loop_step(loop, 50);
}

void watched_end(struct watched *watched, struct loop *loop)
{
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    while (watched->ended == 0)
        watched_step(loop, deadline);
}

void watched_text(struct watched *watched, struct loop *loop, const char *text)
{
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    while (strstr(strbuf_str(&watched->out), text) == NULL)
        watched_step(loop, deadline);
}

void watched_begun(struct watched *watched, struct loop *loop)
{
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    while (watched->started == 0)
        watched_step(loop, deadline);
}

void watched_clear(struct watched *watched)
{
    run_free(&watched->run);
    strbuf_free(&watched->out);
    strbuf_free(&watched->errors);
    strbuf_free(&watched->alarm);
}

void watched_script(struct watched *watched, const struct run_options *options, const char *script)
{
    struct loop *loop = loop_new(NULL);
    watched_start(watched, loop, options, script);
    watched_end(watched, loop);
    loop_step(loop, 0);
    assert_int_equal(watched->ended, 1);
    run_free(&watched->run);
    loop_free(&loop);
}

void watched_gone(pid_t pid)
{
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    for (;;) {
        char path[64], line[256] = "";
        snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "re");
        if (file == NULL)
            return;
        char *got = fgets(line, sizeof(line), file);
        fclose(file);
        const char *place = got != NULL ? strrchr(line, ')') : NULL;
        if (place == NULL || place[2] == 'Z' || place[2] == 'X')
            return;
        assert_true(clock_monotonic_ms(NULL) < deadline);
        usleep(2000);
    }
}
