/* SPDX-License-Identifier: MIT */
/*
 * conformance_run: one case, carried out once, outside or inside, in a fixture of its own.
 */
#ifndef ASSENT_TESTS_CONFORMANCE_RUN_H
#define ASSENT_TESTS_CONFORMANCE_RUN_H

#include <stdbool.h>
#include <sys/types.h>

#include "conformance_case.h"

/* The sandbox that the cases are run in, and whose they are. */
struct conformance_setup {
    char *programs; /* directory of copies that the user may execute */
    char *base;     /* everything is made beneath */
    char *until;    /* $UNTIL inside */
    uid_t user;
    bool degraded; /* without namespaces */
    bool verbose;
    bool must_work;   /* shows why the command does not, when it does not */
    int abi;          /* of Landlock; 0: the kernel's */
    const char *mode; /* NULL: each case its own */
};

struct conformance_outcome {
    int status;    /* as a shell has it: exit code, 128 + signal */
    bool happened; /* what `effect` says, or that the status is the expected one */
};

/* Makes the directory for the fixtures and copies the programs there, because the user need not be
 * able to enter the build tree. */
void conformance_prepare(struct conformance_setup *setup, const char *programs);
void conformance_clean(const struct conformance_setup *setup);

struct conformance_outcome conformance_run(const struct conformance_setup *setup,
                                           const struct conformance_case *test, bool inside);
/* Runs a script outside as the user, in a fixture; its exit code. */
int conformance_outside(const struct conformance_setup *setup, const char *script);
/* The mode that a case is run in. */
const char *conformance_mode(const struct conformance_setup *setup,
                             const struct conformance_case *test);

#endif
