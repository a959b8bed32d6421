/* SPDX-License-Identifier: MIT */
/*
 * log_stats: what the operator was asked, from session logs: how often and why, how long agents
 * waited for the answers, and for what most, so that it shows what a rule would save.
 */
#ifndef ASSENT_RECORD_LOG_STATS_H
#define ASSENT_RECORD_LOG_STATS_H

#include <jansson.h>

#include "record/log_index.h"
#include "record/log_query.h"

#define LOG_STATS_ASKED_MAX 10 /* of what was asked for most that is told */

struct log_stats;

struct log_stats *log_stats_new(void);
void log_stats_free(struct log_stats **stats);
/* Counts what is in a log; of the query, session and times hold. */
void log_stats_add(struct log_stats *stats, const struct log_index *index,
                   const struct log_query *query);

/* The same in steps of a few milliseconds: *line is 0 at first. True when there is more to do. */
bool log_stats_step(struct log_stats *stats, const struct log_index *index,
                    const struct log_query *query, size_t *line);

/* A new object:
 *   {"commands", "questions", "per_100" (of commands),
 *    "waited_ms": {"median", "p90", "total"} (null when nothing was answered),
 *    "causes": [{"cause", "questions", "per_100", "approved", "denied"}…] (most questions first),
 *    "asked": [{"what", "questions", "approved", "denied", "rule"}…] (as well, the first ten)}
 * "what": a program, and its subcommand if it has any. "rule": some of it the console offered to
 * allow from then on. Texts are untrusted. */
json_t *log_stats_result(const struct log_stats *stats);

#endif
