/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/watch_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/statx.h"
#include "sandbox/mounts.h"

#define HASHED_MAX ((size_t)256 * 1024)

/* FNV-1a. */
static uint64_t hash_of(const char *path)
{
    size_t size;
    uint64_t hash = 0xcbf29ce484222325u;
    cleanup_free char *bytes = fd_read_file(path, HASHED_MAX, true, &size);
    for (size_t i = 0; bytes && i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash ? hash : 1;
}

struct watch_state watch_state_look(const char *path)
{
    struct statx found;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &found) < 0)
        return (struct watch_state){0};
    const struct stat status = {.st_mode = found.stx_mode, .st_size = (off_t)found.stx_size};
    return (struct watch_state){.there = true,
                                .directory = S_ISDIR(status.st_mode),
                                .placeholder = placeholder_is(&status),
                                .covered = found.stx_attributes & STATX_ATTR_MOUNT_ROOT,
                                .device = makedev(found.stx_dev_major, found.stx_dev_minor),
                                .inode = found.stx_ino,
                                .changed = {found.stx_ctime.tv_sec, found.stx_ctime.tv_nsec}};
}

void watch_state_update(struct watch_state *state, const struct protect_item *item)
{
    const struct watch_state was = *state;
    *state = watch_state_look(item->path);
    state->reported = was.reported;
    state->lost = was.lost && !state->there;
    state->made = was.made && state->directory;
    state->kept = was.kept;
    state->settle = was.settle;
    state->hash = state->there && item->kind == PROTECT_READONLY ? hash_of(item->path) : 0;
}

bool watch_state_is_same(const struct watch_state *left, const struct watch_state *right)
{
    return left->there == right->there &&
           (!left->there || (left->device == right->device && left->inode == right->inode));
}

static bool is_unchanged(const struct watch_state *was, const struct watch_state *now)
{
    return was->changed.tv_sec == now->changed.tv_sec &&
           was->changed.tv_nsec == now->changed.tv_nsec;
}

/* A number alone is soon another's. */
bool watch_state_is_known(const struct watch_state *was, const struct watch_state *now)
{
    return watch_state_is_same(was, now) && is_unchanged(was, now);
}

/* Content can not change without the change time moving. */
bool watch_state_is_changed(const struct watch_state *was, const struct watch_state *now,
                            const struct protect_item *item)
{
    if (item->missing !=
        PLACEHOLDER_NONE) /* one is as good as another, and may be closed as well */
        return now->there && !now->placeholder && !mounts_is_closed(item->path);
    if (!watch_state_is_same(was, now))
        return true;
    if (item->kind != PROTECT_READONLY || !now->there)
        return false;
    return !is_unchanged(was, now) || (was->hash && was->hash != hash_of(item->path));
}
