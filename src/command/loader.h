/* SPDX-License-Identifier: MIT */
/*
 * loader: does a command run code out of files that an agent can change?
 *
 * `make test`, `bash s.sh` or `npm run x` say nothing about what they will do the next time: that
 * stands in files of the workspace. An approval to run such a command outside the sandbox is for
 * once and never remembered. In doubt a command is a loader.
 */
#ifndef ASSENT_COMMAND_LOADER_H
#define ASSENT_COMMAND_LOADER_H

#include <stdbool.h>

struct loader_context {
    const char *cwd;                   /* absolute, physical */
    const char *root;                  /* workspace root, whose own repository is protected */
    const char *const *writable_roots; /* NULL-terminated, may be NULL */
    const char *search_path;           /* where programs are looked up */
    /* Only what runs a project's build, test and package definitions (code_file.h), or may: no
     * editors, databases and text tools, which read scripts of their own. */
    bool builds_only;
    char **named; /* NULL, or set to a copy of the word that the reason is about, if it is one */
};

/* NULL when it runs nothing but installed programs that load no code from a writable root; else
 * why not: a static phrase for the operator (untranslated; N_). Looks into `bash -c SCRIPT` and
 * through wrappers; reads file attributes and the first bytes of program files. */
const char *loader_reason(const char *const *argv, const struct loader_context *context);

/* Is that the reason of a program of its kind, of which no word need name the code that it reads?
 */
bool loader_reads_code(const char *reason);

/* Is it a program of which it is known, by its basename, that it runs code which it reads:
 * interpreters, builds, compilers? Versions and targets in the name do not matter (gcc-12). With
 * `builds_only` not those that only read scripts of their own (sed, tar, vim). */
bool loader_names(const char *program, bool builds_only);

#endif
