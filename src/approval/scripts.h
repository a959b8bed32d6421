/* SPDX-License-Identifier: MIT */
/*
 * scripts: the files of the workspace that a command names, as they were when it was shown.
 *
 * `sh deploy.sh` outside the sandbox does what the file says, and an agent can write the file while
 * the operator reads it. Noted is which file each word named, so that another one, or another
 * content, is noticed before the command starts.
 *
 * And a shell reads its script line by line, also those lines that were written since it began. So
 * what is run can be held: the kernel lets whoever opens it for writing wait until that is decided
 * (a lease, fcntl(2), F_SETLEASE), and says so with SIGIO. A shell keeps the file that it has
 * opened, so another one under the name changes nothing for it, but one that opens it later runs
 * that: this can only be told.
 */
#ifndef ASSENT_APPROVAL_SCRIPTS_H
#define ASSENT_APPROVAL_SCRIPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct scripts;

/* Of `argv`, or of the commands in it when it is a shell's script. Words are looked up from `cwd`
 * and, when it is not NULL, from `there`, where a script goes first; what is run is shown only from
 * where it is run. Of a word that names no file
 * it is noted that it does not. Files outside `writable_roots` (NULL-terminated) are left out, and
 * what comes behind the first thousand. The caller frees with scripts_free(). */
struct scripts *scripts_note(const char *const *argv, const char *cwd, const char *there,
                             const char *const *writable_roots);
void scripts_free(struct scripts **scripts);

/* A file that is another one now, or has another content; NULL when all are as they were. Takes
 * NULL. Borrowed. */
const char *scripts_changed(const struct scripts *scripts);

/* What the operator is shown of one that is run: `size` bytes in all, of which `length` were read;
 * a larger one is not read. `reader` is the program that reads it, NULL for what its first line
 * says; `compiled`: nothing reads it. Borrowed. */
struct script_text {
    const char *path, *reader, *bytes;
    size_t length;
    uint64_t size;
    bool compiled;
};

/* Is something run of which it is not known which file that is: a word that a shell expands, or a
 * place that the command goes to first? Takes NULL. */
bool scripts_unknown(const struct scripts *scripts);

/* The next at or after `*at`, which starts at 0 and goes on behind it; each file once. False when
 * there is none. Takes NULL. */
bool scripts_next(const struct scripts *scripts, size_t *at, struct script_text *text);

/* Is there one that is read line by line while it runs: a shell's, or a program of the workspace?
 * Takes NULL. */
bool scripts_can_hold(const struct scripts *scripts);
/* Holds those as they were noted, and compares all that is run with what was shown. -1: one is open
 * for writing, or is another now. A file of somebody else's or on a file system without leases is
 * not held. SIGIO must be caught when there is one to hold. Takes NULL. */
int scripts_hold(struct scripts *scripts, struct error *error);
/* One that is held and that somebody waits to write, or NULL. Takes NULL. Borrowed. */
const char *scripts_wanted(const struct scripts *scripts);
/* Lets them be written. Returns one that is no longer the file that was held, or NULL; borrowed.
 * Takes NULL; nothing is held after it. */
const char *scripts_release(struct scripts *scripts);

#endif
