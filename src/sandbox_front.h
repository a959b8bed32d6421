/* SPDX-License-Identifier: MIT */
/* sandbox_front: what the programs behind `assent sandbox` share: the policy that their options
 * ask for, and running a command under it. */
#ifndef ASSENT_SANDBOX_FRONT_H
#define ASSENT_SANDBOX_FRONT_H

#include "base/error.h"
#include "config/options.h"
#include "sandbox/policy.h"

/* The caller frees. NULL with a message when the options do not fit together, a root is missing,
 * or the workspace would be / or the home directory without having been named. */
struct sandbox_policy *sandbox_front_policy(const struct options *options, struct error *error);

/* The program that does what needs libraries. */
#define SANDBOX_EXPLAIN_PROGRAM "assent-sandbox-explain"

/* Becomes another of Assent's programs, with the same arguments. Returns -1 only on failure. */
int sandbox_front_become(const char *program, char **argv, struct error *error);

/* Runs the command (argv, NULL-terminated) and ends as it did, or returns the exit code when it was
 * not run and that has been reported. -1 with a message on any other failure. */
int sandbox_front_run(const struct sandbox_policy *policy, char **argv, struct error *error);

#endif
