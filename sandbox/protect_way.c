/* SPDX-License-Identifier: MIT */
/* The way that a path leads by symlinks: protect_keep_way() and protect_add_way() of protect.h. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/nearby.h"
#include "sandbox/protect.h"

struct way {
    struct protect *protect;
    enum placeholder_kind missing; /* what the end gets if it does not exist; NONE: nothing does */
};

/* The first part that does not exist, so that nobody else makes the rest of the way. */
static void hold(const struct way *way, const struct nearby_step *step)
{
    if (way->missing != PLACEHOLDER_NONE && protect_pin_to(way->protect, step->at))
        protect_add_if_missing(way->protect, step->last ? way->missing : PLACEHOLDER_SOCKET,
                               step->part, NULL);
}

static void protect_end(const struct way *way, const char *end)
{
    const char *root = protect_root_of(way->protect, end);
    if (!root || strcmp(root, end) == 0)
        return;
    protect_pin_to(way->protect, end);
    protect_add(way->protect, PROTECT_READONLY, end);
}

/* Nothing is there: or it can not be seen, or only once a file has become a directory. */
static void stop(const struct way *way, const struct nearby_step *step, int number)
{
    if (number == ENOENT)
        hold(way, step);
    else if (number == ENOTDIR && way->missing != PLACEHOLDER_NONE)
        protect_end(way, step->at);
    else if (number == EACCES && protect_root_of(way->protect, step->at))
        protect_note_barred(way->protect, step->at);
}

static bool look(void *argument, const struct nearby_step *step)
{
    const struct way *way = argument;
    if (!step->part) {
        protect_pin_to(way->protect, step->at); /* another one there could be a link */
        return true;
    }
    if (!step->status || placeholder_is(step->status)) {
        stop(way, step, step->status ? ENOENT : errno);
        return false;
    }
    if (S_ISLNK(step->status->st_mode))
        protect_pin_to(way->protect, step->part);
    return true;
}

bool protect_keep_way(struct protect *protect, const char *path, char end[PATH_MAX])
{
    struct way way = {protect, PLACEHOLDER_NONE};
    return nearby_follow(path, look, &way, end);
}

void protect_add_way(struct protect *protect, const char *path, enum placeholder_kind missing)
{
    char end[PATH_MAX];
    struct way way = {protect, missing};
    if (nearby_follow(path, look, &way, end))
        protect_end(&way, end);
}
