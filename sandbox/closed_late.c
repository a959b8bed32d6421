/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/closed_late.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "sandbox/closed.h"
#include "sandbox/mounts.h"

/* In a directory in which others work all the time there is never a last one. */
enum { PASSES_NS = 10 * 1000 * 1000, PASSES_MIN = 4 };

struct pass {
    const struct sandbox_policy *policy;
    struct protect *protect;
    struct shut *shut;
    size_t moved;  /* files that lie elsewhere than the first search found them, and are covered */
    bool unsteady; /* something was open, or not where it had just been */
};

static bool was_found(const struct pass *pass, const char *path)
{
    for (size_t i = 0; i < pass->protect->closed_count; i++)
        if (strcmp(pass->protect->closed[i], path) == 0)
            return true;
    return false;
}

/* `place` leads to the file wherever it is moved, `path` is where it was found. */
static void cover(struct pass *pass, const char *place, const char *path)
{
    if (!mounts_is_closed(place)) {
        pass->unsteady = true;
        if (mounts_close_path(place) < 0 || !mounts_is_closed(place))
            return;
        if (!shut_has(pass->shut, path))
            shut_add(pass->shut, path);
    }
    pass->moved += !was_found(pass, path);
}

/* A link closes what it leads to in the same root. */
static void cover_name(struct pass *pass, int directory, const char *name, const char *path)
{
    struct stat status;
    cleanup_free char *place = xasprintf("/proc/self/fd/%d/%s", directory, name);
    if (lstat(place, &status) < 0)
        return;
    if (!S_ISLNK(status.st_mode)) {
        if (S_ISREG(status.st_mode))
            cover(pass, place, path);
        return;
    }
    const char *root = protect_root_of(pass->protect, path);
    cleanup_free char *target = realpath(place, NULL);
    if (target && path_is_beneath(target, root) && stat(target, &status) == 0 &&
        S_ISREG(status.st_mode))
        cover(pass, target, target);
}

/* What is at the top of a root the policy itself names. */
static void cover_in(const char *path, enum nested_kind kind, void *argument)
{
    struct pass *pass = argument;
    const char *root = protect_root_of(pass->protect, path);
    if (kind != NESTED_CLOSED || !root || strcmp(root, path) == 0)
        return;
    cleanup_fd int directory = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0)
        pass->unsteady = true;
    for (const char *const *name = CLOSED_IN_WORKSPACE; directory >= 0 && *name; name++) {
        cleanup_free char *file = xasprintf("%s/%s", path, *name);
        if (closed_like_top(pass->policy, root, file))
            cover_name(pass, directory, *name, file);
    }
}

/* The first that is neither where it was nor found elsewhere; NULL: none. */
static const char *find_missing(const struct pass *pass)
{
    size_t missing = 0;
    struct stat status;
    for (size_t i = 0; i < pass->protect->closed_count; i++)
        if (lstat(pass->protect->closed[i], &status) < 0 && ++missing > pass->moved)
            return pass->protect->closed[i];
    return NULL;
}

static bool is_over(const struct timespec *start, int passes)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return passes >= PASSES_MIN &&
           (now.tv_sec - start->tv_sec) * 1000000000LL + now.tv_nsec - start->tv_nsec >= PASSES_NS;
}

/* At the top of a root placeholders have just been made. */
static void cover_until_quiet(struct pass *pass)
{
    struct protect *protect = pass->protect;
    struct timespec since = protect->since, now, start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; !is_over(&start, i); i++) {
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
        pass->unsteady = false;
        pass->moved = 0;
        nested_search_changed(&protect->nested, &since, cover_in, pass);
        if (!pass->unsteady && !nested_has_changed(&protect->nested, &now, protect->roots))
            return;
        if (!pass->unsteady)
            since = now;
    }
}

int closed_late_cover(const struct sandbox_policy *policy, struct protect *protect,
                      struct shut *shut, struct error *error)
{
    struct pass pass = {.policy = policy, .protect = protect, .shut = shut};
    if (!protect->roots)
        return 0;
    cover_until_quiet(&pass);
    const char *missing = find_missing(&pass);
    if (pass.unsteady || missing)
        return error_set(error, ENOENT, "closing %s", missing ?: "what is being moved");
    return 0;
}
