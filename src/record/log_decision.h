/* SPDX-License-Identifier: MIT */
/* log_decision: what was decided on a recorded call, in the words in which the console told of it.
 */
#ifndef ASSENT_RECORD_LOG_DECISION_H
#define ASSENT_RECORD_LOG_DECISION_H

#include "record/log_query.h"

/* "allowed for 10 minutes, by you"; caller frees. */
char *log_decision_words(const struct log_call *call);
/* Did the rule that was made of it outlive its session? Also where none was. */
bool log_decision_rule_lasts(const struct log_call *call);

/* The same of an event `decision` alone. */
char *log_decision_of(const json_t *event);
/* Did the operator stop the call, and answer nothing? */
bool log_decision_is_stop(const json_t *event);

#endif
