/* SPDX-License-Identifier: MIT */
/* tool_log: what the parts of `assent log` share. */
#ifndef ASSENT_TOOL_LOG_H
#define ASSENT_TOOL_LOG_H

#include "base/error.h"
#include "config/options.h"
#include "record/log_query.h"

/* `assent log verify [CONSOLE|SESSION]`; `name` NULL: all logs. Returns 0 when they are intact, 1
 * when not, or -1 with a message. */
int tool_log_verify(const struct options *options, const char *directory, const char *name,
                    struct error *error);

/* `assent log calls|approved|denied [CONSOLE|SESSION] [CALL]`: the calls that the options ask for,
 * in one log or in all. 0, or -1 with a message. */
int tool_log_calls(const struct options *options, const char *directory, const char *name,
                   const struct log_query *query, struct error *error);
/* `assent log stats [CONSOLE|SESSION]`: what the operator was asked. 0, or -1 with a message. */
int tool_log_stats(const struct options *options, const char *directory, const char *name,
                   const struct log_query *query, struct error *error);
/* What the options ask for; strings are borrowed from them. -1 with a message. */
int tool_log_query(const struct options *options, struct log_query *query, struct error *error);

#endif
