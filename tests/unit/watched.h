/* SPDX-License-Identifier: MIT */
/* watched: a command that the runner runs, with all that it says and how it ended. Whatever takes
 * too long fails the test. */
#ifndef ASSENT_TESTS_WATCHED_H
#define ASSENT_TESTS_WATCHED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/loop.h"
#include "base/strbuf.h"
#include "run/runner.h"
#include "sandbox/policy.h"

/* Longer than any test needs, shorter than whoever waits for a hanging one. */
#define WATCHED_DEADLINE_MS 30000

struct watched {
    struct run *run;
    struct strbuf out;
    struct strbuf errors;
    struct strbuf alarm; /* the first */
    size_t largest;      /* piece of output */
    unsigned calls;      /* of output */
    unsigned started;
    unsigned ended;
    bool free_on_output;
    bool free_on_end;
    int gateway; /* 0: none came */
    struct run_result result;
};

extern const struct run_options watched_plain;
/* The operator's HOME=, for the tests that need one. */
extern const char *watched_home;

/* Fill in what is watched; their argument is a struct watched. */
extern const struct run_events watched_events;

struct exec_request *watched_request(const char *const *argv, const struct run_options *options,
                                     const struct sandbox_policy *policy);
/* `policy` NULL: no sandbox. Ended by watched_clear(). */
void watched_start_under(struct watched *watched, struct loop *loop, const char *const *argv,
                         const struct run_options *options, const struct sandbox_policy *policy);
void watched_start(struct watched *watched, struct loop *loop, const struct run_options *options,
                   const char *script);
/* One turn; fails after `deadline` (clock_monotonic_ms()). */
void watched_step(struct loop *loop, int64_t deadline);
/* Until it has ended, said `text`, begun. */
void watched_end(struct watched *watched, struct loop *loop);
void watched_text(struct watched *watched, struct loop *loop, const char *text);
void watched_begun(struct watched *watched, struct loop *loop);
void watched_clear(struct watched *watched);
/* Runs a shell script to its end. */
void watched_script(struct watched *watched, const struct run_options *options, const char *script);
/* Waits until a process is gone (a zombie counts as gone). */
void watched_gone(pid_t pid);

#endif
