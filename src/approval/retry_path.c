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

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"
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
