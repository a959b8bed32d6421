/* SPDX-License-Identifier: MIT */
/*
 * log_export: the calls of a query, one a row: for a terminal, as JSON lines, or as a table for a
 * report (Markdown, CSV). No text of an agent's gets further than its cell: control characters
 * are escaped, Markdown's are made plain, and a cell of CSV that a spreadsheet would take for a
 * formula gets an apostrophe in front.
 */
#ifndef ASSENT_RECORD_LOG_EXPORT_H
#define ASSENT_RECORD_LOG_EXPORT_H

#include <stdio.h>

#include "record/log_query.h"

enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON, LOG_FORMAT_MARKDOWN, LOG_FORMAT_CSV };

/* What comes before the first row; nothing for some. */
/* Who asked, as the console calls it; what a plain client calls itself, between quotes. Safe to
 * print. Caller frees. */
char *log_export_agent(const struct log_call *call, size_t width);

void log_export_begin(FILE *out, enum log_format format);
void log_export_call(FILE *out, enum log_format format, const struct log_call *call);

#endif
