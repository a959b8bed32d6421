/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_links.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "sandbox/listing.h"

/* What is spent when a command ends, about as the time: one for each name, more for one that is
 * looked at or removed, and for a directory that is gone through also each byte of its path, which
 * is kept. In all a second or two, and as many bytes. */
enum { SPENT_MAX = 2000000, SPENT_ON_LOOK = 5, SPENT_ON_DIRECTORY = 50, SPENT_ON_REMOVAL = 100 };

/* What a directory is to git. */
enum kind {
    KIND_REPOSITORY,
    KIND_DATA,      /* objects, beneath directories whose names are two digits of theirs */
    KIND_MODULES,   /* repositories of submodules, each under its name, which may have slashes */
    KIND_WORKTREES, /* administrative directories of linked worktrees */
    KIND_BOOKS,
};

struct place {
    char *path; /* from the repository's directory; as long as git could open it */
    enum kind kind;
    bool moved; /* all in it came with the command */
};

struct walk {
    const struct git_links *links;
    const char *directory;
    int repository; /* the same, as O_PATH */
    bool all;       /* names in it are git's */
    bool beneath;
    bool counts_links;
    size_t left;
    struct place *places; /* nearest first */
    size_t count;
    struct listing listing;
};

/* Where the rest of a directory is not git's: in a bare repository somebody may work. */
static const char *const OWN[] = {
    "index",
    "packed-refs",
    "shallow",
    "logs",
    "refs",
    "reftable",
    "objects",
    "description",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
    "rebased-patches",
    "rr-cache",
    "worktrees",
    "modules",
    "lost-found",
    "lfs",
    "info",
    "addp-hunk-edit.diff",
    "fsmonitor--daemon",
    NULL,
};
static const char *const OWN_STARTS[] = {"gc.", "sharedindex.", "next-index-", "fast_import_crash_",
                                         NULL};
/* They change with every object, and what is in them need not be the command's. */
static const char *const REMEMBERED[] = {
    ".",
    "objects",
    "objects/info",
    "objects/info/commit-graphs",
    "objects/pack",
    "lfs",
    "logs",
    "lfs/objects",
    "modules",
    "worktrees",
};

static bool may_spend(struct walk *walk, size_t cost)
{
    walk->left -= cost < walk->left ? cost : walk->left;
    return walk->left > 0;
}

bool git_links_is_later(const struct timespec *time, const struct timespec *since)
{
    return time->tv_sec > since->tv_sec ||
           (time->tv_sec == since->tv_sec && time->tv_nsec >= since->tv_nsec);
}

/* Messages and the heads of all kinds are in capitals. */
static bool is_of_git(const char *name)
{
    if (strv_has(OWN, name))
        return true;
    for (const char *const *start = OWN_STARTS; *start; start++)
        if (strncmp(*start, name, strlen(*start)) == 0)
            return true;
    return isupper((unsigned char)name[0]);
}

/* ---- what was there ---------------------------------------------------------------------- */

/* From the repository's directory; the caller frees. */
static char *path_in(const char *place, const char *name)
{
    return strcmp(place, ".") == 0 ? xstrdup(name) : xasprintf("%s/%s", place, name);
}

/* Of what is `path` from `directory`; the caller frees. */
static char *whole_path(const char *directory, const char *path)
{
    return strcmp(path, ".") == 0 ? xstrdup(directory) : xasprintf("%s/%s", directory, path);
}

/* By its place, too: in another what is in it means something else to git. The caller frees. */
static char *identify(const struct stat *status, const char *directory, const char *path)
{
    cleanup_free char *whole = whole_path(directory, path);
    return xasprintf("%jx:%jx:%s", (uintmax_t)status->st_dev, (uintmax_t)status->st_ino, whole);
}

/* In one that nobody could look into an earlier command may have left what was not seen then. */
static bool can_be_known(const struct stat *status)
{
    return S_ISDIR(status->st_mode) && (status->st_mode & S_IRUSR) && (status->st_mode & S_IXUSR);
}

void git_links_remember(struct git_links *links, const char *directory)
{
    struct stat status;
    cleanup_fd int fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    for (size_t i = 0; i < COUNT(REMEMBERED); i++)
        if (fstatat(fd, REMEMBERED[i], &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            can_be_known(&status)) {
            cleanup_free char *identity = identify(&status, directory, REMEMBERED[i]);
            strset_add(&links->known, identity, strlen(identity));
        }
}

static bool is_known(const struct walk *walk, const struct place *place, const char *name,
                     const struct stat *status)
{
    if (!S_ISDIR(status->st_mode))
        return false;
    cleanup_free char *path = path_in(place->path, name);
    cleanup_free char *identity = identify(status, walk->directory, path);
    return strset_has(&walk->links->known, identity);
}

/* ---- symlinks ---------------------------------------------------------------------------- */

/* How git once said which branch it is on. */
static bool is_old_head(const char *name, const char *target)
{
    return strcmp(name, "HEAD") == 0 && strncmp(target, "refs/", 5) == 0 && !strstr(target, "..");
}

static void remove_link(struct walk *walk, const struct place *place, int directory,
                        const char *name)
{
    char target[PATH_MAX];
    ssize_t length = readlinkat(directory, name, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    if (is_old_head(name, target) || !may_spend(walk, SPENT_ON_REMOVAL) ||
        unlinkat(directory, name, 0) < 0)
        return;
    cleanup_free char *path = path_in(place->path, name);
    cleanup_free char *told =
        xasprintf("%s/%s (removed: git would write to %s)", walk->directory, path, target);
    report_alarm(walk->links->report, told);
}

/* ---- directories ------------------------------------------------------------------------- */

/* Takes the path. */
static void add_place(struct walk *walk, char *path, enum kind kind, bool moved)
{
    if (!may_spend(walk, SPENT_ON_DIRECTORY + strlen(path))) {
        free(path);
        return;
    }
    if ((walk->count & (walk->count + 1)) == 0) /* full at 0, 1, 3, 7 …: doubled */
        walk->places = xreallocarray(walk->places, 2 * (walk->count + 1), sizeof *walk->places);
    walk->places[walk->count++] = (struct place){path, kind, moved};
}

static bool has_head(const struct walk *walk, const char *path)
{
    struct stat status;
    cleanup_free char *head = xasprintf("%s/HEAD", path);
    return fstatat(walk->repository, head, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static enum kind kind_of(const struct walk *walk, const struct place *place, const char *name,
                         const char *path)
{
    switch (place->kind) {
    case KIND_REPOSITORY:
        return strcmp(name, "objects") == 0 || strcmp(name, "lfs") == 0 ? KIND_DATA
               : strcmp(name, "modules") == 0                           ? KIND_MODULES
               : strcmp(name, "worktrees") == 0                         ? KIND_WORKTREES
                                                                        : KIND_BOOKS;
    case KIND_MODULES:
        return has_head(walk, path) ? KIND_REPOSITORY : KIND_MODULES;
    case KIND_WORKTREES:
        return KIND_REPOSITORY;
    case KIND_DATA:
    case KIND_BOOKS:
        break;
    }
    return place->kind;
}

/* Git writes nothing into hooks, but the operator may have links there; what else is to be said of
 * them git_leftover says. Where objects are many, those directories have changed that got one. */
static bool is_passed(const struct place *place, const char *name, bool moved)
{
    return (place->kind == KIND_REPOSITORY && strcmp(name, "hooks") == 0) ||
           (place->kind == KIND_DATA && strlen(name) == 2 && !moved);
}

static void add_directory(struct walk *walk, const struct place *place, const char *name,
                          bool moved)
{
    if (is_passed(place, name, moved))
        return;
    char *path = path_in(place->path, name);
    add_place(walk, path, kind_of(walk, place, name, path), moved);
}

/* Removes it, or adds it to what is gone through. */
static void look_at(struct walk *walk, const struct place *place, int directory, const char *name)
{
    struct stat status;
    if (!may_spend(walk, SPENT_ON_LOOK) ||
        fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    bool is_directory = S_ISDIR(status.st_mode);
    bool later = git_links_is_later(&status.st_ctim, &walk->links->since);
    bool moved = place->moved || (later && !is_known(walk, place, name, &status));
    if (S_ISLNK(status.st_mode) && moved)
        remove_link(walk, place, directory, name);
    bool has_directories = !walk->counts_links || status.st_nlink != 2;
    if (is_directory && walk->beneath && (moved || later || has_directories))
        add_directory(walk, place, name, moved);
}

static int open_place(const struct walk *walk, const char *path)
{
    struct open_how how = {.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, walk->repository, path, &how, sizeof how);
}

/* What the command has barred the next could open again, and so could the operator. */
static void tell_barred(const struct walk *walk, const struct place *place)
{
    struct stat status;
    if (fstatat(walk->repository, place->path, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
        !git_links_is_later(&status.st_ctim, &walk->links->since))
        return;
    cleanup_free char *path = whole_path(walk->directory, place->path);
    cleanup_free char *told = xasprintf("%s (can not be looked into)", path);
    report_alarm(walk->links->report, told);
}

static void look_through(struct walk *walk, const struct place *place)
{
    bool all = walk->all || strcmp(place->path, ".") != 0;
    struct stat status;
    cleanup_fd int fd = open_place(walk, place->path);
    if (fd < 0 || fstatat(fd, ".", &status, 0) < 0) {
        if (errno == EACCES && walk->beneath)
            tell_barred(walk, place);
        return;
    }
    listing_start(&walk->listing);
    for (const struct dirent64 *entry;
         may_spend(walk, 1) && (entry = listing_next(&walk->listing, fd));) {
        unsigned type = entry->d_type;
        if ((type == DT_LNK || type == DT_UNKNOWN || (type == DT_DIR && walk->beneath)) &&
            (all || is_of_git(entry->d_name)))
            look_at(walk, place, fd, entry->d_name);
    }
}

/* ---- repositories ------------------------------------------------------------------------ */

static bool is_in_git(const char *directory)
{
    return strstr(directory, "/.git/") || strcmp(strrchr(directory, '/'), "/.git") == 0;
}

static bool start(struct walk *walk, const char *directory, bool moved)
{
    walk->directory = directory;
    walk->all = is_in_git(directory);
    walk->counts_links = listing_counts_links(directory);
    walk->repository = open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (walk->repository >= 0)
        add_place(walk, xstrdup("."), KIND_REPOSITORY, moved);
    return walk->repository >= 0;
}

static void finish(struct walk *walk)
{
    for (size_t i = 0; i < walk->count; i++)
        free(walk->places[i].path);
    free(walk->places);
    fd_close(&walk->repository);
}

void git_links_remove(const struct git_links *links, const char *directory)
{
    struct walk walk = {.links = links, .left = SPENT_MAX};
    if (start(&walk, directory, false))
        look_through(&walk, &walk.places[0]);
    finish(&walk);
}

/* False when it has been gone through like that, by itself or as a part of another. As what was
 * moved there it is so once more: old links count then. */
static bool is_first_look(struct git_links *links, const struct walk *walk,
                          const struct place *place)
{
    bool top = strcmp(place->path, ".") == 0;
    if (place->kind != KIND_REPOSITORY)
        return true;
    cleanup_free char *path = whole_path(walk->directory, place->path);
    cleanup_free char *look = xasprintf("%d%s", place->moved, path);
    if (top && !walk->all) /* there is more to be said of it as a part */
        return !strset_has(&links->seen, look);
    return strset_add(&links->seen, look, strlen(look));
}

void git_links_remove_beneath(struct git_links *links, const char *directory, bool moved)
{
    struct walk walk = {.links = links, .beneath = true, .left = SPENT_MAX - links->spent};
    if (start(&walk, directory, moved))
        for (size_t i = 0; i < walk.count; i++) {
            const struct place place = walk.places[i]; /* they move when one is added */
            if (is_first_look(links, &walk, &place))
                look_through(&walk, &place);
        }
    links->spent = SPENT_MAX - walk.left;
    if (walk.left == 0 && !links->incomplete)
        report_alarm(links->report, "more files than are looked into for symlinks of git's");
    links->incomplete = walk.left == 0;
    finish(&walk);
}

void git_links_free(struct git_links *links)
{
    strset_clear(&links->known);
    strset_clear(&links->seen);
}
