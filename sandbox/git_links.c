/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_links.h"

#include <ctype.h>
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

enum { DEPTH_MAX = 12, NAMES_MAX = 50000 };

struct search {
    const struct timespec *since;
    const struct report *report;
    bool deep;
    int left; /* names that are still looked at */
};

/* Where the rest of a directory is not git's: in a bare repository somebody may work. */
static const char *const OWN[] = {
    "index",     "packed-refs", "shallow", "logs",        "refs",   "rebase-merge", "rebase-apply",
    "sequencer", "rr-cache",    "objects", "description", "gc.log", "reftable",     NULL,
};
/* Not gone into: data under names that say what is in them, and repositories of their own. */
static const char *const PASSED[] = {"objects", "modules", "worktrees", "lfs", NULL};

static bool is_among(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list;
}

/* Messages and the heads of all kinds are in capitals. */
static bool is_of_git(const char *name)
{
    return isupper((unsigned char)name[0]) || is_among(name, OWN);
}

bool git_links_is_later(const struct timespec *time, const struct timespec *since)
{
    return time->tv_sec > since->tv_sec ||
           (time->tv_sec == since->tv_sec && time->tv_nsec >= since->tv_nsec);
}

/* How git once said which branch it is on. */
static bool is_old_head(const char *name, const char *target)
{
    return strcmp(name, "HEAD") == 0 && strncmp(target, "refs/", 5) == 0 && !strstr(target, "..");
}

static void remove_link(const struct search *search, int directory, const char *path,
                        const char *name)
{
    char target[PATH_MAX];
    ssize_t length = readlinkat(directory, name, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    if (is_old_head(name, target) || unlinkat(directory, name, 0) < 0)
        return;
    cleanup_free char *told =
        xasprintf("%s/%s (removed: git would write to %s)", path, name, target);
    report_alarm(search->report, told);
}

static void look_through(struct search *search, int directory, const char *path, bool moved,
                         int depth);

/* What was moved in with the directory that it is in is as old as before. */
static void look_at(struct search *search, int directory, const char *path, const char *name,
                    bool moved, int depth)
{
    struct stat status;
    char beneath[PATH_MAX];
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    bool later = moved || git_links_is_later(&status.st_ctim, search->since);
    if (S_ISLNK(status.st_mode) && later)
        remove_link(search, directory, path, name);
    if (!S_ISDIR(status.st_mode) || !search->deep || depth == DEPTH_MAX ||
        (depth == 0 && is_among(name, PASSED)) ||
        snprintf(beneath, sizeof beneath, "%s/%s", path, name) >= (int)sizeof beneath)
        return;
    int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        look_through(search, fd, beneath, later, depth + 1);
}

/* Takes the descriptor. */
static void look_through(struct search *search, int directory, const char *path, bool moved,
                         int depth)
{
    bool all = depth > 0 || strcmp(strrchr(path, '/'), "/.git") == 0;
    DIR *list = fdopendir(directory);
    if (!list) {
        close(directory);
        return;
    }
    for (struct dirent *entry; search->left > 0 && (entry = readdir(list)); search->left--) {
        const char *name = entry->d_name;
        bool looked_at = entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN ||
                         (entry->d_type == DT_DIR && search->deep);
        if (looked_at && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
            (all || is_of_git(name)))
            look_at(search, dirfd(list), path, name, moved, depth);
    }
    closedir(list);
}

void git_links_remove(const char *directory, const struct timespec *since, bool deep,
                      const struct report *report)
{
    struct search search = {.since = since, .report = report, .deep = deep, .left = NAMES_MAX};
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    look_through(&search, fd, directory, false, 0);
    if (search.left == 0)
        report_alarm(report, "more files than are looked into for symlinks of git's");
}
