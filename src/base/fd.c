/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/alloc.h"

static int set_flag(int fd, int get, int set, int flag, bool on)
{
    int flags = fcntl(fd, get);
    if (flags < 0)
        return -errno;
    int wanted = on ? flags | flag : flags & ~flag;
    return wanted == flags || fcntl(fd, set, wanted) == 0 ? 0 : -errno;
}

int fd_set_cloexec(int fd, bool on)
{
    return set_flag(fd, F_GETFD, F_SETFD, FD_CLOEXEC, on);
}

int fd_set_nonblock(int fd, bool on)
{
    return set_flag(fd, F_GETFL, F_SETFL, O_NONBLOCK, on);
}

bool fd_is_ready(int fd, short events)
{
    struct pollfd asked = {.fd = fd, .events = events};
    return poll(&asked, 1, 0) > 0; /* not when a signal ends it */
}

bool fd_none_left(int number)
{
    return number == EMFILE || number == ENFILE || number == ENOBUFS || number == ENOMEM;
}

int fd_write_all(int fd, const void *bytes, size_t length)
{
    const char *next = bytes;
    while (length > 0) {
        ssize_t count = write(fd, next, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -errno;
        next += count;
        length -= (size_t)count;
    }
    return 0;
}

/* Reads up to the end of the file; the size that stat told is only a first guess, because the
 * file may grow meanwhile and files of /proc claim to be empty. NULL with errno set. */
static char *read_to_end(int fd, size_t expected, size_t limit, size_t *length)
{
    size_t capacity = (expected < limit ? expected : limit) + 2;
    cleanup_free char *bytes = xmalloc(capacity);
    size_t used = 0;
    for (;;) {
        if (used + 1 == capacity)
            bytes = xreallocarray(bytes, capacity *= 2, 1);
        ssize_t count = read(fd, bytes + used, capacity - used - 1);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return NULL;
        if (count == 0)
            break;
        used += (size_t)count;
        if (used > limit) {
            errno = EFBIG;
            return NULL;
        }
    }
    bytes[used] = '\0';
    *length = used;
    return steal_pointer(&bytes);
}

char *fd_read_file(const char *path, size_t limit, bool nofollow, size_t *length)
{
    /* O_NONBLOCK: opening a FIFO that somebody put there must not wait for its writer. */
    int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (nofollow ? O_NOFOLLOW : 0);
    cleanup_fd int fd = open(path, flags);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        return NULL;
    if (!S_ISREG(status.st_mode)) {
        errno = EINVAL;
        return NULL;
    }
    size_t expected = (uint64_t)status.st_size > limit ? limit : (size_t)status.st_size;
    return read_to_end(fd, expected, limit, length);
}

/* Opens the directory that `path` lies in and points `name` at the last component. */
static int open_parent(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    if (**name == '\0')
        return -EISDIR;
    cleanup_free char *directory =
        !slash ? xstrdup(".") : xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* Creates a file with a name that nobody can guess in the directory; descriptor or -errno. */
static int create_temporary(int directory, char name[40])
{
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t random;
        if (getrandom(&random, sizeof random, 0) != sizeof random)
            return -errno;
        snprintf(name, 40, ".assent-%016llx.tmp", (unsigned long long)random);
        int fd =
            openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd < 0 ? -errno : fd;
    }
    return -EEXIST;
}

static int replace_file(const char *path, const void *bytes, size_t length, mode_t mode, bool sync)
{
    const char *name;
    cleanup_fd int directory = open_parent(path, &name);
    if (directory < 0)
        return directory;
    char temporary[40];
    cleanup_fd int fd = create_temporary(directory, temporary);
    if (fd < 0)
        return fd;
    int result = fd_write_all(fd, bytes, length);
    if (result == 0 && (fchmod(fd, mode) < 0 || (sync && fsync(fd) < 0)))
        result = -errno;
    if (result == 0 && renameat(directory, temporary, directory, name) < 0)
        result = -errno;
    if (result < 0) {
        unlinkat(directory, temporary, 0);
        return result;
    }
    return sync && fsync(directory) < 0 ? -errno : 0;
}

int fd_replace_file(const char *path, const void *bytes, size_t length, mode_t mode)
{
    return replace_file(path, bytes, length, mode, true);
}

int fd_replace_cache(const char *path, const void *bytes, size_t length, mode_t mode)
{
    return replace_file(path, bytes, length, mode, false);
}

static int make_directory(const char *path, mode_t mode)
{
    if (mkdir(path, mode) == 0)
        return 0;
    if (errno != EEXIST)
        return -errno;
    struct stat status;
    if (stat(path, &status) < 0)
        return -errno;
    return S_ISDIR(status.st_mode) ? 0 : -ENOTDIR;
}

mode_t fd_file_type(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

int fd_make_directories(const char *path, mode_t mode)
{
    if (*path == '\0')
        return -ENOENT;
    cleanup_free char *copy = xstrdup(path);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int result = make_directory(copy, mode);
        /* A parent that exists but must not be written or read is no reason to give up. */
        if (result < 0 && result != -EACCES && result != -EROFS)
            return result;
        *slash = '/';
    }
    return make_directory(copy, mode);
}

void fd_close_from(int first)
{
#ifdef SYS_close_range /* musl has no function for it */
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0) == 0)
        return;
#endif
    for (int fd = first, end = (int)sysconf(_SC_OPEN_MAX); fd < end; fd++)
        close(fd);
}

void fd_close(int *fd)
{
    int saved = errno;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    errno = saved;
}
