/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/mcp.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>

#include "agents/mcp-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"

/* After the end of input, answers that are about to come are still given. */
#define LAST_ANSWERS_MS 1000

static const char *const revisions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

/* ---- methods ------------------------------------------------------------------------------- */

static const char *choose_revision(const json_t *params)
{
    const char *wanted = json_string_value(json_object_get(params, "protocolVersion"));
    for (size_t i = 0; i < COUNT(revisions); i++)
        if (wanted != NULL && strcmp(wanted, revisions[i]) == 0)
            return revisions[i];
    return revisions[0];
}

/* Clients that give up after a time that progress does not extend, and a little less than that
 * time (measured): 300 s, 600 s, 600 s. Those that are installed are told another one. */
static int64_t known_limit_ms(const char *name)
{
    static const struct {
        const char *part;
        int64_t ms;
    } clients[] = {{"codex", 270000}, {"gemini", 570000}, {"qwen", 570000}};
    for (size_t i = 0; name != NULL && i < COUNT(clients); i++)
        if (strcasestr(name, clients[i].part) != NULL)
            return clients[i].ms;
    return 0;
}

static void note_client(struct mcp *mcp, const json_t *params)
{
    const json_t *info = json_object_get(params, "clientInfo");
    const char *name = json_string_value(json_object_get(info, "title"));
    if (name == NULL)
        name = json_string_value(json_object_get(info, "name"));
    if (mcp->setup.return_after_ms == 0)
        mcp->setup.return_after_ms =
            known_limit_ms(json_string_value(json_object_get(info, "name")));
    const char *program = json_string_value(json_object_get(info, "name"));
    mcp->elicits = mcp_elicit_supported(params);
    mcp->repeats = program != NULL && strcasestr(program, "qwen") != NULL;
    free(mcp->client_name);
    mcp->client_name = xstrdup(name != NULL ? name : "MCP client");
}

static void handle_initialize(struct mcp *mcp, struct jsonrpc_request *request,
                              const json_t *params)
{
    note_client(mcp, params);
    mcp->initialized = true;
    json_t *about = json_object();
    json_object_set_new(about, "name", json_string("assent"));
    json_object_set_new(about, "title", json_string("Assent"));
    json_object_set_new(about, "version", json_string(PACKAGE_VERSION));
    json_t *capabilities = json_object();
    json_object_set_new(capabilities, "tools", json_object());
    json_t *result = json_object();
    json_object_set_new(result, "protocolVersion", json_string(choose_revision(params)));
    json_object_set_new(result, "capabilities", capabilities);
    json_object_set_new(result, "serverInfo", about);
    json_object_set_new(
        result, "instructions",
        json_string("Use the tool shell for every command. It runs sandboxed under the eyes of an "
                    "operator, who is asked when a command needs more."));
    jsonrpc_reply(&request, result);
}

static void handle_ping(struct mcp *mcp, struct jsonrpc_request *request, const json_t *params)
{
    (void)mcp;
    (void)params;
    jsonrpc_reply(&request, json_object());
}

static void handle_list(struct mcp *mcp, struct jsonrpc_request *request, const json_t *params)
{
    const json_t *cursor = json_object_get(params, "cursor");
    (void)mcp;
    if (cursor != NULL && !json_is_null(cursor)) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "cursor: there is only one page");
        return;
    }
    json_t *result = json_object();
    json_object_set_new(result, "tools", mcp_tool_list());
    jsonrpc_reply(&request, result);
}

static void handle_call(struct mcp *mcp, struct jsonrpc_request *request, const json_t *params)
{
    const char *name = json_string_value(json_object_get(params, "name"));
    const json_t *arguments = json_object_get(params, "arguments");
    const struct mcp_tool *tool = mcp_tool_find(name);
    if (tool == NULL) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "unknown tool %.100s",
                     name != NULL ? name : "(none)");
        return;
    }
    if (arguments != NULL && !json_is_object(arguments)) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "arguments: expected an object");
        return;
    }
    if (tool->polls) {
        mcp_poll(mcp, request, params);
        return;
    }
    json_t *answer = tool->answer != NULL ? tool->answer(arguments) : NULL;
    if (answer != NULL)
        jsonrpc_reply(&request, answer);
    else
        mcp_call_start(mcp, tool, request, params);
}

static const struct {
    const char *name;
    bool before_initialize;
    void (*handle)(struct mcp *mcp, struct jsonrpc_request *request, const json_t *params);
} methods[] = {
    {"initialize", true, handle_initialize},
    {"ping", true, handle_ping},
    {"tools/list", false, handle_list},
    {"tools/call", false, handle_call},
};

static void on_request(void *argument, struct jsonrpc_request *request, const char *method,
                       const json_t *params)
{
    struct mcp *mcp = argument;
    for (size_t i = 0; i < COUNT(methods); i++) {
        if (strcmp(methods[i].name, method) != 0)
            continue;
        if (mcp->initialized || methods[i].before_initialize)
            methods[i].handle(mcp, request, params);
        else
            jsonrpc_fail(&request, JSONRPC_INVALID_REQUEST, "initialize first");
        return;
    }
    jsonrpc_fail(&request, JSONRPC_METHOD_NOT_FOUND, "unknown method %.100s", method);
}

/* ---- notifications and the end --------------------------------------------------------------- */

/* True when a client gave up because of its clock, not because its user changed their mind. The
 * reason is free text; these are the words that clients use. */
static bool is_time_out(const char *reason)
{
    return reason != NULL &&
           (strcasestr(reason, "timed out") != NULL || strcasestr(reason, "timeout") != NULL);
}

static void handle_cancelled(struct mcp *mcp, const json_t *params)
{
    const json_t *id = json_object_get(params, "requestId");
    const char *reason = json_string_value(json_object_get(params, "reason"));
    struct tool_call *call;
    TAILQ_FOREACH(call, &mcp->calls, entry)
    {
        if (call->request != NULL && json_equal(jsonrpc_request_id(call->request), id))
            break;
    }
    if (call == NULL)
        return; /* finished long ago: some clients cancel every request */
    jsonrpc_drop(&call->request);
    mcp_elicit_update(call);
    if (call->open)
        return; /* it was only asked about */
    if (is_time_out(reason))
        mcp_call_linger(call);
    else
        mcp_call_cancel(call);
}

static void on_notification(void *argument, const char *method, const json_t *params)
{
    if (strcmp(method, "notifications/cancelled") == 0)
        handle_cancelled(argument, params);
}

static void last_answers_given(void *argument)
{
    struct mcp *mcp = argument;
    jsonrpc_flush(mcp->peer);
    mcp->setup.ended(mcp->setup.argument);
}

static void on_closed(void *argument, int number)
{
    struct mcp *mcp = argument;
    mcp->input_ended = true;
    bool more = number == 0 && !TAILQ_EMPTY(&mcp->calls);
    loop_timer_start(mcp->last_answers, more ? LAST_ANSWERS_MS : 0);
}

static const struct jsonrpc_events peer_events = {
    .request = on_request,
    .notification = on_notification,
    .closed = on_closed,
};

/* ---- life ---------------------------------------------------------------------------------- */

static char *copy_or_null(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

struct mcp *mcp_new(const struct mcp_setup *setup)
{
    struct mcp *mcp = XNEW(struct mcp);
    mcp->setup = *setup;
    mcp->cwd = xstrdup(setup->cwd);
    mcp->socket = copy_or_null(setup->socket);
    mcp->capability = copy_or_null(setup->capability);
    mcp->config_directory = copy_or_null(setup->config_directory);
    mcp->socket_directories = strv_copy(setup->socket_directories);
    TAILQ_INIT(&mcp->calls);
    mcp->tick = loop_timer_new(setup->loop, mcp_call_tick, mcp);
    mcp->last_answers = loop_timer_new(setup->loop, last_answers_given, mcp);
    mcp->peer = jsonrpc_new(setup->loop, setup->read_fd, setup->write_fd, NULL, &peer_events, mcp);
    return mcp;
}

void mcp_free(struct mcp **place)
{
    struct mcp *mcp = *place;
    if (mcp == NULL)
        return;
    *place = NULL;
    mcp->input_ended = false; /* nobody is told any more */
    client_free(&mcp->client);
    while (!TAILQ_EMPTY(&mcp->calls))
        mcp_call_free(TAILQ_FIRST(&mcp->calls));
    jsonrpc_free(&mcp->peer);
    loop_timer_free(&mcp->tick);
    loop_timer_free(&mcp->last_answers);
    json_decref(mcp->fed_arguments);
    free(mcp->cwd);
    free(mcp->socket);
    free(mcp->capability);
    free(mcp->config_directory);
    strv_free(&mcp->socket_directories);
    free(mcp->client_name);
    free(mcp);
}
