/* SPDX-License-Identifier: MIT */
/*
 * log_reading: what the console shows of session logs, read in steps that take a few milliseconds
 * each, so that keys are answered meanwhile however large the logs are.
 */
#ifndef ASSENT_LOG_READING_H
#define ASSENT_LOG_READING_H

#include <stdbool.h>

#include "record/log_files.h"
#include "record/log_query.h"

struct log_reading;

/* Reads the logs of a directory that `wanted` names (NULL-terminated; NULL: all). `query` is
 * copied, its strings are borrowed as long as it is read. With `stats` what was asked is counted,
 * else calls are listed, `columns` wide (0: one a line). Never NULL. */
struct log_reading *log_reading_new(const char *directory, const char *const *wanted,
                                    const struct log_query *query, bool stats, size_t columns);
/* The same for whoever wants the calls themselves, as log_query_run() gives them. */
struct log_reading *
log_reading_new_calls(const char *directory, const char *const *wanted,
                      const struct log_query *query,
                      bool (*found)(void *argument, const struct log_call *call), void *argument);
/* True when there is more to do. */
bool log_reading_step(struct log_reading *reading);
/* Afterwards, when nobody was given the calls: what is shown, lines of untrusted text, escaped;
 * caller frees. */
char *log_reading_text(struct log_reading *reading);
void log_reading_free(struct log_reading **reading);

#endif
