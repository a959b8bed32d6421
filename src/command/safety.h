/* SPDX-License-Identifier: MIT */
/*
 * safety: is a command known to be read-only, is it known to be dangerous?
 *
 * Both lists are data. A known-safe command may run unasked (inside the sandbox); it must be
 * plainly understood, its program must resolve to a file that no agent can write, and every
 * operand must lie in the workspace or in the system's own directories. Danger is looked up by
 * basename and through wrappers (sudo, env, nice, timeout, xargs …).
 */
#ifndef ASSENT_COMMAND_SAFETY_H
#define ASSENT_COMMAND_SAFETY_H

#include <stdbool.h>
#include <stddef.h>

struct safety_context {
    const char *cwd;                   /* absolute, physical */
    const char *root;                  /* workspace root */
    const char *const *writable_roots; /* NULL-terminated, may be NULL */
    /* Directories beside the workspace that the operator lets be read unasked; NULL-terminated, may
     * be NULL. */
    const char *const *places;
    const char *program;     /* argv[0] as resolved on the operator's PATH, when that is
                                an installed program (program.h); else NULL */
    const char *search_path; /* the operator's PATH */
    bool has_env;            /* the call supplies variables that may change what runs */
    bool has_stdin;          /* the agent feeds its standard input */
};

/* `argv` is the command as received; shells (`bash|sh|zsh -c|-lc SCRIPT`) are looked into. */
bool safety_known_safe(const char *const *argv, const struct safety_context *context);

/* NULL, or why it is dangerous: a static sentence for the operator (untranslated; N_). */
const char *safety_danger(const char *const *argv);
/* The same for a shell script. The sentence begins with "it ". */
const char *safety_danger_of_script(const char *script, size_t length);

/* Does git find at the directory (absolute, physical) what the workspace root itself belongs to,
 * and not a repository within it, which an agent may have made? */
bool safety_git_is_of_workspace(const char *directory, const char *workspace);

/* A prefix of argv that may be offered as "allow commands that start with …", or NULL when none
 * may (interpreters, wrappers, multi-part scripts). Caller frees with strv_free(). */
char **safety_amendment(const char *const *argv);

#endif
