/* SPDX-License-Identifier: MIT */
/* place: what it means that a file is read or written where it is. Paths are looked at as they are
 * written, with ~ for a home directory; no file is touched. */
#ifndef ASSENT_RISK_PLACE_H
#define ASSENT_RISK_PLACE_H

#include <stdbool.h>
#include <stddef.h>

enum place {
    PLACE_NOWHERE,   /* /dev/null and its like */
    PLACE_WORKSPACE, /* in the working directory or a writable root */
    PLACE_TEMPORARY, /* /tmp */
    PLACE_OUTSIDE,   /* elsewhere in a home directory, or not known */
    PLACE_CODE,      /* in the workspace, and run without further ado: git's hooks, agents' files */
    PLACE_APPROVER,  /* settings of agents and of what watches over them */
    PLACE_STARTUP,   /* runs at log-in, or as a shell starts */
    PLACE_OBEYED,    /* settings of other programs of the operator's, which run what these name */
    PLACE_LOGIN,     /* keys and settings of log-ins: who may log in here, and as whom elsewhere */
    PLACE_PROGRAM,   /* programs of the operator's own */
    PLACE_LOG,       /* logs and histories */
    PLACE_SYSTEM,    /* the machine's own files */
    PLACE_DEVICE,    /* a disk or another device */
};

/* Where `path` is, as something that is written; of a pattern, where what it expands to may be.
 * `cwd` may be NULL; `roots` are NULL-terminated, or NULL. */
enum place place_of(const char *path, const char *cwd, const char *const *roots);

/* "a//b", "a/./b" and "a/x/../b" are a/b, and "a/.." is ".": as they are written, a link on the way
 * is not known. The caller frees. */
char *place_straighten(const char *path);

/* Does the path alone tell that it is neither in the working directory nor in a root? */
bool place_is_beyond(const char *path, const char *cwd, const char *const *roots);

/* Are secrets kept there (~/.ssh/id_rsa, .env, *.pem)? */
bool place_is_secret(const char *path);

/* Does a variable of this name (`length` bytes) usually hold a secret (API_TOKEN)? */
bool place_is_secret_name(const char *name, size_t length);

/* Does writing there, or somewhere beneath it, reach what runs of itself, settings of agents, logs,
 * the machine's own files but for what it serves, its devices, or a whole home directory? An
 * absolute path, or ~ and what follows; one too long to be looked at does. `home`: a home directory
 * beside $HOME and the customary ones, written as the path is (without links when that is); NULL:
 * none. */
bool place_is_grave(const char *path, const char *home);

/* Is it a whole home directory, or the root of all files? */
bool place_is_home_or_root(const char *path);

/* Does a word name this machine as where to connect to: localhost, http://127.0.0.1:8080/x? */
bool place_is_this_machine(const char *address);

#endif
