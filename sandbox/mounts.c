/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in linux/mount.h, which clashes with sys/mount.h in older C libraries. */
struct attributes {
    uint64_t set, clear, propagation, user_namespace;
};
enum {
    TREE_CLONE = 1,
    NO_FOLLOW = 0x100, /* AT_SYMLINK_NOFOLLOW */
    MOVE_FROM_EMPTY_PATH = 0x4,
    MOVE_TO_SYMLINKS = 0x10,
    ATTRIBUTE_READONLY = 1,
    WHOLE_TREE = 0x8000, /* AT_RECURSIVE */
};

static int change(int fd, const char *path, unsigned flags, uint64_t set, uint64_t clear)
{
    struct attributes attributes = {.set = set, .clear = clear, .propagation = MS_PRIVATE};
    if (syscall(SYS_mount_setattr, fd, path, flags, &attributes, sizeof attributes) < 0)
        return -errno;
    return 0;
}

static int set_attributes(int fd, const char *path, unsigned flags, uint64_t set)
{
    return change(fd, path, flags, set, 0);
}

static int clone_tree(const char *path, unsigned flags)
{
    long fd = syscall(SYS_open_tree, AT_FDCWD, path, TREE_CLONE | O_CLOEXEC | flags);
    if (fd < 0)
        return -errno;
    int result = set_attributes((int)fd, "", AT_EMPTY_PATH | (flags & WHOLE_TREE), 0);
    if (result < 0) {
        close((int)fd);
        return result;
    }
    return (int)fd;
}

int mounts_clone(const char *path)
{
    return clone_tree(path, WHOLE_TREE);
}

int mounts_clone_single(const char *path)
{
    return clone_tree(path, 0);
}

int mounts_set_readonly(int mount)
{
    return set_attributes(mount, "", AT_EMPTY_PATH | WHOLE_TREE, ATTRIBUTE_READONLY);
}

int mounts_close_all(void)
{
    return set_attributes(AT_FDCWD, "/", WHOLE_TREE, ATTRIBUTE_READONLY);
}

static int attach(int mount, const char *target, unsigned flags)
{
    long result =
        syscall(SYS_move_mount, mount, "", AT_FDCWD, target, MOVE_FROM_EMPTY_PATH | flags);
    int number = result < 0 ? errno : 0;
    close(mount);
    return -number;
}

int mounts_attach(int mount, const char *target)
{
    return attach(mount, target, MOVE_TO_SYMLINKS);
}

int mounts_cover_readonly(const char *path)
{
    int mount = mounts_clone(path);
    if (mount < 0)
        return mount;
    int result = mounts_set_readonly(mount);
    if (result < 0) {
        close(mount);
        return result;
    }
    return mounts_attach(mount, path);
}

int mounts_cover_writable(const char *path)
{
    int mount = mounts_clone_single(path);
    if (mount < 0)
        return mount;
    int result = change(mount, "", AT_EMPTY_PATH, 0, ATTRIBUTE_READONLY);
    if (result < 0) {
        close(mount);
        return result;
    }
    return mounts_attach(mount, path);
}

int mounts_pin_link(const char *path)
{
    int mount = clone_tree(path, NO_FOLLOW);
    return mount < 0 ? mount : attach(mount, path, 0);
}

int mounts_pin(const char *path)
{
    int mount = mounts_clone(path);
    return mount < 0 ? mount : mounts_attach(mount, path);
}

int mounts_new_tmpfs(const char *path, const char *options)
{
    return mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0 ? -errno : 0;
}
