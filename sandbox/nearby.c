/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/nearby.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

enum { PARTS_MAX = 500, LINKS_MAX = 64 /* more than the kernel would follow */ };

struct way {
    nearby_look *look;
    void *argument;
    int links, parts; /* that may yet be followed */
    char *at;         /* PATH_MAX bytes */
};

static bool fail(int number)
{
    errno = number;
    return false;
}

/* ---- any way ------------------------------------------------------------------------------ */

static bool go_up(struct way *way)
{
    struct nearby_step step = {.at = way->at};
    if (!way->look(way->argument, &step))
        return false;
    char *slash = strrchr(way->at, '/');
    *(slash ?: way->at) = '\0';
    return true;
}

static bool follow(struct way *way, const char *path, bool passed, bool last);

/* What a link says, from where it is. */
static bool follow_link(struct way *way, const struct nearby_step *step)
{
    char target[PATH_MAX];
    if (way->links-- == 0)
        return fail(ELOOP);
    ssize_t length = readlink(step->part, target, sizeof target - 1);
    if (length < 0)
        return false;
    target[length] = '\0';
    return way->look(way->argument, step) && follow(way, target, step->passed, step->last);
}

/* Goes on to `part`, whatever that is. */
static bool enter(struct way *way, const char *part, bool passed, bool last)
{
    struct stat status;
    struct nearby_step step = {.at = way->at, .part = part, .passed = passed, .last = last};
    if (lstat(part, &status) == 0)
        step.status = &status;
    if (step.status && S_ISLNK(status.st_mode))
        return follow_link(way, &step);
    if (!way->look(way->argument, &step))
        return false;
    snprintf(way->at, PATH_MAX, "%s", part);
    return true;
}

/* `passed`, `last`: what `path` ends with is. */
static bool follow(struct way *way, const char *path, bool passed, bool last)
{
    char part[PATH_MAX];
    if (path[0] == '/')
        way->at[0] = '\0';
    for (size_t length; *(path += strspn(path, "/")); path += length) {
        length = strcspn(path, "/");
        if (length == 1 && path[0] == '.')
            continue;
        if (way->parts-- == 0)
            return fail(ELOOP);
        bool through = path[length] == '/';
        bool ends = path[length + strspn(path + length, "/")] == '\0';
        if (length == 2 && strncmp(path, "..", 2) == 0) {
            if (!go_up(way))
                return false;
        } else if (snprintf(part, sizeof part, "%s/%.*s", way->at, (int)length, path) >=
                   (int)sizeof part) {
            return fail(ENAMETOOLONG);
        } else if (!enter(way, part, through || passed, ends && last)) {
            return false;
        }
    }
    return true;
}

bool nearby_follow(const char *path, nearby_look *look, void *argument, char end[PATH_MAX])
{
    struct way way = {
        .look = look, .argument = argument, .links = LINKS_MAX, .parts = PARTS_MAX, .at = end};
    end[0] = '\0';
    return follow(&way, path, false, true);
}

/* ---- the real path ------------------------------------------------------------------------ */

static bool is_way(void *argument, const struct nearby_step *step)
{
    (void)argument;
    if (!step->part)
        return true;
    if (step->status && step->passed && !S_ISDIR(step->status->st_mode) &&
        !S_ISLNK(step->status->st_mode))
        return fail(ENOTDIR);
    return step->status;
}

char *nearby_resolve(const char *path)
{
    char end[PATH_MAX];
    if (strlen(path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    return nearby_follow(path, is_way, NULL, end) ? xstrdup(end[0] ? end : "/") : NULL;
}
