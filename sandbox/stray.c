/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/stray.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/statx.h"
#include "sandbox/aside.h"

/* ---- where it is ------------------------------------------------------------------------ */

/* The mount whose root the path is; 0: it is none, or nothing is there. */
static uint64_t mount_at(const char *path)
{
    struct statx status;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_MNT_ID, &status) < 0 ||
        !(status.stx_attributes & STATX_ATTR_MOUNT_ROOT))
        return 0;
    return statx_mount(&status);
}

/* "\040" as a blank; in place. */
static char *unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        unsigned value;
        if (from[0] == '\\' && sscanf(from + 1, "%3o", &value) == 1) {
            *to = (char)value;
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
    return text;
}

/* Where that mount is now; NULL: it is gone, and what it covered. The caller frees. */
static char *find_place(uint64_t mount)
{
    char *line = NULL, *place = NULL;
    size_t size = 0;
    FILE *list = fopen("/proc/self/mountinfo", "re");
    while (list && !place && getline(&line, &size, list) > 0) {
        char *rest;
        if (strtoull(line, &rest, 10) != mount)
            continue;
        for (int i = 0; rest && i < 3; i++) /* parent, device, its root */
            rest = rest[0] ? strchr(rest + 1, ' ') : NULL;
        char *start = rest ? rest + 1 : NULL;
        if (start)
            start[strcspn(start, " ")] = '\0';
        place = start ? xstrdup(unescape(start)) : NULL;
    }
    free(line);
    if (list)
        fclose(list);
    return place;
}

/* ---- would the next command be kept from it? -------------------------------------------- */

static bool is_closed_in(const struct protect *protect, const char *path)
{
    for (size_t i = 0; i < protect->closed_count; i++)
        if (strcmp(protect->closed[i], path) == 0)
            return true;
    return false;
}

/* `next`: what a start would find now; looked for when it is first asked for. */
static bool would_be_closed(const struct stray *stray, struct protect *next, const char *path)
{
    if (!next->roots)
        protect_collect(stray->policy, stray->home, next);
    return sandbox_policy_access_at(stray->policy, path) == POLICY_ACCESS_NONE ||
           is_closed_in(next, path);
}

/* ---- moving back ------------------------------------------------------------------------ */

/* Opens the directory `path`, which lies in `root`, one part after the other: none may be a link,
 * and a command can have made it too deep for a path. Makes what is missing if so wished. */
static int open_directory(const char *root, const char *path, bool make)
{
    char name[NAME_MAX + 1];
    int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (const char *at = path + strlen(root); fd >= 0 && *at;) {
        size_t length = strcspn(++at, "/");
        cleanup_fd int above = fd;
        if (length >= sizeof name)
            return -1;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (make)
            mkdirat(above, name, 0755);
        fd = openat(above, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        at += length;
    }
    return fd;
}

/* "/a/b" of "/a/b/c", where `name` becomes "c". */
static char *above(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash + 1;
    return xstrndup(path, (size_t)(slash - path));
}

/* Of a tree that was moved as a whole, its uppermost directory. */
static void widen(const char *root, char **now, char **before)
{
    for (;;) {
        struct stat status;
        const char *name, *known;
        cleanup_free char *now_above = above(*now, &name);
        cleanup_free char *before_above = above(*before, &known);
        if (strcmp(name, known) != 0 || strlen(before_above) <= strlen(root) ||
            strlen(now_above) <= strlen(root) || lstat(before_above, &status) == 0)
            return;
        char *swap = *now;
        *now = now_above;
        now_above = swap;
        swap = *before;
        *before = before_above;
        before_above = swap;
    }
}

/* The directory that the file is in goes back: no need to take away what covers the file. Where
 * there is something else by now, beside that, or to the top of the root. */
static bool move_back(const struct stray *stray, const char *place, const char *path)
{
    const char *root = protect_root_of(stray->protect, path), *name, *as;
    char *now = above(place, &name), *before = above(path, &as);
    bool done = false;
    if (root && protect_root_of(stray->protect, place) == root && strlen(now) > strlen(root) &&
        strlen(before) > strlen(root)) {
        widen(root, &now, &before);
        cleanup_free char *now_above = above(now, &name);
        cleanup_free char *before_above = above(before, &as);
        cleanup_fd int from = open_directory(root, now_above, false);
        cleanup_fd int to = open_directory(root, before_above, true);
        cleanup_fd int top = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
        done = aside_move(from, name, to, as) || aside_move(from, name, top, as);
    }
    free(now);
    free(before);
    return done;
}

/* A command that still runs may be quicker, and move it again or before: there is another look
 * then, and one when nothing of it runs any more. Where it is now that one finds out, too. */
static void bring_back(const struct stray *stray, struct stray_path *found, const char *place)
{
    bool done = move_back(stray, place, found->path);
    cleanup_free char *now = find_place(found->mount);
    bool again = now && strcmp(now, place) == 0;
    if (found->told || !now || (!done && !again))
        return;
    cleanup_free char *told =
        done ? xasprintf("%s (moved back to %s: a later command could have read it)", place,
                         again ? found->path : now)
             : xasprintf("%s (was %s, which is closed: later commands can read it)", place,
                         found->path);
    report_alarm(stray->report, told);
    found->told = true;
}

/* ---- the look --------------------------------------------------------------------------- */

void stray_open(struct stray *stray, const struct shut *shut)
{
    stray->paths = xcalloc(shut->count + 1, sizeof *stray->paths);
    for (size_t i = 0; i < shut->count; i++) {
        const char *path = shut->paths[i].path;
        uint64_t mount = protect_root_of(stray->protect, path) ? mount_at(path) : 0;
        if (mount)
            stray->paths[stray->count++] =
                (struct stray_path){.path = xstrdup(path), .mount = mount};
    }
}

/* What covers it was mounted anew when it still is where it was. */
static bool look_for(const struct stray *stray, struct stray_path *found, struct protect *next)
{
    cleanup_free char *place = find_place(found->mount);
    if (!place || strcmp(place, found->path) == 0) {
        found->mount = place ? mount_at(place) : 0;
        return false;
    }
    if (!would_be_closed(stray, next, place)) {
        bring_back(stray, found, place);
        return true;
    }
    free(found->path);
    found->path = xstrdup(place);
    return true;
}

bool stray_act(struct stray *stray)
{
    struct protect next = {0};
    bool elsewhere = false;
    for (size_t i = 0; i < stray->count; i++) {
        struct stray_path *path = &stray->paths[i];
        if (path->mount && mount_at(path->path) != path->mount)
            elsewhere = look_for(stray, path, &next) || elsewhere;
    }
    protect_free(&next);
    return elsewhere;
}
