/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/mcp.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>

#include "agents/client.h"
#include "agents/jsonrpc.h"
#include "agents/mcp_tool.h"
#include "base/alloc.h"
#include "base/json.h"

/* Clients give up after 60 s and more without a word; three words until then. */
#define PROGRESS_MS 10000
/* A call that its client gave up on because of the time goes on for so long: clients ask for the
 * same again, and that must neither run nor ask the operator twice. */
#define LINGER_MS 15000
/* After the end of input, answers that are about to come are still given. */
#define LAST_ANSWERS_MS 1000

static const char *const revisions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

/* One tools/call. */
struct tool_call {
    struct mcp *mcp;
    struct jsonrpc_request *request; /* NULL while it lingers */
    json_t *arguments;               /* as given: equal ones are the same call */
    json_t *params;                  /* of call/start, until sent */
    json_t *progress_token;          /* NULL: the client wants no progress */
    json_int_t progress;
    uint64_t id; /* at the console, 0 until it has taken the call */
    char *state; /* as the console told last, or NULL */
    int64_t waiting;
    bool sent, cancelled;
    struct loop_timer *linger;
    TAILQ_ENTRY(tool_call) entry;
};

struct mcp {
    struct mcp_setup setup;
    char *cwd, *socket, *capability;
    struct jsonrpc *peer;
    struct client *client; /* NULL while there is no connection */
    char *client_name;     /* of the agent */
    bool initialized, input_ended;
    struct loop_timer *tick, *last_answers;
    TAILQ_HEAD(, tool_call) calls;
};

/* ---- calls --------------------------------------------------------------------------------- */

static void end_when_idle(struct mcp *mcp)
{
    if (mcp->input_ended && TAILQ_EMPTY(&mcp->calls))
        loop_timer_start(mcp->last_answers, 0);
}

static void free_call(struct tool_call *call)
{
    struct mcp *mcp = call->mcp;
    TAILQ_REMOVE(&mcp->calls, call, entry);
    json_decref(call->arguments);
    json_decref(call->params);
    json_decref(call->progress_token);
    loop_timer_free(&call->linger);
    free(call->state);
    free(call);
    end_when_idle(mcp);
}

/* Takes the answer. */
static void answer_call(struct tool_call *call, json_t *answer)
{
    if (call->request != NULL)
        jsonrpc_reply(&call->request, answer);
    else
        json_decref(answer);
    free_call(call);
}

static struct tool_call *find_call(struct mcp *mcp, uint64_t id)
{
    struct tool_call *call;
    TAILQ_FOREACH(call, &mcp->calls, entry)
    {
        if (call->id == id)
            return call;
    }
    return NULL;
}

static void cancel_call(struct tool_call *call)
{
    call->cancelled = true;
    if (call->id != 0 && call->mcp->client != NULL)
        client_cancel(call->mcp->client, call->id);
    else if (!call->sent)
        free_call(call);
}

static void linger_ended(void *argument)
{
    cancel_call(argument);
}

/* ---- progress ------------------------------------------------------------------------------ */

static char *progress_text(const struct tool_call *call)
{
    if (call->state == NULL)
        return xstrdup("asking the console");
    if (strcmp(call->state, "asking") == 0 && call->waiting > 0)
        return xasprintf("waiting for the operator, %" PRId64 " before it", call->waiting);
    if (strcmp(call->state, "asking") == 0)
        return xstrdup("waiting for the operator");
    /* The decision is on its way to the disk: of no interest to an agent. */
    return xstrdup(strcmp(call->state, "recording") == 0 ? "starting" : call->state);
}

static void send_progress(struct tool_call *call)
{
    if (call->progress_token == NULL || call->request == NULL || jsonrpc_full(call->mcp->peer))
        return;
    cleanup_free char *text = progress_text(call);
    json_t *params = json_object();
    json_object_set(params, "progressToken", call->progress_token);
    json_object_set_new(params, "progress", json_integer(++call->progress));
    json_object_set_new(params, "message", json_string(text));
    jsonrpc_notify(call->mcp->peer, "notifications/progress", params);
}

static void on_tick(void *argument)
{
    struct mcp *mcp = argument;
    struct tool_call *call;
    TAILQ_FOREACH(call, &mcp->calls, entry) send_progress(call);
    if (!TAILQ_EMPTY(&mcp->calls))
        loop_timer_start(mcp->tick, PROGRESS_MS);
}

/* ---- the console --------------------------------------------------------------------------- */

static void on_started(void *argument, uint64_t id, const char *why)
{
    struct tool_call *call = argument;
    if (id == 0) {
        answer_call(call, mcp_tool_failure(why != NULL ? why : "the console did not take it"));
        return;
    }
    call->id = id;
    if (call->cancelled)
        client_cancel(call->mcp->client, id);
}

static void send_call(struct tool_call *call)
{
    call->sent = true;
    client_start(call->mcp->client, steal_pointer(&call->params), on_started, call);
}

static void on_ready(void *argument)
{
    struct mcp *mcp = argument;
    struct tool_call *call;
    TAILQ_FOREACH(call, &mcp->calls, entry)
    {
        if (!call->sent)
            send_call(call);
    }
}

static void on_state(void *argument, uint64_t id, const char *state, int64_t waiting)
{
    struct tool_call *call = find_call(argument, id);
    if (call == NULL)
        return;
    free(call->state);
    call->state = xstrdup(state);
    call->waiting = waiting;
    send_progress(call);
}

static void on_finished(void *argument, uint64_t id, const json_t *result)
{
    struct tool_call *call = find_call(argument, id);
    if (call != NULL)
        answer_call(call, mcp_tool_result(result));
}

static void on_gone(void *argument, const char *why)
{
    struct mcp *mcp = argument;
    client_free(&mcp->client);
    while (!TAILQ_EMPTY(&mcp->calls))
        answer_call(TAILQ_FIRST(&mcp->calls), mcp_tool_failure(why));
}

static const struct client_events console_events = {
    .ready = on_ready,
    .state = on_state,
    .finished = on_finished,
    .gone = on_gone,
};

static void connect_console(struct mcp *mcp)
{
    struct client_setup setup = {
        .cwd = mcp->cwd,
        .socket = mcp->socket,
        .name = "assent mcp",
        .session = mcp->client_name,
        .capability = mcp->capability,
        .own_session = mcp->capability == NULL,
    };
    mcp->client = client_new(mcp->setup.loop, &setup, &console_events, mcp);
}

/* ---- methods ------------------------------------------------------------------------------- */

static const char *choose_revision(const json_t *params)
{
    const char *wanted = json_string_value(json_object_get(params, "protocolVersion"));
    for (size_t i = 0; i < sizeof(revisions) / sizeof(revisions[0]); i++)
        if (wanted != NULL && strcmp(wanted, revisions[i]) == 0)
            return revisions[i];
    return revisions[0];
}

static void note_client(struct mcp *mcp, const json_t *params)
{
    const json_t *info = json_object_get(params, "clientInfo");
    const char *name = json_string_value(json_object_get(info, "title"));
    if (name == NULL)
        name = json_string_value(json_object_get(info, "name"));
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
    json_object_set_new(result, "instructions",
                        json_string("Use the tool " MCP_TOOL_NAME
                                    " for every command. It runs sandboxed under the eyes of an "
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
    (void)mcp;
    (void)params;
    json_t *tools = json_array();
    json_array_append_new(tools, mcp_tool_describe());
    json_t *result = json_object();
    json_object_set_new(result, "tools", tools);
    jsonrpc_reply(&request, result);
}

/* A string or a number, as the specification has it; anything else is ignored. */
static json_t *read_progress_token(const json_t *params)
{
    json_t *token = json_object_get(json_object_get(params, "_meta"), "progressToken");
    return json_is_string(token) || json_is_number(token) ? json_incref(token) : NULL;
}

/* The same call that its client gave up on, while it still goes on. */
static struct tool_call *find_lingering(struct mcp *mcp, const json_t *arguments)
{
    struct tool_call *call;
    TAILQ_FOREACH(call, &mcp->calls, entry)
    {
        bool lingers = call->request == NULL && !call->cancelled;
        if (lingers && json_equal(call->arguments, arguments))
            return call;
    }
    return NULL;
}

static void join_call(struct tool_call *call, struct jsonrpc_request *request, const json_t *params)
{
    loop_timer_stop(call->linger);
    call->request = request;
    json_decref(call->progress_token);
    call->progress_token = read_progress_token(params);
    call->progress = 0;
    send_progress(call);
}

static void new_call(struct mcp *mcp, struct jsonrpc_request *request, const json_t *params,
                     json_t *arguments, json_t *start)
{
    struct tool_call *call = XNEW(struct tool_call);
    call->mcp = mcp;
    call->request = request;
    call->arguments = json_incref(arguments);
    call->params = start;
    call->progress_token = read_progress_token(params);
    call->linger = loop_timer_new(mcp->setup.loop, linger_ended, call);
    TAILQ_INSERT_TAIL(&mcp->calls, call, entry);
    if (!loop_timer_running(mcp->tick))
        loop_timer_start(mcp->tick, PROGRESS_MS);
    if (mcp->client == NULL)
        connect_console(mcp);
    else if (client_is_ready(mcp->client))
        send_call(call);
}

static void handle_call(struct mcp *mcp, struct jsonrpc_request *request, const json_t *params)
{
    struct error error = ERROR_INIT;
    const char *name = json_string_value(json_object_get(params, "name"));
    json_t *arguments = json_object_get(params, "arguments");
    if (name == NULL || strcmp(name, MCP_TOOL_NAME) != 0) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "unknown tool %.100s",
                     name != NULL ? name : "(none)");
        return;
    }
    if (arguments != NULL && !json_is_object(arguments)) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "arguments: expected an object");
        return;
    }
    json_t *start = mcp_tool_params(arguments, mcp->cwd, &error);
    struct tool_call *same = start != NULL ? find_lingering(mcp, arguments) : NULL;
    if (start == NULL) {
        jsonrpc_reply(&request, mcp_tool_failure(error.message));
    } else if (same != NULL) {
        json_decref(start);
        join_call(same, request, params);
    } else {
        new_call(mcp, request, params, arguments, start);
    }
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
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
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
    if (is_time_out(reason))
        loop_timer_start(call->linger, LINGER_MS);
    else
        cancel_call(call);
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
    TAILQ_INIT(&mcp->calls);
    mcp->tick = loop_timer_new(setup->loop, on_tick, mcp);
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
        free_call(TAILQ_FIRST(&mcp->calls));
    jsonrpc_free(&mcp->peer);
    loop_timer_free(&mcp->tick);
    loop_timer_free(&mcp->last_answers);
    free(mcp->cwd);
    free(mcp->socket);
    free(mcp->capability);
    free(mcp->client_name);
    free(mcp);
}
