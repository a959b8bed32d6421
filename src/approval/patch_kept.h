/* SPDX-License-Identifier: MIT */
/*
 * patch_kept: how much is kept of the patches of finished calls, to be looked at. Calls are kept by
 * the thousand, and a patch can be megabytes.
 */
#ifndef ASSENT_APPROVAL_PATCH_KEPT_H
#define ASSENT_APPROVAL_PATCH_KEPT_H

#include <stddef.h>

struct call_entry;

#define PATCH_KEPT_BYTES ((size_t)64 * 1024)       /* of one, cut at the end of a line */
#define PATCH_KEPT_TOTAL ((size_t)4 * 1024 * 1024) /* of all; the oldest are emptied first */

/* How much of a patch is kept: up to where whole lines fit. */
size_t patch_kept_length(const char *text);
/* The call has finished, and everybody was told: frees what only its start needed of its patch,
 * cuts the text, and empties others until all have room. Calls that have no patch are left alone.
 */
void patch_kept_take_in(struct call_entry *entry);
/* The finished call is about to be freed. */
void patch_kept_forget(const struct call_entry *entry);

#endif
