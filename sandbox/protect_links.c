/* SPDX-License-Identifier: MIT */
/* What protected directories hold by way of a symlink: protect_add_links() of protect.h. */
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "sandbox/listing.h"
#include "sandbox/nearby.h"
#include "sandbox/protect.h"

struct walk {
    struct protect *protect;
    struct protect_links_left *left;
};

static void walk_directory(struct walk *walk, const char *directory, int depth);

/* In a directory outside the roots, and to a name beside it: that is looked at itself. */
static bool stays_outside(const struct protect *protect, const char *link)
{
    char target[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length <= 0)
        return false;
    target[length] = '\0';
    return !strchr(target, '/') && strcmp(target, "..") != 0 && !protect_root_of(protect, link);
}

static void add_link(struct walk *walk, const char *link, int depth)
{
    if (walk->left->links == 0 || stays_outside(walk->protect, link))
        return;
    walk->left->links--;
    protect_add_way(walk->protect, link, PLACEHOLDER_SOCKET);
    cleanup_free char *end = nearby_resolve(link);
    const char *root = end ? protect_root_of(walk->protect, end) : NULL;
    if (root && strcmp(root, end) != 0)
        walk_directory(walk, end, depth - 1);
}

static bool is_link(int fd, const struct dirent64 *entry)
{
    struct stat status;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_LNK;
    return fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

static void walk_directory(struct walk *walk, const char *directory, int depth)
{
    char path[PATH_MAX];
    cleanup_fd int fd =
        depth > 0 ? open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    struct listing *listing = xmalloc(sizeof *listing); /* large */
    listing_start(listing);
    for (const struct dirent64 *entry;
         walk->left->entries > 0 && (entry = listing_next(listing, fd));) {
        walk->left->entries--;
        if (!path_join(path, directory, entry->d_name))
            continue;
        if (is_link(fd, entry))
            add_link(walk, path, depth);
        else if (listing_is_directory(fd, entry))
            walk_directory(walk, path, depth - 1);
    }
    free(listing);
}

void protect_add_links(struct protect *protect, const char *directory, int depth)
{
    struct protect_links_left left = PROTECT_LINKS_LEFT;
    struct walk walk = {protect, protect->shares_links ? &protect->links_left : &left};
    walk_directory(&walk, directory, depth);
    protect->links_incomplete =
        protect->links_incomplete || walk.left->entries == 0 || walk.left->links == 0;
}
