/* SPDX-License-Identifier: MIT */
/*
 * policy: what a sandboxed command may do. A file-system policy (paths with an access each) and a
 * network policy, separate from one another; the four modes are constructors.
 *
 * A policy is a value: once a call holds its copy, nobody changes it.
 */
#ifndef ASSENT_SANDBOX_POLICY_H
#define ASSENT_SANDBOX_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sandbox/command.h"

enum sandbox_mode {
    SANDBOX_READ_ONLY,
    SANDBOX_WORKSPACE_WRITE,
    SANDBOX_DANGER_FULL_ACCESS,
    SANDBOX_EXTERNAL,
};

/* "read-only", "workspace-write", "danger-full-access", "external-sandbox". */
const char *sandbox_mode_name(enum sandbox_mode mode);
bool sandbox_mode_parse(const char *name, enum sandbox_mode *mode);

enum policy_access { POLICY_ACCESS_NONE, POLICY_ACCESS_READ, POLICY_ACCESS_WRITE };
const char *policy_access_name(enum policy_access access); /* "none", "read", "write" */

/* One path and everything beneath it. The entry with the longest path that covers a file decides;
 * of two entries for the same path the later one. A device and inode other than 0 pin what the
 * path named when the operator chose it: if it names something else at start, nothing runs. */
struct policy_entry {
    char *path; /* absolute, no "." or ".." or double slash; no slash at the end but in "/" */
    enum policy_access access;
    uint64_t device, inode;
};

enum policy_fs_kind {
    POLICY_FS_RESTRICTED,   /* the entries say what is allowed, nothing else is */
    POLICY_FS_UNRESTRICTED, /* everything */
    POLICY_FS_EXTERNAL,     /* everything as far as we are concerned: somebody else confines us */
};

/* Inside .git: what makes git run code is read-only, or all of it. */
enum policy_protect_git { POLICY_PROTECT_GIT_CODE, POLICY_PROTECT_GIT_ALL };

/* Where /tmp, /var/tmp and $TMPDIR lead. */
enum policy_tmp {
    POLICY_TMP_NONE,    /* as everything else: only what an entry grants */
    POLICY_TMP_PRIVATE, /* the session's own: tmp_source, or memory that ends with the command */
    POLICY_TMP_HOST,    /* the host's, writable */
};

enum policy_tool_caches { POLICY_CACHES_PRIVATE, POLICY_CACHES_SHARED, POLICY_CACHES_NONE };

struct sandbox_policy {
    enum sandbox_mode mode; /* what it was made from, for display */

    enum policy_fs_kind fs_kind;
    struct policy_entry *entries;
    size_t entry_count;
    bool platform_defaults; /* restricted reads: also what programs need to start */
    bool protect;           /* cover protected names in writable roots */
    enum policy_protect_git protect_git;
    bool protect_nested; /* repositories below the top of a root too */
    enum policy_tmp tmp;
    char *tmp_source; /* directory behind a private /tmp; NULL: memory */
    enum policy_tool_caches tool_caches;
    char *cache_source; /* directory of the session's tool caches; NULL: below the private /tmp */

    bool network;
    bool network_asks; /* while the network is off: hosts can be asked for, by way of the console's
                          proxy (gateway.h); needs a network namespace */
    char **unix_sockets; /* absolute paths that may be connected to; NULL-terminated or NULL */

    bool allow_degraded; /* run with fewer layers where the system lacks one, and say so */
    bool no_user_namespaces;
    int landlock_abi;  /* 0: the running kernel's; else act as if it were this one */
    int process_limit; /* 0: none */
};

/* Reads everything but what closed.h lists, writes nothing, no network. */
struct sandbox_policy *sandbox_policy_new_read_only(void);
/* Reads everything, writes beneath `workspace`, a private /tmp, no network; protected names kept.
 */
struct sandbox_policy *sandbox_policy_new_workspace_write(const char *workspace);
struct sandbox_policy *sandbox_policy_new_danger_full_access(void);
/* Nothing is enforced by us; `network` is what we are told and pass on by environment. */
struct sandbox_policy *sandbox_policy_new_external(bool network);
/* The mode's constructor; of `workspace` workspace-write makes a root, and the modes that confine
 * close its secrets. NULL: none. */
struct sandbox_policy *sandbox_policy_new(enum sandbox_mode mode, const char *workspace);
/* Grants nothing at all: what is read from a file starts from here. */
struct sandbox_policy *sandbox_policy_new_empty(void);
struct sandbox_policy *sandbox_policy_copy(const struct sandbox_policy *policy);
void sandbox_policy_free(struct sandbox_policy **policy);

/* Adds an entry. The path is cleaned of "." and doubled slashes; an error when it is not absolute,
 * contains "..", or is over 4095 bytes. No effect (and no error) on unrestricted policies. */
int sandbox_policy_add_entry(struct sandbox_policy *policy, enum policy_access access,
                             const char *path, struct error *error);
/* Takes the read access to everything away; readable roots are then added as entries. */
void sandbox_policy_restrict_reads(struct sandbox_policy *policy, bool platform_defaults);
int sandbox_policy_add_unix_socket(struct sandbox_policy *policy, const char *path,
                                   struct error *error);
/* Stores device and inode of what each writable entry names now, unless they are stored already.
 * -1 when one does not exist. */
int sandbox_policy_pin(struct sandbox_policy *policy, struct error *error);
/* The policy with what a call was additionally granted; caller frees. NULL with a message when a
 * path is not acceptable. Never takes anything away, never lifts a "none" entry. */
struct sandbox_policy *
sandbox_policy_with_additional(const struct sandbox_policy *policy,
                               const struct additional_permissions *additional,
                               struct error *error);

bool sandbox_policy_is_restricted(
    const struct sandbox_policy *policy); /* is there anything for us to enforce */
/* Access to a cleaned absolute path, by entries alone (protected names are not considered). */
enum policy_access sandbox_policy_access_at(const struct sandbox_policy *policy, const char *path);
bool sandbox_policy_reads_everything(const struct sandbox_policy *policy);

/* "workspace-write (network off)", "read-only, restricted reads (network off)"; caller frees. */
struct wording *sandbox_policy_summary(const struct sandbox_policy *policy);
/* One line a property in a fixed order, printable ASCII only ("%XX" for other bytes and for '%'):
 * equal texts mean equal policies, so that it can be part of an approval key. Caller frees. */
char *sandbox_policy_canonical(const struct sandbox_policy *policy);

#endif
