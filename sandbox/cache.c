/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/cache.h"

const char *const CACHE_VARIABLES[] = {
    "XDG_CACHE_HOME=" CACHE_PLACE "/xdg", /* pip, uv, go build, ccache, yarn, deno and many more */
    "PIP_CACHE_DIR=" CACHE_PLACE "/xdg/pip",
    "GOCACHE=" CACHE_PLACE "/xdg/go-build",
    "npm_config_cache=" CACHE_PLACE "/npm",
    "npm_config_store_dir=" CACHE_PLACE "/pnpm", /* pnpm reads npm's variables */
    "CARGO_HOME=" CACHE_PLACE "/cargo",
    "GOMODCACHE=" CACHE_PLACE "/gomod",
    "GRADLE_USER_HOME=" CACHE_PLACE "/gradle",
    "NUGET_PACKAGES=" CACHE_PLACE "/nuget",
    "BUN_INSTALL_CACHE_DIR=" CACHE_PLACE "/bun",
    NULL,
};

bool cache_is_private(const struct sandbox_policy *policy)
{
    return sandbox_policy_is_restricted(policy) && policy->tool_caches == POLICY_CACHES_PRIVATE &&
           policy->tmp == POLICY_TMP_PRIVATE;
}
