/* SPDX-License-Identifier: MIT */
/*
 * touched: what has changed on disk in some places since a moment: what a first try has done before
 * the sandbox stopped it, as far as a look from outside can tell. Who changed it is not known.
 *
 * A file has changed when its inode has (st_ctime: a command cannot set it back, inode(7)). That a
 * name is gone, or a directory is moved, shows only in the directory, which is named as "DIR/"
 * where nothing else in it has changed; not of the places themselves, of .git and beside one, where
 * the sandbox puts placeholders: of the first place its names are noted before. Of .git what it is
 * made of is left out: objects, logs, messages. So that nothing has changed is never said.
 */
#ifndef ASSENT_APPROVAL_TOUCHED_H
#define ASSENT_APPROVAL_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wording.h"

#define TOUCHED_BEFORE 1024  /* names of the first place that are noted */
#define TOUCHED_NAMES 32     /* that are told; of more their number is */
#define TOUCHED_COLUMNS 48   /* of each */
#define TOUCHED_ENTRIES 8192 /* that are looked at */
#define TOUCHED_MS 20        /* for which it looks; the console stands still meanwhile */

/* The time that the kernel gives to what changes now, in nanoseconds since 1970: it stamps inodes
 * with that of its last tick. */
int64_t touched_now(void);

/* The names in a directory, for touched_words(); NULL when they cannot be read, or are more than
 * TOUCHED_BEFORE. The caller frees with strv_free(). */
char **touched_before(const char *place);

/* Looks in `places` (absolute directories, NULL-terminated; what is there no more is passed over)
 * for what has changed since `since` (of touched_now()), and which of the names `before` (of the
 * first; NULL: they are not known) are there no more, and says it: "changed meanwhile: old (gone),
 * src/a.c, docs/ and 3 more", with what it could not look at. Paths are as seen from the first
 * place, else absolute; cut, and safe to show. Nearest first, what packages, caches and version
 * control fill last. Links and other file systems are not followed. *some: something has, or that
 * is not known. The caller frees. */
struct wording *touched_words(const char *const *places, char *const *before, int64_t since,
                              bool *some);

#endif
