/* SPDX-License-Identifier: MIT */
/* operator_agents: the operator's commands about agents: :stop, :resume, :sessions. */
#ifndef ASSENT_UI_OPERATOR_AGENTS_H
#define ASSENT_UI_OPERATOR_AGENTS_H

#include "ui/desk.h"

/* Whom the operator stops: all that asks in a session, or where many share one, those who are
 * processes of one tree, which is called by the number of its first process: "t4242". */
struct operator_agent {
    struct session *session;
    pid_t tree; /* 0: all of the session */
};

/* Who has asked for that call. */
struct operator_agent operator_agent_of(const struct call *call);
bool operator_agent_is_stopped(const struct operator_agent *agent);
/* What the operator is asked before it is stopped: that `again`, a key or a command, does it.
 * Caller frees. */
char *operator_agent_question(const struct desk *desk, const char *again,
                              const struct operator_agent *agent);
void operator_agent_stop(const struct desk *desk, const struct operator_agent *agent);
/* How many are stopped. */
size_t operator_agents_stopped(const struct orchestrator *orchestrator);

/* Of a session that many share the processes that have something open, or are stopped: "t4242 bash
 * (2 open calls), t99 (stopped)". NULL when there are none. Caller frees. */
char *operator_agents_listed(const struct orchestrator *orchestrator, struct session *session);

/* "c12", "12": that call; nothing: the selected one; "t4242": those processes; else all of an
 * agent's work. All but calls are asked about first. */
void operator_stop(const struct desk *desk, const char *argument);
/* Lets a stopped agent ask again. */
void operator_resume(const struct desk *desk, const char *argument);
void operator_sessions(const struct desk *desk, const char *argument);

#endif
