/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/protect_hooks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/path.h"
#include "sandbox/nested.h"

/* ---- named by a configuration ----------------------------------------------------------- */

static void add_directory(struct protect *protect, const char *path)
{
    cleanup_free char *directory = realpath(path, NULL);
    if (directory && protect_is_root(protect, directory))
        protect_add(protect, PROTECT_READONLY, directory);
    else
        protect_add_way(protect, path, PLACEHOLDER_SOCKET);
    if (directory)
        protect_add_links(protect, directory, PROTECT_LINKS_DEEP);
}

/* Those of husky, in .husky/_, run the file of the same name in .husky. */
static void add_above(struct protect *protect, const char *path)
{
    static const char HUSKY[] = ".husky/_";
    size_t length = strlen(path), size = strlen(HUSKY);
    while (length > 0 && path[length - 1] == '/')
        length--;
    if (length < size || strncmp(path + length - size, HUSKY, size) != 0)
        return;
    cleanup_free char *above = xstrndup(path, length - strlen("/_"));
    add_directory(protect, above);
}

void protect_hooks_named(struct protect *protect, const char *path)
{
    add_directory(protect, path);
    add_above(protect, path);
}

/* ---- guessed ---------------------------------------------------------------------------- */

/* githooks(5), but for names that other programs use as well. */
static const char *const HOOKS[] = {
    "applypatch-msg", "commit-msg",         "fsmonitor-watchman", "post-applypatch",
    "post-checkout",  "post-commit",        "post-index-change",  "post-merge",
    "post-receive",   "post-rewrite",       "post-update",        "pre-applypatch",
    "pre-auto-gc",    "pre-commit",         "pre-merge-commit",   "pre-push",
    "pre-rebase",     "pre-receive",        "prepare-commit-msg", "push-to-checkout",
    "proc-receive",   "sendemail-validate",
};

/* Git runs no other files. */
static bool has_hooks(const char *directory)
{
    char path[PATH_MAX];
    struct stat status;
    for (size_t i = 0; i < COUNT(HOOKS); i++)
        if (path_join(path, directory, HOOKS[i]) && stat(path, &status) == 0 &&
            S_ISREG(status.st_mode) && (status.st_mode & 0111))
            return true;
    return false;
}

/* "hooks", ".githooks", "git-hooks.d"; what is installed does not have the operator's. */
static bool is_likely(const char *directory)
{
    return strcasestr(strrchr(directory, '/'), "hook") && !nested_is_dependency(directory);
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Each of them, existing or not: or only those that are links, where the directory is read-only. A
 * directory is none, and a link to one would make that read-only. */
static void add_hooks(struct protect *protect, const char *directory, bool links)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < COUNT(HOOKS); i++)
        if (path_join(path, directory, HOOKS[i]) && !is_directory(path) &&
            (!links || S_ISLNK(fd_file_type(path))))
            protect_add_way(protect, path, PLACEHOLDER_SOCKET);
}

/* In a root, where a command could put one of that name, the rest stays writable. */
void protect_hooks_guessed(struct protect *protect)
{
    for (char **root = protect->roots; *root; root++)
        if (has_hooks(*root))
            add_hooks(protect, *root, false);
    for (size_t i = 0; i < protect->nested.count; i++) {
        const char *directory = protect->nested.directories[i];
        if (is_likely(directory) && !protect_is_kept(protect, directory) && has_hooks(directory)) {
            protect_pin_to(protect, directory);
            protect_add(protect, PROTECT_READONLY, directory);
            add_hooks(protect, directory, true);
        }
    }
}
