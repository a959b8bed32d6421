/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_pointer.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

enum { POINTER_MAX = 4096 };

char *git_pointer_read(const char *file, const char *prefix, const char *base)
{
    char text[POINTER_MAX], path[PATH_MAX];
    cleanup_fd int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (got <= 0)
        return NULL;
    text[got] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    if (strncmp(text, prefix, strlen(prefix)) != 0)
        return NULL;
    const char *target = text + strlen(prefix);
    target += strspn(target, " ");
    if (target[0] == '/')
        return realpath(target, NULL);
    if (snprintf(path, sizeof path, "%s/%s", base, target) >= (int)sizeof path)
        return NULL;
    return realpath(path, NULL);
}
