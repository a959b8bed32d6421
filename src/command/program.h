/* SPDX-License-Identifier: MIT */
/*
 * program: which file a command's first word names.
 *
 * It is found once, on the operator's search path and not on one that the call brings along, and
 * the same file is executed later: path, device, inode and time of change say whether it still is.
 */
#ifndef ASSENT_COMMAND_PROGRAM_H
#define ASSENT_COMMAND_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program {
    char *path; /* absolute, as found (a symbolic link is not replaced: programs look at it);
                   NULL when there is no such executable */
    char *real; /* the file behind it, all links resolved; NULL with path */
    uint64_t device, inode; /* of the file */
    int64_t changed_ns;     /* its ctime: unlike the mtime nobody can set it back */
    bool trusted_owner;     /* root's or ours, nobody else may write it, and it is no path in /tmp,
                               where a command finds other files than we do */
};

/* Looks `name` up: with a slash relative to `cwd`, else in the absolute directories of
 * `search_path` (colon-separated; NULL or relative ones find nothing). The result is cleared with
 * program_clear(), also when nothing was found. */
void program_find(const char *name, const char *cwd, const char *search_path,
                  struct program *program);
void program_clear(struct program *program);

/* Is it still the same file, with nothing written to it since? False for one that was not found. */
bool program_unchanged(const struct program *program);

/* Nobody but root or the operator can have put it there: a trusted owner, and not beneath any of
 * the roots (NULL-terminated, may be NULL). */
bool program_is_installed(const struct program *program, const char *const *writable_roots);

/* Does the file stand for others, so that a file of the project says what runs in the end: a
 * version manager's shim (rustup, mise, asdf, pyenv …)? */
bool program_is_manager(const struct program *program);

/* Can no agent put a program where one is looked for: is no directory of the search path beneath
 * one of the roots? Then a name that is not found there runs nothing. */
bool program_path_is_closed(const char *search_path, const char *const *writable_roots);

/* Value of a variable in NAME=VALUE strings (NULL-terminated, may be NULL), or NULL. */
const char *program_environment_get(const char *const *environment, const char *name);

enum { PROGRAM_HEAD = 16 }; /* bytes of a file that tell */
/* Do these bytes of a file begin a program that no interpreter reads: ELF, Mach-O? */
bool program_is_machine_code(const char *bytes, size_t length);

#endif
