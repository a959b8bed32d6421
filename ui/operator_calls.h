/* SPDX-License-Identifier: MIT */
/* operator_calls: the operator's commands about calls, agents and what was granted: :stop, :resume,
 * :show, :sessions, :revoke, :forget. */
#ifndef ASSENT_UI_OPERATOR_CALLS_H
#define ASSENT_UI_OPERATOR_CALLS_H

#include "ui/desk.h"

/* "c12", "12": that call; nothing: the selected one; else all of an agent's work, which is asked
 * about first. */
void operator_stop(const struct desk *desk, const char *argument);
/* Lets a stopped agent ask again. */
void operator_resume(const struct desk *desk, const char *argument);
void operator_show(const struct desk *desk, const char *argument);
void operator_sessions(const struct desk *desk, const char *argument);
/* "c12": takes back what the answer to that call granted. */
void operator_revoke(const struct desk *desk, const char *argument);
/* What was denied is refused unasked when the same comes again; this ends that. */
void operator_forget(const struct desk *desk, const char *argument);

/* Stops a call that has not finished. */
void operator_stop_call(const struct desk *desk, struct call *call);
/* Stops an agent, or lets it ask again. */
void operator_stop_session(const struct desk *desk, struct session *session, bool stop);
/* What the operator is asked before that: that `again`, a key or a command, does it. Caller frees.
 */
char *operator_stop_question(const struct desk *desk, const char *again,
                             const struct session *session);
/* The session with those who ask in it: "shared by plain clients" is nobody's name. Caller frees.
 */
char *operator_session_name(const struct desk *desk, const struct session *session);

#endif
