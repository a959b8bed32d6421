/* SPDX-License-Identifier: MIT */
/* log_event-int: what the files of log_event share: log_event.c (sessions), log_event_call.c (calls
 * and what they did), log_event_decision.c (what was asked and decided). */
#ifndef ASSENT_RECORD_LOG_EVENT_INT_H
#define ASSENT_RECORD_LOG_EVENT_INT_H

#include "record/log_event.h"
#include "record/log_value.h"

/* A new event that names the session; and the call. */
json_t *log_event_of_session(const struct session *session);
json_t *log_event_of_call(const struct call *call);

#endif
