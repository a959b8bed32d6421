/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/retry_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "risk/place.h"
#include "sandbox/protected.h"

/* ---- which path ------------------------------------------------------------------------------ */

static bool is_about_writing(const struct sandbox_denial *denial)
{
    return denial->path[0] != '\0' &&
           (strcmp(denial->cause, "write") == 0 || strcmp(denial->cause, "file system") == 0);
}

/* The real path of what is there, or else of the directory in which it would be. */
static char *real_place(const char *path)
{
    char *real = realpath(path, NULL);
    if (real != NULL || errno != ENOENT)
        return real;
    cleanup_free char *directory = xstrdup(path);
    char *slash = strrchr(directory, '/');
    if (slash == NULL || slash == directory || slash[1] == '\0' || path_is_dots(slash + 1))
        return NULL;
    *slash = '\0';
    return realpath(directory, NULL);
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

/* Places are known by their customary names, those in a home directory by its own. */
static bool is_grave(const char *path, const char *home)
{
    cleanup_free char *real = home != NULL ? realpath(home, NULL) : NULL;
    if (real == NULL || strcmp(real, "/") == 0 || !path_is_beneath(path, real))
        return place_is_grave(path);
    cleanup_free char *named = xasprintf("~%s", path + strlen(real));
    return place_is_grave(named);
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

static bool has(const char *directory, const char *name)
{
    char path[PATH_MAX];
    return path_join(path, directory, name) && access(path, F_OK) == 0;
}

/* Git asks for more: what only looks like one is not worth an answer. */
static bool is_git_directory(const char *path)
{
    return strcasecmp(strrchr(path, '/') + 1, ".git") == 0 ||
           (has(path, "HEAD") && (has(path, "objects") || has(path, "commondir")));
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

static bool may_be_given(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && is_one_place(&status) && access(path, W_OK) == 0 &&
           !is_at_top(path) && !is_kernels(path) && !is_protected(path) && !is_in_git(path) &&
           !is_git_pointer(path, &status) && is_plain_text(path);
}

char *retry_path_find(const struct sandbox_denial *denial, const struct sandbox_policy *policy,
                      const char *cwd, const char *root, const char *home)
{
    char joined[PATH_MAX];
    const char *asked = denial->path;
    if (!is_about_writing(denial))
        return NULL;
    if (asked[0] != '/') {
        if (!path_join(joined, cwd, asked))
            return NULL;
        asked = joined;
    }
    cleanup_free char *path = real_place(asked);
    if (path == NULL || holds(path, root) || holds(path, home) || holds_closed(path, policy) ||
        is_grave(path, home) || is_hidden(path, policy) || !may_be_given(path) ||
        sandbox_policy_access_at(policy, path) != POLICY_ACCESS_READ)
        return NULL;
    return steal_pointer(&path);
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

bool retry_path_pin(struct sandbox_policy *policy, const char *path)
{
    struct stat status;
    for (size_t i = policy->entry_count; i-- > 0;) {
        struct policy_entry *entry = &policy->entries[i];
        if (entry->access != POLICY_ACCESS_WRITE || strcmp(entry->path, path) != 0)
            continue;
        if (!stat_itself(path, &status))
            return false;
        entry->device = status.st_dev;
        entry->inode = status.st_ino;
        return true;
    }
    return false;
}

/* ---- what a second attempt would get --------------------------------------------------------- */

static struct additional_permissions *with_path(const struct additional_permissions *asked,
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

static char *path_of_denial(const struct call_entry *entry)
{
    const struct call *call = &entry->call;
    const struct attempt *attempt = &call->attempts[0];
    struct sandbox_policy *policy = attempt_policy(entry, attempt->sandbox, NULL);
    if (policy == NULL)
        return NULL;
    char *path = retry_path_find(attempt->denial, policy, call->spec->cwd, call->context->root,
                                 getenv("HOME"));
    sandbox_policy_free(&policy);
    return path;
}

/* What is protected within a directory, Landlock alone cannot take out of it. */
static bool keeps_protected(const struct call_entry *entry, const struct sandbox_policy *policy)
{
    const struct sandbox_capability *capability = &entry->orchestrator->capability;
    struct stat status;
    return capability->platform != SANDBOX_PLATFORM_LINUX ||
           (capability->user_namespaces && !policy->no_user_namespaces) ||
           (stat(entry->retry_path, &status) == 0 && S_ISREG(status.st_mode));
}

/* Would a sandbox hold that here? What the path names now is what is meant, and nothing that is put
 * in its place before the start. */
static bool can_be_held(const struct call_entry *entry, struct sandbox_policy *policy)
{
    enum sandbox_type type;
    return policy != NULL && retry_path_pin(policy, entry->retry_path) &&
           sandbox_policy_pin(policy, NULL) == 0 &&
           attempt_type(entry, ATTEMPT_PERMISSIONS, policy, &type, NULL) == 0 &&
           type != SANDBOX_TYPE_NONE && keeps_protected(entry, policy);
}

void retry_path_offer(struct call_entry *entry)
{
    const struct call *call = &entry->call;
    retry_path_drop(entry);
    if (!entry->retry || !ran_confined(call))
        return;
    entry->retry_path = path_of_denial(entry);
    if (entry->retry_path == NULL)
        return;
    entry->retry_more = with_path(call->spec->additional, entry->retry_path);
    entry->retry_policy =
        sandbox_policy_with_additional(call->context->sandbox, entry->retry_more, NULL);
    if (!can_be_held(entry, entry->retry_policy))
        retry_path_drop(entry);
}

void retry_path_drop(struct call_entry *entry)
{
    free(steal_pointer(&entry->retry_path));
    additional_permissions_free(&entry->retry_more);
    sandbox_policy_free(&entry->retry_policy);
}
