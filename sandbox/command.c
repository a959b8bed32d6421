/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/command.h"

#include <string.h>

#include "base/alloc.h"
#include "sandbox/policy.h"

#define ARGUMENT_MAX (128 * 1024)   /* the kernel's MAX_ARG_STRLEN: 32 pages, NUL included */
#define ARGUMENTS_MAX (1024 * 1024) /* all of argv and env; the kernel takes up to 2 MiB */

static const char *const PERMISSIONS_NAMES[] = {
    [SANDBOX_PERMISSIONS_USE_DEFAULT] = "use_default",
    [SANDBOX_PERMISSIONS_REQUIRE_ESCALATED] = "require_escalated",
    [SANDBOX_PERMISSIONS_WITH_ADDITIONAL] = "with_additional_permissions",
};

const char *command_permissions_name(enum sandbox_permissions permissions)
{
    return PERMISSIONS_NAMES[permissions];
}

bool command_permissions_parse(const char *name, enum sandbox_permissions *permissions)
{
    for (size_t i = 0; i < sizeof PERMISSIONS_NAMES / sizeof *PERMISSIONS_NAMES; i++)
        if (strcmp(name, PERMISSIONS_NAMES[i]) == 0) {
            *permissions = (enum sandbox_permissions)i;
            return true;
        }
    return false;
}

const char *sandbox_type_name(enum sandbox_type type)
{
    static const char *const NAMES[] = {"none", "linux", "seatbelt"};
    return NAMES[type];
}

struct additional_permissions *
additional_permissions_copy(const struct additional_permissions *permissions)
{
    if (!permissions)
        return NULL;
    struct additional_permissions *copy = XNEW(struct additional_permissions);
    copy->readable = strv_copy((const char *const *)permissions->readable);
    copy->writable = strv_copy((const char *const *)permissions->writable);
    copy->network = permissions->network;
    return copy;
}

void additional_permissions_free(struct additional_permissions **permissions)
{
    if (!*permissions)
        return;
    strv_free(&(*permissions)->readable);
    strv_free(&(*permissions)->writable);
    free(*permissions);
    *permissions = NULL;
}

bool additional_permissions_empty(const struct additional_permissions *permissions)
{
    return !permissions ||
           (strv_length((const char *const *)permissions->readable) == 0 &&
            strv_length((const char *const *)permissions->writable) == 0 && !permissions->network);
}

struct command_spec *command_spec_new(void)
{
    struct command_spec *spec = XNEW(struct command_spec);
    spec->timeout_ms = COMMAND_TIMEOUT_DEFAULT;
    return spec;
}

struct command_spec *command_spec_copy(const struct command_spec *spec)
{
    struct command_spec *copy = xmemdup(spec, sizeof *spec);
    copy->argv = strv_copy((const char *const *)spec->argv);
    copy->cwd = spec->cwd ? xstrdup(spec->cwd) : NULL;
    copy->env = strv_copy((const char *const *)spec->env);
    copy->additional = additional_permissions_copy(spec->additional);
    copy->justification = spec->justification ? xstrdup(spec->justification) : NULL;
    return copy;
}

void command_spec_free(struct command_spec **spec)
{
    if (!*spec)
        return;
    strv_free(&(*spec)->argv);
    strv_free(&(*spec)->env);
    free((*spec)->cwd);
    free((*spec)->justification);
    additional_permissions_free(&(*spec)->additional);
    free(*spec);
    *spec = NULL;
}

static int check_sizes(const char *what, char *const *strings, size_t *total, struct error *error)
{
    for (size_t i = 0; strings && strings[i]; i++) {
        size_t size = strlen(strings[i]) + 1;
        if (size > ARGUMENT_MAX)
            return error_set(error, 0,
                             "%s %zu has %zu bytes: the kernel takes at most %d in one argument; "
                             "pass it in a file or on standard input",
                             what, i, size - 1, ARGUMENT_MAX - 1);
        *total += size;
    }
    if (*total > ARGUMENTS_MAX)
        return error_set(error, 0, "arguments and environment have %zu bytes together: at most %d",
                         *total, ARGUMENTS_MAX);
    return 0;
}

static int check_env(char *const *env, struct error *error)
{
    for (size_t i = 0; env && env[i]; i++)
        if (env[i][0] == '=' || !strchr(env[i], '='))
            return error_set(error, 0, "environment entry %zu is not of the form NAME=VALUE", i);
    return 0;
}

int command_spec_check(const struct command_spec *spec, struct error *error)
{
    if (!spec->argv || !spec->argv[0] || spec->argv[0][0] == '\0')
        return error_set(error, 0, "the command is empty");
    if (!spec->cwd || spec->cwd[0] != '/')
        return error_set(error, 0, "the working directory must be an absolute path");
    if (spec->timeout_ms != COMMAND_TIMEOUT_DEFAULT && spec->timeout_ms <= 0)
        return error_set(error, 0, "the time-out must be more than 0 ms");
    size_t total = 0;
    if (check_env(spec->env, error) < 0 || check_sizes("argument", spec->argv, &total, error) < 0)
        return -1;
    return check_sizes("environment entry", spec->env, &total, error);
}

void exec_request_free(struct exec_request **request)
{
    if (!*request)
        return;
    free((*request)->program);
    strv_free(&(*request)->argv);
    free((*request)->arg0);
    strv_free(&(*request)->env);
    strv_free(&(*request)->program_env);
    free((*request)->cwd);
    free((*request)->request);
    sandbox_policy_free(&(*request)->policy);
    free(*request);
    *request = NULL;
}
