/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"

/* As in linux/mount.h, which clashes with sys/mount.h in older C libraries. */
struct attributes {
    uint64_t set, clear, propagation, user_namespace;
};
enum {
    TREE_CLONE = 1,
    NO_FOLLOW = 0x100, /* AT_SYMLINK_NOFOLLOW */
    MOVE_FROM_EMPTY_PATH = 0x4,
    MOVE_TO_SYMLINKS = 0x10,
    MOVE_TO_EMPTY_PATH = 0x40,
    ATTRIBUTE_READONLY = 1,
    ATTRIBUTE_NODEV = 4,
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
    return fd < 0 ? -errno : (int)fd;
}

/* A clone with these attributes, which nothing that the host mounts later comes into. */
static int clone_private(const char *path, unsigned flags, uint64_t set)
{
    int fd = clone_tree(path, flags);
    int result = fd < 0 ? fd : set_attributes(fd, "", AT_EMPTY_PATH | flags, set);
    if (fd >= 0 && result < 0)
        close(fd);
    return result < 0 ? result : fd;
}

int mounts_clone(const char *path)
{
    return clone_private(path, WHOLE_TREE, 0);
}

int mounts_clone_single_readonly(const char *path)
{
    return clone_private(path, 0, ATTRIBUTE_READONLY);
}

int mounts_set_readonly(int mount)
{
    return set_attributes(mount, "", AT_EMPTY_PATH | WHOLE_TREE, ATTRIBUTE_READONLY);
}

int mounts_set_inert(int mount)
{
    return set_attributes(mount, "", AT_EMPTY_PATH | WHOLE_TREE,
                          ATTRIBUTE_READONLY | ATTRIBUTE_NODEV);
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

/* From here on everything is private already, and so are its clones. */

static int cover(int mount, const char *path, uint64_t set, uint64_t clear, unsigned flags)
{
    if (mount < 0)
        return mount;
    int result = change(mount, "", AT_EMPTY_PATH | flags, set, clear);
    if (result == 0)
        return mounts_attach(mount, path);
    close(mount);
    return result;
}

/* For what is no directory the kernel would look through all mounts beside it. */
int mounts_cover_readonly(const char *path)
{
    struct stat status;
    unsigned flags = stat(path, &status) < 0 || S_ISDIR(status.st_mode) ? WHOLE_TREE : 0;
    return cover(clone_tree(path, flags), path, ATTRIBUTE_READONLY, 0, flags);
}

int mounts_cover_readonly_with(const char *source, const char *path)
{
    return cover(clone_tree(source, 0), path, ATTRIBUTE_READONLY, 0, 0);
}

/* No part of the path may have become a symlink: what that leads to would be writable. The
 * directory that was looked at is the one that is cloned and covered, whatever has its name now. */
int mounts_cover_writable(const char *path)
{
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
    cleanup_fd int place = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (place < 0)
        return -errno;
    cleanup_fd int mount =
        (int)syscall(SYS_open_tree, place, "", TREE_CLONE | O_CLOEXEC | AT_EMPTY_PATH);
    int result = mount < 0 ? -errno : change(mount, "", AT_EMPTY_PATH, 0, ATTRIBUTE_READONLY);
    if (result == 0 && syscall(SYS_move_mount, mount, "", place, "",
                               MOVE_FROM_EMPTY_PATH | MOVE_TO_EMPTY_PATH) < 0)
        result = -errno;
    return result;
}

int mounts_pin_link(const char *path)
{
    int mount = clone_tree(path, NO_FOLLOW);
    return mount < 0 ? mount : attach(mount, path, 0);
}

int mounts_pin(const char *path)
{
    int mount = clone_tree(path, WHOLE_TREE);
    return mount < 0 ? mount : mounts_attach(mount, path);
}

int mounts_new_tmpfs(const char *path, const char *options)
{
    return mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0 ? -errno : 0;
}

int mounts_close_path(const char *path)
{
    struct stat status;
    if (lstat(path, &status) < 0)
        return -errno;
    if (S_ISLNK(status.st_mode)) /* what it leads to is covered */
        return 0;
    return mounts_cover_readonly_with(
        S_ISDIR(status.st_mode) ? MOUNTS_CLOSED_DIRECTORY : MOUNTS_CLOSED_FILE, path);
}

static bool is_same_file(const char *path, const struct stat *status)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == status->st_dev &&
           other.st_ino == status->st_ino;
}

bool mounts_is_closed(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && (is_same_file(MOUNTS_CLOSED_FILE, &status) ||
                                        is_same_file(MOUNTS_CLOSED_DIRECTORY, &status));
}
