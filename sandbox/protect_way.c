/* SPDX-License-Identifier: MIT */
/* The way that a path leads by symlinks: protect_keep_way() and protect_add_way() of protect.h. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/protect.h"

enum { LINKS_MAX = 64 }; /* more than the kernel would follow */

struct way {
    struct protect *protect;
    enum placeholder_kind missing; /* what the end gets if it does not exist; NONE: nothing does */
    int links;                     /* that may yet be followed */
    char at[PATH_MAX];             /* how far it has led: no part of this is a symlink */
};

static void go_up(struct way *way)
{
    char *slash = strrchr(way->at, '/');
    protect_pin_to(way->protect, way->at); /* another one there could be a link */
    *(slash ?: way->at) = '\0';
}

/* The first part that does not exist, so that nobody else makes the rest of the way. */
static void hold(struct way *way, const char *part, bool last)
{
    if (way->missing != PLACEHOLDER_NONE && protect_pin_to(way->protect, way->at))
        protect_add_if_missing(way->protect, last ? way->missing : PLACEHOLDER_SOCKET, part, NULL);
}

static void protect_end(const struct way *way)
{
    const char *root = protect_root_of(way->protect, way->at);
    if (!root || strcmp(root, way->at) == 0)
        return;
    protect_pin_to(way->protect, way->at);
    protect_add(way->protect, PROTECT_READONLY, way->at);
}

/* Nothing is there: or it can not be seen, or only once a file has become a directory. */
static void stop(struct way *way, const char *part, bool last)
{
    if (errno == ENOENT)
        hold(way, part, last);
    else if (errno == ENOTDIR && way->missing != PLACEHOLDER_NONE)
        protect_end(way);
    else if (errno == EACCES && protect_root_of(way->protect, way->at))
        protect_note_barred(way->protect, way->at);
}

static bool follow(struct way *way, const char *path, bool last);

/* What the link `part` says, from where it is. */
static bool follow_link(struct way *way, const char *part, bool last)
{
    char target[PATH_MAX];
    ssize_t length = way->links-- > 0 ? readlink(part, target, sizeof target - 1) : -1;
    if (length < 0)
        return false;
    target[length] = '\0';
    protect_pin_to(way->protect, part);
    return follow(way, target, last);
}

/* Goes on to `part`, whatever that is. */
static bool enter(struct way *way, const char *part, bool last)
{
    struct stat status;
    bool there = lstat(part, &status) == 0;
    if (!there || placeholder_is(&status)) {
        errno = there ? ENOENT : errno;
        stop(way, part, last);
        return false;
    }
    if (S_ISLNK(status.st_mode))
        return follow_link(way, part, last);
    snprintf(way->at, sizeof way->at, "%s", part);
    return true;
}

/* `last`: what `path` ends with is the end of the way. False when it leads to nothing. */
static bool follow(struct way *way, const char *path, bool last)
{
    char part[PATH_MAX];
    bool leads = true;
    if (path[0] == '/')
        way->at[0] = '\0';
    for (size_t length; leads && *(path += strspn(path, "/")); path += length) {
        length = strcspn(path, "/");
        bool ends = last && path[length + strspn(path + length, "/")] == '\0';
        if (length == 1 && path[0] == '.')
            continue;
        if (length == 2 && strncmp(path, "..", 2) == 0)
            go_up(way);
        else
            leads = snprintf(part, sizeof part, "%s/%.*s", way->at, (int)length, path) <
                        (int)sizeof part &&
                    enter(way, part, ends);
    }
    return leads;
}

bool protect_keep_way(struct protect *protect, const char *path, char end[PATH_MAX])
{
    struct way way = {.protect = protect, .missing = PLACEHOLDER_NONE, .links = LINKS_MAX};
    bool leads = follow(&way, path, true);
    memcpy(end, way.at, sizeof way.at);
    return leads;
}

void protect_add_way(struct protect *protect, const char *path, enum placeholder_kind missing)
{
    struct way way = {.protect = protect, .missing = missing, .links = LINKS_MAX};
    if (follow(&way, path, true))
        protect_end(&way);
}
