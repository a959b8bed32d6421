/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/protect_git.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "sandbox/git_pointer.h"
#include "sandbox/nearby.h"
#include "sandbox/protect_config.h"

enum { MODULE_DEPTH_MAX = 6 };

/* ---- one repository --------------------------------------------------------------------- */

/* What leads to a directory of git's goes on leading there. */
static void keep_pointer(const struct protect_git *search, const char *file, const char *prefix,
                         const char *base)
{
    char end[PATH_MAX];
    cleanup_free char *path = git_pointer_path(file, prefix, base);
    if (path)
        protect_keep_way(search->protect, path, end);
}

/* What can not be looked into now can be so once the command has changed its mode, which it can not
 * where it is mounted read-only. The operator's git has no use for it as it is. */
static bool protect_barred(const struct protect_git *search, const char *directory)
{
    if (!nested_is_barred(directory))
        return false;
    protect_add(search->protect, PROTECT_READONLY, directory);
    return true;
}

/* Has another command changed the mode of the directory since it was looked into? `type`: of what
 * is there, just asked for. */
static bool is_barred_by_now(mode_t type)
{
    return !type && errno == EACCES;
}

/* Read-only if it is there; a symlink in its place is kept too. */
static void protect_existing(const struct protect_git *search, const char *directory,
                             const char *name)
{
    char path[PATH_MAX];
    if (!path_join(path, directory, name))
        return;
    mode_t type = fd_file_type(path);
    if (is_barred_by_now(type)) {
        protect_add(search->protect, PROTECT_READONLY, directory);
    } else if (S_ISLNK(type)) {
        protect_add_way(search->protect, path, PLACEHOLDER_FILE);
    } else if (type) {
        protect_add(search->protect, PROTECT_READONLY, path);
    }
}

static void protect_or_hold(const struct protect_git *search, const char *directory,
                            const char *name, const char *content)
{
    char path[PATH_MAX];
    if (!path_join(path, directory, name))
        return;
    if (!protect_add_if_missing(search->protect, PLACEHOLDER_FILE, path, content))
        protect_existing(search, directory, name);
}

static bool is_working_tree(const char *directory)
{
    char git[PATH_MAX];
    return path_join(git, directory, ".git") && fd_file_type(git);
}

static void protect_repository(const struct protect_git *search, const char *directory,
                               const char *worktree);

/* NULL unless it is a directory: a link that a command has left there would lead to what is
 * read-only, hooks for one, which as part of a repository would become writable. */
static DIR *open_part(const char *path)
{
    return S_ISDIR(fd_file_type(path)) ? opendir(path) : NULL;
}

/* Administrative directory of a linked worktree. `common`: whose configuration has relative hooks;
 * NULL: none. */
static void protect_worktree(const struct protect_git *search, const char *directory,
                             const char *common)
{
    if (common)
        protect_config_of_repository(search, common, directory);
    protect_config_of_worktree(search, directory, directory);
    if (protect_barred(search, directory))
        return;
    protect_existing(search, directory, "commondir");
    protect_existing(search, directory, "gitdir");
    protect_or_hold(search, directory, "config.worktree", NULL);
}

/* Those in a repository: their pointers stay, the rest is working state.
 * There may be more of them afterwards: git_leftover looks at those. */
static void protect_worktrees(const struct protect_git *search, const char *directory,
                              const char *common, size_t first)
{
    char worktrees[PATH_MAX], path[PATH_MAX];
    if (!path_join(worktrees, directory, "worktrees") || protect_barred(search, worktrees))
        return;
    DIR *list = open_part(worktrees);
    if (!list)
        return;
    protect_add(search->protect, PROTECT_PIN, worktrees);
    for (struct dirent *entry;
         !protect_is_crowded(search->protect, first) && (entry = readdir(list));) {
        if (path_is_dots(entry->d_name) || !path_join(path, worktrees, entry->d_name) ||
            !S_ISDIR(fd_file_type(path)))
            continue;
        protect_add_writable(search->protect, path);
        protect_worktree(search, path, common);
    }
    closedir(list);
}

/* Repositories of submodules lie beneath, at any depth, each under its name. */
static void visit_modules(const struct protect_git *search, const char *modules, size_t first,
                          int depth)
{
    char path[PATH_MAX], head[PATH_MAX];
    DIR *list = depth > 0 ? open_part(modules) : NULL;
    if (!list)
        return;
    for (struct dirent *entry;
         !protect_is_crowded_with_modules(search->protect, first) && (entry = readdir(list));) {
        if (path_is_dots(entry->d_name) || !path_join(path, modules, entry->d_name) ||
            !S_ISDIR(fd_file_type(path)))
            continue;
        if (path_join(head, path, "HEAD") && fd_file_type(head)) {
            protect_add_writable(search->protect, path);
            protect_repository(search, path, NULL);
        } else {
            visit_modules(search, path, first, depth - 1);
        }
    }
    closedir(list);
}

/* Those that are too many stay read-only, as their directory is. */
static void protect_modules(const struct protect_git *search, const char *directory)
{
    char modules[PATH_MAX];
    size_t first = search->protect->count;
    if (!path_join(modules, directory, "modules"))
        return;
    visit_modules(search, modules, first, MODULE_DEPTH_MAX);
    if (protect_is_crowded_with_modules(search->protect, first))
        protect_note_whole(search->protect, modules);
}

/* What git itself changes in its directory as it works: objects, references, the index, heads and
 * messages, the state of a rebase or the like. */
static bool is_working_state(const char *name)
{
    static const char *const NAMES[] = {"objects",      "refs",      "logs",    "reftable",
                                        "rebase-merge", "sequencer", "lfs",     "rebase-apply",
                                        "rr-cache",     "worktrees", "modules", "description"};
    static const char *const STARTS[] = {"index",       "sharedindex.", "next-index-",
                                         "packed-refs", "shallow",      "gc."};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(name, NAMES[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
        if (strncmp(name, STARTS[i], strlen(STARTS[i])) == 0)
            return true;
    return name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] == '\0';
}

/* Of git at work or of ours (base/fd.c), and gone in a moment. */
static bool is_lock(const char *name)
{
    size_t length = strlen(name);
    return (length > 5 && strcmp(name + length - 5, ".lock") == 0) ||
           strncmp(name, ".assent-", strlen(".assent-")) == 0;
}

/* Whatever else is there stays as it is. In a working tree that is a bare repository as well,
 * nobody can tell what belongs to which. */
static void protect_others(const struct protect_git *search, const char *directory, size_t first)
{
    DIR *list = opendir(directory);
    if (!list)
        return;
    for (struct dirent *entry;
         !protect_is_crowded(search->protect, first) && (entry = readdir(list));)
        if (!path_is_dots(entry->d_name) && !is_working_state(entry->d_name) &&
            !is_lock(entry->d_name))
            protect_existing(search, directory, entry->d_name);
    closedir(list);
}

/* `directory` is what git calls the common directory; pinned by the caller. An existing commondir
 * makes git look elsewhere for its configuration; one that says "." changes nothing. */
static void protect_repository(const struct protect_git *search, const char *directory,
                               const char *worktree)
{
    static const char *const EXISTING[] = {"config", "gitdir", "branches", "remotes"};
    size_t first = search->protect->count;
    protect_know_repository(search->protect, directory);
    bool relative = protect_config_everywhere(search, directory, worktree);
    if (protect_is_kept(search->protect, directory) || protect_barred(search, directory))
        return;
    for (size_t i = 0; i < sizeof EXISTING / sizeof *EXISTING; i++)
        protect_existing(search, directory, EXISTING[i]);
    protect_or_hold(search, directory, "hooks", NULL);
    protect_or_hold(search, directory, "info", NULL);
    protect_or_hold(search, directory, "commondir", ".\n");
    protect_or_hold(search, directory, "config.worktree", NULL);
    protect_or_hold(search, directory, "modules", NULL);
    if (!is_working_tree(directory) && !protect_is_root(search->protect, directory))
        protect_others(search, directory, first);
    protect_worktrees(search, directory, relative ? directory : NULL, first);
    if (protect_is_crowded(search->protect, first))
        protect_add_whole(search->protect, directory);
    else
        protect_modules(search, directory);
}

/* ---- finding them ----------------------------------------------------------------------- */

/* Where `directory` has its configuration from, if that is elsewhere; else NULL: git finds all in
 * it. The caller frees. */
static char *common_of(const char *directory)
{
    char file[PATH_MAX];
    cleanup_free char *common = path_join(file, directory, "commondir")
                                    ? git_pointer_read(file, GIT_POINTER_COMMON, directory)
                                    : NULL;
    return common && strcmp(common, directory) != 0 ? steal_pointer(&common) : NULL;
}

/* What lies in no root can not be changed, but what it names may. */
static void protect_common(const struct protect_git *search, const char *directory,
                           const char *common, const char *worktree)
{
    char pointer[PATH_MAX];
    if (path_join(pointer, directory, "commondir"))
        keep_pointer(search, pointer, GIT_POINTER_COMMON, directory);
    protect_config_of_worktree(search, directory, worktree);
    if (protect_pin_to(search->protect, common))
        protect_repository(search, common, worktree);
    else
        protect_config_of_repository(search, common, worktree);
}

/* What git takes for its directory, which can be that of a linked worktree. */
static void protect_git_directory(const struct protect_git *search, const char *directory,
                                  const char *worktree)
{
    cleanup_free char *common = common_of(directory);
    if (!protect_pin_to(search->protect, directory)) {
        protect_common(search, directory, common ?: directory, worktree);
        return;
    }
    if (search->all && worktree) { /* else it may be where the operator works */
        protect_add(search->protect, PROTECT_READONLY, directory);
        return;
    }
    if (!common) {
        protect_repository(search, directory, worktree);
        return;
    }
    protect_common(search, directory, common, worktree);
    protect_know_repository(search->protect, directory);
    protect_worktree(search, directory, common); /* after what the repository makes writable */
}

/* Who can not look into it can not tell. */
static bool may_be_repository(const char *directory)
{
    return git_pointer_is_repository(directory) || nested_is_barred(directory);
}

/* What a .git file points to, unless git takes it for no directory of its own. Then it is as any
 * other: a command could else have made read-only whatever it likes. */
static void protect_pointed(const struct protect_git *search, const char *pointer,
                            const char *worktree)
{
    cleanup_free char *directory = git_pointer_read(pointer, GIT_POINTER_DOT_GIT, worktree);
    if (directory && may_be_repository(directory)) {
        keep_pointer(search, pointer, GIT_POINTER_DOT_GIT, worktree);
        protect_git_directory(search, directory, worktree);
    } else {
        protect_know_pointer(search->protect, pointer);
    }
}

/* `git` is a symlink: to a repository, or to a file that points to one. */
static void protect_linked(const struct protect_git *search, const char *git, const char *worktree)
{
    char end[PATH_MAX];
    cleanup_free char *target = nearby_resolve(git);
    bool directory = target && S_ISDIR(fd_file_type(target));
    if (!target || (directory && !may_be_repository(target))) {
        protect_know_pointer(search->protect, git);
        return;
    }
    protect_keep_way(search->protect, git, end);
    if (directory) {
        protect_git_directory(search, target, worktree);
        return;
    }
    if (!protect_pin_to(search->protect, target))
        return;
    protect_add(search->protect, PROTECT_READONLY, target);
    protect_pointed(search, git, worktree);
}

/* `git` is the .git of the directory `worktree`, of any type. */
static void protect_dot_git(const struct protect_git *search, const char *git, const char *worktree)
{
    mode_t type = fd_file_type(git);
    if (is_barred_by_now(type))
        protect_add(search->protect, PROTECT_READONLY, worktree);
    if (!S_ISDIR(type) || search->all)
        protect_know_repository(search->protect, git);
    if (S_ISLNK(type)) {
        protect_add(search->protect, PROTECT_LINK, git);
        protect_linked(search, git, worktree);
    } else if (S_ISDIR(type) && search->all) {
        protect_add(search->protect, PROTECT_READONLY, git);
    } else if (S_ISDIR(type)) {
        protect_add(search->protect, PROTECT_PIN, git);
        protect_repository(search, git, worktree);
        cleanup_free char *common = common_of(git);
        if (common)
            protect_common(search, git, common, worktree);
    } else if (type) {
        protect_add(search->protect, PROTECT_READONLY, git);
        protect_pointed(search, git, worktree);
    }
}

/* `directory` has what a repository has, or a commondir that may lead to one. */
static void protect_bare(const struct protect_git *search, const char *directory)
{
    if (git_pointer_is_repository(directory))
        protect_git_directory(search, directory, NULL);
    else
        protect_know_pointer(search->protect, directory);
}

/* Does another command work in that part of the tree, and hold the name? That of a root is held
 * with the root. */
static bool is_held(const struct protect_git *search, const char *git, const char *directory)
{
    struct stat status;
    if (protect_is_root(search->protect, directory))
        return lstat(git, &status) == 0 && placeholder_is(&status);
    return protect_add_lent(search->protect, git);
}

void protect_git_found(const struct protect_git *search, const char *directory, bool bare)
{
    char git[PATH_MAX];
    if (!protect_pin_to(search->protect, directory))
        return;
    if (bare)
        protect_bare(search, directory);
    else if (path_join(git, directory, ".git") && !is_held(search, git, directory))
        protect_dot_git(search, git, directory);
}

/* Is it a part of a larger working tree? Stores the top of that. */
static bool in_repository(const char *root, char top[PATH_MAX])
{
    char git[PATH_MAX];
    snprintf(top, PATH_MAX, "%s", root);
    for (char *slash; (slash = strrchr(top, '/')) && slash != top;) {
        *slash = '\0';
        if (path_join(git, top, ".git") && fd_file_type(git))
            return true;
    }
    return false;
}

/* The configuration of that can have its hooks in this part. */
static void protect_larger(const struct protect_git *search, const char *top)
{
    char git[PATH_MAX];
    if (!path_join(git, top, ".git"))
        return;
    cleanup_free char *pointed = git_pointer_read(git, GIT_POINTER_DOT_GIT, top);
    cleanup_free char *directory = realpath(pointed ?: git, NULL);
    cleanup_free char *common = directory ? common_of(directory) : NULL;
    if (directory && !protect_root_of(search->protect, directory))
        protect_config_of_repository(search, common ?: directory, top);
}

void protect_git_root(const struct protect_git *search, const char *root)
{
    char git[PATH_MAX], top[PATH_MAX];
    if (!path_join(git, root, ".git"))
        return;
    bool part = in_repository(root, top);
    /* In a part of a larger repository git must still find that one from here. */
    enum placeholder_kind kind = part ? PLACEHOLDER_DIRECTORY : PLACEHOLDER_SOCKET;
    if (!protect_add_if_missing(search->protect, kind, git, NULL))
        protect_dot_git(search, git, root);
    if (part)
        protect_larger(search, top);
    protect_config_of_operator(search, NULL);
    if (path_join(git, root, "HEAD") && fd_file_type(git))
        protect_bare(search, root);
}
