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
#include "base/fd.h"
#include "base/git_index.h"
#include "base/path.h"
#include "base/statx.h"
#include "base/strbuf.h"
#include "sandbox/git_harmless.h"
#include "sandbox/git_links.h"
#include "sandbox/git_pointer.h"
#include "sandbox/git_sequence.h"

#define FILE_MAX ((size_t)1024 * 1024)
#define INDEX_MAX ((size_t)128 * 1024 * 1024)
enum { DEPTH_MAX = 6, ASIDE_MAX = 99 };

static bool join(char path[PATH_MAX], const char *directory, const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", directory, name) < PATH_MAX;
}

static mode_t type_of(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

/* Calls `visit` with the path of each entry whose name has no dot at its front. */
static void visit_entries(struct git_leftover *leftover, const char *directory, int depth,
                          void (*visit)(struct git_leftover *leftover, const char *path, int depth))
{
    char path[PATH_MAX];
    DIR *list = depth > 0 ? opendir(directory) : NULL;
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));)
        if (entry->d_name[0] != '.' && join(path, directory, entry->d_name))
            visit(leftover, path, depth - 1);
    closedir(list);
}

static void set_aside(const struct git_leftover *leftover, const char *path)
{
    char aside[PATH_MAX + 32];
    snprintf(aside, sizeof aside, "%s" SET_ASIDE_SUFFIX, path);
    for (int i = 2; i <= ASIDE_MAX && type_of(aside); i++)
        snprintf(aside, sizeof aside, "%s" SET_ASIDE_SUFFIX "-%d", path, i);
    if (rename(path, aside) < 0 && unlink(path) < 0)
        return;
    cleanup_free char *told = xasprintf("%s (set aside: git would obey it)", path);
    report_alarm(leftover->report, told);
}

/* ---- what is left to do of a rebase ----------------------------------------------------- */

/* "exec make" or "x make", after blanks. */
static bool is_command(const char *line, size_t length)
{
    size_t blanks = 0;
    while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
        blanks++;
    line += blanks;
    length -= blanks;
    for (size_t i = 0; i < 2; i++) {
        const char *word = i == 0 ? "exec" : "x";
        size_t size = strlen(word);
        if (length >= size && strncmp(line, word, size) == 0 &&
            (length == size || line[size] == ' ' || line[size] == '\t' || line[size] == '\r'))
            return true;
    }
    return false;
}

static char *read_todo(const char *directory, char path[PATH_MAX], size_t *size)
{
    return join(path, directory, "rebase-merge/git-rebase-todo")
               ? fd_read_file(path, FILE_MAX, true, size)
               : NULL;
}

static void remember_commands(struct git_leftover *leftover, const char *directory)
{
    char path[PATH_MAX];
    size_t size, count = strv_length((const char *const *)leftover->commands);
    cleanup_free char *text = read_todo(directory, path, &size);
    for (char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n");
        if (is_command(line, length)) {
            leftover->commands =
                xreallocarray(leftover->commands, count + 2, sizeof *leftover->commands);
            leftover->commands[count++] = xstrndup(line, length);
            leftover->commands[count] = NULL;
        }
        line += length + (line[length] == '\n');
    }
}

static bool was_there(const struct git_leftover *leftover, const char *line, size_t length)
{
    for (char **known = leftover->commands; known && *known; known++)
        if (strlen(*known) == length && strncmp(*known, line, length) == 0)
            return true;
    return false;
}

/* Each command that was not there before becomes a line that does nothing. */
static void tame_todo(struct git_leftover *leftover, const char *directory)
{
    char path[PATH_MAX];
    size_t size;
    cleanup_strbuf struct strbuf tame = STRBUF_INIT;
    cleanup_free char *text = read_todo(directory, path, &size);
    bool changed = text && strlen(text) != size;
    for (const char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n");
        bool command = is_command(line, length) && !was_there(leftover, line, length);
        changed = changed || command;
        strbuf_add(&tame, command ? "noop" : line, command ? 4 : length);
        strbuf_addch(&tame, '\n');
        line += length + (line[length] == '\n');
    }
    if (!text && join(path, directory, "rebase-merge/git-rebase-todo") && type_of(path))
        set_aside(leftover, path); /* too long, or no file */
    if (!changed)
        return;
    set_aside(leftover, path);
    fd_replace_file(path, strbuf_str(&tame), tame.length, 0644);
}

/* Set aside unless it is a file that is harmless. */
static void tame_file(const struct git_leftover *leftover, const char *directory, const char *name,
                      bool (*is_harmless)(const char *text))
{
    char path[PATH_MAX];
    size_t size;
    if (!join(path, directory, name) || !type_of(path))
        return;
    cleanup_free char *text = fd_read_file(path, FILE_MAX, true, &size);
    if (!text || strlen(text) != size || !is_harmless(text))
        set_aside(leftover, path);
}

static void tame_index(struct git_leftover *leftover, const char *directory);
static void tame_resolutions(const struct git_leftover *leftover, const char *directory);

/* What git noted down for its own use. */
static void tame_books(struct git_leftover *leftover, const char *directory)
{
    tame_index(leftover, directory);
    tame_resolutions(leftover, directory);
    tame_todo(leftover, directory);
    tame_file(leftover, directory, "rebase-merge/strategy", git_sequence_strategy_is_harmless);
    tame_file(leftover, directory, "sequencer/opts", git_sequence_options_are_harmless);
}

/* ---- the index ------------------------------------------------------------------------- */

/* Bytes of an object's name. A linked worktree has the configuration two directories above. */
static size_t hash_size(const char *directory)
{
    static const char *const PLACES[] = {"config", "../../config"};
    char path[PATH_MAX];
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        cleanup_free char *text =
            join(path, directory, PLACES[i]) ? fd_read_file(path, FILE_MAX, true, &size) : NULL;
        if (text && strcasestr(text, "objectformat"))
            return strcasestr(text, "sha256") ? GIT_SHA256_SIZE : GIT_SHA1_SIZE;
    }
    return GIT_SHA1_SIZE;
}

static void tame_index_file(const struct git_leftover *leftover, const char *path)
{
    struct stat status;
    size_t size;
    if (lstat(path, &status) < 0 ||
        (!leftover->all && !git_links_is_later(&status.st_ctim, &leftover->since)))
        return;
    cleanup_free char *bytes = fd_read_file(path, INDEX_MAX, true, &size);
    if (!bytes || !git_index_is_harmless(bytes, size, leftover->hash))
        set_aside(leftover, path);
}

static void tame_shared_index(struct git_leftover *leftover, const char *path, int depth)
{
    (void)depth;
    static const char SHARED[] = "/sharedindex.";
    const char *name = strrchr(path, '/'); /* a directory above can be called anything */
    if (strncmp(name, SHARED, strlen(SHARED)) == 0 && !strstr(name, SET_ASIDE_SUFFIX))
        tame_index_file(leftover, path);
}

static void tame_index(struct git_leftover *leftover, const char *directory)
{
    char path[PATH_MAX];
    if (!join(path, directory, "index"))
        return;
    leftover->hash = hash_size(directory);
    tame_index_file(leftover, path);
    visit_entries(leftover, directory, 1, tame_shared_index);
}

/* What is to be remembered of resolved conflicts, "ID<tab>path<nul>": git copies those files into
 * its own directory, where the next command could read them. */
static bool are_inside(const char *records, size_t size)
{
    for (size_t at = 0; at < size; at += strlen(records + at) + 1) {
        const char *path = strchr(records + at, '\t');
        if (!path || !git_index_path_is_inside(path + 1))
            return false;
    }
    return true;
}

static void tame_resolutions(const struct git_leftover *leftover, const char *directory)
{
    char path[PATH_MAX];
    size_t size;
    if (!join(path, directory, "MERGE_RR") || !type_of(path))
        return;
    cleanup_free char *records = fd_read_file(path, FILE_MAX, true, &size);
    if (!records || !are_inside(records, size))
        set_aside(leftover, path);
}

/* ---- a repository ----------------------------------------------------------------------- */

static void tame_configuration(const struct git_leftover *leftover, const char *directory,
                               const char *name)
{
    char path[PATH_MAX];
    size_t size;
    bool all = false;
    if (!join(path, directory, name) || !type_of(path))
        return;
    cleanup_free char *text = fd_read_file(path, FILE_MAX, true, &size);
    cleanup_free char *harmless = text ? git_harmless_copy(text, size, &all) : NULL;
    if (all)
        return;
    set_aside(leftover, path);
    if (harmless)
        fd_replace_file(path, harmless, strlen(harmless), 0644);
}

static void tame_hook(struct git_leftover *leftover, const char *path, int depth)
{
    (void)depth;
    size_t length = strlen(path), sample = strlen(".sample");
    bool is_sample = length > sample && strcmp(path + length - sample, ".sample") == 0;
    if (!is_sample && !strstr(strrchr(path, '/'), SET_ASIDE_SUFFIX) && !S_ISDIR(type_of(path)))
        set_aside(leftover, path);
}

static void tame_hooks(struct git_leftover *leftover, const char *directory)
{
    char path[PATH_MAX];
    mode_t type = join(path, directory, "hooks") ? type_of(path) : 0;
    if (S_ISDIR(type))
        visit_entries(leftover, path, 1, tame_hook);
    else if (type)
        set_aside(leftover, path);
}

static void tame_repository(struct git_leftover *leftover, const char *directory, int depth);

/* Repositories of submodules, each under its name, which may have slashes. */
static void tame_module(struct git_leftover *leftover, const char *path, int depth)
{
    char head[PATH_MAX];
    if (!S_ISDIR(type_of(path)))
        return;
    if (join(head, path, "HEAD") && type_of(head))
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
    if (S_ISDIR(type_of(path)) && !was_a_worktree(leftover, path))
        tame_repository(leftover, path, depth);
}

static void tame_worktrees(struct git_leftover *leftover, const char *directory, int depth)
{
    char path[PATH_MAX];
    if (join(path, directory, "worktrees") && S_ISDIR(type_of(path)))
        visit_entries(leftover, path, depth, tame_worktree);
}

static void tame_repository(struct git_leftover *leftover, const char *directory, int depth)
{
    char path[PATH_MAX];
    if (depth == 0 || !protect_know_repository(leftover->protect, directory))
        return;
    tame_configuration(leftover, directory, "config");
    tame_configuration(leftover, directory, "config.worktree");
    tame_hooks(leftover, directory);
    leftover->all = true; /* what was moved there is older */
    tame_books(leftover, directory);
    leftover->all = false;
    git_links_remove(directory, &leftover->since, true, leftover->report);
    if (join(path, directory, "modules"))
        visit_entries(leftover, path, depth, tame_module);
    tame_worktrees(leftover, directory, depth);
    if (join(path, directory, "commondir") && type_of(path)) {
        cleanup_free char *common = git_pointer_read(path, GIT_POINTER_COMMON, directory);
        tame_target(leftover, common, depth - 1);
    }
}

/* ---- finding them ----------------------------------------------------------------------- */

/* Where the first search was not complete a repository may have been there without our knowing. */
static bool came_into_being(const struct git_leftover *leftover, const char *path)
{
    struct statx status;
    if (!leftover->unsure)
        return true;
    return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &status) == 0 &&
           (status.stx_mask & STATX_BTIME) && status.stx_btime.tv_sec >= leftover->since.tv_sec;
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
    if (join(path, directory, "commondir"))
        tame_pointer(leftover, path, GIT_POINTER_COMMON, directory);
    if (git_pointer_is_repository(directory))
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
    cleanup_free char *linked = pointed ? NULL : realpath(git, NULL); /* of a symlink */
    if (pointed || linked)
        tame_if_repository(leftover, pointed ?: linked);
}

static void tame_found(const char *directory, enum nested_kind kind, void *argument)
{
    struct git_leftover *leftover = argument;
    char git[PATH_MAX];
    if (kind == NESTED_CLOSED || kind == NESTED_BARRED)
        return;
    if (kind == NESTED_BARE) {
        if (came_into_being(leftover, directory))
            tame_if_repository(leftover, directory);
        return;
    }
    if (!join(git, directory, ".git") || !came_into_being(leftover, git))
        return;
    if (S_ISDIR(type_of(git))) {
        tame_repository(leftover, git, DEPTH_MAX);
    } else if (type_of(git) && protect_know_repository(leftover->protect, git)) {
        tame_pointed(leftover, git);
    }
}

void git_leftover_open(struct git_leftover *leftover, struct protect *protect,
                       const struct report *report)
{
    *leftover = (struct git_leftover){
        .protect = protect, .report = report, .unsure = protect->nested.incomplete};
    clock_gettime(CLOCK_REALTIME_COARSE, &leftover->since); /* as the file systems' */
    for (size_t i = 0; i < protect->repository_count; i++)
        remember_commands(leftover, protect->repositories[i]);
    for (size_t i = 0; i < protect->count; i++)
        if (protect->items[i].kind == PROTECT_WRITABLE)
            remember_commands(leftover, protect->items[i].path);
}

static void remove_links(const struct git_leftover *leftover, bool deep)
{
    const struct protect *protect = leftover->protect;
    for (size_t i = 0; i < protect->repository_count; i++)
        git_links_remove(protect->repositories[i], &leftover->since, deep, leftover->report);
    for (size_t i = 0; i < protect->count; i++)
        if (protect->items[i].kind == PROTECT_WRITABLE)
            git_links_remove(protect->items[i].path, &leftover->since, deep, leftover->report);
}

void git_leftover_act(const struct git_leftover *leftover)
{
    if (leftover->protect)
        remove_links(leftover, false);
}

void git_leftover_finish(struct git_leftover *leftover)
{
    struct protect *protect = leftover->protect;
    if (!protect)
        return;
    remove_links(leftover, true);
    for (size_t i = 0, known = protect->repository_count; i < known; i++) {
        if (!S_ISDIR(type_of(protect->repositories[i])))
            continue; /* what it leads to is known by its own name, if it is a repository */
        tame_books(leftover, protect->repositories[i]);
        tame_worktrees(leftover, protect->repositories[i], DEPTH_MAX);
    }
    for (size_t i = 0; i < protect->pointer_count; i++)
        tame_pointed(leftover, protect->pointers[i]);
    for (size_t i = 0; i < protect->count; i++)
        if (protect->items[i].kind == PROTECT_WRITABLE)
            tame_books(leftover, protect->items[i].path);
    protect->nested.limit = protect->nested.count + NESTED_MAX_NEW;
    protect->nested.incomplete = false;
    nested_search_changed(&protect->nested, &leftover->since, tame_found, leftover);
    if (protect->nested.incomplete)
        report_alarm(leftover->report, "more new directories than are looked into for git");
}
