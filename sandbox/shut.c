/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/shut.h"

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

/* A directory that was followed: most closed paths share a few. */
struct directory {
    char *given;
    char *physical;
    bool there;
    bool ours;           /* or of what is nearest above it and exists */
    unsigned asked;      /* for how many names */
    struct names *names; /* NULL: not listed */
};

struct finder {
    struct shut *shut;
    const struct sandbox_policy *policy;
    const char *const *own;
    struct directory *directories;
    size_t count;
};

/* ---- directories ------------------------------------------------------------------------ */

static struct directory *remember(struct finder *finder, struct directory directory)
{
    finder->directories =
        xreallocarray(finder->directories, finder->count + 1, sizeof *finder->directories);
    directory.given = xstrdup(directory.given);
    finder->directories[finder->count] = directory;
    return &finder->directories[finder->count++];
}

static struct directory *recall(const struct finder *finder, const char *given)
{
    for (size_t i = 0; i < finder->count; i++)
        if (strcmp(finder->directories[i].given, given) == 0)
            return &finder->directories[i];
    return NULL;
}

/* "/home/op/.ssh" as "/home/op" and ".ssh". */
static const char *split(const char *path, char parent[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    snprintf(parent, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return slash + 1;
}

static char *join(const struct directory *parent, const char *name)
{
    return xasprintf("%s/%s", strcmp(parent->physical, "/") == 0 ? "" : parent->physical, name);
}

/* One look a directory; realpath() would look at each part of each path again. */
static struct directory *follow(struct finder *finder, const char *given)
{
    char above[PATH_MAX];
    struct stat status;
    struct directory *known = recall(finder, given);
    if (known)
        return known;
    if (strcmp(given, "/") == 0)
        return remember(finder, (struct directory){(char *)given, xstrdup("/"), .there = true});
    const char *name = split(given, above);
    const struct directory *parent = follow(finder, above);
    struct directory found = {(char *)given, join(parent, name), .ours = parent->ours};
    if (parent->there && lstat(found.physical, &status) == 0) {
        char *target = S_ISLNK(status.st_mode) ? realpath(found.physical, NULL) : NULL;
        if (target) {
            free(found.physical);
            found.physical = target;
        }
        found.there = target || S_ISDIR(status.st_mode);
        found.ours = status.st_uid == geteuid();
    }
    return remember(finder, found);
}

/* ---- the paths -------------------------------------------------------------------------- */

/* Where new files may be made there is a rule for everything beneath. */
static bool in_writable_place(const struct finder *finder, const char *path)
{
    for (const char *const *own = finder->own; *own; own++)
        if (path_is_beneath(path, *own))
            return true;
    for (size_t i = 0; i < finder->policy->entry_count; i++)
        if (finder->policy->entries[i].access == POLICY_ACCESS_WRITE &&
            path_is_beneath(path, finder->policy->entries[i].path))
            return true;
    return false;
}

/* Takes the path. What lies in somebody else's directory stays what it is. */
static void add(struct finder *finder, char *path, mode_t type, bool ours)
{
    struct shut *shut = finder->shut;
    bool writable = ours && in_writable_place(finder, path);
    shut->paths = xreallocarray(shut->paths, shut->count + 1, sizeof *shut->paths);
    shut->paths[shut->count++] = (struct shut_path){
        .path = path, .type = type, .walled = ours && !writable, .watched = writable};
}

/* Most of the closed names are not there, and most are in the home directory. */
static bool may_have(struct directory *directory, const char *name)
{
    enum { LIST_FROM = 8 };
    if (!directory->there)
        return false;
    if (++directory->asked < LIST_FROM)
        return true;
    if (!directory->names) {
        directory->names = XNEW(struct names);
        names_read(directory->names, directory->physical);
    }
    return names_may_have(directory->names, name);
}

/* What every command needs to run, here or in the home directory. */
static bool is_of_machine(const char *path, const struct stat *status)
{
    static const char *const places[] = {"/usr",   "/bin", "/sbin", "/lib", "/lib32",
                                         "/lib64", "/etc", "/opt",  "/nix", "/gnu",
                                         "/proc",  "/sys", "/dev"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (path_is_beneath(path, places[i]))
            return true;
    return status->st_mode & (S_IXUSR | S_IXGRP | S_IXOTH);
}

/* A command that could have directories, or the machine's files, closed for all that follow, by a
 * link to them, would stop everybody's work. */
char *shut_target(const char *path, bool writable)
{
    struct stat status;
    if (lstat(path, &status) < 0 || !S_ISLNK(status.st_mode))
        return NULL;
    char *target = realpath(path, NULL);
    bool any = !writable || !closed_is_name(strrchr(path, '/') + 1);
    if (target && stat(target, &status) == 0 &&
        (any || (S_ISREG(status.st_mode) && !is_of_machine(target, &status))))
        return target;
    free(target);
    return NULL;
}

static void add_path(struct finder *finder, const char *given)
{
    char above[PATH_MAX];
    struct stat status = {0};
    const char *name = split(given, above);
    struct directory *parent = follow(finder, above);
    char *path = join(parent, name);
    bool ours = parent->ours;
    if (!may_have(parent, name) || lstat(path, &status) < 0)
        status.st_mode = 0;
    mode_t type = status.st_mode & S_IFMT;
    bool writable = ours && in_writable_place(finder, path);
    char *target = S_ISLNK(type) ? shut_target(path, writable) : NULL;
    add(finder, path, type, ours);
    if (target && stat(target, &status) == 0)
        add(finder, target, status.st_mode & S_IFMT, ours);
    else
        free(target);
}

/* Of two entries for the same path the later one decides. */
static bool is_overruled(const struct sandbox_policy *policy, size_t index)
{
    for (size_t i = index + 1; i < policy->entry_count; i++)
        if (policy->entries[i].access != POLICY_ACCESS_NONE &&
            strcmp(policy->entries[i].path, policy->entries[index].path) == 0)
            return true;
    return false;
}

static int compare(const void *left, const void *right)
{
    return strcmp(((const struct shut_path *)left)->path, ((const struct shut_path *)right)->path);
}

void shut_find(const struct sandbox_policy *policy, const char *const *own, struct shut *shut)
{
    struct finder finder = {.shut = shut, .policy = policy, .own = own};
    *shut = (struct shut){0};
    for (size_t i = 0; i < policy->entry_count; i++)
        if (policy->entries[i].access == POLICY_ACCESS_NONE && policy->entries[i].path[1] &&
            !is_overruled(policy, i))
            add_path(&finder, policy->entries[i].path);
    if (shut->count > 1)
        qsort(shut->paths, shut->count, sizeof *shut->paths, compare);
    for (size_t i = 0; i < finder.count; i++) {
        free(finder.directories[i].given);
        free(finder.directories[i].physical);
        free(finder.directories[i].names);
    }
    free(finder.directories);
}

void shut_add(struct shut *shut, const char *path)
{
    shut->paths = xreallocarray(shut->paths, shut->count + 1, sizeof *shut->paths);
    shut->paths[shut->count++] =
        (struct shut_path){.path = xstrdup(path), .type = S_IFREG, .watched = true};
    qsort(shut->paths, shut->count, sizeof *shut->paths, compare);
}

void shut_free(struct shut *shut)
{
    for (size_t i = 0; i < shut->count; i++)
        free(shut->paths[i].path);
    free(shut->paths);
    *shut = (struct shut){0};
}

/* ---- looking ---------------------------------------------------------------------------- */

/* The first path that is not before `path`. */
static size_t find(const struct shut *shut, const char *path)
{
    size_t low = 0, high = shut->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(shut->paths[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool shut_has(const struct shut *shut, const char *path)
{
    size_t at = find(shut, path);
    return at < shut->count && strcmp(shut->paths[at].path, path) == 0;
}

bool shut_lies_beneath(const struct shut *shut, const char *path)
{
    char start[PATH_MAX + 1];
    size_t length = (size_t)snprintf(start, sizeof start, "%s/", path[1] ? path : "");
    for (size_t at = find(shut, start);
         at < shut->count && strncmp(shut->paths[at].path, start, length) == 0; at++)
        if (shut->paths[at].walled)
            return true;
    return false;
}
