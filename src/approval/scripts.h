/* SPDX-License-Identifier: MIT */
/*
 * scripts: the files of the workspace that a command names, as they were when it was shown.
 *
 * `sh deploy.sh` outside the sandbox does what the file says, and an agent can write the file while
 * the operator reads it. Noted is which file each word named, so that another one, or another
 * content, is noticed before the command starts.
 */
#ifndef ASSENT_APPROVAL_SCRIPTS_H
#define ASSENT_APPROVAL_SCRIPTS_H

struct scripts;

/* Of `argv`, or of the commands in it when it is a shell's script. Words are looked up from `cwd`
 * and, when it is not NULL, from `there`, where a script goes first. Of a word that names no file
 * it is noted that it does not. Files outside `writable_roots` (NULL-terminated) are left out, and
 * what comes behind the first thousand. The caller frees with scripts_free(). */
struct scripts *scripts_note(const char *const *argv, const char *cwd, const char *there,
                             const char *const *writable_roots);
void scripts_free(struct scripts **scripts);

/* A file that is another one now, or has another content; NULL when all are as they were. Takes
 * NULL. Borrowed. */
const char *scripts_changed(const struct scripts *scripts);

#endif
