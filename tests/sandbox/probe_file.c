/* SPDX-License-Identifier: MIT */
/* probe_file: operations on files, and by descriptors of them. */
#include "config.h"

#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static int do_write(char **a)
{
    int fd = open(a[0], O_WRONLY | O_APPEND | O_NOCTTY);
    return fd < 0 ? -1 : (int)write(fd, "x", 1);
}

static int do_read(char **a)
{
    char byte;
    int fd = open(a[0], O_RDONLY | O_NONBLOCK | O_NOCTTY);
    return fd < 0 ? -1 : read(fd, &byte, 1) < 0 && errno != EAGAIN ? -1 : 0;
}

static int do_open(char **a)
{
    return open(a[0], O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

static int do_open_rdwr(char **a)
{
    return open(a[0], O_RDWR | O_NONBLOCK | O_NOCTTY);
}

static int do_create(char **a)
{
    return open(a[0], O_WRONLY | O_CREAT | O_EXCL, 0666);
}

static int do_tmpfile(char **a)
{
    return open(a[0], O_WRONLY | O_TMPFILE, 0666);
}

static int do_truncate(char **a)
{
    return truncate(a[0], 0);
}

static int do_open_truncate(char **a)
{
    return open(a[0], O_WRONLY | O_TRUNC);
}

static int do_chmod(char **a)
{
    return chmod(a[0], (mode_t)strtol(a[1], NULL, 8));
}

static int do_fchmod_path(char **a) /* through a descriptor that is only for reading */
{
    int fd = open(a[0], O_RDONLY | O_NOCTTY);
    return fd < 0 ? -1 : fchmod(fd, (mode_t)strtol(a[1], NULL, 8));
}

static int do_fchmodat2(char **a)
{
    return (int)syscall(452, AT_FDCWD, a[0], strtol(a[1], NULL, 8), 0);
}

static int do_fchmod(char **a) /* a descriptor that was handed over */
{
    return fchmod(probe_number(a[0]), (mode_t)strtol(a[1], NULL, 8));
}

static int do_chown(char **a)
{
    return chown(a[0], (uid_t)probe_number(a[1]), (gid_t)probe_number(a[1]));
}

static int do_utimes(char **a)
{
    struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    return utimensat(AT_FDCWD, a[0], times, 0);
}

static int do_setxattr(char **a)
{
    return setxattr(a[0], "user.probe", "x", 1, 0);
}

static int do_removexattr(char **a)
{
    return removexattr(a[0], "user.kept");
}

static int do_setflags(char **a)
{
    long flags = 0;
    int fd = open(a[0], O_RDONLY);
    if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
        return -1;
    flags ^= FS_NODUMP_FL;
    return ioctl(fd, FS_IOC_SETFLAGS, &flags);
}

static int do_mknod(char **a)
{
    return mknod(a[0], (strcmp(a[1], "b") == 0 ? S_IFBLK : S_IFCHR) | 0600,
                 makedev((unsigned)probe_number(a[2]), (unsigned)probe_number(a[3])));
}

static int do_mkfifo(char **a)
{
    return mkfifo(a[0], 0600);
}

static int do_mksocket(char **a)
{
    return mknod(a[0], S_IFSOCK | 0600, 0);
}

static int do_mkdir(char **a)
{
    return mkdir(a[0], 0777);
}

static int do_rmdir(char **a)
{
    return rmdir(a[0]);
}

static int do_unlink(char **a)
{
    return unlink(a[0]);
}

static int do_rename(char **a)
{
    return rename(a[0], a[1]);
}

static int do_exchange(char **a)
{
    return renameat2(AT_FDCWD, a[0], AT_FDCWD, a[1], RENAME_EXCHANGE);
}

static int do_link(char **a)
{
    return link(a[0], a[1]);
}

/* Many names of one file, NAME0 and so on. As many files would be slow to make, and the kernel
 * slower at making others for a while after they are gone. */
static int do_links(char **a)
{
    for (int i = 0; i < probe_number(a[1]); i++) {
        char name[NAME_MAX];
        snprintf(name, sizeof name, "%s%d", a[0], i);
        if (link(a[0], name) < 0)
            return -1;
    }
    return 0;
}

static int do_symlink(char **a)
{
    return symlink(a[0], a[1]);
}

static int do_fallocate(char **a)
{
    int fd = open(a[0], O_WRONLY);
    return fd < 0 ? -1 : fallocate(fd, 0, 0, 4096);
}

static int do_map_write(char **a)
{
    int fd = open(a[0], O_RDWR);
    char *map = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return -1;
    map[0] = 'X';
    return msync(map, 4096, MS_SYNC);
}

static int do_open_by_handle(char **a)
{
    union {
        struct file_handle handle;
        char bytes[sizeof(struct file_handle) + MAX_HANDLE_SZ];
    } u;
    int mount;
    u.handle.handle_bytes = MAX_HANDLE_SZ;
    if (name_to_handle_at(AT_FDCWD, a[0], &u.handle, &mount, 0) < 0)
        return -1;
    int root = open("/", O_RDONLY);
    return open_by_handle_at(root, &u.handle, O_RDONLY);
}

static int do_fd_open(char **a) /* is that descriptor open at all? */
{
    return fcntl(probe_number(a[0]), F_GETFD);
}

static int do_fd_reopen_write(char **a)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%s", a[0]);
    int fd = open(path, O_WRONLY | O_APPEND);
    return fd < 0 ? -1 : (int)write(fd, "x", 1);
}

static int do_fd_create_at(char **a)
{
    return openat(probe_number(a[0]), a[1], O_WRONLY | O_CREAT, 0666);
}

static int do_fd_proc_create(char **a)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/proc/self/fd/%s/%s", a[0], a[1]);
    return open(path, O_WRONLY | O_CREAT, 0666);
}

static int do_fd_parent_create(char **a) /* climbs out of a directory descriptor */
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "../%s", a[1]);
    return openat(probe_number(a[0]), path, O_WRONLY | O_CREAT, 0666);
}

static int do_fd_chdir_create(char **a)
{
    if (fchdir(probe_number(a[0])) < 0)
        return -1;
    return open(a[1], O_WRONLY | O_CREAT, 0666);
}

static int do_fd_truncate(char **a)
{
    return ftruncate(probe_number(a[0]), 0);
}

static int do_fd_seek_write(char **a)
{
    return (int)pwrite(probe_number(a[0]), "X", 1, 0);
}

const struct operation PROBE_FILE[] = {
    {"write", do_write, 1},
    {"read", do_read, 1},
    {"open", do_open, 1},
    {"open-rdwr", do_open_rdwr, 1},
    {"create", do_create, 1},
    {"tmpfile", do_tmpfile, 1},
    {"truncate", do_truncate, 1},
    {"open-truncate", do_open_truncate, 1},
    {"chmod", do_chmod, 2},
    {"fchmod-path", do_fchmod_path, 2},
    {"fchmodat2", do_fchmodat2, 2},
    {"fchmod", do_fchmod, 2},
    {"chown", do_chown, 2},
    {"utimes", do_utimes, 1},
    {"setxattr", do_setxattr, 1},
    {"removexattr", do_removexattr, 1},
    {"setflags", do_setflags, 1},
    {"mknod", do_mknod, 4},
    {"mkfifo", do_mkfifo, 1},
    {"mksocket", do_mksocket, 1},
    {"mkdir", do_mkdir, 1},
    {"rmdir", do_rmdir, 1},
    {"unlink", do_unlink, 1},
    {"rename", do_rename, 2},
    {"exchange", do_exchange, 2},
    {"link", do_link, 2},
    {"links", do_links, 2},
    {"symlink", do_symlink, 2},
    {"fallocate", do_fallocate, 1},
    {"map-write", do_map_write, 1},
    {"open-by-handle", do_open_by_handle, 1},
    {"fd-open", do_fd_open, 1},
    {"fd-reopen-write", do_fd_reopen_write, 1},
    {"fd-create-at", do_fd_create_at, 2},
    {"fd-proc-create", do_fd_proc_create, 2},
    {"fd-parent-create", do_fd_parent_create, 2},
    {"fd-chdir-create", do_fd_chdir_create, 2},
    {"fd-truncate", do_fd_truncate, 1},
    {"fd-seek-write", do_fd_seek_write, 1},
    {NULL, NULL, 0},
};
