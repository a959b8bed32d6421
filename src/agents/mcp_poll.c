/* SPDX-License-Identifier: MIT */
/* mcp_poll: the tool write_stdin: input for calls that go on, and their rest. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agents/agent_tool.h"
#include "agents/mcp-int.h"
#include "base/alloc.h"
#include "base/json.h"

/* The call that the arguments name and nobody waits for, or NULL with the reason. */
static struct tool_call *find_open(struct mcp *mcp, const json_t *arguments, const char **why)
{
    json_int_t id = json_integer_value(json_object_get(arguments, "call"));
    struct tool_call *call = id > 0 ? mcp_call_find(mcp, (uint64_t)id) : NULL;
    *why = NULL;
    if (call == NULL || !call->open)
        *why = "call: expected the number of a call that goes on";
    else if (call->request != NULL)
        *why = "another request waits for this call";
    return *why == NULL ? call : NULL;
}

/* The poll that sent the input ends with the reason why it was not sent. */
static void refuse_input(struct tool_call *call, const char *why)
{
    call->mcp->fed = NULL;
    if (call->request != NULL)
        jsonrpc_reply(&call->request, mcp_write_stdin.failure(why));
}

static void on_fed(void *argument, const char *error)
{
    struct mcp *mcp = argument;
    struct tool_call *call = mcp->fed;
    if (call == NULL)
        return;
    cleanup_free char *why = xasprintf("the command took no input: %s", error != NULL ? error : "");
    if (error != NULL)
        refuse_input(call, why);
    mcp->fed = NULL;
}

/* The console has said whether the input may be sent. */
static void on_decided(struct mcp *mcp, const json_t *result)
{
    struct tool_call *call = mcp->fed;
    bool interrupt;
    cleanup_free char *why = agent_tool_refusal(result, &interrupt);
    mcp->fed_question = 0;
    if (call == NULL)
        return;
    if (why != NULL) {
        refuse_input(call, why);
        return;
    }
    const json_t *input = json_object_get(mcp->fed_arguments, "input");
    client_feed(mcp->client, call->id, input != NULL ? json_string_value(input) : "",
                json_string_length(input), json_is_true(json_object_get(mcp->fed_arguments, "end")),
                on_fed, mcp);
}

static void on_input_asked(void *argument, uint64_t id, const char *why)
{
    struct mcp *mcp = argument;
    mcp->fed_question = id;
    if (id == 0 && mcp->fed != NULL)
        refuse_input(mcp->fed, why != NULL ? why : "the console did not take it");
}

/* Sends the input that the arguments give, if any, once the console has nothing against it. NULL,
 * or why that cannot be. */
static const char *feed(struct mcp *mcp, struct tool_call *call, json_t *arguments)
{
    struct error error = ERROR_INIT;
    const json_t *input = json_object_get(arguments, "input");
    if (json_string_length(input) == 0 && !json_is_true(json_object_get(arguments, "end")))
        return NULL;
    if (call->result != NULL || mcp->client == NULL || !client_is_ready(mcp->client))
        return "the command has ended";
    if (mcp->fed != NULL || mcp->fed_question != 0)
        return "another command is being sent input: try again";
    json_t *params = agent_tool_params(mcp_write_stdin.name, arguments, mcp->cwd, &error);
    json_object_set_new(params, "input_for", json_integer((json_int_t)call->id));
    mcp->fed = call;
    mcp->fed_decided = on_decided;
    json_decref(mcp->fed_arguments);
    mcp->fed_arguments = json_incref(arguments);
    client_start(mcp->client, params, on_input_asked, mcp);
    return NULL;
}

void mcp_poll(struct mcp *mcp, struct jsonrpc_request *request, const json_t *params)
{
    json_t *arguments = json_object_get(params, "arguments");
    const char *why;
    struct tool_call *call = find_open(mcp, arguments, &why);
    if (call != NULL)
        why = feed(mcp, call, arguments);
    if (why != NULL) {
        jsonrpc_reply(&request, mcp_write_stdin.failure(why));
        return;
    }
    mcp_call_attach(call, request, params,
                    mcp_call_milliseconds(arguments, "yield_ms", MCP_POLL_MS));
    if (call->result != NULL && call->joinable)
        mcp_call_answer(call, call->tool->result(call->arguments, call->result));
    else if (call->result != NULL)
        mcp_call_answer(call, mcp_shell_rest(call->result, &call->printed));
}
