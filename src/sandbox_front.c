/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox_front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/install.h"
#include "sandbox/cache.h"
#include "sandbox/helper.h"
#include "sandbox/select.h"
#include "sandbox/transform.h"

extern char **environ;

/* ---- policy ----------------------------------------------------------------------------- */

/* The physical path of the workspace; the caller frees. */
static char *find_workspace(const struct options *options, struct error *error)
{
    const char *given = options_string(options, OPTION_WORKSPACE);
    char *path = realpath(given[0] ? given : ".", NULL);
    if (!path) {
        error_errno(error, errno, "workspace %s", given[0] ? given : ".");
        return NULL;
    }
    const char *home = getenv("HOME");
    if (!given[0] && (strcmp(path, "/") == 0 || (home && strcmp(path, home) == 0))) {
        error_set(error, 0,
                  "%s is too much for a workspace: name it with --workspace if you mean it", path);
        free(path);
        return NULL;
    }
    return path;
}

static int add_roots(struct sandbox_policy *policy, enum policy_access access,
                     const char *const *roots, struct error *error)
{
    for (; *roots; roots++) {
        cleanup_free char *path = realpath(*roots, NULL);
        if (!path)
            return error_errno(error, errno, "%s root %s", policy_access_name(access), *roots);
        if (sandbox_policy_add_entry(policy, access, path, error) < 0)
            return -1;
    }
    return 0;
}

static int add_options(struct sandbox_policy *policy, const struct options *options,
                       const char *workspace, struct error *error)
{
    if (options_bool(options, OPTION_RESTRICTED_READ)) {
        sandbox_policy_restrict_reads(policy, true);
        if (sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, workspace, error) < 0)
            return -1;
        if (policy->mode == SANDBOX_WORKSPACE_WRITE &&
            sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, workspace, error) < 0)
            return -1;
    }
    if (add_roots(policy, POLICY_ACCESS_READ, options_list(options, OPTION_READABLE_ROOTS), error) <
            0 ||
        add_roots(policy, POLICY_ACCESS_WRITE, options_list(options, OPTION_WRITABLE_ROOTS),
                  error) < 0)
        return -1;
    const char *const *sockets = options_list(options, OPTION_ALLOW_UNIX_SOCKETS);
    for (; *sockets; sockets++)
        if (sandbox_policy_add_unix_socket(policy, *sockets, error) < 0)
            return -1;
    policy->network = policy->network || options_bool(options, OPTION_NETWORK_ACCESS);
    if (strcmp(options_string(options, OPTION_PROTECT_GIT), "all") == 0)
        policy->protect_git = POLICY_PROTECT_GIT_ALL;
    policy->protect_nested = options_bool(options, OPTION_PROTECT_NESTED);
    cache_choose(policy, options_string(options, OPTION_TOOL_CACHES));
    policy->allow_degraded = options_bool(options, OPTION_ALLOW_DEGRADED);
    policy->no_user_namespaces = options_bool(options, OPTION_NO_USERNS);
    policy->landlock_abi = (int)options_number(options, OPTION_LANDLOCK_ABI);
    return 0;
}

struct sandbox_policy *sandbox_front_policy(const struct options *options, struct error *error)
{
    enum sandbox_mode mode = SANDBOX_WORKSPACE_WRITE;
    sandbox_mode_parse(options_string(options, OPTION_SANDBOX_MODE), &mode);
    cleanup_free char *workspace = find_workspace(options, error);
    if (!workspace)
        return NULL;
    struct sandbox_policy *policy = sandbox_policy_new(mode, workspace);
    if (add_options(policy, options, workspace, error) < 0)
        sandbox_policy_free(&policy);
    return policy;
}

int sandbox_front_become(const char *program, char **argv, struct error *error)
{
    cleanup_free char *path = install_find_program(program, error);
    if (!path)
        return -1;
    execv(path, argv);
    return error_errno(error, errno, "cannot start %s", path);
}

/* ---- running ---------------------------------------------------------------------------- */

/* The helper is not started but done here: this process has nothing else left to do, and starting
 * a program costs as much as all of the confinement's system calls. */
int sandbox_front_run(const struct sandbox_policy *policy, char **argv, struct error *error)
{
    cleanup_free char *cwd = getcwd(NULL, 0);
    if (!cwd)
        return error_errno(error, errno, "the current directory");
    struct command_spec spec = {.argv = argv, .cwd = cwd, .timeout_ms = COMMAND_TIMEOUT_DEFAULT};
    struct transform_context context = {.policy = policy,
                                        .type = SANDBOX_TYPE_LINUX,
                                        .helper = "/proc/self/exe",
                                        .base_environment = (const char *const *)environ};
    struct exec_request *request = transform_command(&spec, &context, error);
    if (!request)
        return -1;
    fd_close_from(STDERR_FILENO + 1); /* whatever the caller has left open */
    struct helper_options options = {.inherit_session = true, .status = -1, .argv = argv};
    int code = helper_run(&options, request->request, request->request_size, error);
    exec_request_free(&request);
    return code;
}
