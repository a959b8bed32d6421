/* SPDX-License-Identifier: MIT */
/* acp-int: what the files of acp share. */
#ifndef ASSENT_AGENTS_DRIVE_ACP_INT_H
#define ASSENT_AGENTS_DRIVE_ACP_INT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "agents/drive/acp.h"
#include "agents/jsonrpc.h"
#include "base/strbuf.h"

/* Error codes that the protocol adds to JSON-RPC's. */
enum { ACP_AUTH_REQUIRED = -32000, ACP_NOT_FOUND = -32002, ACP_CANCELLED = -32800 };

/* What is shown of a name, a title or a message. */
#define ACP_TEXT_MAX 2000

struct acp_mode {
    char *id, *name;
};

struct acp {
    struct agent_session session;
    struct agent_session_setup setup;
    char *cwd, *load;
    json_t *servers; /* session/new.mcpServers */
    struct jsonrpc *peer;
    char *agent;   /* its name, as it says */
    char *id;      /* of the session; NULL before there is one */
    bool can_load; /* it offers session/load */
    bool prompting;
    bool over;
    unsigned garbled; /* lines that were no messages */
    struct acp_mode *modes;
    size_t mode_count;
    json_t *methods; /* authMethods */
    json_t *tools;   /* what is known of tool calls, by their id */
    LIST_HEAD(, acp_question) questions;
    size_t question_count;
    LIST_HEAD(, acp_elicitation) elicitations;
    size_t elicitation_count;
    LIST_HEAD(, acp_terminal) terminals;
    size_t terminal_count;
    unsigned last_terminal;
    LIST_HEAD(, acp_file) files;
    size_t file_count;
    char *words; /* what the operator said with a refusal, for the next prompt */
};

/* Ends the conversation; `acp` may be gone afterwards. */
void acp_end(struct acp *acp, const char *why);

/* acp_update: session/update, and the modes of a new session. */
void acp_update(struct acp *acp, const json_t *update);
void acp_take_modes(struct acp *acp, const json_t *result);
/* Merges fields of a tool call into what is known of it; the merged object, borrowed. NULL when it
 * has no id. */
json_t *acp_tool_merge(struct acp *acp, const json_t *fields);

/* acp_permission: session/request_permission. Each takes the request. */
void acp_permission_request(struct acp *acp, struct jsonrpc_request *request, const json_t *params);
/* Answers every open question "cancelled" and withdraws it. */
void acp_permission_cancel(struct acp *acp);

/* The agent takes that question back; false when there is none of that id. */
bool acp_permission_withdraw(struct acp *acp, const json_t *id);

/* acp_elicitation: elicitation/create. The same three. */
void acp_elicitation_create(struct acp *acp, struct jsonrpc_request *request, const json_t *params);
void acp_elicitation_cancel(struct acp *acp);
bool acp_elicitation_withdraw(struct acp *acp, const json_t *id);

/* acp_file: fs/read_text_file, fs/write_text_file. */
void acp_file_read(struct acp *acp, struct jsonrpc_request *request, const json_t *params);
void acp_file_write(struct acp *acp, struct jsonrpc_request *request, const json_t *params);
void acp_file_drop_all(struct acp *acp);

/* acp_terminal: terminal/ and what comes behind it. False: there is no such method (the request
 * is still open). */
bool acp_terminal_request(struct acp *acp, struct jsonrpc_request *request, const char *method,
                          const json_t *params);
void acp_terminal_drop_all(struct acp *acp);

#endif
