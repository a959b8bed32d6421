/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/placeholder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

#define MARK (S_ISVTX | 0444) /* directories have search permission too */
#define CONTENT_MAX 2         /* bytes of the longest content */

bool placeholder_is(const struct stat *status)
{
    mode_t mode = status->st_mode & 07777;
    if (S_ISDIR(status->st_mode))
        return mode == (MARK | 0111);
    if (S_ISREG(status->st_mode))
        return mode == MARK && status->st_size <= CONTENT_MAX;
    return S_ISSOCK(status->st_mode) && mode == MARK;
}

/* ---- the lock --------------------------------------------------------------------------- */

/* Whoever removes has it for a moment; a stranger who keeps the directory locked is not waited
 * for. */
static int lock_shared(const char *directory)
{
    enum { TRIES = 200 };
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; fd >= 0 && i < TRIES; i++) {
        if (flock(fd, LOCK_SH | LOCK_NB) == 0)
            return fd;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Locks the directory that `path` lies in, once. */
static void use_directory(struct placeholders *placeholders, const char *path)
{
    size_t length = (size_t)(strrchr(path, '/') - path);
    for (size_t i = 0; i < placeholders->directory_count; i++)
        if (strlen(placeholders->directories[i].path) == length &&
            strncmp(placeholders->directories[i].path, path, length) == 0)
            return;
    placeholders->directories =
        xreallocarray(placeholders->directories, placeholders->directory_count + 1,
                      sizeof *placeholders->directories);
    struct placeholder_directory *directory =
        &placeholders->directories[placeholders->directory_count++];
    directory->path = xstrndup(path, length);
    directory->lock = lock_shared(directory->path);
}

/* ---- making ----------------------------------------------------------------------------- */

static int make_file(const char *path, const char *content)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
    int number = fd < 0 ? errno : 0;
    if (fd >= 0 && content && write(fd, content, strlen(content)) < 0)
        number = errno;
    if (fd >= 0 && number == 0 && fchmod(fd, MARK) < 0)
        number = errno;
    if (fd >= 0)
        close(fd);
    return -number;
}

/* mkdir and mknod take the whole mode, but for the mask. */
static int make(enum placeholder_kind kind, const char *path, const char *content)
{
    int result = 0;
    mode_t mask = umask(0);
    if (kind == PLACEHOLDER_DIRECTORY)
        result = mkdir(path, MARK | 0111) < 0 ? -errno : 0;
    else if (kind == PLACEHOLDER_SOCKET)
        result = mknod(path, S_IFSOCK | MARK, 0) < 0 ? -errno : 0;
    else
        result = make_file(path, content);
    umask(mask);
    return result;
}

int placeholders_make(struct placeholders *placeholders, enum placeholder_kind kind,
                      const char *path, const char *content)
{
    struct stat status;
    use_directory(placeholders, path); /* before the look: then nobody removes what is there */
    int result = make(kind, path, content);
    if (result == -EEXIST && (lstat(path, &status) < 0 || !placeholder_is(&status)))
        return 1;
    if (result < 0 && result != -EEXIST)
        return result;
    placeholders->paths = xreallocarray(placeholders->paths, placeholders->path_count + 1,
                                        sizeof *placeholders->paths);
    placeholders->paths[placeholders->path_count++] = xstrdup(path);
    return 0;
}

/* ---- removing --------------------------------------------------------------------------- */

static void remove_one(const char *path, bool covered)
{
    struct stat status;
    if (covered)
        umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW);
    if (lstat(path, &status) < 0 || !placeholder_is(&status))
        return;
    if (S_ISDIR(status.st_mode))
        rmdir(path);
    else
        unlink(path);
}

static bool lies_in(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && path[length] == '/' &&
           !strchr(path + length + 1, '/');
}

void placeholders_remove(struct placeholders *placeholders, bool covered)
{
    for (size_t i = 0; i < placeholders->directory_count; i++) {
        struct placeholder_directory *directory = &placeholders->directories[i];
        bool alone = directory->lock >= 0 && flock(directory->lock, LOCK_EX | LOCK_NB) == 0;
        for (size_t j = 0; alone && j < placeholders->path_count; j++)
            if (lies_in(placeholders->paths[j], directory->path))
                remove_one(placeholders->paths[j], covered);
        if (directory->lock >= 0)
            close(directory->lock);
        free(directory->path);
    }
    for (size_t j = 0; j < placeholders->path_count; j++)
        free(placeholders->paths[j]);
    free(placeholders->directories);
    free(placeholders->paths);
    *placeholders = (struct placeholders){0};
}
