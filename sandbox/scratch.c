/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

char *scratch_make(void)
{
    char *path = xstrdup("/tmp/assent-XXXXXX");
    if (mkdtemp(path))
        return path;
    free(path);
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
