/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "turn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/path.h"
#include "config/paths.h"
#include "sandbox/cache.h"

char *turn_workspace(const struct options *options, struct error *error)
{
    const char *named = options_string(options, OPTION_WORKSPACE);
    cleanup_free char *path = paths_expand(named[0] ? named : ".");
    char *root = realpath(path, NULL);
    struct stat status;
    if (!root || stat(root, &status) < 0) {
        error_errno(error, errno, _("cannot use %s as the workspace"), path);
    } else if (!S_ISDIR(status.st_mode)) {
        error_set(error, ENOTDIR, _("cannot use %s as the workspace: it is not a directory"), root);
        free(steal_pointer(&root));
    }
    return root;
}

static bool named_in_configuration(const struct options *options, const char *root)
{
    for (const char *const *named = options_list(options, OPTION_WRITABLE_ROOTS); *named; named++) {
        cleanup_free char *path = realpath(*named, NULL);
        if (path && strcmp(path, root) == 0)
            return true;
    }
    return false;
}

char *turn_refuse_root(const struct options *options, const char *root)
{
    if (!paths_hold_own(root) || named_in_configuration(options, root))
        return NULL;
    return xasprintf(_("%s holds your own settings, so commands may not write. Start in a "
                       "project's directory."),
                     root);
}

static void read_approval_policy(const struct options *options, struct approval_policy *policy)
{
    struct error ignored = ERROR_INIT; /* the option table allows the policies' names only */
    approval_policy_parse(options_string(options, OPTION_APPROVAL_POLICY), policy, &ignored);
    policy->reject_sandbox_approval = options_bool(options, OPTION_REJECT_SANDBOX_APPROVAL);
    policy->reject_rules = options_bool(options, OPTION_REJECT_RULES);
    policy->reject_elicitations = options_bool(options, OPTION_REJECT_ELICITATIONS);
    policy->escalate_on_request = options_bool(options, OPTION_ESCALATE_ON_REQUEST);
}

static int add_roots(const struct options *options, struct sandbox_policy *policy,
                     struct error *error)
{
    if (policy->fs_kind != POLICY_FS_RESTRICTED)
        return 0;
    if (options_bool(options, OPTION_RESTRICTED_READ))
        sandbox_policy_restrict_reads(policy, true);
    for (const char *const *path = options_list(options, OPTION_READABLE_ROOTS); *path; path++)
        if (sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, *path, error) < 0)
            return error_prefix(error, "readable_roots");
    if (policy->mode != SANDBOX_WORKSPACE_WRITE)
        return 0;
    for (const char *const *path = options_list(options, OPTION_WRITABLE_ROOTS); *path; path++)
        if (sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, *path, error) < 0)
            return error_prefix(error, "writable_roots");
    return 0;
}

static int add_sockets(const struct options *options, struct sandbox_policy *policy,
                       struct error *error)
{
    const char *const *path = options_list(options, OPTION_ALLOW_UNIX_SOCKETS);
    for (; *path; path++)
        if (sandbox_policy_add_unix_socket(policy, *path, error) < 0)
            return error_prefix(error, "allow_unix_sockets");
    return 0;
}

static enum policy_tmp chosen_tmp(const char *name)
{
    if (strcmp(name, "host") == 0)
        return POLICY_TMP_HOST;
    return strcmp(name, "none") == 0 ? POLICY_TMP_NONE : POLICY_TMP_PRIVATE;
}

/* Without `pin` the root need not be there: nothing will run in it. */
static struct sandbox_policy *new_policy(const struct options *options, enum sandbox_mode mode,
                                         const char *root, bool pin, struct error *error)
{
    struct sandbox_policy *policy = sandbox_policy_new(mode, root);
    const char *network = options_string(options, OPTION_NETWORK);
    policy->network = policy->network || options_bool(options, OPTION_NETWORK_ACCESS) ||
                      strcmp(network, "on") == 0;
    policy->network_asks =
        !policy->network && sandbox_policy_is_restricted(policy) && strcmp(network, "ask") == 0;
    policy->allow_degraded = options_bool(options, OPTION_ALLOW_DEGRADED);
    policy->protect_nested = options_bool(options, OPTION_PROTECT_NESTED);
    if (strcmp(options_string(options, OPTION_PROTECT_GIT), "all") == 0)
        policy->protect_git = POLICY_PROTECT_GIT_ALL;
    cache_choose(policy, options_string(options, OPTION_TOOL_CACHES));
    if (policy->tmp == POLICY_TMP_PRIVATE)
        policy->tmp = chosen_tmp(options_string(options, OPTION_TMP));
    if (add_roots(options, policy, error) < 0 || add_sockets(options, policy, error) < 0 ||
        (pin && sandbox_policy_pin(policy, error) < 0))
        sandbox_policy_free(&policy);
    return policy;
}

struct sandbox_policy *turn_sandbox_policy(const struct options *options, enum sandbox_mode mode,
                                           const char *root, struct error *error)
{
    cleanup_free char *refusal = turn_refuse_root(options, root);
    if (refusal && mode == SANDBOX_WORKSPACE_WRITE) {
        error_set(error, EPERM, "%s", refusal);
        return NULL;
    }
    return new_policy(options, mode, root, true, error);
}

static struct turn_context *make_context(const struct options *options, const char *root, bool pin,
                                         char **warning, struct error *error)
{
    *warning = turn_refuse_root(options, root);
    struct approval_policy approval = {0};
    read_approval_policy(options, &approval);
    enum sandbox_mode mode = SANDBOX_WORKSPACE_WRITE;
    sandbox_mode_parse(options_string(options, OPTION_SANDBOX_MODE), &mode);
    if (*warning && mode == SANDBOX_WORKSPACE_WRITE)
        mode = SANDBOX_READ_ONLY;
    struct sandbox_policy *sandbox = new_policy(options, mode, root, pin, error);
    if (!sandbox)
        return NULL;
    enum sandbox_preference preference = SANDBOX_AUTO;
    sandbox_preference_parse(options_string(options, OPTION_SANDBOX_PREFERENCE), &preference);
    struct turn_context *context = turn_context_new(&approval, sandbox, preference, root);
    context->default_timeout_ms = options_number(options, OPTION_DEFAULT_TIMEOUT);
    context->max_timeout_ms = options_number(options, OPTION_MAX_TIMEOUT);
    sandbox_policy_free(&sandbox);
    return context;
}

struct turn_context *turn_context_from_options(const struct options *options, const char *root,
                                               char **warning, struct error *error)
{
    return make_context(options, root, true, warning, error);
}

struct turn_context *turn_context_imagined(const struct options *options, const char *root,
                                           struct error *error)
{
    cleanup_free char *warning = NULL;
    return make_context(options, root, false, &warning, error);
}
