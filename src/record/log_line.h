/* SPDX-License-Identifier: MIT */
/* log_line: what an event of the record says, for a person to read. */
#ifndef ASSENT_RECORD_LOG_LINE_H
#define ASSENT_RECORD_LOG_LINE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/strbuf.h"

/* "2026-11-21T09:08:07.123Z c12 denied, by you"; safe to show. */
void log_line_add(struct strbuf *out, json_t *event);
/* The words alone. Returns the names of the fields that they tell, each between blanks; static. */
const char *log_line_words(struct strbuf *out, json_t *event);
/* The value as one line, cut where it is long; safe to show. */
void log_line_value(struct strbuf *out, json_t *value);
/* Is it neither false, null, "" nor []? */
bool log_line_says(json_t *value);
/* Why a call has an exit status that no command gave it, ", stopped by you"; "" where one did, or
 * where it was denied. `finished` may be NULL. */
const char *log_line_exit(json_t *finished);
/* Has it that status because it was denied? Where that is said, the status would mislead. */
bool log_line_exit_denies(json_t *finished);

#endif
