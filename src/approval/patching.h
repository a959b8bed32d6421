/* SPDX-License-Identifier: MIT */
/*
 * patching: a call of the tool apply_patch.
 *
 * The patch is carried out by a program of ours (assent-patch) that gets it on its standard input
 * and runs under the call's sandbox, so that attempts, denials and the record are those of any
 * command. What is different stands here: which files it touches, what that requires, how risky it
 * is and which approvals cover it.
 *
 * An approval of a patch covers its content. For the session it covers each path by itself, and
 * only for files that are data: nothing outside the roots, nothing protected, nothing that a build,
 * a test or a shell runs.
 */
#ifndef ASSENT_APPROVAL_PATCHING_H
#define ASSENT_APPROVAL_PATCHING_H

#include "base/error.h"

struct call_entry;

/* Reads entry->call.patch: the spec becomes `apply_patch PATH…` with the patch as its input, and
 * asks to leave the sandbox when a path does. -1 with a message that names the patch's line. Before
 * that the spec's cwd is physical. */
int patching_take(struct call_entry *entry, struct error *error);
/* Are its files no worse to change than when it arrived? -1 with a message when they are. */
int patching_unchanged(const struct call_entry *entry, struct error *error);
/* The call's requirement. */
void patching_require(struct call_entry *entry);
/* The call's assessment. */
void patching_assess(struct call_entry *entry);
/* Its question (the whole patch) and keys (one a path, or none with entry->once_reason set). */
void patching_make_keys(struct call_entry *entry, const char *policy);

#endif
