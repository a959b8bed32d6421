/* SPDX-License-Identifier: MIT */
/* Linux says whether such a link is on the way (openat2() since 5.6). Where it cannot be asked, and
 * elsewhere, only a path that begins in their directories is known for one. */
#include "config.h"

#include "base/physical.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include "base/fd.h"

static bool begins_as_one(const char *path)
{
    return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

static bool leads_each_elsewhere(const char *path)
{
#ifdef __linux__
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS};
    cleanup_fd int there = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (there >= 0 || (errno != ENOSYS && errno != EPERM))
        return there < 0 && errno == ELOOP;
#endif
    return begins_as_one(path);
}

char *physical_path(const char *path)
{
    if (!leads_each_elsewhere(path))
        return realpath(path, NULL);
    errno = ELOOP;
    return NULL;
}
