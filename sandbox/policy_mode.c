/* SPDX-License-Identifier: MIT */
/* The modes' constructors of policy.h. */
#include "config.h"

#include "base/alloc.h"
#include "sandbox/closed.h"
#include "sandbox/policy.h"

static struct sandbox_policy *new_restricted(enum sandbox_mode mode)
{
    struct sandbox_policy *policy = XNEW(struct sandbox_policy);
    policy->mode = mode;
    policy->fs_kind = POLICY_FS_RESTRICTED;
    policy->tool_caches = POLICY_CACHES_NONE;
    policy->protect = true; /* in whatever else is granted later */
    policy->protect_nested = true;
    sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, "/", NULL);
    closed_add_defaults(policy);
    return policy;
}

struct sandbox_policy *sandbox_policy_new_read_only(void)
{
    return new_restricted(SANDBOX_READ_ONLY);
}

struct sandbox_policy *sandbox_policy_new_workspace_write(const char *workspace)
{
    struct sandbox_policy *policy = new_restricted(SANDBOX_WORKSPACE_WRITE);
    policy->tmp = POLICY_TMP_PRIVATE;
    policy->tool_caches = POLICY_CACHES_PRIVATE;
    sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, workspace, NULL);
    closed_add_workspace(policy, workspace);
    return policy;
}

static struct sandbox_policy *new_unrestricted(enum sandbox_mode mode, enum policy_fs_kind kind,
                                               bool network)
{
    struct sandbox_policy *policy = XNEW(struct sandbox_policy);
    policy->mode = mode;
    policy->fs_kind = kind;
    policy->tmp = POLICY_TMP_HOST;
    policy->tool_caches = POLICY_CACHES_SHARED;
    policy->network = network;
    return policy;
}

struct sandbox_policy *sandbox_policy_new_danger_full_access(void)
{
    return new_unrestricted(SANDBOX_DANGER_FULL_ACCESS, POLICY_FS_UNRESTRICTED, true);
}

struct sandbox_policy *sandbox_policy_new_external(bool network)
{
    return new_unrestricted(SANDBOX_EXTERNAL, POLICY_FS_EXTERNAL, network);
}

struct sandbox_policy *sandbox_policy_new(enum sandbox_mode mode, const char *workspace)
{
    switch (mode) {
    case SANDBOX_READ_ONLY: {
        struct sandbox_policy *policy = sandbox_policy_new_read_only();
        closed_add_workspace(policy, workspace);
        return policy;
    }
    case SANDBOX_WORKSPACE_WRITE:
        return sandbox_policy_new_workspace_write(workspace);
    case SANDBOX_DANGER_FULL_ACCESS:
        return sandbox_policy_new_danger_full_access();
    case SANDBOX_EXTERNAL:
        break;
    }
    return sandbox_policy_new_external(false);
}
