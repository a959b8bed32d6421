/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/surroundings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "sandbox/listing.h"
#include "sandbox/mounts.h"

/* Directories beside a granted path that are looked into for named pipes. */
enum { DIRECTORIES_MAX = 1000 };

const char *const SURROUNDINGS_TEMPORARY[] = {"/tmp", "/var/tmp", NULL};

/* ---- named pipes ------------------------------------------------------------------------ */

struct search {
    const struct surroundings *surroundings;
    char **waiting; /* directories that are to be looked into */
    size_t next, count;
    char **pipes;
    size_t pipe_count;
    struct listing *listing; /* large */
};

/* Full at 0, 1, 3, 7 … entries: doubled. */
static void append(char ***list, size_t *count, char *path)
{
    if ((*count & (*count + 1)) == 0)
        *list = xreallocarray(*list, 2 * (*count + 1), sizeof **list);
    (*list)[(*count)++] = path;
}

/* A root will be put over it, or it is not to be read anyway. */
static bool is_left_alone(const struct search *search, const char *path)
{
    const struct sandbox_policy *policy = search->surroundings->policy;
    for (size_t i = 0; i < policy->entry_count; i++)
        if (policy->entries[i].access != POLICY_ACCESS_READ &&
            strcmp(policy->entries[i].path, path) == 0)
            return true;
    return false;
}

static void look_at(struct search *search, const char *directory, int fd,
                    const struct dirent64 *entry)
{
    struct stat status;
    bool pipe = entry->d_type == DT_FIFO;
    bool beneath = listing_is_directory(fd, entry);
    if (entry->d_type == DT_UNKNOWN && !beneath)
        pipe = fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
               S_ISFIFO(status.st_mode);
    if (!pipe && !beneath)
        return;
    char *path = xasprintf("%s/%s", directory, entry->d_name);
    if (pipe)
        append(&search->pipes, &search->pipe_count, path);
    else if (is_left_alone(search, path))
        free(path);
    else
        append(&search->waiting, &search->count, path);
}

/* What can not be listed is nothing that the command could list. */
static void look_into(struct search *search, const char *directory)
{
    cleanup_fd int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    listing_start(search->listing);
    for (const struct dirent64 *entry; fd >= 0 && (entry = listing_next(search->listing, fd));)
        look_at(search, directory, fd, entry);
}

static void free_list(char **list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

/* Adds the pipes beneath `path`, or `path` if it is one, to those that are to be covered. False
 * when there is too much to look at. */
static bool find_pipes(struct surroundings *surroundings, const char *path)
{
    struct stat status;
    if (lstat(path, &status) < 0)
        return false;
    if (S_ISFIFO(status.st_mode))
        append(&surroundings->pipes, &surroundings->pipe_count, xstrdup(path));
    if (!S_ISDIR(status.st_mode))
        return true;
    struct search search = {.surroundings = surroundings,
                            .listing = xmalloc(sizeof(struct listing))};
    append(&search.waiting, &search.count, xstrdup(path));
    while (search.next < search.count && search.count <= DIRECTORIES_MAX)
        look_into(&search, search.waiting[search.next++]);
    bool complete = search.next == search.count;
    for (size_t i = 0; i < search.pipe_count; i++)
        append(&surroundings->pipes, &surroundings->pipe_count, search.pipes[i]);
    free(search.pipes);
    free_list(search.waiting, search.count);
    free(search.listing);
    return complete;
}

/* ---- taking ----------------------------------------------------------------------------- */

static void add(struct surroundings *surroundings, const char *path, int mount)
{
    struct stat status;
    bool directory =
        (mount < 0 ? stat(path, &status) : fstat(mount, &status)) == 0 && S_ISDIR(status.st_mode);
    surroundings->pieces =
        xreallocarray(surroundings->pieces, surroundings->count + 1, sizeof *surroundings->pieces);
    surroundings->pieces[surroundings->count++] =
        (struct surroundings_piece){xstrdup(path), mount, directory};
}

static bool is_taken(const struct surroundings *surroundings, const char *path)
{
    for (size_t i = 0; i < surroundings->count; i++)
        if (strcmp(surroundings->pieces[i].path, path) == 0)
            return true;
    return false;
}

/* The entry of a temporary place that a path lies in: "/tmp/a" of "/tmp/a/b/c". False when it
 * lies in none. */
static bool find_top(const char *path, char *top, size_t size)
{
    for (const char *const *place = SURROUNDINGS_TEMPORARY; *place; place++) {
        size_t length = strlen(*place);
        if (!path_is_beneath(path, *place) || path[length] == '\0')
            continue;
        size_t name = strcspn(path + length + 1, "/");
        snprintf(top, size, "%.*s", (int)(length + 1 + name), path);
        return true;
    }
    return false;
}

/* False when it can not be taken. */
static bool take(struct surroundings *surroundings, const char *path)
{
    if (is_taken(surroundings, path))
        return true;
    if (surroundings->refused && strcmp(surroundings->refused, path) == 0)
        return false;
    int mount = find_pipes(surroundings, path) ? mounts_clone(path) : -1;
    if (mount < 0) {
        free(surroundings->refused);
        surroundings->refused = xstrdup(path);
        return false;
    }
    if (mounts_set_inert(mount) == 0)
        add(surroundings, path, mount);
    else
        close(mount);
    return true;
}

/* What is granted, and nothing beside it. */
static void take_granted(struct surroundings *surroundings, const char *path,
                         enum policy_access access)
{
    if (access == POLICY_ACCESS_READ)
        take(surroundings, path);
    else if (access == POLICY_ACCESS_WRITE && !is_taken(surroundings, path))
        add(surroundings, path, -1);
}

/* With everything beside it, if that is not more than can be looked at. */
static void take_around(struct surroundings *surroundings, const char *path,
                        enum policy_access access)
{
    char top[PATH_MAX];
    if (!find_top(path, top, sizeof top))
        return;
    if (!surroundings->beside || !take(surroundings, top))
        take_granted(surroundings, path, access);
}

static int compare(const void *left, const void *right)
{
    return strcmp(((const struct surroundings_piece *)left)->path,
                  ((const struct surroundings_piece *)right)->path);
}

void surroundings_take(struct surroundings *surroundings, const struct sandbox_policy *policy,
                       const char *const *paths)
{
    *surroundings =
        (struct surroundings){.policy = policy, .beside = sandbox_policy_reads_everything(policy)};
    for (size_t i = 0; i < policy->entry_count; i++)
        if (!surroundings->beside || policy->entries[i].access == POLICY_ACCESS_WRITE)
            take_around(surroundings, policy->entries[i].path, policy->entries[i].access);
    for (; surroundings->beside && paths && *paths; paths++)
        take_around(surroundings, *paths, POLICY_ACCESS_READ);
    if (surroundings->count > 1) /* a path before those beneath it */
        qsort(surroundings->pieces, surroundings->count, sizeof *surroundings->pieces, compare);
}

/* ---- placing ---------------------------------------------------------------------------- */

/* What a clone can be put over; what leads there is made too. */
static int make_mount_point(const char *path, bool directory)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = part; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        if (mkdir(part, 0755) < 0 && errno != EEXIST && errno != EROFS)
            return -errno;
        *slash = '/';
    }
    if (directory)
        return mkdir(path, 0755) < 0 && errno != EEXIST ? -errno : 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno != EEXIST ? -errno : 0;
}

static int place(struct surroundings_piece *piece)
{
    int result = make_mount_point(piece->path, piece->directory);
    if (result < 0 || piece->mount < 0)
        return result;
    result = mounts_attach(piece->mount, piece->path);
    piece->mount = -1;
    return result;
}

int surroundings_place(struct surroundings *surroundings, const char **failed)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < surroundings->count; i++) {
        *failed = surroundings->pieces[i].path;
        result = place(&surroundings->pieces[i]);
    }
    for (size_t i = 0; result == 0 && i < surroundings->pipe_count; i++) {
        *failed = surroundings->pipes[i];
        result = mounts_close_path(surroundings->pipes[i]);
        if (result == -ENOENT || result == -ENOTDIR) /* gone, or not visible */
            result = 0;
    }
    return result;
}

void surroundings_free(struct surroundings *surroundings)
{
    for (size_t i = 0; i < surroundings->count; i++) {
        if (surroundings->pieces[i].mount >= 0)
            close(surroundings->pieces[i].mount);
        free(surroundings->pieces[i].path);
    }
    free(surroundings->pieces);
    free(surroundings->refused);
    free_list(surroundings->pipes, surroundings->pipe_count);
    *surroundings = (struct surroundings){0};
}
