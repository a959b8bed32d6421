/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/protect.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "sandbox/mounts.h"
#include "sandbox/placeholder.h"
#include "sandbox/protect_git.h"

/* Names at the top of a writable root that some program obeys without being asked again. */
static const struct {
    const char *name;
    enum {
        WHEN_THERE, /* protected if it exists */
        IN_HOME,    /* and in the home directory also if it does not */
        ALWAYS,     /* existing or not */
    } when;
} NAMES[] = {
    /* agents: settings, hooks, servers that they start */
    {".assent", ALWAYS},
    {".codex", ALWAYS},
    {".agents", ALWAYS},
    {".claude", ALWAYS},
    {".cursor", ALWAYS},
    {".gemini", ALWAYS},
    {".mcp.json", ALWAYS},
    {".opencode", WHEN_THERE},
    {".windsurf", WHEN_THERE},
    {".continue", WHEN_THERE},
    {".aider.conf.yml", WHEN_THERE},
    /* editors: tasks, project settings */
    {".vscode", ALWAYS},
    {".idea", ALWAYS},
    {".zed", WHEN_THERE},
    {".exrc", WHEN_THERE},
    {".vimrc", IN_HOME},
    {".nvimrc", WHEN_THERE},
    {".dir-locals.el", WHEN_THERE},
    {".emacs", IN_HOME},
    /* shells, and what changes them on entering a directory */
    {".envrc", ALWAYS},
    {".bashrc", IN_HOME},
    {".bash_profile", IN_HOME},
    {".bash_login", IN_HOME},
    {".bash_aliases", IN_HOME},
    {".bash_logout", IN_HOME},
    {".profile", IN_HOME},
    {".zshrc", IN_HOME},
    {".zshenv", IN_HOME},
    {".zprofile", IN_HOME},
    {".zlogin", IN_HOME},
    {".kshrc", IN_HOME},
    {".cshrc", IN_HOME},
    {".tcshrc", IN_HOME},
    {".inputrc", IN_HOME},
    {".xprofile", IN_HOME},
    {".xsessionrc", IN_HOME},
    {".pam_environment", IN_HOME},
    {".gitconfig", IN_HOME},
    {".ripgreprc", IN_HOME},
    {".ssh", IN_HOME},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool beneath(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* ---- the list --------------------------------------------------------------------------- */

static void append(struct protect *protect, struct protect_item item)
{
    for (size_t i = 0; i < protect->count; i++)
        if (strcmp(protect->items[i].path, item.path) == 0 && protect->items[i].kind == item.kind)
            return;
    item.path = xstrdup(item.path);
    protect->items = xreallocarray(protect->items, protect->count + 1, sizeof *protect->items);
    protect->items[protect->count++] = item;
}

void protect_add(struct protect *protect, enum protect_kind kind, const char *path)
{
    append(protect, (struct protect_item){.path = (char *)path, .kind = kind});
}

bool protect_add_if_missing(struct protect *protect, enum placeholder_kind missing,
                            const char *path, const char *content)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !placeholder_is(&status))
        return false;
    append(protect, (struct protect_item){.path = (char *)path,
                                          .kind = PROTECT_READONLY,
                                          .missing = missing,
                                          .content = content});
    return true;
}

static const char *root_of(const struct protect *protect, const char *path)
{
    const char *found = NULL;
    for (char **root = protect->roots; *root; root++)
        if (beneath(path, *root) && (!found || strlen(*root) > strlen(found)))
            found = *root;
    return found;
}

bool protect_pin_to(struct protect *protect, const char *path)
{
    const char *root = root_of(protect, path);
    char part[PATH_MAX];
    if (!root)
        return false;
    for (size_t at = strlen(root); path[at];) {
        at += 1 + strcspn(path + at + 1, "/");
        snprintf(part, sizeof part, "%.*s", (int)at, path);
        struct stat status;
        if (lstat(part, &status) == 0)
            protect_add(protect, S_ISLNK(status.st_mode) ? PROTECT_LINK : PROTECT_PIN, part);
    }
    return true;
}

bool protect_add_anywhere(struct protect *protect, const char *path)
{
    char part[PATH_MAX];
    const char *root = root_of(protect, path);
    if (!root || strcmp(root, path) == 0)
        return false;
    for (size_t at = strlen(root); path[at];) { /* the first part that is missing is held */
        at += 1 + strcspn(path + at + 1, "/");
        snprintf(part, sizeof part, "%.*s", (int)at, path);
        if (protect_add_if_missing(protect, PLACEHOLDER_SOCKET, part, NULL))
            return true;
        if (path[at])
            protect_pin_to(protect, part);
    }
    protect_add(protect, PROTECT_READONLY, path);
    return true;
}

/* ---- one root --------------------------------------------------------------------------- */

/* A symlink is kept in its place, and what it leads to is protected where that is writable. */
static void add_link(struct protect *protect, const char *path)
{
    char *target = realpath(path, NULL);
    protect_add(protect, PROTECT_LINK, path);
    if (target)
        protect_add_anywhere(protect, target);
    free(target);
}

static void add_names(struct protect *protect, const char *root, bool is_home)
{
    char path[PATH_MAX];
    struct stat status;
    for (size_t i = 0; i < COUNT(NAMES); i++) {
        if (snprintf(path, sizeof path, "%s/%s", root, NAMES[i].name) >= (int)sizeof path)
            return;
        bool hold = NAMES[i].when == ALWAYS || (is_home && NAMES[i].when == IN_HOME);
        if (hold && protect_add_if_missing(protect, PLACEHOLDER_SOCKET, path, NULL))
            continue;
        if (lstat(path, &status) < 0)
            continue;
        if (S_ISLNK(status.st_mode))
            add_link(protect, path);
        else
            protect_add(protect, PROTECT_READONLY, path);
    }
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

void protect_collect(const struct sandbox_policy *policy, const char *home, struct protect *protect)
{
    *protect = (struct protect){0};
    if (!policy->protect)
        return;
    collect_roots(policy, protect);
    for (char **root = protect->roots; *root; root++) {
        add_names(protect, *root, home && strcmp(home, *root) == 0);
        protect_git_collect(protect, *root, home, policy->protect_git == POLICY_PROTECT_GIT_ALL,
                            policy->protect_nested);
    }
}

/* Without a placeholder there is nothing to mount over. */
static void forget(struct protect *protect, size_t index)
{
    free(protect->items[index].path);
    memmove(&protect->items[index], &protect->items[index + 1],
            (--protect->count - index) * sizeof *protect->items);
}

int protect_hold(struct protect *protect, struct placeholders *placeholders, struct error *error)
{
    for (size_t i = 0; i < protect->count; i++) {
        struct protect_item *item = &protect->items[i];
        if (item->missing == PLACEHOLDER_NONE)
            continue;
        int result = placeholders_make(placeholders, item->missing, item->path, item->content);
        if (result == -EROFS || result == -EACCES || result == -EPERM)
            forget(protect, i--);
        else if (result < 0)
            return error_set(error, -result, "holding the place of %s", item->path);
        else if (result > 0)
            item->missing = PLACEHOLDER_NONE; /* made by somebody in the meantime */
    }
    return 0;
}

void protect_free(struct protect *protect)
{
    for (size_t i = 0; i < protect->count; i++)
        free(protect->items[i].path);
    free(protect->items);
    strv_free(&protect->roots);
    *protect = (struct protect){0};
}

/* ---- mounting --------------------------------------------------------------------------- */

int protect_apply_item(const struct protect_item *item)
{
    switch (item->kind) {
    case PROTECT_PIN:
        return mounts_pin(item->path);
    case PROTECT_READONLY:
        return mounts_cover_readonly(item->path);
    case PROTECT_WRITABLE:
        return mounts_cover_writable(item->path);
    case PROTECT_LINK:
        break;
    }
    return mounts_pin_link(item->path);
}

int protect_apply(const struct protect *protect, struct error *error)
{
    for (size_t i = 0; i < protect->count; i++) {
        int result = protect_apply_item(&protect->items[i]);
        if (result < 0)
            return error_set(error, -result, "protecting %s", protect->items[i].path);
    }
    return 0;
}
