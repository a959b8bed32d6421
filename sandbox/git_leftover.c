/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_leftover.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "sandbox/aside.h"
#include "sandbox/git_code.h"
#include "sandbox/git_pointer.h"
#include "sandbox/nearby.h"

enum { DEPTH_MAX = 6 };

/* Not through a symlink: that could lead to half of the machine. */
static DIR *open_list(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (!list)
        fd_close(&fd);
    return list;
}

/* Calls `visit` with the path of each entry; git has worktrees and modules of any name. */
static void visit_entries(struct git_leftover *leftover, const char *directory, int depth,
                          void (*visit)(struct git_leftover *leftover, const char *path, int depth))
{
    char path[PATH_MAX];
    DIR *list = depth > 0 ? open_list(directory) : NULL;
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));)
        if (!path_is_dots(entry->d_name) && path_join(path, directory, entry->d_name))
            visit(leftover, path, depth - 1);
    closedir(list);
}

static void set_aside(const struct git_leftover *leftover, const char *path)
{
    git_books_set_aside(leftover->report, path);
}

/* ---- a repository ----------------------------------------------------------------------- */

static void tame_code(const char *path, const char *harmless, void *argument)
{
    const struct git_leftover *leftover = argument;
    if (git_code_set_aside(leftover->protect, path, harmless))
        git_books_tell_aside(leftover->report, path);
}

static void tame_repository(struct git_leftover *leftover, const char *directory, int depth);

/* Repositories of submodules, each under its name, which may have slashes. */
static void tame_module(struct git_leftover *leftover, const char *path, int depth)
{
    char head[PATH_MAX];
    if (!S_ISDIR(fd_file_type(path)))
        return;
    if (path_join(head, path, "HEAD") && fd_file_type(head))
        tame_repository(leftover, path, depth);
    else
        visit_entries(leftover, path, depth, tame_module);
}

static bool in_roots(const struct git_leftover *leftover, const char *path)
{
    for (char **root = leftover->protect->roots; *root; root++)
        if (path_is_beneath(path, *root))
            return true;
    return false;
}

/* Where a pointer leads; outside the roots the command could make nothing. */
static void tame_target(struct git_leftover *leftover, const char *target, int depth)
{
    if (target && in_roots(leftover, target))
        tame_repository(leftover, target, depth);
}

/* Where it has its configuration and hooks from, if that makes a repository of both. */
static void tame_common(struct git_leftover *leftover, const char *directory, int depth)
{
    char path[PATH_MAX];
    if (!path_join(path, directory, "commondir") || !fd_file_type(path) ||
        !git_pointer_is_repository(directory))
        return;
    cleanup_free char *common = git_pointer_read(path, GIT_POINTER_COMMON, directory);
    tame_target(leftover, common, depth);
}

static bool was_a_worktree(const struct git_leftover *leftover, const char *path)
{
    const struct protect *protect = leftover->protect;
    for (size_t i = 0; i < protect->count; i++)
        if (protect->items[i].kind == PROTECT_WRITABLE && strcmp(protect->items[i].path, path) == 0)
            return true;
    return false;
}

/* Where a linked worktree that the command made has its own configuration, and what leads to the
 * rest of it. */
static void tame_worktree(struct git_leftover *leftover, const char *path, int depth)
{
    if (S_ISDIR(fd_file_type(path)) && !was_a_worktree(leftover, path))
        tame_repository(leftover, path, depth);
}

static void tame_worktrees(struct git_leftover *leftover, const char *directory, int depth)
{
    char path[PATH_MAX];
    if (path_join(path, directory, "worktrees") && S_ISDIR(fd_file_type(path)))
        visit_entries(leftover, path, depth, tame_worktree);
}

static void tame_repository(struct git_leftover *leftover, const char *directory, int depth)
{
    char path[PATH_MAX];
    if (depth == 0 || !protect_know_repository(leftover->protect, directory))
        return;
    git_code_visit(leftover->protect, directory, tame_code, leftover);
    git_books_tame(&leftover->books, directory, true); /* what was moved there is older */
    git_links_remove_beneath(&leftover->links, directory, !leftover->unsure);
    if (path_join(path, directory, "modules"))
        visit_entries(leftover, path, depth, tame_module);
    tame_worktrees(leftover, directory, depth);
    tame_common(leftover, directory, depth - 1);
}

/* ---- finding them ----------------------------------------------------------------------- */

static bool has_changed(const struct git_leftover *leftover, const char *directory,
                        const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    return path_join(path, directory, name) && lstat(path, &status) == 0 &&
           git_links_is_later(&status.st_ctim, &leftover->books.since);
}

static bool parts_changed(const struct git_leftover *leftover, const char *repository, int depth);
static bool beneath_changed(const struct git_leftover *leftover, const char *directory,
                            const char *name, int depth);

/* One of those in `name`, which `directory` ends in: a hook, a repository, or what holds more of
 * them. A repository that was moved there is as old as before; where it lies is not. */
static bool entry_changed(const struct git_leftover *leftover, const char *directory,
                          const char *name, const char *entry, int depth)
{
    char path[PATH_MAX], head[PATH_MAX];
    if (strcmp(name, "hooks") == 0)
        return has_changed(leftover, directory, entry);
    if (!path_join(path, directory, entry) || !path_join(head, path, "HEAD"))
        return true;
    return fd_file_type(head) ? parts_changed(leftover, path, depth)
                              : has_changed(leftover, directory, entry) ||
                                    beneath_changed(leftover, directory, entry, depth);
}

/* In `name` of it: any entry, or any part of what may be a repository there. */
static bool beneath_changed(const struct git_leftover *leftover, const char *directory,
                            const char *name, int depth)
{
    char path[PATH_MAX];
    bool changed = false;
    DIR *list = depth > 0 && path_join(path, directory, name) ? open_list(path) : NULL;
    for (struct dirent *entry; list && !changed && (entry = readdir(list));)
        if (!path_is_dots(entry->d_name))
            changed = entry_changed(leftover, path, name, entry->d_name, depth - 1);
    if (list)
        closedir(list);
    return changed;
}

/* What makes it a repository or makes git run something; not what git writes as it is asked how
 * things are. */
static bool parts_changed(const struct git_leftover *leftover, const char *repository, int depth)
{
    static const char *const PARTS[] = {"HEAD",      "objects", "refs",
                                        "commondir", "config",  "config.worktree",
                                        "hooks",     "modules", "worktrees"};
    static const char *const BENEATH[] = {"hooks", "modules", "worktrees"};
    bool changed = false;
    for (size_t i = 0; i < COUNT(PARTS); i++)
        changed = changed || has_changed(leftover, repository, PARTS[i]);
    for (size_t i = 0; i < COUNT(BENEATH); i++)
        changed = changed || beneath_changed(leftover, repository, BENEATH[i], depth - 1);
    return changed;
}

/* What a link leads to can come into being although nothing changes here. */
static bool hangs_on_links(const char *repository)
{
    char path[PATH_MAX];
    return (path_join(path, repository, "objects") && S_ISLNK(fd_file_type(path))) ||
           (path_join(path, repository, "refs") && S_ISLNK(fd_file_type(path)));
}

/* Where the first search was not complete a repository may have been there without our knowing. It
 * was, and is as it was, when nothing of it has changed; one that has changed may have been put
 * together by several commands. */
static bool came_into_being(const struct git_leftover *leftover, const char *repository)
{
    return !leftover->unsure || hangs_on_links(repository) ||
           parts_changed(leftover, repository, DEPTH_MAX);
}

/* … or that from which it has its configuration. */
static bool either_came_into_being(const struct git_leftover *leftover, const char *repository)
{
    char path[PATH_MAX];
    if (came_into_being(leftover, repository))
        return true;
    cleanup_free char *common = path_join(path, repository, "commondir")
                                    ? git_pointer_read(path, GIT_POINTER_COMMON, repository)
                                    : NULL;
    return common && came_into_being(leftover, common);
}

/* What only git would understand leads nowhere. */
static void tame_pointer(const struct git_leftover *leftover, const char *file, const char *prefix,
                         const char *base)
{
    if (in_roots(leftover, file) && git_pointer_is_odd(file, prefix, base))
        set_aside(leftover, file);
}

static void tame_if_repository(struct git_leftover *leftover, const char *directory)
{
    char path[PATH_MAX];
    if (path_join(path, directory, "commondir"))
        tame_pointer(leftover, path, GIT_POINTER_COMMON, directory);
    if (git_pointer_is_repository(directory) && either_came_into_being(leftover, directory))
        tame_target(leftover, directory, DEPTH_MAX);
}

/* Where `git`, a .git that is no directory, or a directory that may be a repository, leads. What
 * git takes for no repository may become one: then the command that makes it one finds the pointer
 * there (protect.h). */
static void tame_pointed(struct git_leftover *leftover, const char *git)
{
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(git, '/') - git), git);
    tame_pointer(leftover, git, GIT_POINTER_DOT_GIT, directory);
    cleanup_free char *pointed = git_pointer_read(git, GIT_POINTER_DOT_GIT, directory);
    cleanup_free char *linked = pointed ? NULL : nearby_resolve(git); /* of a symlink */
    if (pointed || linked)
        tame_if_repository(leftover, pointed ?: linked);
}

/* Nobody knows what the command has left there, and what would run for who opens it again. */
static void tell_barred(const struct git_leftover *leftover, const char *directory)
{
    struct stat status;
    if (lstat(directory, &status) < 0 ||
        !git_links_is_later(&status.st_ctim, &leftover->books.since))
        return;
    cleanup_free char *told = xasprintf("%s (can not be looked into)", directory);
    report_alarm(leftover->report, told);
}

/* `git`: a name .git, of any type. */
static void tame_dot_git(struct git_leftover *leftover, const char *git)
{
    mode_t type = fd_file_type(git);
    if (S_ISDIR(type) && nested_is_barred(git)) {
        if (protect_know_repository(leftover->protect, git)) /* else it is told with its links */
            tell_barred(leftover, git);
    } else if (S_ISDIR(type) && either_came_into_being(leftover, git)) {
        tame_repository(leftover, git, DEPTH_MAX);
    } else if (type && !S_ISDIR(type) && protect_know_repository(leftover->protect, git)) {
        tame_pointed(leftover, git);
    }
}

static void tame_found(const char *directory, enum nested_kind kind, void *argument)
{
    struct git_leftover *leftover = argument;
    char git[PATH_MAX];
    if (kind == NESTED_BARRED)
        tell_barred(leftover, directory);
    else if (kind == NESTED_BARE)
        tame_if_repository(leftover, directory);
    else if (kind == NESTED_WORKTREE && path_join(git, directory, ".git"))
        tame_dot_git(leftover, git);
}

/* ---- inside git's own directories ------------------------------------------------------ */

/* The operator has no repositories there, but for those of submodules and worktrees, which are
 * known: what is one was made so by a command, by this one or, one part after the other, by
 * several. One that lies in what is read-only can still lead to what is not. */
static void tame_within(const char *directory, enum nested_kind kind, void *argument)
{
    struct git_leftover *leftover = argument;
    char common[PATH_MAX];
    if (kind == NESTED_BARRED) /* it is told with its links */
        return;
    bool leads = path_join(common, directory, "commondir") && fd_file_type(common);
    if (!(protect_is_kept(leftover->protect, directory) && !leads) &&
        !(kind == NESTED_BARE && was_a_worktree(leftover, directory)))
        tame_found(directory, kind, argument);
}

/* Nobody looks into a .git else (nested.h), but what pushes to a repository in it runs its hooks.
 */
static void look_within(struct git_leftover *leftover, const char *repository)
{
    const char *root = protect_root_of(leftover->protect, repository);
    if (!root || strcmp(strrchr(repository, '/'), "/.git") != 0 ||
        strstr(repository + strlen(root), "/.git/") || !S_ISDIR(fd_file_type(repository)) ||
        protect_is_kept(leftover->protect, repository))
        return;
    struct nested nested = {.limit = NESTED_MAX_NEW, .in_git = true};
    nested_search(&nested, repository, tame_within, leftover);
    if (nested.incomplete)
        report_alarm(leftover->report, "more directories of git's own than are looked into");
    nested_free(&nested);
}

/* Calls `visit` with the directory of each repository that is known. */
static void visit_known(struct git_leftover *leftover,
                        void (*visit)(struct git_leftover *leftover, const char *directory))
{
    const struct protect *protect = leftover->protect;
    for (size_t i = 0; i < protect->repository_count; i++)
        visit(leftover, protect->repositories[i]);
    for (size_t i = 0; i < protect->count; i++)
        if (protect->items[i].kind == PROTECT_WRITABLE)
            visit(leftover, protect->items[i].path);
}

static void remember(struct git_leftover *leftover, const char *directory)
{
    git_books_remember(&leftover->books, directory);
    git_links_remember(&leftover->links, directory);
}

void git_leftover_open(struct git_leftover *leftover, struct protect *protect,
                       const struct report *report)
{
    *leftover = (struct git_leftover){.protect = protect,
                                      .report = report,
                                      .books = {.report = report},
                                      .links = {.report = report},
                                      .unsure = protect->nested.incomplete};
    for (size_t i = 0; i < protect->whole_count; i++) {
        cleanup_free char *told = xasprintf(
            "%s (read-only, as a whole or in part: too many names in it to protect each; remove "
            "what you do not need)",
            protect->whole[i]);
        report_alarm(report, told);
    }
    if (protect->links_incomplete)
        report_alarm(report, "more entries or symlinks in settings than are looked at");
    clock_gettime(CLOCK_REALTIME_COARSE, &leftover->books.since); /* as the file systems' */
    leftover->links.since = leftover->books.since;
    visit_known(leftover, remember);
}

static void remove_links(struct git_leftover *leftover, const char *directory)
{
    git_links_remove(&leftover->links, directory);
}

static void remove_links_beneath(struct git_leftover *leftover, const char *directory)
{
    if (!protect_is_kept(leftover->protect, directory))
        git_links_remove_beneath(&leftover->links, directory, false);
}

void git_leftover_act(struct git_leftover *leftover)
{
    if (leftover->protect)
        visit_known(leftover, remove_links);
}

void git_leftover_finish(struct git_leftover *leftover)
{
    struct protect *protect = leftover->protect;
    if (!protect)
        return;
    visit_known(leftover, remove_links_beneath);
    for (size_t i = 0, known = protect->repository_count; i < known; i++) {
        if (!S_ISDIR(fd_file_type(protect->repositories[i])))
            continue; /* what it leads to is known by its own name, if it is a repository */
        if (!protect_is_kept(protect, protect->repositories[i])) {
            git_books_tame(&leftover->books, protect->repositories[i], false);
            tame_worktrees(leftover, protect->repositories[i], DEPTH_MAX);
        }
        tame_common(leftover, protect->repositories[i], DEPTH_MAX);
    }
    for (size_t i = 0; i < protect->pointer_count; i++)
        tame_pointed(leftover, protect->pointers[i]);
    for (size_t i = 0; i < protect->count; i++)
        if (protect->items[i].kind == PROTECT_WRITABLE)
            git_books_tame(&leftover->books, protect->items[i].path, false);
    protect->nested.limit = protect->nested.count + NESTED_MAX_NEW;
    nested_search_changed(&protect->nested, &leftover->books.since, tame_found, leftover);
    if (protect->nested.incomplete && !leftover->unsure) /* else --explain says so */
        report_alarm(leftover->report, "more new directories than are looked into for git");
    leftover->unsure = false;
    for (size_t i = 0; i < protect->repository_count; i++)
        look_within(leftover, protect->repositories[i]);
    git_links_free(&leftover->links);
}
