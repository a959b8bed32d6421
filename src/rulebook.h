/* SPDX-License-Identifier: MIT */
/*
 * rulebook: the rule files that hold here, layer by layer.
 *
 *   system   SYSCONFDIR/assent/rules/…     user   $XDG_CONFIG_HOME/assent/rules/…
 *   project  ROOT/.assent/rules/…: may only tighten until the operator trusts these very bytes
 *
 * Files ("*.rules", in the order of their names) are read once, when it is made: what somebody
 * changes in them later counts only when the operator has them read again. The texts are kept, so
 * that what Assent itself adds and takes back needs no reading.
 */
#ifndef ASSENT_RULEBOOK_H
#define ASSENT_RULEBOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "command/rules.h"

struct rulebook;

/* `root` is the workspace root, or NULL for none. Never NULL: what cannot be read is a problem. */
struct rulebook *rulebook_open(const char *root);
/* Only these files, as layer "named". */
struct rulebook *rulebook_open_files(const char *const *paths);
void rulebook_free(struct rulebook **book);

/* All that can be read, as one; the caller frees. */
struct rules *rulebook_rules(struct rulebook *book);
/* What could not be read, "FILE:LINE:COLUMN: …", or NULL when all could. */
const char *rulebook_problem(const struct rulebook *book);
/* A sentence for the operator that says so and what it means, or NULL; caller frees. */
char *rulebook_warning(const struct rulebook *book);

/* ---- a project's own rules ------------------------------------------------------------------- */

/* Are there any about which the operator has not decided? */
bool rulebook_wants_trust(const struct rulebook *book);
bool rulebook_trusted(const struct rulebook *book);
/* Their text, for the operator to read; caller frees. NULL when there are none. */
char *rulebook_project_text(const struct rulebook *book);
/* The operator trusts them or does not, as they were read, here and from now on; recorded by the
 * hash of their content with the place of the project. */
int rulebook_decide_trust(struct rulebook *book, bool trust, struct error *error);

/* ---- what Assent writes ---------------------------------------------------------------------- */

/* The file that it writes to. */
const char *rulebook_own_file(const struct rulebook *book);
/* Adds a line, on the disk and here, where it gets that number. 1: done, 0: it was there already,
 * -1 with a message. */
int rulebook_add(struct rulebook *book, const char *line, unsigned *number, struct error *error);
/* The lines that were added so, the newest last, as they were read or added here; NULL-terminated,
 * borrowed until one is added or taken back. */
const char *const *rulebook_written(struct rulebook *book);
/* Takes back the newest of them; of those that say `only`, unless that is NULL. 1 and the line
 * (caller frees), 0 when there is none, -1 with a message. */
int rulebook_undo(struct rulebook *book, const char *only, char **line, struct error *error);

/* Is a rule that Assent has written still there, in any of the files? Also when not all of them can
 * be read: nobody knows then. `place` is that of a struct rulebook *, opened once it is needed. */
bool rulebook_keeps(void *place, const char *line);

/* How the files of `now` differ: for each file "@ PATH", then its lines with "+" or "-" in front;
 * caller frees. NULL when they are the same. */
char *rulebook_changes(const struct rulebook *then, const struct rulebook *now);

/* How many files were read. */
size_t rulebook_file_count(const struct rulebook *book);

#endif
