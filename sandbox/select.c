/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/select.h"

#include <string.h>

static const char *const PREFERENCES[] = {"auto", "require", "forbid"};

const char *sandbox_preference_name(enum sandbox_preference preference)
{
    return PREFERENCES[preference];
}

bool sandbox_preference_parse(const char *name, enum sandbox_preference *preference)
{
    for (size_t i = 0; i < sizeof PREFERENCES / sizeof *PREFERENCES; i++)
        if (strcmp(name, PREFERENCES[i]) == 0) {
            *preference = (enum sandbox_preference)i;
            return true;
        }
    return false;
}

enum sandbox_platform select_platform(void)
{
#if defined __linux__
    return SANDBOX_PLATFORM_LINUX;
#elif defined __APPLE__
    return SANDBOX_PLATFORM_MACOS;
#else
    return SANDBOX_PLATFORM_OTHER;
#endif
}

static int select_linux(const struct sandbox_policy *policy,
                        const struct sandbox_capability *capability, struct error *error)
{
    if (capability->landlock_abi < 1)
        return error_set(error, 0,
                         "this kernel has no Landlock, or it is switched off: boot with a kernel "
                         "of 5.13 or newer and \"landlock\" in its lsm= list");
    if (!capability->seccomp)
        return error_set(error, 0, "this kernel has no seccomp filters");
    bool namespaces = capability->user_namespaces && !policy->no_user_namespaces;
    if (!namespaces && !policy->allow_degraded)
        return error_set(error, 0,
                         "this policy needs user namespaces, which this system does not give (or "
                         "the policy forbids): enable them, or set allow_degraded");
    if (!namespaces && policy->network_asks)
        return error_set(error, 0,
                         "hosts can only be asked for in a network namespace, which this system "
                         "does not give: set network to off or on");
    return 0;
}

static int select_platform_type(const struct sandbox_policy *policy,
                                const struct sandbox_capability *capability,
                                enum sandbox_type *type, struct error *error)
{
    switch (capability->platform) {
    case SANDBOX_PLATFORM_LINUX:
        *type = SANDBOX_TYPE_LINUX;
        return sandbox_policy_is_restricted(policy) ? select_linux(policy, capability, error) : 0;
    case SANDBOX_PLATFORM_MACOS:
        *type = SANDBOX_TYPE_SEATBELT;
        return capability->seatbelt
                   ? 0
                   : error_set(error, 0, "/usr/bin/sandbox-exec is missing on this system");
    case SANDBOX_PLATFORM_OTHER:
        break;
    }
    return error_set(error, 0, "there is no sandbox for this system");
}

int select_type(enum sandbox_preference preference, const struct sandbox_policy *policy,
                const struct sandbox_capability *capability, enum sandbox_type *type,
                struct error *error)
{
    *type = SANDBOX_TYPE_NONE;
    if (preference == SANDBOX_FORBID)
        return 0;
    if (preference == SANDBOX_AUTO && !sandbox_policy_is_restricted(policy))
        return 0;
    return select_platform_type(policy, capability, type, error);
}
