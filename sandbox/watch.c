/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/watch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* What a file was: content can not change without the change time moving. */
struct watch_state {
    bool there, reported;
    dev_t device;
    ino_t inode;
    struct timespec changed;
};

static bool same(const struct watch_state *left, const struct watch_state *right)
{
    return left->there == right->there &&
           (!left->there || (left->device == right->device && left->inode == right->inode &&
                             left->changed.tv_sec == right->changed.tv_sec &&
                             left->changed.tv_nsec == right->changed.tv_nsec));
}

static struct watch_state look(const char *path)
{
    struct stat status;
    if (lstat(path, &status) < 0)
        return (struct watch_state){0};
    return (struct watch_state){
        .there = true, .device = status.st_dev, .inode = status.st_ino, .changed = status.st_ctim};
}

static bool compared(const struct protect_item *item)
{
    return item->kind == PROTECT_READONLY && item->missing == PLACEHOLDER_NONE;
}

static void compare(struct watch *watch, size_t index)
{
    const struct protect_item *item = &watch->protect->items[index];
    struct watch_state *state = &watch->states[index];
    struct watch_state now = look(item->path);
    if (!compared(item) || state->reported || same(state, &now))
        return;
    report_alarm(watch->report, item->path);
    state->reported = true;
}

static int open_signal(void)
{
    sigset_t changes;
    sigemptyset(&changes);
    sigaddset(&changes, SIGIO);
    return signalfd(-1, &changes, SFD_CLOEXEC | SFD_NONBLOCK);
}

static size_t directory_length(const char *path)
{
    return (size_t)(strrchr(path, '/') - path);
}

static bool watched_before(const struct protect *protect, size_t index)
{
    const char *path = protect->items[index].path;
    size_t length = directory_length(path);
    for (size_t i = 0; i < index; i++)
        if (directory_length(protect->items[i].path) == length &&
            strncmp(protect->items[i].path, path, length) == 0)
            return true;
    return false;
}

/* The descriptor stays open as long as the process lives. */
static void watch_directory(const char *path)
{
    char *directory = xstrndup(path, directory_length(path));
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(directory);
    if (fd >= 0)
        fcntl(fd, F_NOTIFY, DN_CREATE | DN_DELETE | DN_RENAME | DN_MULTISHOT);
}

/* Is nothing of ours mounted there any more? */
static bool is_bare(const char *path)
{
    struct statx status;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &status) < 0)
        return true;
    return !(status.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

/* What was removed leaves a name that the command could take: a placeholder takes it first. */
static void cover_again(struct watch *watch, const struct protect_item *item)
{
    struct stat status;
    enum placeholder_kind kind =
        item->missing == PLACEHOLDER_NONE ? PLACEHOLDER_SOCKET : item->missing;
    if (lstat(item->path, &status) < 0 && item->kind == PROTECT_READONLY)
        placeholders_make(watch->placeholders, kind, item->path, item->content);
    protect_apply_item(item);
}

static void cover_bare(struct watch *watch)
{
    for (size_t i = 0; i < watch->protect->count; i++)
        if (is_bare(watch->protect->items[i].path)) {
            cover_again(watch, &watch->protect->items[i]);
            compare(watch, i);
        }
}

void watch_open(struct watch *watch, const struct protect *protect,
                struct placeholders *placeholders, const struct report *report)
{
    *watch = (struct watch){
        .fd = -1, .protect = protect, .placeholders = placeholders, .report = report};
    if (protect->count == 0)
        return;
    watch->states = xcalloc(protect->count, sizeof *watch->states);
    watch->fd = open_signal();
    for (size_t i = 0; i < protect->count; i++) {
        watch->states[i] = look(protect->items[i].path);
        if (watch->fd >= 0 && !watched_before(protect, i))
            watch_directory(protect->items[i].path);
    }
    cover_bare(watch); /* what was changed between looking for it and now */
}

void watch_act(struct watch *watch)
{
    struct signalfd_siginfo information;
    while (read(watch->fd, &information, sizeof information) > 0)
        continue;
    cover_bare(watch);
}

void watch_finish(struct watch *watch)
{
    for (size_t i = 0; watch->states && i < watch->protect->count; i++)
        compare(watch, i);
}
