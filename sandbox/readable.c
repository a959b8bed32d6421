/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/readable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/listing.h"

struct walk {
    struct landlock *landlock;
    const struct shut *shut;
    bool devices;
};

static int allow_entries(const struct walk *walk, const char *directory, int list);

static bool is_passage(const struct walk *walk, const char *path)
{
    return (strcmp(path, "/") == 0 && !walk->devices) || shut_lies_beneath(walk->shut, path);
}

static bool is_left_out(const struct walk *walk, const char *path)
{
    return (strcmp(path, "/dev") == 0 && !walk->devices) || shut_has(walk->shut, path);
}

static int allow_passage(const struct walk *walk, const char *path)
{
    cleanup_fd int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) /* what can not be listed is not read by names that nobody has granted */
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? -errno : 0;
    int result = landlock_allow_known(walk->landlock, fd, LANDLOCK_GRANT_LIST, true);
    return result < 0 ? result : allow_entries(walk, path, fd);
}

/* Not what a symlink leads to: that has its own rule, or none. */
static int allow_entry(const struct walk *walk, int directory, const struct dirent64 *entry)
{
    cleanup_fd int fd = openat(directory, entry->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -errno;
    if (entry->d_type == DT_UNKNOWN)
        return landlock_allow(walk->landlock, fd, LANDLOCK_GRANT_READ);
    return landlock_allow_known(walk->landlock, fd, LANDLOCK_GRANT_READ, entry->d_type == DT_DIR);
}

static int allow_entries(const struct walk *walk, const char *directory, int fd)
{
    char path[PATH_MAX];
    struct listing *listing = xmalloc(sizeof *listing); /* large: not zeroed */
    int result = 0;
    listing_start(listing);
    for (const struct dirent64 *entry; result == 0 && (entry = listing_next(listing, fd));) {
        if (entry->d_type == DT_LNK ||
            snprintf(path, sizeof path, "%s/%s", directory[1] ? directory : "", entry->d_name) >=
                (int)sizeof path ||
            is_left_out(walk, path))
            continue;
        result = is_passage(walk, path) ? allow_passage(walk, path) : allow_entry(walk, fd, entry);
    }
    free(listing);
    return result;
}

int readable_allow(struct landlock *landlock, const struct shut *shut, const char *path,
                   bool devices)
{
    const struct walk walk = {landlock, shut, devices};
    if (is_left_out(&walk, path))
        return 0;
    if (is_passage(&walk, path))
        return allow_passage(&walk, path);
    return landlock_allow_path(landlock, path, LANDLOCK_GRANT_READ, true);
}
