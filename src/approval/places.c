/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/places.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/scratch.h"

/* What nobody holds was left behind. */
static void sweep(const char *parent)
{
    DIR *list = opendir(parent);
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));) {
        if (entry->d_name[0] == '.')
            continue;
        cleanup_free char *path = xasprintf("%s/%s", parent, entry->d_name);
        cleanup_fd int lock = scratch_hold(path);
        if (lock >= 0)
            scratch_remove(path);
    }
    closedir(list);
}

static int make_directory(const char *path, mode_t mode)
{
    return mkdir(path, 0700) < 0 || chmod(path, mode) < 0 ? -errno : 0;
}

static int make(struct places *places, const char *parent, struct error *error)
{
    if (mkdir(parent, 0700) < 0 && errno != EEXIST)
        return error_errno(error, errno, "%s", parent);
    sweep(parent);
    int result = make_directory(places->directory, 0700);
    if (result == 0)
        result = make_directory(places->tmp, 01777); /* as programs expect of /tmp */
    if (result == 0)
        result = make_directory(places->caches, 0700);
    if (result < 0)
        return error_errno(error, -result, "a place for temporary files in %s", parent);
    places->lock = scratch_hold(places->directory);
    return places->lock < 0 ? error_errno(error, errno, "%s", places->directory) : 0;
}

struct places *places_open(const char *state_directory, const char *id, struct error *error)
{
    struct places *places = XNEW(struct places);
    cleanup_free char *parent = xasprintf("%s/places", state_directory);
    places->directory = xasprintf("%s/%s", parent, id);
    places->tmp = xasprintf("%s/tmp", places->directory);
    places->caches = xasprintf("%s/caches", places->directory);
    places->lock = -1;
    if (make(places, parent, error) < 0)
        places_close(&places);
    return places;
}

/* Do the files beneath take more than that many bytes? */
static bool is_over(const char *path, long long maximum)
{
    char *const roots[] = {(char *)path, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_XDEV, NULL);
    long long bytes = 0;
    for (FTSENT *entry; walk && bytes <= maximum && (entry = fts_read(walk));)
        if (entry->fts_info != FTS_DP && entry->fts_info != FTS_NS)
            bytes += entry->fts_statp->st_blocks * 512LL;
    if (walk)
        fts_close(walk);
    return bytes > maximum;
}

void places_use_caches(struct places *places, long long maximum)
{
    if (places->uses++ % PLACES_CHECK_USES != PLACES_CHECK_USES - 1)
        return;
    if (is_over(places->caches, maximum)) {
        scratch_remove(places->caches);
        make_directory(places->caches, 0700);
    }
}

void places_close(struct places **places)
{
    struct places *closed = steal_pointer(places);
    if (!closed)
        return;
    scratch_remove(closed->directory);
    fd_close(&closed->lock);
    free(closed->directory);
    free(closed->tmp);
    free(closed->caches);
    free(closed);
}
