/* SPDX-License-Identifier: MIT */
/*
 * places: a session's own temporary files and tool caches, on disk while the session lasts.
 *
 * What one command leaves in /tmp is there for the session's next, and for nobody else's. Each
 * directory is locked by the console that made it; what a console that died has left behind is
 * removed by the next.
 */
#ifndef ASSENT_APPROVAL_PLACES_H
#define ASSENT_APPROVAL_PLACES_H

#include "base/error.h"

struct places {
    char *directory;
    char *tmp;    /* becomes /tmp */
    char *caches; /* below the tools' cache variables */
    int lock;
    unsigned uses; /* of the caches */
};

/* Bytes that the caches of a session may take; looked at every PLACES_CHECK_USES-th use. */
#define PLACES_CACHES_MAX ((long long)4 << 30)
#define PLACES_CHECK_USES 16

/* Makes them in `state_directory`/places. NULL with a message. */
struct places *places_open(const char *state_directory, const char *id, struct error *error);
/* Before a command uses the caches: empties them when they have grown over `maximum` bytes. */
void places_use_caches(struct places *places, long long maximum);
/* Removes them. */
void places_close(struct places **places);

#endif
