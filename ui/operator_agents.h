/* SPDX-License-Identifier: MIT */
/* operator_agents: the operator's commands about agents: :stop, :resume, :sessions. */
#ifndef ASSENT_UI_OPERATOR_AGENTS_H
#define ASSENT_UI_OPERATOR_AGENTS_H

#include "ui/desk.h"

struct operator_agent;

void operator_agent_stop(const struct desk *desk, const struct operator_agent *agent);
/* How many are stopped, and of which kind. */
struct operator_stops {
    size_t agents; /* by their sessions, or by what they call themselves */
    size_t trees;  /* of processes, by themselves */
};
struct operator_stops operator_agents_stopped(const struct orchestrator *orchestrator);

/* "c12", "12": that call; nothing: the selected one; "claude 18802": those processes; else all of
 * an agent's work, and of whoever calls itself so. All but calls are asked about first. */
void operator_stop(const struct desk *desk, const char *argument);
/* Lets a stopped agent ask again. */
void operator_resume(const struct desk *desk, const char *argument);
void operator_sessions(const struct desk *desk, const char *argument);

#endif
