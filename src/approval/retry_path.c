/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/retry_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"
#include "risk/place.h"
#include "sandbox/git_pointer.h"
#include "sandbox/protected.h"

/* ---- which path ------------------------------------------------------------------------------ */

static bool is_about_writing(const struct sandbox_denial *denial)
{
    return strcmp(denial->cause, "write") == 0 || strcmp(denial->cause, "file system") == 0;
}

/* The real path of the directory that holds `path`, by however many slashes that ends. */
static char *real_directory(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    cleanup_free char *directory = xstrndup(path, length);
    char *slash = strrchr(directory, '/');
    if (slash == NULL || slash == directory || path_is_dots(slash + 1))
        return NULL;
    *slash = '\0';
    return realpath(directory, NULL);
}

/* The real path of what is there, or else of the directory in which it would be. */
static char *real_place(const char *path)
{
    char *real = realpath(path, NULL);
    return real != NULL || errno != ENOENT ? real : real_directory(path);
}

/* The real path of the repository of which that is git's lock of a branch or a tag: to change one,
 * git writes in several places there. NULL: it is no such lock. */
static char *repository_of_ref(const char *path)
{
    static const char suffix[] = ".lock", refs[] = "/refs/";
    size_t length = strlen(path);
    if (length < sizeof suffix || strcmp(path + length - (sizeof suffix - 1), suffix) != 0)
        return NULL;
    for (const char *at = path; (at = strstr(at, refs)) != NULL; at++) {
        cleanup_free char *above = xstrndup(path, (size_t)(at - path));
        cleanup_free char *real = realpath(above, NULL);
        if (real != NULL && git_pointer_is_repository(real))
            return steal_pointer(&real);
    }
    return NULL;
}

/* Does it hold `inner`, by that name or as what this leads to, or is it that? */
static bool holds(const char *path, const char *inner)
{
    if (inner == NULL || inner[0] != '/')
        return false;
    cleanup_free char *real = realpath(inner, NULL);
    return path_is_beneath(inner, path) || (real != NULL && path_is_beneath(real, path));
}

/* What is closed stays so within it, but it would be a place of secrets and of our own files. */
static bool holds_closed(const char *path, const struct sandbox_policy *policy)
{
    for (size_t i = 0; i < policy->entry_count; i++)
        if (policy->entries[i].access == POLICY_ACCESS_NONE && holds(path, policy->entries[i].path))
            return true;
    return false;
}

/* Does it lie where something of the home directory runs of itself? In a root of its own it would
 * not be covered. */
static bool is_startup(const char *path, const char *home)
{
    char startup[PATH_MAX];
    for (const char *const *name = PROTECTED_BENEATH_HOME; *name != NULL; name++)
        if (path_join(startup, home, *name) && path_is_beneath(path, startup))
            return true;
    return false;
}

/* Is it one of the directories that the operator's programs are looked for in, or in or above one?
 */
static bool is_on_search_path(const char *path)
{
    const char *directories = getenv("PATH");
    for (const char *at = directories; at != NULL; at = strchr(at, ':')) {
        at += *at == ':';
        cleanup_free char *name = xstrndup(at, strcspn(at, ":"));
        cleanup_free char *real = name[0] == '/' ? realpath(name, NULL) : NULL;
        if (real != NULL && (path_is_beneath(path, real) || path_is_beneath(real, path)))
            return true;
    }
    return false;
}

/* `path` has no links in it. */
bool retry_path_is_grave(const char *path, const char *home)
{
    cleanup_free char *real = home != NULL ? realpath(home, NULL) : NULL;
    return place_is_grave(path, real) || (real != NULL && is_startup(path, real)) ||
           is_on_search_path(path);
}

/* A command that has a /tmp of its own has not met the host's. */
static bool is_hidden(const char *path, const struct sandbox_policy *policy)
{
    const char *const places[] = {"/tmp", "/var/tmp", getenv("TMPDIR")};
    for (size_t i = 0; policy->tmp != POLICY_TMP_NONE && i < COUNT(places); i++) {
        cleanup_free char *real = places[i] != NULL ? realpath(places[i], NULL) : NULL;
        if (real != NULL && path_is_beneath(path, real))
            return true;
    }
    return false;
}

static bool is_git_directory(const char *path)
{
    return strcasecmp(strrchr(path, '/') + 1, ".git") == 0 || git_pointer_is_repository(path);
}

/* In a root of its own what is within a git directory is data as any other: its hooks and its
 * configuration, too. The directory itself is known as one, and they are covered there. */
static bool is_in_git(const char *path)
{
    cleanup_free char *above = xstrdup(path);
    for (char *slash; (slash = strrchr(above, '/')) != NULL && slash != above;) {
        *slash = '\0';
        if (is_git_directory(above))
            return true;
    }
    return false;
}

/* Beside a working tree, it says where git finds what it runs. */
static bool is_git_pointer(const char *path, const struct stat *status)
{
    return !S_ISDIR(status->st_mode) && strcasecmp(strrchr(path, '/') + 1, ".git") == 0;
}

static bool is_at_top(const char *path)
{
    return strchr(path + 1, '/') == NULL;
}

/* Where the kernel and its drivers answer, and no files are kept. */
static bool is_kernels(const char *path)
{
    static const char *const places[] = {"/proc", "/sys", "/dev"};
    for (size_t i = 0; i < COUNT(places); i++)
        if (path_is_beneath(path, places[i]))
            return true;
    return false;
}

static bool is_protected_name(const char *name, size_t length)
{
    for (size_t i = 0; i < PROTECTED_NAME_COUNT; i++)
        if (strlen(PROTECTED_NAMES[i].name) == length &&
            memcmp(PROTECTED_NAMES[i].name, name, length) == 0)
            return true;
    return false;
}

/* What is missing has a placeholder, and is made in a directory that is not what was stopped. */
static bool names_protected(const char *path)
{
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    return is_protected_name(path + start, end - start);
}

/* In a root of its own it would not be covered: the cover is for names beneath a root. */
static bool is_protected(const char *path)
{
    for (const char *name = path; *name != '\0';) {
        size_t length = strcspn(name, "/");
        if (is_protected_name(name, length))
            return true;
        name += length + (name[length] == '/');
    }
    return false;
}

static bool is_plain_text(const char *path)
{
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    return text_escape(&shown, path, strlen(path), TEXT_PLAIN_AGENT) == 0;
}

/* A file of several names is shown by one of them alone. */
static bool is_one_place(const struct stat *status)
{
    return S_ISDIR(status->st_mode) || (S_ISREG(status->st_mode) && status->st_nlink == 1);
}

/* Why a path may not be given, whatever the policy; NULL when it may. */
static const char *why_kept(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return N_("it cannot be looked at");
    if (is_kernels(path))
        return N_("the kernel answers there, and no files are kept");
    if (!is_one_place(&status))
        return S_ISREG(status.st_mode) ? N_("the file has other names as well")
                                       : N_("it is neither a file nor a directory");
    if (access(path, W_OK) != 0)
        return N_("you cannot write there yourself");
    if (is_at_top(path))
        return N_("it would give all of a directory at the top of the file system");
    if (is_protected(path))
        return N_("it is protected: other programs run or obey such files");
    if (is_in_git(path) || is_git_pointer(path, &status))
        return N_("it is within a git directory");
    return is_plain_text(path) ? NULL : N_("its name cannot be shown as it is");
}

static const char *why_not(const char *path, bool there, const struct sandbox_policy *policy,
                           const char *root, const char *home)
{
    /* What is not there has no inode that could be given: its directory would be. */
    if (!there && (holds(path, root) || holds(path, home)))
        return RETRY_PATH_ABSENT;
    if (holds(path, root) || holds(path, home))
        return N_("it would give all of your home or of the workspace");
    if (holds_closed(path, policy))
        return N_("it is, or holds, what is closed to every command");
    if (is_hidden(path, policy))
        return N_("the command has another directory in its place");
    const char *why = why_kept(path);
    if (why != NULL)
        return why;
    if (retry_path_is_grave(path, home))
        return N_("start-up files, programs or settings are there");
    return sandbox_policy_access_at(policy, path) == POLICY_ACCESS_READ
               ? NULL
               : N_("it may write there already: something else stopped it");
}

char *retry_path_find(const struct sandbox_denial *denial, const struct sandbox_policy *policy,
                      const char *cwd, const char *root, const char *home, const char **why)
{
    char joined[PATH_MAX];
    const char *asked = denial->path;
    *why = NULL;
    if (!is_about_writing(denial))
        return NULL;
    *why = N_("it is protected: other programs run or obey such files");
    if (names_protected(asked))
        return NULL;
    *why = N_("it is not known which path was stopped");
    if (asked[0] == '\0' || (asked[0] != '/' && !path_join(joined, cwd, asked)))
        return NULL;
    const char *full = asked[0] == '/' ? asked : joined;
    cleanup_free char *path = repository_of_ref(full);
    bool there = path != NULL || access(full, F_OK) == 0;
    if (path == NULL)
        path = denial->removes ? real_directory(full) : real_place(full);
    *why = path == NULL ? RETRY_PATH_NO_DIRECTORY : why_not(path, there, policy, root, home);
    return *why == NULL ? steal_pointer(&path) : NULL;
}

/* What it names when no part of it is a link. */
static bool stat_itself(const char *path, struct stat *status)
{
    char name[NAME_MAX + 1];
    cleanup_fd int directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (const char *part = path + 1; directory >= 0;) {
        size_t length = strcspn(part, "/");
        if (length >= sizeof name)
            return false;
        memcpy(name, part, length);
        name[length] = '\0';
        if (part[length] == '\0')
            return fstatat(directory, name, status, AT_SYMLINK_NOFOLLOW) == 0 &&
                   is_one_place(status);
        int next = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        fd_close(&directory);
        directory = next;
        part += length + 1;
    }
    return false;
}

bool retry_path_still(const struct key_path *given, const struct sandbox_policy *policy,
                      const char *root, const char *home)
{
    struct stat status;
    return stat_itself(given->path, &status) && (uint64_t)status.st_dev == given->device &&
           (uint64_t)status.st_ino == given->inode &&
           why_not(given->path, true, policy, root, home) == NULL;
}

bool retry_path_pin_to(struct sandbox_policy *policy, const struct key_path *given)
{
    for (size_t i = policy != NULL ? policy->entry_count : 0; i-- > 0;) {
        struct policy_entry *entry = &policy->entries[i];
        if (entry->access != POLICY_ACCESS_WRITE || strcmp(entry->path, given->path) != 0)
            continue;
        entry->device = given->device;
        entry->inode = given->inode;
        return true;
    }
    return false;
}

bool retry_path_pin(struct sandbox_policy *policy, const char *path)
{
    struct stat status;
    cleanup_free char *name = xstrdup(path);
    return stat_itself(path, &status) &&
           retry_path_pin_to(policy, &(struct key_path){name, status.st_dev, status.st_ino});
}

/* ---- what a second attempt would get --------------------------------------------------------- */

struct additional_permissions *retry_path_with(const struct additional_permissions *asked,
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

bool retry_path_can_hold(const struct call_entry *entry, struct sandbox_policy *policy,
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
        retry_path_with(call->spec->additional, entry->retry_path);
    struct sandbox_policy *policy = sandbox_policy_with_additional(base, more, NULL);
    additional_permissions_free(&more);
    if (policy != NULL && (!retry_path_pin(policy, entry->retry_path) ||
                           !retry_path_can_hold(entry, policy, entry->retry_path)))
        sandbox_policy_free(&policy);
    return policy;
}

/* The path that was found, with the policy that it makes. */
static void offer_found(struct call_entry *entry)
{
    const struct command_spec *spec = entry->call.spec;
    entry->retry_more = retry_path_with(
        entry->given_more != NULL ? entry->given_more : spec->additional, entry->retry_path);
    entry->retry_policy = policy_with_path(entry);
    if (entry->retry_policy != NULL)
        return;
    retry_path_drop(entry);
    entry->no_retry_path = N_("no sandbox here can give that and nothing else");
}

void retry_path_offer(struct call_entry *entry)
{
    const struct call *call = &entry->call;
    retry_path_drop(entry);
    if (!entry->retry || !ran_confined(call))
        return;
    entry->retry_path = path_of_denial(entry, &entry->no_retry_path);
    if (entry->retry_path != NULL)
        offer_found(entry);
}

/* The real path of the repository that git opens by that name, as its enter_repo() looks for one:
 * of a working tree it is within. NULL: there is none, or a file there says where. */
static char *repository_of_address(const char *address)
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
        return *pushed == '/' && assessment->beyond[0] == '\0' ? repository_of_address(pushed)
                                                               : NULL;
    return assessment->beyond[0] != '\0' ? xstrdup(assessment->beyond) : NULL;
}

void retry_path_foresee(struct call_entry *entry)
{
    const struct call *call = &entry->call;
    const char *why;
    struct sandbox_denial denial = {.denied = true, .cause = "write"};
    if (entry->retry)
        return;
    retry_path_drop(entry);
    cleanup_free char *known = known_path(entry);
    if (known == NULL || !may_be_confined(entry) || strlen(known) >= sizeof denial.path)
        return;
    snprintf(denial.path, sizeof denial.path, "%s", known);
    cleanup_free char *path = retry_path_find(&denial, call->context->sandbox, call->spec->cwd,
                                              call->context->root, getenv("HOME"), &why);
    /* Of a push its repository, and nothing that holds it. */
    if (path != NULL && (entry->pushes_to == NULL || strcmp(path, known) == 0)) {
        entry->retry_path = steal_pointer(&path);
        offer_found(entry);
    }
    entry->no_retry_path = NULL; /* it may run without, and then it is asked about again */
}

void retry_path_keep(struct call_entry *entry)
{
    additional_permissions_free(&entry->given_more);
    sandbox_policy_free(&entry->given_policy);
    entry->given_more = steal_pointer(&entry->retry_more);
    entry->given_policy = steal_pointer(&entry->retry_policy);
}

void retry_path_drop(struct call_entry *entry)
{
    free(steal_pointer(&entry->retry_path));
    entry->no_retry_path = NULL;
    additional_permissions_free(&entry->retry_more);
    sandbox_policy_free(&entry->retry_policy);
}
