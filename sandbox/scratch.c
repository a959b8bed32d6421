/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#define PARENT "/tmp/"
#define NAME "assent-scratch-"

int scratch_hold(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &status) == 0 && status.st_nlink > 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Those that nobody holds were left behind by somebody who was killed. */
static void sweep(void)
{
    DIR *list = opendir(PARENT);
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));) {
        if (strncmp(entry->d_name, NAME, strlen(NAME)) != 0)
            continue;
        cleanup_free char *path = xasprintf(PARENT "%s", entry->d_name);
        int lock = scratch_hold(path);
        if (lock < 0)
            continue;
        scratch_remove(path);
        close(lock);
    }
    closedir(list);
}

char *scratch_make(int *lock)
{
    enum { TRIES = 10 };
    sweep();
    for (int i = 0; i < TRIES; i++) {
        cleanup_free char *path = xstrdup(PARENT NAME "XXXXXX");
        if (!mkdtemp(path))
            return NULL;
        *lock = scratch_hold(path);
        if (*lock >= 0)
            return steal_pointer(&path);
        /* Somebody swept between the two steps. */
    }
    errno = EAGAIN;
    return NULL;
}

/* Takes the descriptor over. */
static void empty(int fd)
{
    DIR *directory = fdopendir(fd);
    if (!directory) {
        close(fd);
        return;
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(fd, entry->d_name, 0) == 0 || (errno != EISDIR && errno != EPERM))
            continue;
        int child = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (child < 0 && errno == EACCES && fchmodat(fd, entry->d_name, 0700, 0) == 0)
            child = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (child >= 0)
            empty(child);
        unlinkat(fd, entry->d_name, AT_REMOVEDIR);
    }
    closedir(directory);
}

void scratch_remove(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        empty(fd);
    rmdir(path);
}
