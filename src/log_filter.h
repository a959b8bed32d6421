/* SPDX-License-Identifier: MIT */
/* log_filter: which calls of the record an operator wants to see, as words: "risk=high
 * since=today make". */
#ifndef ASSENT_LOG_FILTER_H
#define ASSENT_LOG_FILTER_H

#include "base/error.h"
#include "record/log_query.h"

struct log_filter {
    struct log_query query; /* its strings are those of the words */
    char **words;
    char *text; /* what is no filter */
};

/* Words agent=, decision=, by=, risk=, since= and until=, as the options of `assent log calls` are
 * called (with "--" in front or without), and the text that is looked for; "approved" alone is what
 * the operator approved today, "denied" alone what was denied and not taken back. Cleared by the
 * caller in any case. -1 with a message. */
int log_filter_parse(struct log_filter *filter, const char *line, struct error *error);
void log_filter_clear(struct log_filter *filter);

/* "today", a day, a time, or an age such as 90min or 7d, in milliseconds since 1970. -1 with a
 * message. */
int log_filter_time(const char *text, int64_t *ms, struct error *error);

#endif
