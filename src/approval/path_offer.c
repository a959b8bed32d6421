/* SPDX-License-Identifier: MIT */
/* path_offer: the one path that the operator can let a command write in the sandbox: of one that
 * was stopped there what stopped it, and before its first attempt what it is known to write. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "approval/orchestrator-int.h"
#include "approval/retry_path.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/path.h"
#include "command/shell.h"
#include "sandbox/git_pointer.h"

struct additional_permissions *path_offer_with(const struct additional_permissions *asked,
                                               const char *path)
{
    struct additional_permissions *more =
        asked != NULL ? additional_permissions_copy(asked) : XNEW(struct additional_permissions);
    size_t count = strv_length((const char *const *)more->writable);
    more->writable = xreallocarray(more->writable, count + 2, sizeof(char *));
    more->writable[count] = xstrdup(path);
    more->writable[count + 1] = NULL;
    return more;
}

/* A command of ours, which a sandbox has held. */
static bool ran_confined(const struct call *call)
{
    return call->tool == CALL_SHELL && call->agent_tool == NULL && call->attempt_count == 1 &&
           call->attempts[0].type != SANDBOX_TYPE_NONE && call->attempts[0].denial != NULL;
}

/* Words of an `rm` that are looked for on the disk: others wait meanwhile. */
#define WORDS_LOOKED_AT 64

/* Is it an `rm` of that directory, or of one that it is in? */
static bool is_rm_of(const char *const *argv, const char *cwd, const char *directory)
{
    char joined[PATH_MAX];
    if (strcmp(argv[0], "rm") != 0)
        return false;
    for (size_t i = 1; i <= WORDS_LOOKED_AT && argv[i] != NULL; i++) {
        bool whole = argv[i][0] == '/';
        cleanup_free char *real = whole                             ? realpath(argv[i], NULL)
                                  : path_join(joined, cwd, argv[i]) ? realpath(joined, NULL)
                                                                    : NULL;
        if (real != NULL && path_is_beneath(directory, real))
            return true;
    }
    return false;
}

/* Does the command take that directory itself, for which it is not enough to write in it? */
static bool removes_directory(const struct command_spec *spec, const char *directory)
{
    const char *const *argv = (const char *const *)spec->argv;
    const char *text = shell_wrapped_script(argv);
    if (text == NULL)
        return is_rm_of(argv, spec->cwd, directory);
    struct shell_script script;
    bool removes = false;
    shell_parse(text, strlen(text), &script);
    for (size_t i = 0; i < script.count; i++)
        removes =
            removes || is_rm_of((const char *const *)script.commands[i].argv, spec->cwd, directory);
    shell_script_clear(&script);
    return removes;
}

static char *path_of_denial(const struct call_entry *entry, const char **why)
{
    const struct call *call = &entry->call;
    const struct attempt *attempt = &call->attempts[0];
    struct sandbox_policy *policy = attempt_policy(entry, attempt->sandbox, NULL);
    if (policy == NULL)
        return NULL;
    char *path = retry_path_find(attempt->denial, policy, call->spec->cwd, call->context->root,
                                 getenv("HOME"), why);
    sandbox_policy_free(&policy);
    if (path == NULL || !attempt->denial->removes || !removes_directory(call->spec, path))
        return path;
    *why = N_("its directory is to be removed, for which it is not enough to write there");
    free(path);
    return NULL;
}

/* What is protected within a directory, Landlock alone cannot take out of it. */
static bool keeps_protected(const struct call_entry *entry, const struct sandbox_policy *policy,
                            const char *path)
{
    const struct sandbox_capability *capability = &entry->orchestrator->capability;
    struct stat status;
    return capability->platform != SANDBOX_PLATFORM_LINUX ||
           (capability->user_namespaces && !policy->no_user_namespaces) ||
           (stat(path, &status) == 0 && S_ISREG(status.st_mode));
}

bool path_offer_can_hold(const struct call_entry *entry, struct sandbox_policy *policy,
                         const char *path)
{
    enum sandbox_type type;
    return sandbox_policy_pin(policy, NULL) == 0 &&
           attempt_type(entry, ATTEMPT_PERMISSIONS, policy, &type, NULL) == 0 &&
           type != SANDBOX_TYPE_NONE && keeps_protected(entry, policy, path);
}

/* The policy of the first attempt with the path more. What that names now is what is meant, and
 * nothing that is put in its place before the start. NULL: no sandbox here holds that. */
static struct sandbox_policy *policy_with_path(const struct call_entry *entry)
{
    const struct call *call = &entry->call;
    const struct sandbox_policy *base =
        entry->given_policy != NULL ? entry->given_policy : call->context->sandbox;
    struct additional_permissions *more =
        path_offer_with(call->spec->additional, entry->offered_path);
    struct sandbox_policy *policy = sandbox_policy_with_additional(base, more, NULL);
    additional_permissions_free(&more);
    if (policy != NULL && (!retry_path_pin(policy, entry->offered_path) ||
                           !path_offer_can_hold(entry, policy, entry->offered_path)))
        sandbox_policy_free(&policy);
    return policy;
}

/* The path that was found, with the policy that it makes. */
static void offer_found(struct call_entry *entry)
{
    const struct command_spec *spec = entry->call.spec;
    entry->offered_more = path_offer_with(
        entry->given_more != NULL ? entry->given_more : spec->additional, entry->offered_path);
    entry->offered_policy = policy_with_path(entry);
    if (entry->offered_policy != NULL)
        return;
    path_offer_drop(entry);
    entry->no_offered_path = N_("no sandbox here can give that and nothing else");
}

void path_offer_denied(struct call_entry *entry)
{
    const struct call *call = &entry->call;
    path_offer_drop(entry);
    if (!entry->retry || !ran_confined(call))
        return;
    entry->offered_path = path_of_denial(entry, &entry->no_offered_path);
    if (entry->offered_path != NULL)
        offer_found(entry);
}

/* As git's enter_repo() looks for one. */
char *path_offer_repository(const char *address)
{
    static const char *const ends[] = {"/.git", "", ".git/.git", ".git"};
    size_t length = strlen(address);
    while (length > 1 && address[length - 1] == '/')
        length--;
    for (size_t i = 0; i < COUNT(ends); i++) {
        cleanup_free char *path = xasprintf("%.*s%s", (int)length, address, ends[i]);
        struct stat status;
        if (stat(path, &status) != 0)
            continue;
        if (S_ISREG(status.st_mode))
            return NULL;
        if (git_pointer_is_repository(path))
            return realpath(path, NULL);
    }
    return NULL;
}

/* Would it run in the sandbox as it is, or could it be kept there? */
static bool may_be_confined(const struct call_entry *entry)
{
    const struct call *call = &entry->call;
    if (entry->retry || call->tool != CALL_SHELL || call->agent_tool != NULL ||
        call->input_for != 0 || call->widens || call->spec->additional != NULL)
        return false;
    return entry->sandbox == ATTEMPT_TURN_DEFAULT || attempt_may_stay(entry);
}

/* The only path that the sandbox is known to stop, when it is not to be removed: for that it is not
 * enough to write it. NULL: there is none, or more than one. The caller frees. */
static char *known_path(const struct call_entry *entry)
{
    const struct assessment *assessment = &entry->call.assessment;
    const char *pushed = entry->pushes_to;
    if (assessment->beyond_unsure || assessment_deletes_outside(assessment))
        return NULL;
    if (pushed != NULL)
        return *pushed == '/' && assessment->beyond[0] == '\0' ? path_offer_repository(pushed)
                                                               : NULL;
    return assessment->beyond[0] != '\0' ? xstrdup(assessment->beyond) : NULL;
}

void path_offer_known(struct call_entry *entry)
{
    const struct call *call = &entry->call;
    const char *why;
    struct sandbox_denial denial = {.denied = true, .cause = "write"};
    if (entry->retry)
        return;
    path_offer_drop(entry);
    cleanup_free char *known = known_path(entry);
    if (known == NULL || !may_be_confined(entry) || strlen(known) >= sizeof denial.path)
        return;
    snprintf(denial.path, sizeof denial.path, "%s", known);
    cleanup_free char *path = retry_path_find(&denial, call->context->sandbox, call->spec->cwd,
                                              call->context->root, getenv("HOME"), &why);
    /* Of a push its repository, and nothing that holds it. */
    if (path != NULL && (entry->pushes_to == NULL || strcmp(path, known) == 0)) {
        entry->offered_path = steal_pointer(&path);
        offer_found(entry);
        return;
    }
    /* In the sandbox it may run without, and then it is asked about again. */
    entry->no_offered_path = path == NULL && entry->sandbox == ATTEMPT_UNSANDBOXED ? why : NULL;
}

void path_offer_keep(struct call_entry *entry)
{
    additional_permissions_free(&entry->given_more);
    sandbox_policy_free(&entry->given_policy);
    entry->given_more = steal_pointer(&entry->offered_more);
    entry->given_policy = steal_pointer(&entry->offered_policy);
}

void path_offer_drop(struct call_entry *entry)
{
    free(steal_pointer(&entry->offered_path));
    entry->no_offered_path = NULL;
    additional_permissions_free(&entry->offered_more);
    sandbox_policy_free(&entry->offered_policy);
}
