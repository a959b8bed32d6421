/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/transform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "sandbox/cache.h"
#include "sandbox/gateway.h"
#include "sandbox/helper.h"
#include "sandbox/request.h"
#include "sandbox/seatbelt.h"

/* ---- environment ------------------------------------------------------------------------ */

struct environment {
    char **entries; /* NULL-terminated */
    size_t count;
};

static size_t name_length(const char *entry)
{
    return strcspn(entry, "=");
}

/* A later one of a name takes the place of the earlier. */
static void put_entry(struct environment *environment, const char *entry)
{
    size_t length = name_length(entry) + 1;
    for (size_t i = 0; i < environment->count; i++)
        if (strncmp(environment->entries[i], entry, length) == 0) {
            free(environment->entries[i]);
            environment->entries[i] = xstrdup(entry);
            return;
        }
    environment->entries =
        xreallocarray(environment->entries, environment->count + 2, sizeof *environment->entries);
    environment->entries[environment->count++] = xstrdup(entry);
    environment->entries[environment->count] = NULL;
}

static void remove_name(struct environment *environment, const char *name)
{
    size_t length = strlen(name);
    size_t kept = 0;
    for (size_t i = 0; i < environment->count; i++) {
        char *entry = environment->entries[i];
        if (strncmp(entry, name, length) == 0 && entry[length] == '=')
            free(entry);
        else
            environment->entries[kept++] = entry;
    }
    environment->count = kept;
    if (environment->entries)
        environment->entries[kept] = NULL;
}

static void put_entries(struct environment *environment, const char *const *entries)
{
    for (; entries && *entries; entries++)
        put_entry(environment, *entries);
}

static bool asks_for_hosts(const struct transform_context *context)
{
    return context->type == SANDBOX_TYPE_LINUX && context->policy->network_asks &&
           sandbox_policy_is_restricted(context->policy);
}

/* Is the network closed for the command, as far as anybody can tell it? */
static bool network_closed(const struct transform_context *context)
{
    bool told = context->policy->fs_kind == POLICY_FS_EXTERNAL;
    return (context->type != SANDBOX_TYPE_NONE || told) && !context->policy->network &&
           !asks_for_hosts(context);
}

/* There is no private /tmp on macOS, only the session's directory under its own name. */
static void put_own_tmp(struct environment *environment, const struct sandbox_policy *policy)
{
    if (policy->tmp != POLICY_TMP_PRIVATE || !policy->tmp_source)
        return;
    cleanup_free char *entry = xasprintf("TMPDIR=%s", policy->tmp_source);
    put_entry(environment, entry);
}

/* Existing test suites look for the CODEX_ names to skip what can not work in a sandbox. */
static char **make_environment(const struct command_spec *spec,
                               const struct transform_context *context)
{
    static const char *const OURS[] = {"ASSENT_SANDBOX", "CODEX_SANDBOX",
                                       "ASSENT_SANDBOX_NETWORK_DISABLED",
                                       "CODEX_SANDBOX_NETWORK_DISABLED"};
    struct environment environment = {xcalloc(1, sizeof(char *)), 0};
    put_entries(&environment, context->base_environment);
    if (asks_for_hosts(context)) {
        put_entries(&environment, GATEWAY_VARIABLES);
        put_entries(&environment, context->gateway_environment);
    }
    put_entries(&environment, (const char *const *)spec->env);
    for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++)
        remove_name(&environment, OURS[i]);
    if (context->type == SANDBOX_TYPE_LINUX && sandbox_policy_is_restricted(context->policy)) {
        put_entry(&environment, "ASSENT_SANDBOX=linux");
        put_entry(&environment, "CODEX_SANDBOX=linux");
        if (context->policy->tmp == POLICY_TMP_PRIVATE)
            put_entry(&environment, "TMPDIR=/tmp");
        if (cache_is_private(context->policy))
            put_entries(&environment, CACHE_VARIABLES);
    } else if (context->type == SANDBOX_TYPE_SEATBELT) {
        put_entry(&environment, "ASSENT_SANDBOX=seatbelt");
        put_entry(&environment, "CODEX_SANDBOX=seatbelt");
        put_own_tmp(&environment, context->policy);
    }
    if (network_closed(context)) {
        put_entry(&environment, "ASSENT_SANDBOX_NETWORK_DISABLED=1");
        put_entry(&environment, "CODEX_SANDBOX_NETWORK_DISABLED=1");
    }
    return environment.entries;
}

/* ---- Linux ------------------------------------------------------------------------------ */

static char **make_helper_argv(const struct command_spec *spec)
{
    size_t count = strv_length((const char *const *)spec->argv);
    char **argv = xcalloc(count + 4, sizeof *argv);
    size_t used = 0;
    argv[used++] = xstrdup(HELPER_PROGRAM);
    if (spec->tty)
        argv[used++] = xstrdup("--ctty");
    argv[used++] = xstrdup("--");
    for (size_t i = 0; i < count; i++)
        argv[used++] = xstrdup(spec->argv[i]);
    return argv;
}

/* The helper finds by these what the operator's programs obey: what a call says of them is for its
 * command alone. */
static char **make_helper_environment(void)
{
    static const char *const NAMES[] = {"HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "ZDOTDIR"};
    size_t count = 0;
    char **environment = xcalloc(COUNT(NAMES) + 1, sizeof *environment);
    for (size_t i = 0; i < COUNT(NAMES); i++) {
        const char *value = getenv(NAMES[i]);
        if (value)
            environment[count++] = xasprintf("%s=%s", NAMES[i], value);
    }
    return environment;
}

static int transform_linux(const struct transform_context *context, struct exec_request *request,
                           const struct command_spec *spec, struct error *error)
{
    if (!context->helper || context->helper[0] != '/')
        return error_set(error, 0, "the program %s was not found", HELPER_PROGRAM);
    if (access(context->helper, X_OK) < 0)
        return error_errno(error, errno, "the sandbox helper %s", context->helper);
    struct sandbox_policy *none = NULL;
    if (context->type == SANDBOX_TYPE_NONE)
        none = sandbox_policy_new_danger_full_access();
    struct helper_request message = {.policy = none ?: request->policy,
                                     .cwd = spec->cwd,
                                     .program = (char *)context->program,
                                     .env = request->env};
    request->program = xstrdup(context->helper);
    request->arg0 = xstrdup(HELPER_PROGRAM);
    request->argv = make_helper_argv(spec);
    request->program_env = make_helper_environment();
    request->request = request_write(&message, &request->request_size);
    sandbox_policy_free(&none);
    return 0;
}

/* ---- macOS ------------------------------------------------------------------------------ */

static const char *find_variable(char **env, const char *name)
{
    size_t length = strlen(name);
    for (; *env; env++)
        if (strncmp(*env, name, length) == 0 && (*env)[length] == '=')
            return *env + length + 1;
    return NULL;
}

/* sandbox-exec hands its environment on; there is no helper between it and the command. */
static int transform_seatbelt(const struct transform_context *context, struct exec_request *request,
                              const struct command_spec *spec, struct error *error)
{
    struct seatbelt_setup setup = {.policy = request->policy,
                                   .home = find_variable(request->env, "HOME"),
                                   .proxy_port = context->proxy_port,
                                   .extensions = context->seatbelt_extensions};
    char **before = seatbelt_arguments(&setup, error);
    if (!before)
        return -1;
    size_t words = strv_length((const char *const *)before), count = 0;
    size_t arguments = strv_length((const char *const *)spec->argv);
    request->argv = xcalloc(words + arguments + 1, sizeof *request->argv);
    for (size_t i = 0; i < words; i++)
        request->argv[count++] = before[i];
    for (size_t i = 0; i < arguments; i++)
        request->argv[count++] = xstrdup(spec->argv[i]);
    free(before);
    request->program = xstrdup(SEATBELT_PROGRAM);
    request->arg0 = xstrdup(SEATBELT_PROGRAM);
    request->program_env = strv_copy((const char *const *)request->env);
    return 0;
}

static int transform_for_type(const struct transform_context *context, struct exec_request *request,
                              const struct command_spec *spec, struct error *error)
{
    return context->type == SANDBOX_TYPE_SEATBELT
               ? transform_seatbelt(context, request, spec, error)
               : transform_linux(context, request, spec, error);
}

struct exec_request *transform_command(const struct command_spec *spec,
                                       const struct transform_context *context, struct error *error)
{
    if (command_spec_check(spec, error) < 0)
        return NULL;
    struct exec_request *request = XNEW(struct exec_request);
    request->policy = sandbox_policy_copy(context->policy);
    request->env = make_environment(spec, context);
    request->cwd = xstrdup(spec->cwd);
    request->timeout_ms = spec->timeout_ms;
    request->type = context->type;
    request->tty = spec->tty;
    request->standard_input = spec->standard_input;
    request->split_streams = spec->split_streams;
    if (transform_for_type(context, request, spec, error) < 0)
        exec_request_free(&request);
    return request;
}
