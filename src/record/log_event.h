/* SPDX-License-Identifier: MIT */
/*
 * log_event: what the session log says of each event, as JSON objects (doc/session-log.md is the
 * schema). Each function returns a new reference without the fields that every line has.
 */
#ifndef ASSENT_RECORD_LOG_EVENT_H
#define ASSENT_RECORD_LOG_EVENT_H

#include <jansson.h>
#include <stdbool.h>

#include "approval/call.h"
#include "approval/observer.h"
#include "approval/session.h"

json_t *log_event_session_start(const struct session *session);
json_t *log_event_session_end(const struct session *session);
json_t *log_event_context(const struct session *session);
json_t *log_event_call(const struct call *call);
json_t *log_event_requirement(const struct call *call);
json_t *log_event_assessment(const struct call *call);
json_t *log_event_edit(const struct call *call);
json_t *log_event_prompt(const struct call *call);
json_t *log_event_grant_restored(const struct session *session, const struct grant *grant);
json_t *log_event_decision(const struct call *call, const struct prompt *prompt);
json_t *log_event_attempt_start(const struct call *call, unsigned attempt);
json_t *log_event_attempt_end(const struct call *call, unsigned attempt);
json_t *log_event_finished(const struct call *call);
json_t *log_event_connection(const struct call *call, const struct reach_connection *connection);
json_t *log_event_conversation(const struct call *call, const char *id);
/* The call's pane was given the whole screen, or has it no longer. */
json_t *log_event_layout(const struct call *call, bool zoomed);
json_t *log_event_grant_end(const struct session *session, const struct grant *grant,
                            enum grant_end end);
json_t *log_event_notice(enum notice_level level, const char *text);

#endif
