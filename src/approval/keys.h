/* SPDX-License-Identifier: MIT */
/*
 * keys: what an approval is an approval *of*, as canonical JSON.
 *
 * Everything that changes what runs, or what it runs under, is in the key: two requests have the
 * same key only when an approval of the one is an approval of the other. Bytes that are not UTF-8
 * are kept apart from text ({"hex": …}), so that no two commands share a key.
 */
#ifndef ASSENT_APPROVAL_KEYS_H
#define ASSENT_APPROVAL_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "approval/call.h"
#include "command/program.h"
#include "sandbox/command.h"

/* A path that a command was given, and what it named then. */
struct key_path {
    char *path; /* absolute, no part of it a link; may be untrusted */
    uint64_t device, inode;
};

struct shell_key {
    const struct command_spec *spec; /* cwd physical */
    const struct program *program;   /* of argv[0] */
    const char *search_path;         /* where an unwrapped command's program is looked up */
    const char *const *writable_roots;
    const char *there; /* where a script's first `cd` leads, links resolved; NULL: it has none */
    enum stdin_kind standard_input; /* of the attempt that is asked about */
    enum attempt_sandbox sandbox;
    bool retry;             /* asked after a denial */
    const char *agent_tool; /* the agent's own tool that runs it, or NULL: we do */
    const char *policy;     /* sandbox_policy_canonical() of what holds, NULL when unsandboxed */
    const struct key_path *given; /* what it may write beside that, or NULL */
};

/* `bash -lc 'ls -l'` has the key of `ls -l` when bash and ls are installed programs (not beneath
 * a root that agents write to). Caller frees. */
char *keys_of_shell(const struct shell_key *key);

struct patch_key {
    const char *subject; /* "path", or "content" for the patch as a whole */
    const char *value;   /* absolute path, or hash of the content */
    const char *change;  /* add, delete, update, move; of the whole: the directory */
    enum attempt_sandbox sandbox;
    bool retry;
    const char *policy; /* as above */
};

/* Caller frees. */
char *keys_of_patch(const struct patch_key *key);

/* What the approval is of. A key that is none of ours (of a record) says nothing. */
enum key_kind {
    APPROVED_UNKNOWN,
    APPROVED_COMMAND,
    APPROVED_PATCH,
    APPROVED_HOST,
    APPROVED_AGENT_TOOL
};

struct key_summary {
    enum key_kind kind;
    bool unsandboxed; /* a command of ours that no sandbox holds */
    bool address;     /* a host where it leads to addresses that are not public */
};

struct key_summary keys_summary(const char *key);

/* The path that the key's command may write beside what its policy says; false: there is none. The
 * caller frees path->path. */
bool keys_path(const char *key, struct key_path *path);

#endif
