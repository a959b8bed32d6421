/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/patching.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "approval/keys.h"
#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/wording.h"
#include "command/code_file.h"
#include "command/patch.h"
#include "sandbox/protected.h"

/* ---- which files ---------------------------------------------------------------------------- */

static bool is_protected_name(const char *name, size_t length)
{
    if (length == 4 && strncasecmp(name, ".git", 4) == 0)
        return true;
    for (size_t i = 0; i < PROTECTED_NAME_COUNT; i++)
        if (strlen(PROTECTED_NAMES[i].name) == length &&
            strncasecmp(PROTECTED_NAMES[i].name, name, length) == 0)
            return true;
    return false;
}

/* Is there a part of the path that the test holds for? */
static bool any_part(const char *path, bool (*test)(const char *name, size_t length))
{
    for (const char *at = path; *at != '\0'; at += strcspn(at, "/")) {
        at += strspn(at, "/");
        if (*at != '\0' && test(at, strcspn(at, "/")))
            return true;
    }
    return false;
}

/* Does a link stand on the way? Then the text says nothing about the place. */
static bool is_physical(const char *path)
{
    cleanup_free char *parent = xstrdup(path);
    for (char *slash = strrchr(parent, '/'); slash != NULL && slash != parent;
         slash = strrchr(parent, '/')) {
        *slash = '\0';
        cleanup_free char *physical = realpath(parent, NULL);
        if (physical != NULL)
            return strcmp(physical, parent) == 0;
        if (errno != ENOENT)
            return false;
    }
    return true;
}

/* May the sandbox of the turn write it? */
static bool is_inside(const struct call_entry *entry, const char *path)
{
    const struct sandbox_policy *policy = entry->call.context->sandbox;
    if (!sandbox_policy_is_restricted(policy) || policy->fs_kind != POLICY_FS_RESTRICTED)
        return true;
    return is_physical(path) && sandbox_policy_access_at(policy, path) == POLICY_ACCESS_WRITE &&
           !(policy->protect && any_part(path, is_protected_name));
}

/* ---- arrival -------------------------------------------------------------------------------- */

/* What is to be said of a file of the patch, worst of all that it is so at the start and was not
 * when the call arrived. */
enum { FILE_OUTSIDE = 1, FILE_BEHIND_LINK = 2, FILE_IS_CODE = 4 };

static unsigned look_at_file(const struct call_entry *entry, const char *path)
{
    return (is_inside(entry, path) ? 0 : FILE_OUTSIDE) |
           (is_physical(path) ? 0 : FILE_BEHIND_LINK) | (code_file_runs(path) ? FILE_IS_CODE : 0);
}

/* Once: it takes several calls of the system for each of up to thousands of files, and all that is
 * decided must go by the same answers. */
static void look_at_files(struct call_entry *entry)
{
    cleanup_strv char **paths = patch_paths(entry->patch, entry->call.spec->cwd);
    entry->patch_files = xcalloc(strv_length((const char *const *)paths) + 1, sizeof(unsigned));
    for (size_t i = 0; paths[i] != NULL; i++) {
        entry->patch_files[i] = look_at_file(entry, paths[i]);
        entry->patch_code |= (entry->patch_files[i] & FILE_IS_CODE) != 0;
        if (entry->patch_outside == NULL && (entry->patch_files[i] & FILE_OUTSIDE) != 0)
            entry->patch_outside = xstrdup(paths[i]);
    }
}

static char **words_of(const struct patch *patch)
{
    char **words = xcalloc(2 * patch->count + 2, sizeof(*words));
    size_t count = 0;
    words[count++] = xstrdup("apply_patch");
    for (size_t i = 0; i < patch->count; i++) {
        words[count++] = xstrdup(patch->changes[i].path);
        if (patch->changes[i].move_to != NULL)
            words[count++] = xstrdup(patch->changes[i].move_to);
    }
    return words;
}

int patching_take(struct call_entry *entry, struct error *error)
{
    struct call *call = &entry->call;
    struct command_spec *spec = call->spec;
    if (call->patch == NULL)
        return error_set(error, 0, "patch: expected the text of a patch");
    if (spec->env != NULL || spec->tty || spec->standard_input != STDIN_NULL ||
        spec->permissions == SANDBOX_PERMISSIONS_WITH_ADDITIONAL)
        return error_set(error, 0,
                         "patch: env, tty, stdin and additional_permissions are for "
                         "commands");
    size_t length = strlen(call->patch);
    entry->patch = XNEW(struct patch);
    if (patch_parse(call->patch, length, entry->patch, error) != 0)
        return error_prefix(error, "patch");
    strv_free(&spec->argv);
    spec->argv = words_of(entry->patch);
    spec->standard_input = STDIN_PIPE;
    strbuf_add(&entry->input, call->patch, length);
    entry->input_ended = true;
    look_at_files(entry);
    if (entry->patch_outside != NULL)
        spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    return 0;
}

int patching_unchanged(const struct call_entry *entry, struct error *error)
{
    cleanup_strv char **paths = patch_paths(entry->patch, entry->call.spec->cwd);
    for (size_t i = 0; paths[i] != NULL; i++) {
        if ((look_at_file(entry, paths[i]) & ~entry->patch_files[i]) == 0)
            continue;
        cleanup_free char *path = text_line(paths[i], strlen(paths[i]), 200);
        return error_set(error, 0,
                         "%s, or a directory on the way to it, was replaced while the call "
                         "waited: submit it again",
                         path);
    }
    return 0;
}

/* ---- which of them are named ---------------------------------------------------------------- */

/* "a, b and 3 more" as far as `size` bytes have room; the first one always, though it may be cut.
 */
struct names {
    char *text;
    size_t size, used, left_out;
};

static void add_name(struct names *names, const char *path)
{
    const char *between = names->used > 0 ? ", " : "";
    enum { REST = 16 }; /* " and 12345 more" */
    if (names->used > 0 &&
        (names->left_out > 0 || names->used + strlen(path) + 2 + REST >= names->size)) {
        names->left_out++;
        return;
    }
    int length =
        snprintf(names->text + names->used, names->size - names->used, "%s%s", between, path);
    names->used +=
        (size_t)length < names->size - names->used ? (size_t)length : names->size - names->used - 1;
}

static void end_names(struct names *names)
{
    if (names->left_out > 0)
        snprintf(names->text + names->used, names->size - names->used, " (+%zu)", names->left_out);
}

/* Returns how many there are. */
static size_t name_outside(const struct call_entry *entry, char *text, size_t size)
{
    cleanup_strv char **paths = patch_paths(entry->patch, entry->call.spec->cwd);
    struct names names = {.text = text, .size = size};
    size_t count = 0;
    *text = '\0';
    for (size_t i = 0; paths[i] != NULL; i++) {
        if ((entry->patch_files[i] & FILE_OUTSIDE) == 0)
            continue;
        add_name(&names, paths[i]);
        count++;
    }
    end_names(&names);
    return count;
}

static size_t name_deleted(const struct patch *patch, char *text, size_t size)
{
    struct names names = {.text = text, .size = size};
    size_t count = 0;
    *text = '\0';
    for (size_t i = 0; i < patch->count; i++) {
        if (patch->changes[i].kind != PATCH_DELETE)
            continue;
        add_name(&names, patch->changes[i].path);
        count++;
    }
    end_names(&names);
    return count;
}

void patching_require(struct call_entry *entry)
{
    struct call *call = &entry->call;
    struct command_verdict verdict = {.rule = RULE_NONE};
    approval_requirement_clear(&call->requirement);
    policy_shell_requirement(&call->context->approval, call->context->sandbox,
                             entry->sandbox != ATTEMPT_TURN_DEFAULT, &verdict, &call->requirement);
    if (call->requirement.kind != REQUIREMENT_NEEDS_APPROVAL || entry->patch_outside == NULL)
        return;
    char names[1000];
    bool several = name_outside(entry, names, sizeof(names)) > 1;
    wording_free(&call->requirement.reason);
    call->requirement.reason = wording_new();
    wording_add(call->requirement.reason,
                several ? N_("it changes files that the sandbox does not let it change: %s")
                        : N_("it changes a file that the sandbox does not let it change: %s"),
                names);
}

/* ---- risk ----------------------------------------------------------------------------------- */

static void add_clause(struct assessment *assessment, size_t *count, const char *phrase,
                       const char *object, unsigned categories)
{
    if (*count == ASSESSMENT_CLAUSES)
        return;
    struct risk_clause *clause = &assessment->clauses[(*count)++];
    *clause = (struct risk_clause){
        .phrase = phrase, .level = assessment->level, .categories = categories};
    snprintf(clause->object, sizeof(clause->object), "%s", object);
}

/* What a patch does beyond changing files of the project is said of the files by name: of a long
 * one not all of it is in view. */
static void describe_files(const struct call_entry *entry, struct assessment *assessment)
{
    char outside[sizeof(assessment->clauses[0].object)], deleted[sizeof(outside)];
    size_t clauses = 0;
    if (name_outside(entry, outside, sizeof(outside)) > 0) {
        assessment->level = RISK_HIGH;
        assessment->categories |= RISK_SYSTEM_MODIFICATION;
        add_clause(assessment, &clauses,
                   N_("changes files that the sandbox does not let it change"), outside,
                   RISK_SYSTEM_MODIFICATION);
    }
    if (name_deleted(entry->patch, deleted, sizeof(deleted)) > 0) {
        assessment->categories |= RISK_DATA_DELETION;
        add_clause(assessment, &clauses, N_("deletes files"), deleted, RISK_DATA_DELETION);
    }
    if (entry->patch_code)
        add_clause(assessment, &clauses, N_("changes files that builds or shells run"), "", 0);
    if (clauses > 0)
        assessment_sum_up(assessment);
}

void patching_assess(struct call_entry *entry)
{
    struct assessment *assessment = &entry->call.assessment;
    size_t added, removed;
    patch_count(entry->patch, &added, &removed);
    *assessment = (struct assessment){.level = RISK_MEDIUM};
    /* Without plural forms: this sentence of the assessment is not translated. */
    snprintf(assessment->description, sizeof(assessment->description),
             "Files changed: %zu, lines added: %zu, removed: %zu.", entry->patch->count, added,
             removed);
    describe_files(entry, assessment);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static const char *once_reason(const struct call_entry *entry)
{
    if (entry->sandbox != ATTEMPT_TURN_DEFAULT || entry->patch_outside != NULL)
        return N_("it changes files outside the sandbox");
    return entry->patch_code ? N_("it changes files that builds or shells run") : NULL;
}

/* The whole patch by its hash: what was denied once is denied again. */
static char *question_of(const struct call_entry *entry, const char *policy)
{
    const struct call *call = &entry->call;
    struct sha256 hash;
    unsigned char digest[SHA256_SIZE];
    char hex[SHA256_HEX_SIZE];
    sha256_init(&hash);
    sha256_add(&hash, call->patch, strlen(call->patch));
    sha256_finish(&hash, digest);
    sha256_hex(digest, hex);
    struct patch_key key = {.subject = "content",
                            .value = hex,
                            .change = call->spec->cwd,
                            .sandbox = entry->sandbox,
                            .retry = entry->retry,
                            .policy = policy};
    return keys_of_patch(&key);
}

static const char *change_name(const struct patch_change *change)
{
    static const char *const names[] = {
        [PATCH_ADD] = "add", [PATCH_DELETE] = "delete", [PATCH_UPDATE] = "update"};
    return change->move_to != NULL ? "move" : names[change->kind];
}

static char **keys_of(const struct call_entry *entry, const char *policy)
{
    const struct patch *patch = entry->patch;
    char **keys = xcalloc(2 * patch->count + 1, sizeof(*keys));
    size_t count = 0;
    for (size_t i = 0; i < patch->count; i++) {
        const char *const paths[] = {patch->changes[i].path, patch->changes[i].move_to};
        for (size_t j = 0; j < 2 && paths[j] != NULL; j++) {
            cleanup_free char *path = patch_path_absolute(paths[j], entry->call.spec->cwd);
            struct patch_key key = {.subject = "path",
                                    .value = path,
                                    .change = change_name(&patch->changes[i]),
                                    .sandbox = entry->sandbox,
                                    .retry = entry->retry,
                                    .policy = policy};
            keys[count++] = keys_of_patch(&key);
        }
    }
    return keys;
}

void patching_make_keys(struct call_entry *entry, const char *policy)
{
    free(entry->question);
    entry->question = question_of(entry, policy);
    strv_free(&entry->call.keys);
    entry->once_reason = once_reason(entry);
    entry->call.keys =
        entry->once_reason == NULL ? keys_of(entry, policy) : xcalloc(1, sizeof(char *));
}
