/* SPDX-License-Identifier: MIT */
/* What of each writable root is protected: protect_collect() of protect.h. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "sandbox/protect.h"
#include "sandbox/protect_git.h"
#include "sandbox/protected.h"

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
    for (size_t i = 0; i < PROTECTED_NAME_COUNT; i++) {
        if (snprintf(path, sizeof path, "%s/%s", root, PROTECTED_NAMES[i].name) >= (int)sizeof path)
            return;
        bool hold = PROTECTED_NAMES[i].when == PROTECTED_ALWAYS ||
                    (is_home && PROTECTED_NAMES[i].when == PROTECTED_IN_HOME);
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
    protect->nested.limit = NESTED_MAX;
    collect_roots(policy, protect);
    for (char **root = protect->roots; *root; root++) {
        add_names(protect, *root, home && strcmp(home, *root) == 0);
        protect_git_collect(protect, *root, home, policy->protect_git == POLICY_PROTECT_GIT_ALL,
                            policy->protect_nested);
    }
}
