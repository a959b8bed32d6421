/* SPDX-License-Identifier: MIT */
/* mcp-int: what the parts of the MCP server share: mcp.c (the protocol), mcp_call.c (a tools/call
 * and its console), mcp_elicit.c (what the client's user is told), mcp_poll.c (write_stdin). */
#ifndef ASSENT_AGENTS_MCP_INT_H
#define ASSENT_AGENTS_MCP_INT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "agents/client.h"
#include "agents/jsonrpc.h"
#include "agents/mcp.h"
#include "agents/mcp_tool.h"

/* A poll waits so long for the end when it does not say. */
#define MCP_POLL_MS 10000

/* One tools/call. */
struct tool_call {
    struct mcp *mcp;
    const struct mcp_tool *tool;
    struct jsonrpc_request *request; /* NULL while it lingers */
    json_t *arguments;               /* as given: equal ones are the same call */
    json_t *params;                  /* of call/start, until sent */
    json_t *progress_token;          /* NULL: the client wants no progress */
    json_int_t progress;
    uint64_t id; /* at the console, 0 until it has taken the call */
    char *state; /* as the console told last, or NULL */
    int64_t waiting;
    bool sent, cancelled;
    bool open;              /* it was said to go on: write_stdin asks for the rest */
    bool joinable;          /* the model did not ask for that: the same again is the same call */
    int64_t yield_ms;       /* an answer is given after that at the latest; 0: when it has ended */
    struct loop_timer *due; /* for that */
    struct mcp_printed printed;
    json_t *result; /* of one that has ended meanwhile */
    struct loop_timer *linger;
    json_t *question;    /* that the console asks its operator about it, or asked last; or NULL */
    int64_t elicitation; /* our request that shows it to the client's user, 0: none */
    bool elicited;       /* that was answered */
    struct loop_timer *inform; /* until it is shown */
    TAILQ_ENTRY(tool_call) entry;
};

struct mcp {
    struct mcp_setup setup;
    char *cwd, *socket, *capability, *config_directory;
    char **socket_directories;
    struct jsonrpc *peer;
    struct client *client; /* NULL while there is no connection */
    struct tool_call *fed; /* whose input is on its way */
    uint64_t fed_question; /* whether it may be sent: the call at the console, */
    void (*fed_decided)(struct mcp *mcp, const json_t *result); /* and who wants its answer */
    json_t *fed_arguments;                                      /* of write_stdin */
    char *client_name;                                          /* of the agent */
    bool repeats; /* it ends us when a call takes long, starts us again and repeats the call */
    bool elicits; /* it can show forms to its user */
    bool initialized, input_ended;
    struct loop_timer *tick, *last_answers;
    TAILQ_HEAD(, tool_call) calls;
};

/* ---- mcp_call.c ---------------------------------------------------------------------------- */

/* What a request of tools/call asks for is started, or joins the same that goes on. Takes the
 * request. */
void mcp_call_start(struct mcp *mcp, const struct mcp_tool *tool, struct jsonrpc_request *request,
                    const json_t *params);
void mcp_call_free(struct tool_call *call);
/* Takes the answer; frees. */
void mcp_call_answer(struct tool_call *call, json_t *answer);
/* By its id at the console; NULL when there is none. */
struct tool_call *mcp_call_find(struct mcp *mcp, uint64_t id);
/* May free. */
void mcp_call_cancel(struct tool_call *call);
/* The call answers this request from now on, after `yield_ms` at the latest (0: at its end). */
void mcp_call_attach(struct tool_call *call, struct jsonrpc_request *request, const json_t *params,
                     int64_t yield_ms);
/* A positive number of the arguments, or `fallback`. */
int64_t mcp_call_milliseconds(const json_t *arguments, const char *name, int64_t fallback);
/* For the timer: progress of all calls. */
void mcp_call_tick(void *argument);
/* Gives a client that gave up because of the time another chance to ask. */
void mcp_call_linger(struct tool_call *call);

/* ---- mcp_elicit.c -------------------------------------------------------------------------- */

/* Does the client announce that it shows forms (params of initialize)? */
bool mcp_elicit_supported(const json_t *params);
void mcp_elicit_begin(struct tool_call *call);
void mcp_elicit_end(struct tool_call *call);
/* The console asks its operator this about the call. */
void mcp_elicit_question(struct tool_call *call, const json_t *question);
/* Its state has changed, or whether somebody waits for its answer. */
void mcp_elicit_update(struct tool_call *call);

/* ---- mcp_poll.c ---------------------------------------------------------------------------- */

/* write_stdin. Takes the request. */
void mcp_poll(struct mcp *mcp, struct jsonrpc_request *request, const json_t *params);
#endif
