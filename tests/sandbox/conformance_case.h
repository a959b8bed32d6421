/* SPDX-License-Identifier: MIT */
/*
 * conformance_case: one case of the suite, read from the files in cases/.
 *
 *     [M01] a new file outside
 *     promise: write
 *     do: $P create $O/new
 *     effect: test -e $O/new
 *
 * Keys (each once, in any order; a line that begins with two blanks goes on with the one before):
 *   promise  whose it is (sandbox/hold.c); says whether `do` must fail or work
 *   do       shell commands that are run inside, and first outside, where they must work
 *   effect   shell command that is run outside afterwards: did it happen? What must happen gets
 *            time for it. Without it the exit code of `do` tells
 *
 *   setup    shell commands run outside before
 *   host     a process outside for as long as it lasts (it makes $T/ready when it is ready)
 *   during   run outside when $W/go appears, which then makes $W/done ("^C": that key)
 *   with     how the command is started, "$@" being it (default: exec "$@")
 *
 *   options  more options of `assent sandbox`
 *   mode     default workspace-write
 *   user     op or root (default: both)
 *   needs    programs without which there is nothing to try
 *   wants    the same, but the core does without them
 *   absent   shell command that succeeds outside only where this machine has no such thing at all:
 *            then there is nothing to try, and that is told
 *   exit     the exit code that both runs must have (default 0; 128 + signal)
 *   terminal yes: on a terminal of its own
 *   slow     yes: not part of the core
 *
 * $W workspace, where it starts; $O a directory beside it; $T for marks of the host's processes;
 * $P the program probe; $HOME is $O/home; $PORT a free number. "$UNTIL command" waits inside, and
 * when the effect is looked for afterwards, until the command succeeds, for at most five seconds:
 * what the sandbox does of itself takes its time on a busy machine. Outside it does nothing.
 */
#ifndef ASSENT_TESTS_CONFORMANCE_CASE_H
#define ASSENT_TESTS_CONFORMANCE_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/hold.h"

enum case_key {
    CASE_PROMISE,
    CASE_DO,
    CASE_EFFECT,
    CASE_SETUP,
    CASE_HOST,
    CASE_DURING,
    CASE_WITH,
    CASE_OPTIONS,
    CASE_MODE,
    CASE_USER,
    CASE_NEEDS,
    CASE_WANTS,
    CASE_ABSENT,
    CASE_EXIT,
    CASE_TERMINAL,
    CASE_SLOW,
    CASE_KEY_COUNT,
};

struct conformance_case {
    char *id;
    char *title;
    char *values[CASE_KEY_COUNT]; /* NULL where not given */
    const struct hold_promise *promise;
    int exit; /* 0..255 */
};

struct conformance_cases {
    struct conformance_case *list;
    size_t count;
};

/* Reads a file of cases and adds them. Ends the program with a message when something in it is not
 * understood. */
void conformance_cases_read(struct conformance_cases *cases, const char *path);

#endif
