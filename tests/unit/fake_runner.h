/* SPDX-License-Identifier: MIT */
/*
 * fake_runner: runner.h without processes, for tests of what stands on it. Each run waits until
 * the test says what it prints and how it ends.
 */
#ifndef ASSENT_TESTS_FAKE_RUNNER_H
#define ASSENT_TESTS_FAKE_RUNNER_H

#include "base/strbuf.h"
#include "run/runner.h"
#include "sandbox/command.h"

struct run {
    struct run_events events;
    void *argument;
    struct run_options options;
    struct strbuf program; /* the words after "--": what the helper was told to run */
    char *policy;          /* canonical */
    enum sandbox_type type;
    enum stdin_kind standard_input;
    char *cwd;
    struct strbuf input;
    int64_t spent_ms; /* as the test says */
    bool input_ended, cancelled, ended, output_paused, frozen;
    struct run *next;
};

/* Runs that were started and not freed, oldest first; and how many were ever started. */
extern struct run *fake_runs;
extern unsigned fake_starts;
extern bool fake_start_fails;

void fake_reset(void);
struct run *fake_last(void);
void fake_print(struct run *run, const char *text);
void fake_exit(struct run *run, int code);
/* The sandbox reports what it blocked; the command then exits with `code`. */
void fake_exit_blocked(struct run *run, int code, const char *blocked);
void fake_end(struct run *run, struct run_result result);

#endif
