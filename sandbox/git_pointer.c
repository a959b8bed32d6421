/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_pointer.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/nearby.h"

#define POINTER_MAX ((size_t)PATH_MAX + 64)

/* Blanks and line ends belong to the name, but for those at its very end. */
char *git_pointer_path(const char *file, const char *prefix, const char *base)
{
    size_t length;
    cleanup_free char *text = fd_read_file(file, POINTER_MAX, false, &length);
    if (!text || strlen(text) != length || strncmp(text, prefix, strlen(prefix)) != 0)
        return NULL;
    char *target = text + strlen(prefix);
    for (size_t end = strlen(target); end > 0 && strchr("\r\n", target[end - 1]);)
        target[--end] = '\0';
    if (!target[0])
        return NULL;
    if (strcmp(target, ".") == 0) /* as our placeholders say, of which there are many */
        return xstrdup(base);
    return target[0] == '/' ? xstrdup(target) : xasprintf("%s/%s", base, target);
}

char *git_pointer_read(const char *file, const char *prefix, const char *base)
{
    cleanup_free char *path = git_pointer_path(file, prefix, base);
    if (!path || strcmp(path, base) == 0)
        return steal_pointer(&path);
    return nearby_resolve(path);
}

static bool has(const char *directory, const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    return snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path &&
           lstat(path, &status) == 0;
}

bool git_pointer_is_repository(const char *directory)
{
    char path[PATH_MAX];
    if (!has(directory, "HEAD"))
        return false;
    if (!has(directory, "commondir"))
        return has(directory, "objects") && has(directory, "refs");
    snprintf(path, sizeof path, "%s/commondir", directory);
    cleanup_free char *common = git_pointer_read(path, GIT_POINTER_COMMON, directory);
    return common && has(common, "objects") && has(common, "refs");
}

/* git reads past line ends that fill a file, takes what is before a NUL, and resolves a path that
 * is longer than the kernel's, or goes by way of a file. */
bool git_pointer_is_odd(const char *file, const char *prefix, const char *base)
{
    struct stat status;
    size_t length;
    if (stat(file, &status) < 0 || !S_ISREG(status.st_mode))
        return false;
    cleanup_free char *text = fd_read_file(file, POINTER_MAX, false, &length);
    if (!text || strlen(text) != length)
        return true;
    if (strncmp(text, prefix, strlen(prefix)) != 0)
        return false;
    errno = 0;
    cleanup_free char *target = git_pointer_read(file, prefix, base);
    return !target && errno != 0 && errno != ENOENT;
}
