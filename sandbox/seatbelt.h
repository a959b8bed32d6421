/* SPDX-License-Identifier: MIT */
/*
 * seatbelt: a policy as a profile for macOS' /usr/bin/sandbox-exec.
 *
 * Pure: made and tested on every platform, run on macOS only. Everything is denied that no rule
 * allows, and of the rules for one operation the last that matches decides. Paths are handed over
 * as parameters (-D), so that nothing of a name is ever read as a rule; only where a name may be
 * at any depth does the path stand in a regular expression, escaped.
 */
#ifndef ASSENT_SANDBOX_SEATBELT_H
#define ASSENT_SANDBOX_SEATBELT_H

#include "base/error.h"
#include "sandbox/policy.h"

#define SEATBELT_PROGRAM "/usr/bin/sandbox-exec"

struct seatbelt_setup {
    const struct sandbox_policy *policy;
    const char *home;       /* the operator's home directory, or NULL */
    int proxy_port;         /* the one loopback port that stays open, 0 for none */
    const char *extensions; /* more rules, appended as they are; NULL for none */
};

/* The words that stand before the command: program, -p, profile, -D…, "--"; NULL-terminated, the
 * caller frees with strv_free(). NULL with a message when the profile can not say what the policy
 * means. */
char **seatbelt_arguments(const struct seatbelt_setup *setup, struct error *error);

#endif
