/* SPDX-License-Identifier: MIT */
/*
 * grants: what the operator has approved for the rest of a session.
 *
 * A key is canonical JSON (see call.h for what goes into one). A call is covered when *all* its
 * keys are granted; a call without keys is never covered and never stored. Each session has a
 * store of its own; nothing outlives it.
 */
#ifndef ASSENT_APPROVAL_GRANTS_H
#define ASSENT_APPROVAL_GRANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct grants;

struct grant {
    uint64_t id;        /* 1, 2, … in the order of granting */
    uint64_t call;      /* the call whose question was answered so: what the operator knows it by */
    const char *key;    /* canonical JSON */
    const char *label;  /* what it covers, in words, untrusted text included */
    int64_t granted_ms; /* wall clock */
    uint64_t uses;      /* calls that it has covered since */
};

struct grants *grants_new(void);
void grants_free(struct grants **grants);

/* Stores a grant for each key (an existing one is kept); returns the id of the first. */
uint64_t grants_add(struct grants *grants, const char *const *keys, const char *label,
                    uint64_t call, int64_t wall_ms);
/* The id of a grant that covers when all keys are granted, else 0. Counts a use when `use`. */
uint64_t grants_cover(struct grants *grants, const char *const *keys, bool use);
/* The id of the newest grant ever made here, 0 when there was none. */
uint64_t grants_newest(const struct grants *grants);
/* Removes one; false when there is no such id. */
bool grants_revoke(struct grants *grants, uint64_t id);
/* The one with that id, or NULL; borrowed until the store changes. */
const struct grant *grants_find_id(const struct grants *grants, uint64_t id);
size_t grants_count(const struct grants *grants);
/* The n-th live grant, oldest first; borrowed until the store changes. */
const struct grant *grants_at(const struct grants *grants, size_t index);

#endif
