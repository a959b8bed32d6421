/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/listing.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static const struct dirent64 *next(struct listing *listing, int fd)
{
    if (listing->at >= listing->length) {
        listing->length = syscall(SYS_getdents64, fd, listing->bytes, sizeof listing->bytes);
        listing->at = 0;
    }
    if (listing->length <= 0)
        return NULL;
    const struct dirent64 *entry = (const struct dirent64 *)(listing->bytes + listing->at);
    listing->at += entry->d_reclen;
    return entry;
}

const struct dirent64 *listing_next(struct listing *listing, int fd)
{
    const struct dirent64 *entry = next(listing, fd);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0))
        entry = next(listing, fd);
    return entry;
}

bool listing_is_directory(int fd, const struct dirent64 *entry)
{
    struct stat status;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

bool listing_counts_links(const char *path)
{
    enum { EXT = 0xEF53, XFS = 0x58465342, MEMORY = 0x01021994 };
    struct statfs status;
    return statfs(path, &status) == 0 &&
           (status.f_type == EXT || status.f_type == XFS || status.f_type == MEMORY);
}
