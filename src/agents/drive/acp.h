/* SPDX-License-Identifier: MIT */
/*
 * acp: an agent that speaks the Agent Client Protocol, version 1, over its standard input and
 * output. https://agentclientprotocol.com
 *
 * We are the client: the operator's prompts go to the agent, what it reports comes back, its
 * requests (permission, files, terminals) become calls of the console. It gets our MCP server with
 * its session, so that what it runs through that is run by us.
 */
#ifndef ASSENT_AGENTS_DRIVE_ACP_H
#define ASSENT_AGENTS_DRIVE_ACP_H

#include "agents/drive/agent_session.h"

/* Begins the conversation. */
struct agent_session *acp_new(const struct agent_session_setup *setup);

#endif
