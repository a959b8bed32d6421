/* SPDX-License-Identifier: MIT */
/*
 * git_query: asks an installed git one thing about the repository of a call.
 *
 * The repository may be an agent's, and git runs what is written in some: it is let read alone, in
 * a sandbox without network and writing, for a short time; where there is none, or where an agent
 * can have put the git that is found there, it is not started. What it says is untrusted.
 */
#ifndef ASSENT_APPROVAL_GIT_QUERY_H
#define ASSENT_APPROVAL_GIT_QUERY_H

#include <stdbool.h>

#include "risk/git_losses.h"

struct call_entry;
struct git_query;

/* Lines that are longer (bytes) are cut, behind a whole character; of an answer that is longer than
 * 64 KiB the end is left out. */
#define GIT_QUERY_LINE_MAX 256

/* `ended` is called from within the loop when git has ended, not from within git_query_start(). */
struct git_query *git_query_new(void (*ended)(void *argument), void *argument);
/* What git runs is killed. */
void git_query_free(struct git_query **query);

/* Starts git with these words behind those that keep it to itself, where the call would run; what
 * was asked before is forgotten. False: it cannot be. */
bool git_query_start(struct git_query *query, const struct call_entry *entry,
                     const char *const *words);
/* Of the one that was started: lines for which `keeps` says no (with `kind`; `before` is the line
 * before that one, "" for none) are left out, and do not count for the length of the answer. */
void git_query_filter(struct git_query *query,
                      bool (*keeps)(enum git_loss_kind kind, const char *line, const char *before),
                      enum git_loss_kind kind);
/* Forgets what was asked, and kills what still runs. */
void git_query_forget(struct git_query *query);
/* Has one been started and not been forgotten, and has it ended? */
bool git_query_is_open(const struct git_query *query);
bool git_query_has_ended(const struct git_query *query);

/* Of one that has ended. Told: all is well, without a warning. Silent: it said no, and nothing
 * else. */
bool git_query_has_told(const struct git_query *query);
bool git_query_is_silent(const struct git_query *query);
/* Whole lines, each with its end; untrusted; the caller frees. */
char *git_query_take_lines(struct git_query *query);
/* The first line of its complaint, "" for none, untrusted; NULL: it took too long. Caller frees. */
char *git_query_why(const struct git_query *query);

#endif
