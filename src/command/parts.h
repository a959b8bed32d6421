/* SPDX-License-Identifier: MIT */
/*
 * parts: the commands that a call runs, one by one, and which of them are known to be safe.
 *
 * What rules, grants and heuristics judge: each part must be allowed by something, and the
 * strictest answer wins. A call that is not exact has no parts; nothing may allow it.
 */
#ifndef ASSENT_COMMAND_PARTS_H
#define ASSENT_COMMAND_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "command/safety.h"
#include "command/shell.h"

struct command_part {
    const char *const *argv; /* borrowed from the parts */
    unsigned constructs;     /* enum shell_construct, of this command; 0 for bare words */
    char *directory;         /* where it runs, absolute; NULL when that is not known; owned */
    bool redirects;          /* it reads or writes files by < > >> */
    bool inside;             /* … which are visible ones of the workspace, and no code */
    bool safe;               /* on the known-safe list, as it stands and where it stands */
    bool installed;          /* its program is a file that no agent can have put there */
};

struct command_parts {
    bool exact;          /* what runs is known word by word */
    unsigned constructs; /* of the whole script; 0 for bare words */
    const char *reason;  /* why not: static (N_), else NULL */
    struct command_part *list;
    size_t count;
    struct shell_script script; /* when argv is a shell with one, else empty */
};

/* Reads `argv` (borrowed, must outlive the parts); `bash|sh|zsh -c|-lc SCRIPT` stands for its
 * script when the shell is installed. Clear with command_parts_clear(). */
void command_parts_read(const char *const *argv, const struct safety_context *context,
                        struct command_parts *parts);
void command_parts_clear(struct command_parts *parts);

/* Where a tracked `cd DIRECTORY` of a script leads from `cwd`: links resolved, also when its end is
 * not there yet. NULL when it cannot be said. Caller frees. */
char *command_parts_directory(const char *directory, const char *cwd);

/* Is it exact, and every part known to be safe? */
bool command_parts_safe(const struct command_parts *parts);

#endif
