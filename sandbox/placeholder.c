/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/placeholder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/lift.h"

#define MARK (S_ISVTX | 0444) /* directories have search permission too */
#define CONTENT_MAX 2         /* bytes of the longest content */

enum { LOCK_TRIES = 200 }; /* a millisecond apart: whoever removes has it for a moment */

bool placeholder_is(const struct stat *status)
{
    mode_t mode = status->st_mode & 07777;
    if (S_ISDIR(status->st_mode)) /* S_ISGID comes from the one that it is made in */
        return (mode & ~(mode_t)S_ISGID) == (MARK | 0111);
    if (S_ISREG(status->st_mode))
        return mode == MARK && status->st_size <= CONTENT_MAX;
    return S_ISSOCK(status->st_mode) && mode == MARK;
}

/* ---- the lock --------------------------------------------------------------------------- */

/* One that somebody else made is not trusted with anything. */
static bool is_ours(int fd)
{
    struct stat status;
    return fd >= 0 && fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
           (status.st_mode & 077) == 0;
}

static int open_locks(void)
{
    char path[64];
    snprintf(path, sizeof path, PLACEHOLDER_LOCKS, geteuid());
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return -1;
    int directory = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), fd = -1;
    if (is_ours(directory))
        fd = openat(directory, "locks", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    fd_close(&directory);
    if (!is_ours(fd))
        fd_close(&fd);
    return fd;
}

/* Two directories with one byte would only keep each other's placeholders for longer. */
static off_t byte_of(const struct stat *directory)
{
    const uint64_t odd[] = {0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu}; /* no pattern of their own */
    uint64_t mixed = (uint64_t)directory->st_ino * odd[0] ^ (uint64_t)directory->st_dev * odd[1];
    return (off_t)(mixed >> 2);
}

/* F_RDLCK: shared, F_WRLCK: exclusive, F_UNLCK. */
static bool set_lock(int locks, off_t byte, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(locks, F_OFD_SETLK, &lock) == 0;
}

static bool lock_shared(int locks, off_t byte)
{
    for (int i = 0; locks >= 0 && i < LOCK_TRIES; i++) {
        if (set_lock(locks, byte, F_RDLCK))
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

/* The last one first: what lies in one directory comes one after the other. */
static struct placeholder_directory *find_directory(struct placeholders *placeholders,
                                                    const char *path, size_t length)
{
    size_t i = placeholders->directory_count - 1;
    while (strlen(placeholders->directories[i].path) != length ||
           strncmp(placeholders->directories[i].path, path, length) != 0)
        i--;
    return &placeholders->directories[i];
}

/* Locks what stands for the directory that `path` lies in, once. */
static struct placeholder_directory *use_directory(struct placeholders *placeholders,
                                                   const char *path)
{
    size_t length = (size_t)(strrchr(path, '/') - path);
    struct stat status;
    if (!strset_add(&placeholders->known, path, length))
        return find_directory(placeholders, path, length);
    struct placeholder_directory directory = {.path = xstrndup(path, length),
                                              .first = placeholders->path_count};
    if (placeholders->locks == 0)
        placeholders->locks = open_locks();
    if (stat(directory.path, &status) == 0) {
        if (lift_is_on(&status))
            lift_undo(directory.path);
        directory.byte = byte_of(&status);
        directory.locked = lock_shared(placeholders->locks, directory.byte);
    }
    placeholders->directories =
        xreallocarray(placeholders->directories, placeholders->directory_count + 1,
                      sizeof *placeholders->directories);
    placeholders->directories[placeholders->directory_count] = directory;
    return &placeholders->directories[placeholders->directory_count++];
}

static void add_path(struct placeholders *placeholders, struct placeholder_directory *directory,
                     const char *path)
{
    placeholders->paths = xreallocarray(placeholders->paths, placeholders->path_count + 1,
                                        sizeof *placeholders->paths);
    placeholders->paths[placeholders->path_count++] = xstrdup(path);
    directory->end = placeholders->path_count;
}

/* ---- making ----------------------------------------------------------------------------- */

/* It gets its name when it is whole: who is killed halfway must not leave a commondir without
 * content, for git a broken repository. Where a file system has no files without names it is at
 * least known for a placeholder from its first moment on. */
static int make_file(const char *path, const char *content)
{
    char directory[PATH_MAX], link[64];
    snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
    int fd = open(directory, O_WRONLY | O_TMPFILE | O_CLOEXEC, MARK);
    bool named = fd < 0;
    if (named)
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MARK);
    if (fd < 0)
        return -errno;
    int number = write(fd, content, strlen(content)) < 0 || fchmod(fd, MARK) < 0 ? errno : 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (number == 0 && !named && linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0)
        number = errno;
    close(fd);
    return -number;
}

/* Another name for the last one of this type that was made, if it still is one: much cheaper than a
 * file of its own, which a file system has to find an unused number for. */
static bool make_link(const char *last, mode_t type, const char *path)
{
    struct stat status;
    if (!last || link(last, path) < 0)
        return false;
    if (lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == type && status.st_size == 0 &&
        placeholder_is(&status))
        return true;
    unlink(path);
    return false;
}

static int make_empty(char **last, mode_t type, const char *path)
{
    if (make_link(*last, type, path))
        return 0;
    if (mknod(path, type | MARK, 0) < 0)
        return -errno;
    free(*last);
    *last = xstrdup(path);
    return 0;
}

struct making {
    struct placeholders *placeholders;
    enum placeholder_kind kind;
    const char *path, *content;
};

/* mkdir and mknod take the whole mode, but for the mask. */
static int make(void *argument)
{
    const struct making *making = argument;
    struct placeholders *placeholders = making->placeholders;
    if (making->kind == PLACEHOLDER_DIRECTORY)
        return mkdir(making->path, MARK | 0111) < 0 ? -errno : 0;
    if (making->kind == PLACEHOLDER_SOCKET)
        return make_empty(&placeholders->socket, S_IFSOCK, making->path);
    return making->content ? make_file(making->path, making->content)
                           : make_empty(&placeholders->file, S_IFREG, making->path);
}

int placeholders_make(struct placeholders *placeholders, enum placeholder_kind kind,
                      const char *path, const char *content)
{
    struct stat status;
    /* before the look: then nobody removes what is there */
    struct placeholder_directory *directory = use_directory(placeholders, path);
    struct making making = {placeholders, kind, path, content};
    int result = lift_for(directory->path, make, &making);
    if (result == -EEXIST && (lstat(path, &status) < 0 || !placeholder_is(&status)))
        return 1;
    if (result < 0 && result != -EEXIST)
        return result;
    add_path(placeholders, directory, path);
    return 0;
}

/* ---- removing --------------------------------------------------------------------------- */

static int remove_one(void *argument)
{
    const char *path = argument;
    struct stat status;
    if (lstat(path, &status) < 0)
        return -errno;
    if (!placeholder_is(&status))
        return 0;
    return (S_ISDIR(status.st_mode) ? rmdir(path) : unlink(path)) < 0 ? -errno : 0;
}

static bool lies_in(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && path[length] == '/' &&
           !strchr(path + length + 1, '/');
}

/* Nobody else uses it, and nobody begins to: it is locked for us alone. */
static bool is_alone(const struct placeholders *placeholders,
                     const struct placeholder_directory *directory)
{
    return directory->locked && set_lock(placeholders->locks, directory->byte, F_WRLCK);
}

/* Who else has a lock there: F_RDLCK, F_WRLCK, F_UNLCK for nobody. */
static short other_lock(int locks, off_t byte)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(locks, F_OFD_GETLK, &lock) == 0 ? lock.l_type : F_RDLCK;
}

/* Gives up our use before it looks for others': of two that end at once and look first, each would
 * find the other, and neither remove anything. Who uses it still removes it in turn. */
static bool is_last(const struct placeholders *placeholders,
                    const struct placeholder_directory *directory)
{
    if (!directory->locked)
        return false;
    set_lock(placeholders->locks, directory->byte, F_UNLCK);
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (set_lock(placeholders->locks, directory->byte, F_WRLCK))
            return true;
        short other = other_lock(placeholders->locks, directory->byte);
        if (other == F_RDLCK)
            return false;
        if (other == F_WRLCK) /* it removes what it knows of, and we may know of more */
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

static void remove_in(const struct placeholders *placeholders, size_t first,
                      const struct placeholder_directory *directory, bool covered)
{
    for (size_t i = first > directory->first ? first : directory->first; i < directory->end; i++) {
        char *path = placeholders->paths[i];
        if (!lies_in(path, directory->path))
            continue;
        if (covered)
            umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW);
        lift_for(directory->path, remove_one, path);
    }
}

void placeholders_remove_from(struct placeholders *placeholders, size_t first, bool covered)
{
    if (first >= placeholders->path_count)
        return;
    for (size_t i = 0; i < placeholders->directory_count; i++) {
        const struct placeholder_directory *directory = &placeholders->directories[i];
        if (!is_alone(placeholders, directory))
            continue;
        remove_in(placeholders, first, directory, covered);
        set_lock(placeholders->locks, directory->byte, F_RDLCK);
    }
}

void placeholders_remove(struct placeholders *placeholders, bool covered)
{
    for (size_t i = 0; i < placeholders->directory_count; i++) {
        struct placeholder_directory *directory = &placeholders->directories[i];
        if (is_last(placeholders, directory))
            remove_in(placeholders, 0, directory, covered);
        if (directory->locked)
            set_lock(placeholders->locks, directory->byte, F_UNLCK);
        free(directory->path);
    }
    for (size_t j = 0; j < placeholders->path_count; j++)
        free(placeholders->paths[j]);
    if (placeholders->locks > 0)
        close(placeholders->locks);
    strset_clear(&placeholders->known);
    free(placeholders->directories);
    free(placeholders->paths);
    free(placeholders->socket);
    free(placeholders->file);
    *placeholders = (struct placeholders){0};
}

void placeholder_reclaim(const char *path)
{
    struct placeholders left = {0};
    struct stat status;
    if (lstat(path, &status) < 0 || !placeholder_is(&status))
        return;
    add_path(&left, use_directory(&left, path), path);
    placeholders_remove(&left, false);
}
