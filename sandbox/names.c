/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/names.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/listing.h"

enum { LISTED_MAX = 400, BITS = NAMES_WORDS * 64 };

/* FNV-1a. */
static unsigned bit_of(const char *name)
{
    uint32_t hash = 0x811c9dc5u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x01000193u;
    return (hash ^ (hash >> 16)) % BITS;
}

static void list(struct names *names, int fd)
{
    struct listing *listing = xmalloc(sizeof *listing); /* large */
    int left = LISTED_MAX;
    listing_start(listing);
    for (const struct dirent64 *entry; left > 0 && (entry = listing_next(listing, fd)); left--) {
        unsigned bit = bit_of(entry->d_name);
        names->bits[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
    if (left == 0 || listing->length < 0)
        memset(names, 0xff, sizeof *names);
    free(listing);
}

void names_read(struct names *names, const char *directory)
{
    cleanup_fd int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    memset(names, fd < 0 ? 0xff : 0, sizeof *names);
    if (fd >= 0)
        list(names, fd);
}

bool names_may_have(const struct names *names, const char *name)
{
    unsigned bit = bit_of(name);
    return names->bits[bit / 64] & (UINT64_C(1) << (bit % 64));
}
