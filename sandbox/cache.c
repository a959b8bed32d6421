/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/cache.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sandbox/policy_field.h"

const char *const CACHE_VARIABLES[] = {
    "XDG_CACHE_HOME=" CACHE_PLACE "/xdg", /* pip, uv, go build, ccache, yarn, deno and many more */
    "PIP_CACHE_DIR=" CACHE_PLACE "/xdg/pip",
    "GOCACHE=" CACHE_PLACE "/xdg/go-build",
    "npm_config_cache=" CACHE_PLACE "/npm",
    "PNPM_HOME=" CACHE_PLACE
    "/pnpm", /* with its store below; npm complains of npm_config_store_dir */
    "CARGO_HOME=" CACHE_PLACE "/cargo",
    "GOMODCACHE=" CACHE_PLACE "/gomod",
    "GRADLE_USER_HOME=" CACHE_PLACE "/gradle",
    "NUGET_PACKAGES=" CACHE_PLACE "/nuget",
    "BUN_INSTALL_CACHE_DIR=" CACHE_PLACE "/bun",
    NULL,
};

const struct cache_overlay CACHE_OVERLAYS[] = {
    {"xdg", ".cache"},
    {"npm", ".npm"},
    {"pnpm/store", ".local/share/pnpm/store"},
    {"cargo/registry", ".cargo/registry"},
    {"cargo/git", ".cargo/git"},
    {"gomod", "go/pkg/mod"},
    {"gradle/caches", ".gradle/caches"},
    {"gradle/wrapper", ".gradle/wrapper"},
    {"nuget", ".nuget/packages"},
    {"bun", ".bun/install/cache"},
};
const size_t CACHE_OVERLAY_COUNT = sizeof CACHE_OVERLAYS / sizeof *CACHE_OVERLAYS;

static void share(struct sandbox_policy *policy)
{
    const char *home = getenv("HOME");
    for (size_t i = 0; home && i < CACHE_OVERLAY_COUNT; i++) {
        cleanup_free char *path = xasprintf("%s/%s", home, CACHE_OVERLAYS[i].lower);
        if (access(path, F_OK) == 0)
            sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, path, NULL);
    }
}

bool cache_choose(struct sandbox_policy *policy, const char *name)
{
    const struct policy_field *field = policy_field_find("tool-caches");
    for (int i = 0; i <= field->maximum; i++) {
        if (strcmp(name, field->names[i]) != 0)
            continue;
        if (policy->mode != SANDBOX_WORKSPACE_WRITE)
            return true;
        policy_field_set_number(field, policy, i);
        if (policy->tool_caches == POLICY_CACHES_SHARED)
            share(policy);
        return true;
    }
    return false;
}

bool cache_is_private(const struct sandbox_policy *policy)
{
    return sandbox_policy_is_restricted(policy) && policy->tool_caches == POLICY_CACHES_PRIVATE &&
           policy->tmp == POLICY_TMP_PRIVATE;
}
