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
#include "approval/retry_path.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/wording.h"
#include "command/code_file.h"
#include "command/patch.h"
#include "risk/place.h"
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

/* A note beside the workspace, in the operator's home: nothing there runs, obeys or keeps a secret,
 * as far as names tell. */
static bool is_beside(const struct call_entry *entry, const char *path)
{
    const struct turn_context *context = entry->call.context;
    const char *home = getenv("HOME");
    cleanup_free char *real = home != NULL ? realpath(home, NULL) : NULL;
    return real != NULL && strcmp(real, "/") != 0 && path_is_beneath(path, real) &&
           is_physical(path) && !retry_path_is_grave(path, real) && !place_is_secret(path) &&
           !any_part(path, is_protected_name) && !code_file_runs(path) &&
           sandbox_policy_access_at(context->sandbox, path) == POLICY_ACCESS_READ;
}

/* ---- arrival -------------------------------------------------------------------------------- */

/* What is to be said of a file of the patch, worst of all that it is so at the start and was not
 * when the call arrived. */
enum {
    FILE_OUTSIDE = 1,
    FILE_BEHIND_LINK = 2,
    FILE_IS_CODE = 4,
    FILE_DELETED = 8,
    FILE_OF_GIT = 16, /* that git runs, or that says what it runs */
    FILE_BESIDE = 32, /* outside, and of no weight: neither code nor settings nor deleted */
};

static bool is_run_by_git(const char *path)
{
    const char *inside = strcasestr(path, "/.git/");
    return inside != NULL && (strcasestr(inside, "/hooks/") != NULL ||
                              strcasecmp(strrchr(path, '/'), "/config") == 0);
}

static unsigned look_at_file(const struct call_entry *entry, const char *path)
{
    bool inside = is_inside(entry, path);
    return (inside ? 0 : FILE_OUTSIDE) | (!inside && is_beside(entry, path) ? FILE_BESIDE : 0) |
           (is_physical(path) ? 0 : FILE_BEHIND_LINK) | (code_file_runs(path) ? FILE_IS_CODE : 0) |
           (is_run_by_git(path) ? FILE_OF_GIT : 0);
}

static int compare_paths(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* `paths` are sorted. */
static void mark_deleted(struct call_entry *entry, char **paths)
{
    size_t count = strv_length((const char *const *)paths);
    for (size_t i = 0; i < entry->patch->count; i++) {
        const struct patch_change *change = &entry->patch->changes[i];
        if (change->kind != PATCH_DELETE)
            continue;
        cleanup_free char *path = patch_path_absolute(change->path, entry->call.spec->cwd);
        char **found = bsearch(&path, paths, count, sizeof(*paths), compare_paths);
        if (found != NULL)
            entry->patch_files[found - paths] =
                (entry->patch_files[found - paths] | FILE_DELETED) & ~(unsigned)FILE_BESIDE;
    }
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
    mark_deleted(entry, paths);
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

/* "a, 'b c'" as far as `size` bytes have room; the first one always, though it may be cut. */
struct names {
    char *text;
    size_t size, used, left_out;
};

/* The path as our words can hold it: in quotes unless it is plain, so that it passes neither for
 * two nor for words of ours, and with marks for what cannot be told apart when shown. Of what is
 * too long the middle goes. */
static void add_quoted(struct strbuf *out, const char *path, size_t most)
{
    enum { QUOTES = 2, GAP = 3 };
    cleanup_strbuf struct strbuf safe = STRBUF_INIT, cut = STRBUF_INIT;
    text_escape(&safe, path, strlen(path), TEXT_PLAIN_AGENT);
    if (safe.length + QUOTES > most) {
        size_t head = most / 4;
        size_t tail = safe.length - (most - most / 4 - GAP - QUOTES);
        while (((unsigned char)safe.data[head] & 0xc0) == 0x80)
            head--;
        while (((unsigned char)safe.data[tail] & 0xc0) == 0x80)
            tail++;
        strbuf_add(&cut, safe.data, head);
        strbuf_addstr(&cut, "...");
        strbuf_addstr(&cut, safe.data + tail);
    }
    const char *const word[] = {strbuf_str(cut.length > 0 ? &cut : &safe), NULL};
    text_quote_argv(out, word);
}

static void add_name(struct names *names, const char *path)
{
    enum { REST = 2 };
    cleanup_strbuf struct strbuf name = STRBUF_INIT;
    add_quoted(&name, path, names->size - 1);
    if (names->left_out > 0 ||
        (names->used > 0 && names->used + name.length + REST >= names->size)) {
        names->left_out++;
        return;
    }
    int length = snprintf(names->text + names->used, names->size - names->used, "%s%s",
                          names->used > 0 ? ", " : "", strbuf_str(&name));
    names->used +=
        (size_t)length < names->size - names->used ? (size_t)length : names->size - names->used - 1;
}

/* As the agent's directory has it, where that is shorter. */
static const char *name_of(const struct call_entry *entry, const char *path)
{
    const char *cwd = entry->call.spec->cwd;
    size_t length = strlen(cwd);
    return path_is_beneath(path, cwd) && path[length] == '/' ? path + length + 1 : path;
}

/* Names those that are all of `wanted` and none of `unwanted`. Returns how many there are. */
static size_t name_files(const struct call_entry *entry, unsigned wanted, unsigned unwanted,
                         struct names *names)
{
    cleanup_strv char **paths = patch_paths(entry->patch, entry->call.spec->cwd);
    size_t count = 0;
    *names->text = '\0';
    for (size_t i = 0; paths[i] != NULL; i++) {
        unsigned file = entry->patch_files[i];
        if ((file & wanted) != wanted || (file & unwanted) != 0)
            continue;
        add_name(names, name_of(entry, paths[i]));
        count++;
    }
    return count;
}

static void add_left_out(struct wording *wording, size_t count)
{
    char number[24];
    snprintf(number, sizeof(number), "%zu", count);
    if (count == 1)
        wording_add_words(wording, N_(" and one more file"));
    else if (count > 1)
        wording_add(wording, N_(" and %s more files"), number);
}

static struct wording *outside_reason(const struct call_entry *entry)
{
    char text[1000];
    struct names names = {.text = text, .size = sizeof(text)};
    struct wording *reason = wording_new();
    bool several = name_files(entry, FILE_OUTSIDE, 0, &names) > 1;
    wording_add(reason,
                several ? N_("it changes files that the sandbox does not let it change: %s")
                        : N_("it changes a file that the sandbox does not let it change: %s"),
                text);
    add_left_out(reason, names.left_out);
    return reason;
}

void patching_require(struct call_entry *entry)
{
    struct call *call = &entry->call;
    struct approval_requirement *requirement = &call->requirement;
    struct command_verdict verdict = {.rule = RULE_NONE};
    struct wording *reason = NULL;
    approval_requirement_clear(requirement);
    policy_shell_requirement(&call->context->approval, call->context->sandbox,
                             entry->sandbox != ATTEMPT_TURN_DEFAULT, &verdict, requirement);
    if (requirement->kind != REQUIREMENT_NEEDS_APPROVAL)
        return;
    if (entry->patch_outside != NULL)
        reason = outside_reason(entry);
    else if (requirement->cause == PROMPT_BY_POLICY) /* that of a command speaks of one */
        reason = wording_from(N_("the policy is to ask before files are changed"));
    else
        return;
    wording_free(&requirement->reason);
    requirement->reason = reason;
}

/* ---- risk ----------------------------------------------------------------------------------- */

/* What is said of the files of a patch, the worst first: of a long one not all is in view. What
 * stands for itself is said whatever else is said of the same file. */
static const struct {
    unsigned wanted, unwanted;
    const char *phrase;
    enum risk_level level;
    unsigned categories;
} deeds[] = {
    {FILE_OUTSIDE, FILE_BESIDE, N_("changes files that the sandbox does not let it change"),
     RISK_HIGH, RISK_SYSTEM_MODIFICATION},
    {FILE_BESIDE, 0, N_("changes files outside the workspace"), RISK_MEDIUM, 0},
    {FILE_DELETED, 0, N_("deletes files"), RISK_MEDIUM, RISK_DATA_DELETION},
    {FILE_IS_CODE, FILE_DELETED, N_("changes files that builds or shells run"), RISK_MEDIUM, 0},
    {0, FILE_OUTSIDE | FILE_DELETED | FILE_IS_CODE, N_("creates or changes files"), RISK_MEDIUM, 0},
};

/* All that lies outside is git's, which runs it at the next commit or so. */
static bool only_git_is_outside(const struct call_entry *entry)
{
    char text[100];
    struct names names = {.text = text, .size = sizeof(text)};
    return name_files(entry, FILE_OUTSIDE, FILE_OF_GIT | FILE_BESIDE, &names) == 0;
}

static void describe_files(const struct call_entry *entry, struct assessment *assessment)
{
    size_t count = 0;
    for (size_t i = 0; i < COUNT(deeds); i++) {
        struct risk_clause clause = {.phrase = deeds[i].phrase, .categories = deeds[i].categories};
        struct names names = {.text = clause.object, .size = sizeof(clause.object)};
        if (name_files(entry, deeds[i].wanted, deeds[i].unwanted, &names) == 0)
            continue;
        if (deeds[i].wanted == FILE_OUTSIDE && only_git_is_outside(entry))
            clause.phrase = N_("changes what git runs later, outside the sandbox");
        if (deeds[i].level > assessment->level)
            assessment->level = deeds[i].level;
        assessment->categories |= deeds[i].categories;
        clause.level = assessment->level;
        clause.more = names.left_out;
        if (count < ASSESSMENT_CLAUSES)
            assessment->clauses[count++] = clause;
    }
}

void patching_assess(struct call_entry *entry)
{
    struct assessment *assessment = &entry->call.assessment;
    *assessment = (struct assessment){.level = RISK_MEDIUM};
    assessment->counts.files = entry->patch->count;
    patch_count(entry->patch, &assessment->counts.added, &assessment->counts.removed);
    describe_files(entry, assessment);
    assessment_sum_up(assessment);
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
