/* SPDX-License-Identifier: MIT */
/* arrival: a request is checked, its program found, its requirement and its risk worked out. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "approval/keys.h"
#include "approval/orchestrator-int.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/text.h"
#include "command/environment.h"
#include "command/safety.h"
#include "command/shell.h"

/* ---- checks ---------------------------------------------------------------------------------- */

/* A name that is given twice would be one thing to us and another to the program. */
static int check_environment(char *const *env, struct error *error)
{
    for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
        size_t length = strcspn(env[i], "=") + 1;
        for (size_t j = 0; j < i; j++)
            if (strncmp(env[i], env[j], length) == 0)
                return error_set(error, 0, "env: %.*s is given twice", (int)length - 1, env[i]);
    }
    return 0;
}

/* A path of an error message, made safe and short. */
static char *shown(const char *path)
{
    return text_line(path, strlen(path), 200);
}

/* The working directory as the kernel knows it: a call runs where the operator was told. */
static int take_cwd(struct call_entry *entry, struct error *error)
{
    struct command_spec *spec = entry->call.spec;
    cleanup_free char *name = shown(spec->cwd);
    struct stat status;
    char *physical = realpath(spec->cwd, NULL);
    if (physical == NULL)
        return error_errno(error, errno, "cwd %s", name);
    free(spec->cwd);
    spec->cwd = physical;
    if (stat(physical, &status) != 0)
        return error_errno(error, errno, "cwd %s", name);
    if (!S_ISDIR(status.st_mode))
        return error_set(error, ENOTDIR, "cwd %s: not a directory", name);
    entry->cwd_device = (uint64_t)status.st_dev;
    entry->cwd_inode = (uint64_t)status.st_ino;
    return 0;
}

/* What the call asks for, within what the context allows; 0 stands for no limit. */
static int64_t effective_timeout(const struct call_entry *entry)
{
    const struct turn_context *context = entry->call.context;
    int64_t asked = entry->call.spec->timeout_ms;
    if (entry->operator_started)
        return 0;
    if (asked == COMMAND_TIMEOUT_DEFAULT)
        asked = context->default_timeout_ms;
    if (context->max_timeout_ms > 0 && (asked == 0 || asked > context->max_timeout_ms))
        return context->max_timeout_ms;
    return asked;
}

static enum attempt_sandbox first_sandbox(const struct command_spec *spec)
{
    switch (spec->permissions) {
    case SANDBOX_PERMISSIONS_REQUIRE_ESCALATED:
        return ATTEMPT_UNSANDBOXED;
    case SANDBOX_PERMISSIONS_WITH_ADDITIONAL:
        return ATTEMPT_PERMISSIONS;
    case SANDBOX_PERMISSIONS_USE_DEFAULT:
        break;
    }
    return ATTEMPT_TURN_DEFAULT;
}

int arrival_take(struct call_entry *entry, struct error *error)
{
    struct call *call = &entry->call;
    struct command_spec *spec = call->spec;
    if (call->tool != CALL_SHELL)
        return error_set(error, 0, "the tool %s cannot run commands", call_tool_name(call->tool));
    if (command_spec_check(spec, error) != 0 || check_environment(spec->env, error) != 0 ||
        take_cwd(entry, error) != 0)
        return -1;
    if (spec->permissions == SANDBOX_PERMISSIONS_WITH_ADDITIONAL &&
        (spec->additional == NULL || additional_permissions_empty(spec->additional)))
        return error_set(error, 0,
                         "sandbox_permissions is with_additional_permissions, but "
                         "additional_permissions asks for nothing");
    if (spec->permissions != SANDBOX_PERMISSIONS_WITH_ADDITIONAL && spec->additional != NULL)
        return error_set(error, 0,
                         "additional_permissions needs sandbox_permissions "
                         "with_additional_permissions");
    if (spec->tty)
        spec->standard_input = STDIN_TTY;
    else if (spec->standard_input == STDIN_TTY)
        return error_set(error, 0, "a terminal as standard input needs tty");

    entry->sandbox = entry->operator_started ? ATTEMPT_UNSANDBOXED : first_sandbox(spec);
    struct sandbox_policy *policy = attempt_policy(entry, entry->sandbox, error);
    if (policy == NULL)
        return -1;
    sandbox_policy_free(&policy);

    entry->standard_input = spec->standard_input;
    entry->timeout_ms = effective_timeout(entry);
    entry->writable_roots = turn_context_writable_roots(call->context);
    program_find(spec->argv[0], spec->cwd, entry->orchestrator->search_path, &entry->program);
    entry->program_installed =
        program_is_installed(&entry->program, (const char *const *)entry->writable_roots);
    call->program = entry->program.path != NULL ? xstrdup(entry->program.path) : NULL;
    return 0;
}

/* ---- judgement ------------------------------------------------------------------------------- */

/* The words to match prefixes with: those of the command itself, or of a single plain command in
 * a shell that is known to be one. NULL when no prefix may serve. */
static char **prefix_words(const struct call_entry *entry)
{
    const struct command_spec *spec = entry->call.spec;
    if (!entry->program_installed || !environment_all_harmless((const char *const *)spec->env))
        return NULL;
    const char *script = shell_wrapped_script((const char *const *)spec->argv);
    if (script == NULL)
        return strv_copy((const char *const *)spec->argv);
    struct shell_script parsed;
    shell_parse(script, strlen(script), &parsed);
    char **words = NULL;
    if (parsed.plain && parsed.count == 1)
        words = strv_copy((const char *const *)parsed.commands[0].argv);
    shell_script_clear(&parsed);
    return words;
}

static bool is_agent_fed(const struct call_entry *entry, enum stdin_kind input)
{
    return session_is_agent(entry->call.session) && input != STDIN_NULL;
}

static void judge_safety(const struct call_entry *entry, struct command_verdict *verdict)
{
    const struct command_spec *spec = entry->call.spec;
    struct safety_context context = {
        .cwd = spec->cwd,
        .root = entry->call.context->root,
        .writable_roots = (const char *const *)entry->writable_roots,
        .program = entry->program_installed ? entry->program.path : NULL,
        .search_path = entry->orchestrator->search_path,
        .has_env = !environment_all_harmless((const char *const *)spec->env),
        .has_stdin = is_agent_fed(entry, entry->standard_input),
    };
    verdict->known_safe = safety_known_safe((const char *const *)spec->argv, &context);
    verdict->danger_reason = safety_danger((const char *const *)spec->argv);
    verdict->dangerous = verdict->danger_reason != NULL;
}

void arrival_judge_requirement(struct call_entry *entry)
{
    struct call *call = &entry->call;
    struct command_verdict verdict = {.rule = RULE_NONE};
    bool leaves = entry->sandbox != ATTEMPT_TURN_DEFAULT;
    judge_safety(entry, &verdict);
    cleanup_strv char **words = prefix_words(entry);
    cleanup_strv char **amendment = NULL;
    if (words != NULL && !verdict.dangerous) {
        if (session_prefix_allows(call->session, (const char *const *)words))
            verdict.rule = RULE_ALLOW;
        /* An allowed prefix keeps the sandbox: offering it to a call that leaves is no help. */
        else if (!leaves)
            amendment = safety_amendment((const char *const *)words);
    }
    verdict.amendment = amendment;
    approval_requirement_clear(&call->requirement);
    policy_shell_requirement(&call->context->approval, call->context->sandbox, leaves, &verdict,
                             &call->requirement);
}

bool arrival_prefix_would_allow(const struct call_entry *entry, const char *const *prefix)
{
    cleanup_strv char **words = prefix_words(entry);
    return words != NULL && entry->sandbox == ATTEMPT_TURN_DEFAULT &&
           session_prefix_matches(prefix, (const char *const *)words) &&
           safety_danger((const char *const *)entry->call.spec->argv) == NULL;
}

void arrival_judge(struct call_entry *entry)
{
    struct call *call = &entry->call;
    const char *const *argv = (const char *const *)call->spec->argv;
    arrival_judge_requirement(entry);
    if (call->requirement.bypass_sandbox)
        entry->sandbox = ATTEMPT_UNSANDBOXED;
    free(call->line);
    assessment_of_argv(argv, call->spec->cwd, (const char *const *)entry->writable_roots,
                       &call->assessment, &call->line);
    arrival_make_keys(entry);
}

int arrival_unchanged(const struct call_entry *entry, struct error *error)
{
    const struct command_spec *spec = entry->call.spec;
    struct stat status;
    cleanup_free char *physical = realpath(spec->cwd, NULL);
    if (physical == NULL || strcmp(physical, spec->cwd) != 0 || stat(physical, &status) != 0 ||
        (uint64_t)status.st_dev != entry->cwd_device || (uint64_t)status.st_ino != entry->cwd_inode)
        return error_set(error, 0,
                         "the working directory was replaced while the call waited: submit it "
                         "again");
    if (!program_unchanged(&entry->program))
        return error_set(
            error, 0,
            "the program file was changed or replaced while the call waited: submit it "
            "again");
    return 0;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Interpreters, remote shells, patchers and what hands its input on: what runs comes on stdin, so
 * that no approval of the command says anything about the next time. */
static bool runs_its_input(const char *const *argv)
{
    static const char *const names[] = {
        "ash",  "awk",   "bash", "bc",     "busybox", "csh",   "dash",  "ed",    "env",     "ex",
        "fish", "gdb",   "git",  "ksh",    "lua",     "m4",    "mysql", "nc",    "node",    "patch",
        "perl", "php",   "psql", "python", "python3", "ruby",  "sh",    "socat", "sqlite3", "ssh",
        "sudo", "tclsh", "tee",  "vi",     "vim",     "xargs", "zsh",
    };
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash != NULL ? slash + 1 : argv[0];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* May the answer be remembered? What an agent types or feeds is not in the key. */
static bool may_be_remembered(const struct call_entry *entry)
{
    if (!is_agent_fed(entry, entry->standard_input))
        return true;
    return entry->sandbox != ATTEMPT_UNSANDBOXED &&
           !(entry->standard_input == STDIN_PIPE &&
             runs_its_input((const char *const *)entry->call.spec->argv));
}

void arrival_make_keys(struct call_entry *entry)
{
    struct sandbox_policy *policy = NULL;
    cleanup_free char *canonical = NULL;
    if (entry->sandbox != ATTEMPT_UNSANDBOXED)
        policy = attempt_policy(entry, entry->sandbox, NULL);
    if (policy != NULL)
        canonical = sandbox_policy_canonical(policy);
    sandbox_policy_free(&policy);

    struct shell_key key = {
        .spec = entry->call.spec,
        .program = &entry->program,
        .search_path = entry->orchestrator->search_path,
        .writable_roots = (const char *const *)entry->writable_roots,
        .standard_input = entry->standard_input,
        .sandbox = entry->sandbox,
        .retry = entry->retry,
        .policy = canonical,
    };
    free(entry->question);
    entry->question = keys_of_shell(&key);
    strv_free(&entry->call.keys);
    const char *const remembered[] = {may_be_remembered(entry) ? entry->question : NULL, NULL};
    entry->call.keys = strv_copy(remembered);
    entry->grants_at_hand = grants_newest(entry->call.session->grants);
}
