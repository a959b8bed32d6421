/* SPDX-License-Identifier: MIT */
/*
 * build_files: the files of a workspace that a later build, test or package manager runs code from
 * (their names are the data of command/code_file.h), and which of them have changed.
 *
 * They are writable in the sandbox, because agents work on them. So the next command that runs them
 * is another one than the operator allowed, although nothing of it looks different.
 *
 * What is looked for are names at the top of a place and BUILD_FILES_DEPTH directories down,
 * without the directories of installed packages, version control and caches; no more than
 * BUILD_FILES_ENTRIES names and BUILD_FILES_MAX files in a place. What was found once is looked at
 * wherever it is. That a place has come to hold more than that, or a directory that may be entered
 * but cannot be read, counts as a change of the place itself. What has the same content and may be
 * executed as before is not changed, whatever its times say.
 */
#ifndef ASSENT_APPROVAL_BUILD_FILES_H
#define ASSENT_APPROVAL_BUILD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

#define BUILD_FILES_DEPTH 3
#define BUILD_FILES_ENTRIES 4096
#define BUILD_FILES_MAX 256
#define BUILD_FILES_ALL 1024                  /* in all places, with those that are gone */
#define BUILD_FILES_BYTES ((size_t)64 * 1024) /* of a larger one its times and size count */

struct build_files;

/* Of a change that was noticed. */
struct build_change {
    const char *path; /* absolute; borrowed until the next look */
    uint64_t number;  /* counts all changes; 1 stands for the first look at a place */
    bool made, gone;  /* it was not there before, or is not any more */
    uint64_t call;    /* the call after whose run it was noticed, 0: noticed at another time */
};

/* Is a directory of that name one that packages, version control or caches fill? */
bool build_files_leave_out(const char *name);

struct build_files *build_files_new(void);
void build_files_free(struct build_files **files);

/* Notes what has changed in a directory (absolute, physical) since the last look. The first look
 * at a place finds no changes. Takes time in proportion to the limits above, and for reading what
 * has other times than before. */
void build_files_look(struct build_files *files, const char *place, uint64_t call);
/* The same, of no call, unless it was done at this `moment` already (a number that counts up): what
 * asks at once is answered by one look. */
void build_files_look_at(struct build_files *files, const char *place, uint64_t moment);
/* Adds to the sum what the last look found in that place: each file's path and content. False when
 * nobody has looked, or the limits left something out: nothing can be said of it then. */
bool build_files_sum(const struct build_files *files, const char *place, struct sha256 *sum);
/* The number of the newest change in that place; 0 when nobody has looked at it. */
uint64_t build_files_newest(const struct build_files *files, const char *place);
/* Fills in at most `limit` changes in that place after number `since`, newest first; of each file
 * its newest. Returns how many there are. */
size_t build_files_changes(const struct build_files *files, const char *place, uint64_t since,
                           struct build_change *changes, size_t limit);

#endif
