/* SPDX-License-Identifier: MIT */
/* log_stats_text: what the operator was asked, in words. */
#ifndef ASSENT_LOG_STATS_TEXT_H
#define ASSENT_LOG_STATS_TEXT_H

#include <jansson.h>
#include <stdio.h>

/* `result` is log_stats_result()'s (borrowed); what is printed is safe for a terminal. */
void log_stats_text(const json_t *result, FILE *out);

#endif
