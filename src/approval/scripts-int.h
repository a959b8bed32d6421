/* SPDX-License-Identifier: MIT */
/* scripts-int: between scripts.c (the files, as they were) and scripts_note.c (which files a
 * command names, and which of them it runs). Private to the two. */
#ifndef ASSENT_APPROVAL_SCRIPTS_INT_H
#define ASSENT_APPROVAL_SCRIPTS_INT_H

#include "approval/scripts.h"

#define SCRIPTS_NO_FILE SIZE_MAX

/* Where words are looked up; as in scripts_note(). */
struct scripts_place {
    const char *const *roots;
    const char *cwd, *there;
};

/* `place` is borrowed until scripts_noted(). */
struct scripts *scripts_new(const struct scripts_place *place);
void scripts_noted(struct scripts *scripts);
/* Where the outermost script goes first, or NULL. Borrowed. */
const char *scripts_there(const struct scripts *scripts);

/* Notes what the word names in each place where it may be meant. Returns the file that it names
 * from `directory`, one of the place's; SCRIPTS_NO_FILE when there is none that counts, or
 * `directory` is NULL. */
size_t scripts_add(struct scripts *scripts, const char *word, const char *directory);

/* That file is run by `reader`, NULL for what its first line says; `lines`: it is read line by line
 * meanwhile. False when it is not there. */
bool scripts_mark_run(struct scripts *scripts, size_t file, const char *reader, bool lines);
/* Something is run, and which file that is only the run tells. */
void scripts_mark_unknown(struct scripts *scripts);

#endif
