/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fake_runner.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "sandbox/policy.h"

struct run *fake_runs;
unsigned fake_starts;
bool fake_start_fails;

static void note_program(struct run *run, const struct exec_request *request)
{
    size_t i = 0;
    while (request->argv[i] != NULL && strcmp(request->argv[i], "--") != 0)
        i++;
    for (i += request->argv[i] != NULL; request->argv[i] != NULL; i++)
        strbuf_addf(&run->program, "%s%s", run->program.length > 0 ? " " : "", request->argv[i]);
}

struct run *run_start(struct loop *loop, const struct exec_request *request,
                      const struct run_options *options, const struct run_events *events,
                      void *argument, struct error *error)
{
    (void)loop;
    if (fake_start_fails) {
        error_set(error, EAGAIN, "no more processes");
        return NULL;
    }
    struct run *run = XNEW(struct run);
    run->events = *events;
    run->argument = argument;
    run->options = *options;
    run->type = request->type;
    run->policy = sandbox_policy_canonical(request->policy);
    run->standard_input = request->standard_input;
    run->cwd = xstrdup(request->cwd);
    note_program(run, request);
    struct run **at = &fake_runs;
    while (*at != NULL)
        at = &(*at)->next;
    *at = run;
    fake_starts++;
    return run;
}

void run_free(struct run **run)
{
    struct run *freed = steal_pointer(run);
    if (freed == NULL)
        return;
    struct run **at = &fake_runs;
    while (*at != freed)
        at = &(*at)->next;
    *at = freed->next;
    strbuf_free(&freed->program);
    strbuf_free(&freed->input);
    free(freed->policy);
    free(freed->cwd);
    free(freed);
}

int64_t run_spent_ms(const struct run *run)
{
    return run->spent_ms;
}

int64_t run_stood_ms(const struct run *run)
{
    (void)run;
    return 0;
}

pid_t run_pid(const struct run *run)
{
    (void)run;
    return 1;
}

int run_write(struct run *run, const char *bytes, size_t length)
{
    if (run->standard_input == STDIN_NULL || run->input_ended)
        return -EPIPE;
    strbuf_add(&run->input, bytes, length);
    return 0;
}

void run_write_end(struct run *run)
{
    run->input_ended = true;
}

void run_pause_output(struct run *run, bool pause)
{
    run->output_paused = pause;
}

void run_pause_clock(struct run *run, bool pause)
{
    (void)run;
    (void)pause;
}

bool run_hides_input(const struct run *run)
{
    (void)run;
    return false;
}

void run_resize(struct run *run, int rows, int columns)
{
    run->options.rows = rows;
    run->options.columns = columns;
}

enum foreground run_foreground(const struct run *run)
{
    (void)run;
    return FOREGROUND_WORKS;
}

void run_freeze(struct run *run, bool freeze)
{
    run->frozen = freeze;
}

int run_signal(struct run *run, int number)
{
    (void)run;
    (void)number;
    return 0;
}

void run_cancel(struct run *run)
{
    run->cancelled = true;
}

/* ---- for the tests --------------------------------------------------------------------------- */

void fake_reset(void)
{
    fake_starts = 0;
    fake_start_fails = false;
}

struct run *fake_last(void)
{
    struct run *run = fake_runs;
    while (run != NULL && run->next != NULL)
        run = run->next;
    return run;
}

void fake_print(struct run *run, const char *text)
{
    run->events.output(run->argument, RUN_STDOUT, text, strlen(text));
}

void fake_end(struct run *run, struct run_result result)
{
    run->ended = true;
    result.cancelled = run->cancelled;
    run->events.ended(run->argument, &result);
}

void fake_exit(struct run *run, int code)
{
    fake_end(run, (struct run_result){.outcome = RUN_EXITED, .code = code});
}

void fake_exit_blocked(struct run *run, int code, const char *blocked)
{
    struct run_result result = {.outcome = RUN_EXITED, .code = code};
    snprintf(result.blocked, sizeof(result.blocked), "%s", blocked);
    fake_end(run, result);
}
