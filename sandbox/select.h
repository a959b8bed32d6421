/* SPDX-License-Identifier: MIT */
/*
 * select: which kind of sandbox an attempt gets. Pure functions: what the system can do comes in
 * as data (probe.h finds it out).
 */
#ifndef ASSENT_SANDBOX_SELECT_H
#define ASSENT_SANDBOX_SELECT_H

#include <stdbool.h>

#include "base/error.h"
#include "sandbox/command.h"
#include "sandbox/policy.h"

enum sandbox_preference { SANDBOX_AUTO, SANDBOX_REQUIRE, SANDBOX_FORBID };
const char *sandbox_preference_name(enum sandbox_preference preference); /* "auto", … */
bool sandbox_preference_parse(const char *name, enum sandbox_preference *preference);

enum sandbox_platform { SANDBOX_PLATFORM_LINUX, SANDBOX_PLATFORM_MACOS, SANDBOX_PLATFORM_OTHER };
enum sandbox_platform select_platform(void); /* the one this was built for */

/* What this system can enforce. */
struct sandbox_capability {
    enum sandbox_platform platform;
    int landlock_abi; /* 0: no Landlock */
    bool seccomp;
    bool user_namespaces; /* an ordinary user can make them and mount in them */
    bool seatbelt;        /* /usr/bin/sandbox-exec is there */
};

/* The type for the first attempt: none for `forbid`; the platform's for `require`; for `auto` none
 * when the policy has nothing to enforce, else the platform's. -1 with a message when a sandbox is
 * needed and the system has none that can enforce the policy. */
int select_type(enum sandbox_preference preference, const struct sandbox_policy *policy,
                const struct sandbox_capability *capability, enum sandbox_type *type,
                struct error *error);

#endif
