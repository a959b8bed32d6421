/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/aside.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/random.h"

/* Names that can be guessed, and as many that can not. */
enum { GUESSED_MAX = 99, NAMES_MAX = 2 * GUESSED_MAX };

/* renameat2(2), which not every C library has; the flags are the kernel's. */
enum { NO_REPLACE = 1, EXCHANGE = 2 };

static bool rename_new(int from, const char *name, int to, const char *as)
{
    return syscall(SYS_renameat2, from, name, to, as, NO_REPLACE) == 0;
}

bool aside_exchange(int directory, const char *one, const char *other)
{
    return syscall(SYS_renameat2, directory, one, directory, other, EXCHANGE) == 0;
}

/* The number-th such name of `path`, whose last part is cut where the whole would be too long for a
 * name. */
static bool name_aside(char aside[PATH_MAX], const char *path, int number)
{
    enum { PART_MAX = 200 };
    const char *slash = strrchr(path, '/');
    size_t directory = slash ? (size_t)(slash + 1 - path) : 0;
    unsigned shown = (unsigned)number;
    char suffix[32] = ASIDE_SUFFIX;
    if (number > GUESSED_MAX)
        random_fill(&shown, sizeof shown);
    if (number > 1)
        snprintf(suffix, sizeof suffix, ASIDE_SUFFIX "-%u", shown);
    return snprintf(aside, PATH_MAX, "%.*s%.*s%s", (int)directory, path, PART_MAX, path + directory,
                    suffix) < PATH_MAX;
}

static bool put(int from, const char *name, int to, const char *as, char aside[PATH_MAX])
{
    for (int i = 1; i <= NAMES_MAX; i++)
        if (name_aside(aside, as, i) && rename_new(from, name, to, aside))
            return true;
    return false;
}

bool aside_move(int from, const char *name, int to, const char *as)
{
    char aside[PATH_MAX];
    return rename_new(from, name, to, as) || put(from, name, to, as, aside);
}

bool aside_rename(const char *path, char aside[PATH_MAX])
{
    return put(AT_FDCWD, path, AT_FDCWD, path, aside);
}

bool aside_put(const char *path)
{
    char aside[PATH_MAX];
    return aside_rename(path, aside) || unlink(path) == 0;
}
