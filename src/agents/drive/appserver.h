/* SPDX-License-Identifier: MIT */
/*
 * appserver: Codex as `codex app-server`: JSON-RPC without the member "jsonrpc", threads and turns
 * of items. Its requests for approval become questions of the console. The facts are those of the
 * schema that `codex app-server generate-json-schema` prints (0.169.0).
 */
#ifndef ASSENT_AGENTS_DRIVE_APPSERVER_H
#define ASSENT_AGENTS_DRIVE_APPSERVER_H

#include "agents/drive/agent_session.h"

/* Begins the conversation. */
struct agent_session *appserver_new(const struct agent_session_setup *setup);

#endif
