/* SPDX-License-Identifier: MIT */
/* What of each writable root is protected: protect_collect() of protect.h. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/path.h"
#include "sandbox/closed.h"
#include "sandbox/names.h"
#include "sandbox/nearby.h"
#include "sandbox/protect.h"
#include "sandbox/protect_git.h"
#include "sandbox/protect_hooks.h"
#include "sandbox/protected.h"

/* And what it leads to, or holds by way of a link. */
static void add_name(struct protect *protect, const char *directory, const char *path)
{
    struct stat status;
    if (lstat(path, &status) < 0) {
        if (errno == EACCES) /* another command has just changed its mode */
            protect_note_barred(protect, directory);
        return;
    }
    if (S_ISLNK(status.st_mode))
        protect_add_way(protect, path, PLACEHOLDER_SOCKET);
    else
        protect_add(protect, PROTECT_READONLY, path);
    cleanup_free char *end = S_ISREG(status.st_mode) ? NULL : nearby_resolve(path);
    if (end)
        protect_add_links(protect, end, PROTECT_LINKS_DEEP);
}

/* What is not held is there because somebody has made it: a command, for all we know. */
static void add_name_there(struct protect *protect, const char *directory, const char *path,
                           bool held)
{
    protect->shares_links = !held;
    add_name(protect, directory, path);
    protect->shares_links = false;
}

static void add_names(struct protect *protect, const char *root, bool is_home)
{
    char path[PATH_MAX];
    struct names names;
    names_read(&names, root);
    for (size_t i = 0; i < PROTECTED_NAME_COUNT; i++) {
        if (snprintf(path, sizeof path, "%s/%s", root, PROTECTED_NAMES[i].name) >= (int)sizeof path)
            return;
        bool hold = PROTECTED_NAMES[i].when == PROTECTED_ALWAYS ||
                    (is_home && PROTECTED_NAMES[i].when == PROTECTED_IN_HOME);
        if (!hold && !names_may_have(&names, PROTECTED_NAMES[i].name))
            continue;
        if (hold && protect_add_if_missing(protect, PLACEHOLDER_SOCKET, path, NULL))
            continue;
        add_name_there(protect, root, path, hold);
    }
}

/* Those of a project beneath a root that are there: for each that is not, each project would get a
 * placeholder. */
static void add_names_nested(struct protect *protect, const char *directory)
{
    char path[PATH_MAX];
    struct names names;
    names_read(&names, directory);
    for (size_t i = 0; i < PROTECTED_NAME_COUNT; i++)
        if (PROTECTED_NAMES[i].when != PROTECTED_IN_HOME &&
            names_may_have(&names, PROTECTED_NAMES[i].name) &&
            path_join(path, directory, PROTECTED_NAMES[i].name) && !protect_add_lent(protect, path))
            add_name(protect, directory, path);
}

/* Where everybody may write nobody looks for settings. */
static bool is_temporary(const char *root)
{
    return strcmp(root, "/tmp") == 0 || strcmp(root, "/var/tmp") == 0 ||
           strcmp(root, "/dev/shm") == 0;
}

static void collect_roots(const struct sandbox_policy *policy, struct protect *protect)
{
    size_t count = 0;
    protect->roots = xcalloc(policy->entry_count + 1, sizeof *protect->roots);
    for (size_t i = 0; i < policy->entry_count; i++) {
        struct stat status;
        const struct policy_entry *entry = &policy->entries[i];
        if (entry->access != POLICY_ACCESS_WRITE || stat(entry->path, &status) < 0 ||
            !S_ISDIR(status.st_mode) || is_temporary(entry->path))
            continue;
        char *root = realpath(entry->path, NULL);
        if (root && strcmp(root, "/") != 0)
            protect->roots[count++] = root;
        else
            free(root);
    }
}

/* What programs that look there take for nothing: an empty object, file or directory. */
static bool hold_by_name(struct protect *protect, const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    const char *dot = strrchr(name, '.');
    if (!dot)
        return protect_add_if_missing(protect, PLACEHOLDER_DIRECTORY, path, NULL);
    return protect_add_if_missing(protect, PLACEHOLDER_FILE, path,
                                  strcmp(dot, ".json") == 0 ? "{}" : NULL);
}

static bool lies_in_root(const struct protect *protect, const char *directory)
{
    for (char **root = protect->roots; *root; root++)
        if (path_is_beneath(directory, *root))
            return true;
    return false;
}

/* What the policy itself has read-only inside a root: a mount over it is not enough where nothing
 * is there yet, where a symlink is, or when the host replaces it. */
static void add_read_only(struct protect *protect, const char *path)
{
    char directory[PATH_MAX], name[PATH_MAX];
    struct stat status;
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
    if (!realpath(name[0] ? name : "/", directory) || !lies_in_root(protect, directory) ||
        snprintf(name, sizeof name, "%s%s", directory, slash) >= (int)sizeof name)
        return;
    protect_pin_to(protect, directory);
    if (hold_by_name(protect, name) || lstat(name, &status) < 0)
        return;
    if (S_ISLNK(status.st_mode))
        protect_add_way(protect, name, PLACEHOLDER_SOCKET);
    else if (S_ISREG(status.st_mode)) /* a directory may hold roots of its own */
        protect_add(protect, PROTECT_READONLY, name);
}

/* What is closed only because this link leads there stays where it is, and so do the links: else
 * the next command could read it. */
static void keep_link(struct protect *protect, const char *path)
{
    char target[PATH_MAX];
    struct stat status;
    if (lstat(path, &status) < 0 || !S_ISLNK(status.st_mode) || !protect_pin_to(protect, path) ||
        !protect_keep_way(protect, path, target))
        return;
    *strrchr(target, '/') = '\0';
    protect_pin_to(protect, target);
}

/* A later entry, or a nearer one, may say otherwise. */
static void add_entries(struct protect *protect, const struct sandbox_policy *policy)
{
    for (size_t i = 0; i < policy->entry_count; i++) {
        const struct policy_entry *entry = &policy->entries[i];
        if (entry->access == POLICY_ACCESS_READ && strcmp(entry->path, "/") != 0 &&
            sandbox_policy_access_at(policy, entry->path) == POLICY_ACCESS_READ)
            add_read_only(protect, entry->path);
        if (entry->access == POLICY_ACCESS_NONE &&
            sandbox_policy_access_at(policy, entry->path) == POLICY_ACCESS_NONE)
            keep_link(protect, entry->path);
    }
}

struct search {
    struct protect_git git;
    const struct sandbox_policy *policy;
    const char *root;
};

/* A file, or the one in this root that a link leads to: a command that could have directories, or
 * the machine's files, closed for all that follow, by a link to them, would stop everybody's work.
 * NULL: nothing is to be closed. */
static char *to_close(const struct search *search, const char *path)
{
    struct stat status;
    if (stat(path, &status) < 0 || !S_ISREG(status.st_mode) ||
        !closed_like_top(search->policy, search->root, path))
        return NULL;
    char *file = nearby_resolve(path);
    if (file && path_is_beneath(file, search->root))
        return file;
    free(file);
    return NULL;
}

/* Takes the path. */
static void close_path(struct protect *protect, char *path)
{
    protect->closed =
        xreallocarray(protect->closed, protect->closed_count + 1, sizeof *protect->closed);
    protect->closed[protect->closed_count++] = path;
}

static void add_closed(const struct search *search, const char *directory)
{
    struct protect *protect = search->git.protect;
    for (const char *const *name = CLOSED_IN_WORKSPACE; *name; name++) {
        cleanup_free char *path = xasprintf("%s/%s", directory, *name);
        char *closed = to_close(search, path);
        if (!closed)
            continue;
        keep_link(protect, path);
        close_path(protect, closed);
    }
}

/* A command could bar the others from listing a directory, so that what is closed or protected in
 * it is not found, and open it again once they run. */
static void add_barred(const struct search *search, const char *directory)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, CLOSED_IN_WORKSPACE[0]);
    if (closed_like_top(search->policy, search->root, path))
        close_path(search->git.protect, xstrdup(directory));
    else if (protect_pin_to(search->git.protect, directory))
        protect_add(search->git.protect, PROTECT_READONLY, directory);
}

static void add_repository(const struct search *search, const char *directory,
                           enum nested_kind kind)
{
    protect_git_found(&search->git, directory, kind == NESTED_BARE);
    if (kind == NESTED_WORKTREE && !protect_is_root(search->git.protect, directory))
        add_names_nested(search->git.protect, directory);
}

static void add_nested(const char *directory, enum nested_kind kind, void *argument)
{
    const struct search *search = argument;
    if (kind == NESTED_CLOSED)
        add_closed(search, directory);
    else if (kind == NESTED_BARRED)
        add_barred(search, directory);
    else
        add_repository(search, directory, kind);
}

static void add_root(struct protect *protect, const struct sandbox_policy *policy, const char *home,
                     const char *root)
{
    struct search search = {
        .git = {protect, home, policy->protect_git == POLICY_PROTECT_GIT_ALL},
        .policy = policy,
        .root = root,
    };
    add_names(protect, root, home && strcmp(home, root) == 0);
    protect_git_root(&search.git, root);
    protect->shares_links = true;
    if (policy->protect_nested)
        nested_search(&protect->nested, root, add_nested, &search);
    protect->shares_links = false;
    if (policy->protect_nested ? protect->nested.barred : nested_is_barred(root))
        protect_note_barred(protect, root);
}

static void add_closed_only(const char *directory, enum nested_kind kind, void *argument)
{
    if (kind == NESTED_CLOSED)
        add_closed(argument, directory);
    else if (kind == NESTED_BARRED)
        add_barred(argument, directory);
}

/* A workspace that can only be read has secrets, too. Its entries are beside one another. */
static void add_readable_workspaces(struct protect *protect, const struct sandbox_policy *policy)
{
    cleanup_free char *last = NULL;
    for (size_t i = 0; policy->protect_nested && i < policy->entry_count; i++) {
        char *root = closed_workspace(&policy->entries[i]);
        if (!root || protect_is_root(protect, root) || (last && strcmp(root, last) == 0)) {
            free(root);
            continue;
        }
        struct nested nested = {.limit = NESTED_MAX};
        struct search search = {.git = {.protect = protect}, .policy = policy, .root = root};
        nested_search(&nested, root, add_closed_only, &search);
        nested_free(&nested);
        free(last);
        last = root;
    }
}

/* Is it, or what it lies in, read-only? What a repository's own list of modules is read-only for
 * does not count. */
static bool is_kept(const struct protect *protect, const char *path)
{
    static const char MODULES[] = "/modules";
    size_t size = strlen(MODULES);
    for (size_t end = strlen(path); end > 0; end--)
        if ((path[end] == '/' || path[end] == '\0') &&
            (end < size || strncmp(path + end - size, MODULES, size) != 0) &&
            protect_has(protect, PROTECT_READONLY, path, end))
            return true;
    return false;
}

/* A pointer that a command has left can make a repository of anything: what is read-only for
 * another reason does not become writable as a part of one. */
static void drop_writable(struct protect *protect, const struct sandbox_policy *policy)
{
    size_t kept = 0;
    for (size_t i = 0; i < protect->count; i++) {
        struct protect_item item = protect->items[i];
        if (item.kind == PROTECT_WRITABLE &&
            (sandbox_policy_access_at(policy, item.path) != POLICY_ACCESS_WRITE ||
             is_kept(protect, item.path)))
            protect_forget(protect, &item);
        else
            protect->items[kept++] = item;
    }
    protect->count = kept;
}

void protect_collect(const struct sandbox_policy *policy, const char *home, struct protect *protect)
{
    *protect = (struct protect){.links_left = PROTECT_LINKS_LEFT};
    if (!policy->protect)
        return;
    clock_gettime(CLOCK_REALTIME_COARSE, &protect->since);
    protect->nested.limit = NESTED_MAX;
    collect_roots(policy, protect);
    add_entries(protect, policy);
    for (char **root = protect->roots; *root; root++)
        add_root(protect, policy, home, *root);
    if (home)
        protect_add_home(protect, home);
    protect_hooks_guessed(protect);
    drop_writable(protect, policy);
    add_readable_workspaces(protect, policy);
}
