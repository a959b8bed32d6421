/* SPDX-License-Identifier: MIT */
/*
 * grants: what the operator has approved for the rest of a session.
 *
 * A key is canonical JSON (see call.h for what goes into one). A call is covered when *all* its
 * keys are granted; a call without keys is never covered and never stored. Each session has a
 * store of its own; nothing outlives it. A grant may be a lease, which ends before its session.
 */
#ifndef ASSENT_APPROVAL_GRANTS_H
#define ASSENT_APPROVAL_GRANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

struct grants;

enum lease_kind {
    LEASE_SESSION, /* as long as the session */
    LEASE_TIME,
    LEASE_RUNS,
    LEASE_CALL, /* until a call (an agent's pane, the command that connects) has ended */
};

/* How long a grant lasts. All zero: as long as its session. */
struct lease {
    enum lease_kind kind;
    int64_t duration_ms; /* LEASE_TIME, positive */
    uint64_t runs;       /* LEASE_RUNS, positive: calls that it covers beside the one asked about */
    uint64_t call;       /* LEASE_CALL: the call's id */
};

/* Why a grant is no longer there. */
enum grant_end {
    GRANT_REVOKED,
    GRANT_TIME_OVER,
    GRANT_RUNS_USED,
    GRANT_CALL_ENDED,
    GRANT_FILES_CHANGED, /* that its command runs code from */
    GRANT_PATH_CHANGED,  /* what it gives to write is no longer what it was */
};

const char *lease_kind_name(enum lease_kind kind); /* "session", "time", "runs", "call" */
const char *grant_end_name(enum grant_end end);    /* "revoked", "time", "runs" … */

struct grant {
    uint64_t id;        /* 1, 2, … in the order of granting */
    uint64_t call;      /* the call whose question was answered so: what the operator knows it by */
    const char *key;    /* canonical JSON */
    const char *label;  /* what it covers, in words, untrusted text included */
    int64_t granted_ms; /* wall clock */
    uint64_t uses;      /* calls that it has covered since */
    struct lease lease;
    const char *path; /* what its command may write in its sandbox as well; NULL: nothing */
    bool unsandboxed; /* its command runs where no sandbox holds it, as the key says */
    uint64_t seen;    /* changes of build files (changes.c) that whoever granted it knew of; 0: it
                         was in another console, and nothing is known here */
    const char
        *files; /* the sum of these files then, for the next console; NULL: none, or unknown */
    const char *const *places; /* where these files are; NULL: none, or unknown */
    const char *changed;       /* as it ends by GRANT_FILES_CHANGED: their names; NULL: unknown */
};

/* `clock` as for clock_monotonic_ms(); it must outlive the store. */
struct grants *grants_new(const struct clock *clock);
void grants_free(struct grants **grants);

/* Hears of every grant that ends; the grant is gone after the call. */
void grants_on_end(struct grants *grants,
                   void (*ended)(void *argument, const struct grant *grant, enum grant_end end),
                   void *argument);

/* Stores a grant for each key and returns the id of the first. One that is there already is kept
 * when it lasts as long as its session; else the new one stands beside it. `lease` NULL: as long as
 * the session. */
uint64_t grants_add(struct grants *grants, const char *const *keys, const char *label,
                    uint64_t call, const struct lease *lease);
/* When all keys are granted: the id of the newest grant that this takes, else 0. What lasts longer
 * is taken first. With `use` it counts as one of their uses; a lease of runs may be over then. */
uint64_t grants_cover(struct grants *grants, const char *const *keys, bool use);
/* Ends what has run out. Returns in how many ms the next one does, -1 when none will. */
int64_t grants_expire(struct grants *grants);
/* Whoever granted those keys knew of changes up to that number, when the sum of the files in those
 * places was that. */
void grants_note_seen(struct grants *grants, const char *const *keys, uint64_t seen,
                      const char *files, const char *const *places);
/* Of what was granted for those keys in another console: it was when the files were as they are now
 * (`files`, NULL: unknown), with all changes up to that number. */
void grants_recognise(struct grants *grants, const char *const *keys, const char *files,
                      uint64_t newest);
/* Of what is granted for those keys by somebody who did not know of changes up to that number: the
 * one where the fewest were known. NULL: there is none. Borrowed until the store changes. */
const struct grant *grants_unseen(const struct grants *grants, const char *const *keys,
                                  uint64_t newest);
/* Ends these (GRANT_FILES_CHANGED), saying which files changed. */
void grants_end_unseen(struct grants *grants, const char *const *keys, uint64_t newest,
                       const char *changed);
/* The same of one; false when there is no such id. */
bool grants_end_changed(struct grants *grants, uint64_t id, const char *changed);
/* Ends what lasts until that call has ended. */
void grants_end_with_call(struct grants *grants, uint64_t call);
/* How long a lease of time still lasts; 0 for others. */
int64_t grants_left_ms(const struct grants *grants, const struct grant *grant);
/* The id of the newest grant ever made here, 0 when there was none. */
uint64_t grants_newest(const struct grants *grants);
/* Ends one; false when there is no such id. */
bool grants_revoke(struct grants *grants, uint64_t id);
/* Was it ended so? */
bool grants_was_revoked(const struct grants *grants, uint64_t id);
/* The same, because what it gives to write has changed. */
bool grants_end_path(struct grants *grants, uint64_t id);
/* The one with that id, or NULL; borrowed until the store changes. */
const struct grant *grants_find_id(const struct grants *grants, uint64_t id);
size_t grants_count(const struct grants *grants);
/* The n-th live grant, oldest first; borrowed until the store changes. */
const struct grant *grants_at(const struct grants *grants, size_t index);

#endif
