/* SPDX-License-Identifier: MIT */
/* arrival: a request is checked, its program found, its requirement and its risk worked out. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "approval/judgement.h"
#include "approval/keys.h"
#include "approval/orchestrator-int.h"
#include "approval/patching.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "command/environment.h"
#include "command/parts.h"
#include "command/wrapper.h"
#include "risk/git_loss_doubt.h"
#include "risk/phrase.h"
#include "risk/place.h"
#include "risk/push_target.h"

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
    if (call->tool != CALL_SHELL && call->tool != CALL_APPLY_PATCH)
        return error_set(error, 0, "the tool %s cannot run commands", call_tool_name(call->tool));
    if (command_spec_check(spec, error) != 0 || check_environment(spec->env, error) != 0 ||
        take_cwd(entry, error) != 0 || own_tool_check(entry, error) != 0)
        return -1;
    if (call->tool == CALL_APPLY_PATCH && patching_take(entry, error) != 0)
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

    bool ours = call->agent_tool == NULL || call->widens;
    entry->sandbox = ours ? first_sandbox(spec) : ATTEMPT_UNSANDBOXED;
    struct sandbox_policy *policy = attempt_policy(entry, entry->sandbox, error);
    if (policy == NULL)
        return -1;
    sandbox_policy_free(&policy);

    entry->standard_input = spec->standard_input;
    entry->timeout_ms = effective_timeout(entry);
    entry->writable_roots = turn_context_writable_roots(call->context);
    const char *program = entry->patch != NULL ? entry->orchestrator->patch_path : spec->argv[0];
    program_find(program, spec->cwd, entry->orchestrator->search_path, &entry->program);
    entry->program_installed =
        program_is_installed(&entry->program, (const char *const *)entry->writable_roots);
    call->program = entry->program.path != NULL ? xstrdup(entry->program.path) : NULL;
    return 0;
}

/* ---- judgement ------------------------------------------------------------------------------- */

static bool is_agent_fed(const struct call_entry *entry, enum stdin_kind input)
{
    return session_is_agent(entry->call.session) && input != STDIN_NULL && entry->patch == NULL;
}

static struct judgement_facts facts_of(const struct call_entry *entry)
{
    const struct command_spec *spec = entry->call.spec;
    const struct orchestrator *orchestrator = entry->orchestrator;
    return (struct judgement_facts){
        .argv = (const char *const *)spec->argv,
        .env = (const char *const *)spec->env,
        .cwd = spec->cwd,
        .context = entry->call.context,
        .writable_roots = (const char *const *)entry->writable_roots,
        .program = &entry->program,
        .search_path = orchestrator->search_path,
        /* What was allowed for the session was allowed of what stood in the build files then. */
        .rules = {orchestrator->rules, changes_unseen(entry) ? NULL : entry->call.session->rules},
        .broken = orchestrator->rules_broken,
        .leaves = entry->sandbox != ATTEMPT_TURN_DEFAULT,
        .agent_input = is_agent_fed(entry, entry->standard_input),
    };
}

/* Where the script goes, as it was when the call was first judged: that is what was shown. */
static void note_directory(struct call_entry *entry, struct judgement *judgement)
{
    struct stat status;
    if (entry->cd != NULL)
        return;
    entry->cd = steal_pointer(&judgement->cd);
    entry->there =
        entry->cd != NULL ? command_parts_directory(entry->cd, entry->call.spec->cwd) : NULL;
    bool found = entry->there != NULL && stat(entry->there, &status) == 0;
    entry->there_device = found ? (uint64_t)status.st_dev : 0;
    entry->there_inode = found ? (uint64_t)status.st_ino : 0;
}

/* What was not there may be there by now, but not lead elsewhere. */
static bool directory_unchanged(const struct call_entry *entry)
{
    struct stat status;
    if (entry->cd == NULL)
        return true;
    cleanup_free char *now = command_parts_directory(entry->cd, entry->call.spec->cwd);
    if (now == NULL || entry->there == NULL)
        return now == NULL && entry->there == NULL;
    if (strcmp(now, entry->there) != 0)
        return false;
    return entry->there_inode == 0 ||
           (stat(now, &status) == 0 && (uint64_t)status.st_dev == entry->there_device &&
            (uint64_t)status.st_ino == entry->there_inode);
}

/* Decides nothing. */
static void note_shadow(struct call_entry *entry, const struct judgement_facts *facts)
{
    struct judgement would;
    const struct rule *rule = judgement_shadow(facts, &would);
    if (rule == NULL)
        return;
    entry->call.requirement.shadow =
        (struct shadow_requirement){.rule = xasprintf("%s:%u", rule->file, rule->line),
                                    .kind = would.requirement.kind,
                                    .bypass_sandbox = would.requirement.bypass_sandbox};
    judgement_clear(&would);
}

void arrival_read(const struct call_entry *entry, struct judgement *judgement)
{
    struct judgement_facts facts = facts_of(entry);
    judgement_make(&facts, judgement);
}

void arrival_judge_requirement(struct call_entry *entry)
{
    struct call *call = &entry->call;
    if (entry->patch != NULL) {
        patching_require(entry);
        return;
    }
    if (call->reach != NULL) {
        reach_judge_requirement(entry);
        return;
    }
    if (call->agent_fields) {
        own_tool_require(entry);
        return;
    }
    struct judgement_facts facts = facts_of(entry);
    struct judgement judgement;
    judgement_make(&facts, &judgement);
    approval_requirement_clear(&call->requirement);
    call->requirement = judgement.requirement;
    judgement.requirement = (struct approval_requirement){.kind = REQUIREMENT_SKIP};
    if (call->requirement.kind == REQUIREMENT_NEEDS_APPROVAL && entry->asked_words == NULL &&
        judgement_asks(&judgement) != NULL)
        entry->asked_words = strv_copy((const char *const *)judgement_asks(&judgement)->argv);
    note_directory(entry, &judgement);
    judgement_clear(&judgement);
    note_shadow(entry, &facts);
    /* What a prefix would allow stays in the sandbox: this does not. */
    if (call->agent_tool != NULL)
        strv_free(&call->requirement.amendment);
}

bool arrival_rule_would_allow(const struct call_entry *entry, const char *line)
{
    if (entry->call.reach != NULL)
        return reach_rule_would_allow(entry, line);
    if (entry->patch != NULL)
        return false;
    struct judgement_facts facts = facts_of(entry);
    return judgement_with_rule(&facts, line) == REQUIREMENT_SKIP;
}

static bool is_command(const struct call *call)
{
    return call->reach == NULL && call->patch == NULL && call->agent_tool == NULL;
}

/* What the sandbox stopped was not asked about when it arrived. */
void arrival_note_stopped(struct call_entry *entry)
{
    if (!entry->retry || entry->asked_words != NULL || !is_command(&entry->call))
        return;
    struct judgement_facts facts = facts_of(entry);
    entry->asked_words = ladder_asking(&facts, true);
}

/* Requests of the session that were asked about before this one, newest first, for saying what a
 * rule would have covered of them. */
#define PAST_MAX 100

static void count_past(const struct call_entry *entry, struct ladder *ladder)
{
    const struct orchestrator *orchestrator = entry->orchestrator;
    struct ladder_past past[PAST_MAX];
    size_t count = 0;
    for (size_t i = orchestrator->call_count; i-- > 0 && count < PAST_MAX;) {
        const struct call_entry *other = orchestrator->calls[i];
        if (other->call.id >= entry->call.id || other->call.session != entry->call.session ||
            !other->was_asked || !is_command(&other->call))
            continue;
        past[count++] = (struct ladder_past){.words = (const char *const *)other->asked_words,
                                             .cwd = other->call.spec->cwd,
                                             .left = other->retry};
    }
    ladder_count_past(ladder, past, count);
}

/* By its own word, and not because the sandbox stopped it: that holds for its retry, too. */
static bool asks_for_more(const struct call *call)
{
    return call->spec->permissions != SANDBOX_PERMISSIONS_USE_DEFAULT &&
           sandbox_policy_is_restricted(call->context->sandbox);
}

/* Why a rule is out of the question, or NULL. */
static const char *why_no_rule(const struct call_entry *entry)
{
    if (entry->patch != NULL)
        return N_("No rule: rules are for commands, and this is a patch.");
    if (entry->call.agent_tool != NULL)
        return N_("No rule: the agent runs it itself, and rules are for what runs here.");
    if (asks_for_more(&entry->call))
        return N_("No rule: it asked to go beyond the sandbox; for this session at most.");
    /* To leave the sandbox is remembered only of what was stopped by it, and never of what may not
     * even be granted for the session. */
    if (!entry->retry)
        return entry->sandbox != ATTEMPT_TURN_DEFAULT
                   ? N_("No rule: more than the sandbox gives is for this session at most.")
                   : NULL;
    if (entry->call.attempts[0].command != NULL)
        return N_("No rule: you changed it, and the sandbox has stopped another command.");
    if (entry->call.assessment.level == RISK_HIGH)
        return N_("No rule: high risk outside the sandbox is for this session at most.");
    return entry->once_reason != NULL ? N_("No rule: it can only be allowed once.") : NULL;
}

/* The operator changed it to what runs unasked: that it is asked about is for the change alone. */
static bool is_asked_as_changed(const struct call_entry *entry, const struct judgement_facts *facts)
{
    struct judgement judgement;
    if (entry->call.asked_command == NULL || entry->retry)
        return false;
    judgement_make(facts, &judgement);
    bool unasked = judgement.requirement.kind == REQUIREMENT_SKIP;
    judgement_clear(&judgement);
    return unasked;
}

struct ladder *arrival_make_ladder(const struct call_entry *entry, const char **why)
{
    *why = NULL;
    if (entry->call.reach != NULL)
        return reach_make_ladder(entry);
    *why = why_no_rule(entry);
    if (*why != NULL)
        return NULL;
    struct judgement_facts facts = facts_of(entry);
    facts.leaves = false;
    struct ladder *ladder = ladder_new(&facts, entry->retry);
    if (ladder != NULL)
        count_past(entry, ladder);
    else if (is_asked_as_changed(entry, &facts))
        *why = N_("No rule: this runs unasked, and is asked about because you changed it.");
    else
        *why = ladder_refusal(&facts, entry->retry);
    return ladder;
}

static const enum phrase push_phrases[] = {PHRASE_pushes, PHRASE_pushes_unchecked,
                                           PHRASE_deletes_remote, PHRASE_rewrites_remote,
                                           PHRASE_changes_remote};

static size_t count_pushes(const struct assessment *assessment)
{
    size_t count = 0;
    for (size_t i = 0; i < assessment->evidence_count; i++)
        for (size_t j = 0; j < COUNT(push_phrases); j++)
            count += assessment->evidence[i].why == phrase_text(push_phrases[j]);
    return count;
}

/* Is there but one push, or its like (hg push), that could be meant? */
static bool pushes_once(const struct assessment *assessment)
{
    return count_pushes(assessment) == 1 && !assessment->evidence_more;
}

static void name_push_target(struct call_entry *entry, const struct push_target *target)
{
    struct assessment *assessment = &entry->call.assessment;
    for (size_t i = 0; i < COUNT(push_phrases); i++) {
        const char *phrase = phrase_text(push_phrases[i]);
        if (!assessment_name_object(assessment, phrase, target->refs, target->remote) ||
            target->directory == NULL)
            continue;
        assessment->stays_here = !target->beside || assessment->networks <= 1;
        assessment->writes_outside |= place_is_beyond(target->directory, entry->call.spec->cwd,
                                                      (const char *const *)entry->writable_roots);
    }
}

/* Names are a repository's own: the address says more than "origin". What the agent runs itself has
 * an environment that nobody here knows. */
static void tell_push_target(struct call_entry *entry)
{
    const struct command_spec *spec = entry->call.spec;
    struct push_target target;
    push_commits_clear(&entry->call.pushes);
    push_seen_clear(&entry->call.seen);
    free(steal_pointer(&entry->pushes_to));
    if (entry->call.agent_tool != NULL || !environment_all_harmless((const char *const *)spec->env))
        return;
    bool found =
        push_target_find((const char *const *)spec->argv, spec->cwd,
                         (const char *const *)entry->orchestrator->base_environment, &target);
    size_t pushes = count_pushes(&entry->call.assessment);
    bool one = !target.beside || pushes_once(&entry->call.assessment);
    const char *why = pushes > 1    ? N_("the line sends commits more than once")
                      : pushes == 1 ? target.commits.unknown
                                    : NULL;
    if (found && one) {
        name_push_target(entry, &target);
        entry->pushes_to = steal_pointer(&target.directory);
    } else { /* not even which of them sets the upstream */
        push_commits_clear(&target.commits);
        target.commits.unknown = why;
    }
    entry->call.pushes = target.commits;
    target.commits = (struct push_commits){.sent = NULL};
    push_target_clear(&target);
}

/* An environment could make it another's. */
static void tell_losses(struct call_entry *entry)
{
    const struct command_spec *spec = entry->call.spec;
    git_losses_clear(&entry->call.losses);
    if (entry->call.agent_tool != NULL || entry->patch != NULL)
        return;
    if (environment_all_harmless((const char *const *)spec->env))
        git_losses_find((const char *const *)spec->argv, spec->cwd, &entry->call.losses);
    if (assessment_takes_work(&entry->call.assessment))
        git_losses_doubt(&entry->call.losses, (const char *const *)spec->argv, spec->cwd);
}

void arrival_tell_git(struct call_entry *entry)
{
    tell_push_target(entry);
    tell_losses(entry);
}

void arrival_judge(struct call_entry *entry)
{
    struct call *call = &entry->call;
    const char *const *argv = (const char *const *)call->spec->argv;
    if (call->reach != NULL) {
        reach_judge(entry);
        return;
    }
    if (call->agent_tool != NULL && !call->widens && call->input_for == 0 && !call->wants_words)
        call->session->advisory = true;
    changes_arrive(entry);
    arrival_judge_requirement(entry);
    if (call->requirement.bypass_sandbox)
        entry->sandbox = ATTEMPT_UNSANDBOXED;
    free(call->line);
    assessment_of_argv(argv, call->spec->cwd, (const char *const *)entry->writable_roots,
                       &call->assessment, &call->line);
    arrival_tell_git(entry);
    if (entry->patch != NULL)
        patching_assess(entry);
    else if (call->agent_fields)
        own_tool_assess(call);
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
    if (entry->patch != NULL && patching_unchanged(entry, error) != 0)
        return -1;
    if (!directory_unchanged(entry))
        return error_set(error, 0,
                         "the directory that the script goes to was replaced while the call "
                         "waited: submit it again");
    if (!program_unchanged(&entry->program))
        return error_set(
            error, 0,
            "the program file was changed or replaced while the call waited: submit it "
            "again");
    const char *changed = scripts_changed(entry->scripts);
    if (changed != NULL)
        return error_set(error, 0,
                         "a file that it names was changed or replaced while the call waited: %s: "
                         "submit it again",
                         changed);
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
    return IS_IN(name, names);
}

/* Outside a sandbox an answer covers what runs now; what files of the workspace may tell it to run
 * the next time is not in the key. */
static const char *unsandboxed_once_reason(const struct call_entry *entry, char **named)
{
    const struct command_spec *spec = entry->call.spec;
    struct loader_context context = entry_loader_context(entry);
    context.named = named;
    if (!environment_all_harmless((const char *const *)spec->env))
        return N_("its variables can make it run other code");
    return loader_reason((const char *const *)spec->argv, &context);
}

bool arrival_is_unconfined(const struct call_entry *entry)
{
    const struct turn_context *context = entry->call.context;
    return entry->sandbox == ATTEMPT_UNSANDBOXED ||
           context->sandbox->mode == SANDBOX_DANGER_FULL_ACCESS ||
           (context->preference == SANDBOX_FORBID &&
            sandbox_policy_is_restricted(context->sandbox));
}

const char *arrival_once_with_more(const struct call_entry *entry)
{
    /* What it is sent is not in the key, and would have the path as well. */
    if (is_agent_fed(entry, entry->call.spec->standard_input))
        return N_("what it is sent while it runs can be anything");
    return unsandboxed_once_reason(entry, NULL);
}

/* Why the answer may not be remembered, or NULL when it may; and what that is about. */
static const char *once_reason(const struct call_entry *entry, char **named)
{
    bool fed = is_agent_fed(entry, entry->standard_input);
    bool unsandboxed = entry->sandbox == ATTEMPT_UNSANDBOXED;
    if (entry->call.in_person)
        return N_("an answer is for one question");
    /* What an agent types or feeds is not in the key. */
    if (fed && (unsandboxed || (entry->standard_input == STDIN_PIPE &&
                                runs_its_input((const char *const *)entry->call.spec->argv))))
        return N_("what it is sent while it runs can be anything");
    return arrival_is_unconfined(entry) ? unsandboxed_once_reason(entry, named) : NULL;
}

/* What they say is what the command does. */
static void assess_scripts(struct call_entry *entry)
{
    const char *cwd = entry->call.spec->cwd;
    struct script_text text;
    for (size_t at = 0; scripts_next(entry->scripts, &at, &text);)
        if (!text.compiled)
            assessment_add_script(wrapper_basename(text.path), text.reader, text.bytes, text.length,
                                  cwd, (const char *const *)entry->writable_roots,
                                  &entry->call.assessment);
}

/* What runs outside a sandbox, now or because the first approval covers it, runs as it was shown.
 */
static void note_scripts(struct call_entry *entry)
{
    const struct command_spec *spec = entry->call.spec;
    scripts_free(&entry->scripts);
    bool asks = entry->sandbox == ATTEMPT_UNSANDBOXED ||
                entry->call.requirement.kind == REQUIREMENT_NEEDS_APPROVAL;
    bool unsandboxed = asks && arrival_is_unconfined(entry) && entry->once_reason != NULL;
    if (unsandboxed || (!entry->retry && entry->call.context->approval.first_covers_retry))
        entry->scripts = scripts_note((const char *const *)spec->argv, spec->cwd, entry->there,
                                      (const char *const *)entry->writable_roots);
    assess_scripts(entry);
}

/* The question at hand is filled in by the caller. */
static struct shell_key shell_key(const struct call_entry *entry, const char *policy)
{
    return (struct shell_key){
        .spec = entry->call.spec,
        .program = &entry->program,
        .search_path = entry->orchestrator->search_path,
        .writable_roots = (const char *const *)entry->writable_roots,
        .there = entry->there,
        .policy = policy,
        .agent_tool = entry->call.agent_tool,
    };
}

char *arrival_path_key(const struct call_entry *entry, const struct key_path *path)
{
    cleanup_free char *canonical = sandbox_policy_canonical(entry->call.context->sandbox);
    struct command_spec spec = *entry->call.spec;
    struct shell_key key = shell_key(entry, canonical);
    spec.permissions = SANDBOX_PERMISSIONS_USE_DEFAULT; /* what asks for more may be kept to that */
    key.spec = &spec;
    key.standard_input = entry->call.spec->standard_input;
    key.sandbox = ATTEMPT_TURN_DEFAULT;
    key.given = path;
    return keys_of_shell(&key);
}

char *arrival_retry_key(const struct call_entry *entry)
{
    struct command_spec spec = *entry->call.spec;
    struct shell_key key = shell_key(entry, NULL);
    spec.permissions = SANDBOX_PERMISSIONS_USE_DEFAULT;
    key.spec = &spec;
    key.standard_input = entry->standard_input;
    key.sandbox = ATTEMPT_UNSANDBOXED;
    key.retry = true;
    return keys_of_shell(&key);
}

char *arrival_policy(const struct call_entry *entry)
{
    struct sandbox_policy *policy = NULL;
    if (entry->sandbox != ATTEMPT_UNSANDBOXED)
        policy = attempt_policy(entry, entry->sandbox, NULL);
    char *canonical = policy != NULL ? sandbox_policy_canonical(policy) : NULL;
    sandbox_policy_free(&policy);
    return canonical;
}

char *arrival_part_key(const struct call_entry *entry, const struct judgement_part *part,
                       const char *policy)
{
    struct command_spec spec = *entry->call.spec;
    struct program program;
    spec.argv = part->argv;
    if (part->directory != NULL || entry->there != NULL)
        spec.cwd = part->directory != NULL ? part->directory : entry->there;
    program_find(spec.argv[0], spec.cwd, entry->orchestrator->search_path, &program);
    struct shell_key key = shell_key(entry, policy);
    key.spec = &spec;
    key.program = &program;
    key.there = NULL;
    key.standard_input = entry->standard_input;
    key.sandbox = entry->sandbox;
    key.retry = entry->retry;
    char *text = keys_of_shell(&key);
    program_clear(&program);
    return text;
}

void arrival_make_keys(struct call_entry *entry)
{
    cleanup_free char *canonical = arrival_policy(entry);
    entry->grants_at_hand = grants_newest(entry->call.session->grants);
    if (entry->patch != NULL) {
        patching_make_keys(entry, canonical);
        return;
    }

    struct shell_key key = shell_key(entry, canonical);
    key.standard_input = entry->standard_input;
    key.sandbox = entry->sandbox;
    key.retry = entry->retry;
    free(entry->question);
    entry->question = keys_of_shell(&key);
    strv_free(&entry->call.keys);
    free(entry->once_names);
    entry->once_names = NULL;
    entry->once_reason = once_reason(entry, &entry->once_names);
    note_scripts(entry);
    /* What is given to the session is there until that ends: no grant could last longer, and none
     * that ends sooner would take it back. */
    bool kept = entry->once_reason == NULL && !entry->call.widens;
    const char *const remembered[] = {kept ? entry->question : NULL, NULL};
    entry->call.keys = strv_copy(remembered);
}
