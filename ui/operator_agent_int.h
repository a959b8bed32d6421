/* SPDX-License-Identifier: MIT */
/* operator_agent_int: what operator_agent.c and operator_agent_named.c share. */
#ifndef ASSENT_UI_OPERATOR_AGENT_INT_H
#define ASSENT_UI_OPERATOR_AGENT_INT_H

#include "approval/call.h"
#include "ui/operator_agent.h"

#define OPERATOR_AGENT_NAME_COLUMNS 30
#define OPERATOR_AGENT_SHARED "shared" /* the session that many share, in every language */

/* "dev 12369": the number, which is what tells namesakes apart, is whole. Caller frees. */
char *operator_agent_numbered(const struct call *call, size_t columns);
/* Does the call's client call itself as the agent, which has a name, does? */
bool operator_agent_claims(const struct operator_agent *agent, const struct call *call);
/* Is it, for an agent that is the rest of a name, of those who are not in that? */
bool operator_agent_leaves_out(const struct orchestrator *orchestrator,
                               const struct operator_agent *agent, const struct call *call);

#endif
