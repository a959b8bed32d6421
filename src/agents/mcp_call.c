/* SPDX-License-Identifier: MIT */
/* mcp_call: one tools/call: its way to a console, progress, and the answer. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agents/mcp-int.h"
#include "base/alloc.h"
#include "base/json.h"

/* Clients give up after 60 s and more without a word; three words until then. */
#define PROGRESS_MS 10000
/* The protocol's own SDKs have clients give up after 60 s, unless progress comes; whoever wants
 * none cannot be told that it goes on. */
#define SILENT_LIMIT_MS 50000
/* A call that its client gave up on because of the time goes on for so long: clients ask for the
 * same again, and that must neither run nor ask the operator twice. */
#define LINGER_MS 15000
/* Finished calls that nobody has asked for yet. */
#define KEPT_MAX 32

/* ---- calls --------------------------------------------------------------------------------- */

static void end_when_idle(struct mcp *mcp)
{
    if (mcp->input_ended && TAILQ_EMPTY(&mcp->calls))
        loop_timer_start(mcp->last_answers, 0);
}

void mcp_call_free(struct tool_call *call)
{
    struct mcp *mcp = call->mcp;
    TAILQ_REMOVE(&mcp->calls, call, entry);
    if (mcp->fed == call)
        mcp->fed = NULL;
    mcp_elicit_end(call);
    json_decref(call->arguments);
    json_decref(call->params);
    json_decref(call->progress_token);
    json_decref(call->result);
    strbuf_free(&call->printed.text);
    loop_timer_free(&call->due);
    loop_timer_free(&call->linger);
    free(call->state);
    free(call);
    end_when_idle(mcp);
}

/* Takes the answer. */
void mcp_call_answer(struct tool_call *call, json_t *answer)
{
    if (call->request != NULL)
        jsonrpc_reply(&call->request, answer);
    else
        json_decref(answer);
    mcp_call_free(call);
}

struct tool_call *mcp_call_find(struct mcp *mcp, uint64_t id)
{
    struct tool_call *call;
    TAILQ_FOREACH(call, &mcp->calls, entry)
    {
        if (call->id == id)
            return call;
    }
    return NULL;
}

void mcp_call_cancel(struct tool_call *call)
{
    call->cancelled = true;
    if (call->id != 0 && call->mcp->client != NULL)
        client_cancel(call->mcp->client, call->id);
    else if (!call->sent)
        mcp_call_free(call);
}

static void linger_ended(void *argument)
{
    mcp_call_cancel(argument);
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

void mcp_call_tick(void *argument)
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
        mcp_call_answer(call,
                        call->tool->failure(why != NULL ? why : "the console did not take it"));
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

static void on_state(void *argument, uint64_t id, const char *state, int64_t waiting,
                     int64_t attempt)
{
    struct tool_call *call = mcp_call_find(argument, id);
    (void)attempt;
    if (call == NULL)
        return;
    bool changed = call->state == NULL || strcmp(call->state, state) != 0;
    free(call->state);
    call->state = xstrdup(state);
    call->waiting = waiting;
    /* That another's request was answered is told with the next tick. */
    if (changed)
        send_progress(call);
    mcp_elicit_update(call);
}

static void on_question(void *argument, uint64_t id, const json_t *question)
{
    struct tool_call *call = mcp_call_find(argument, id);
    if (call != NULL)
        mcp_elicit_question(call, question);
}

static void on_output(void *argument, uint64_t id, const char *stream, const char *bytes,
                      size_t length, uint64_t skipped)
{
    struct tool_call *call = mcp_call_find(argument, id);
    (void)stream;
    if (call != NULL)
        mcp_printed_add(&call->printed, bytes, length, skipped);
}

/* Calls that ended and were not asked about any more make room, the oldest first. */
static void forget_kept(struct mcp *mcp)
{
    size_t kept = 0;
    struct tool_call *call, *oldest = NULL;
    TAILQ_FOREACH(call, &mcp->calls, entry)
    {
        if (call->result == NULL)
            continue;
        oldest = oldest != NULL ? oldest : call;
        kept++;
    }
    if (kept > KEPT_MAX)
        mcp_call_free(oldest);
}

static void on_finished(void *argument, uint64_t id, const json_t *result)
{
    struct mcp *mcp = argument;
    struct tool_call *call = mcp_call_find(argument, id);
    if (id == mcp->fed_question)
        mcp->fed_decided(mcp, result);
    if (call == NULL)
        return;
    if (call->open && call->request == NULL) {
        call->result = json_incref((json_t *)result);
        forget_kept(call->mcp);
    } else if (call->open && !call->joinable) {
        mcp_call_answer(call, mcp_shell_rest(result, &call->printed));
    } else {
        mcp_call_answer(call, call->tool->result(call->arguments, result));
    }
}

/* It is time for an answer, and the call goes on. */
static void answer_is_due(void *argument)
{
    struct tool_call *call = argument;
    if (call->request == NULL)
        return;
    if (call->id == 0) { /* the console is being looked for */
        loop_timer_start(call->due, call->yield_ms);
        return;
    }
    bool waiting = call->state == NULL || strcmp(call->state, "running") != 0;
    call->open = true;
    jsonrpc_reply(&call->request, mcp_shell_unfinished(call->id, waiting, &call->printed));
    mcp_elicit_update(call);
}

static void on_gone(void *argument, const char *why)
{
    struct mcp *mcp = argument;
    client_free(&mcp->client);
    mcp->fed_question = 0;
    while (!TAILQ_EMPTY(&mcp->calls)) {
        struct tool_call *call = TAILQ_FIRST(&mcp->calls);
        mcp_call_answer(call, call->tool->failure(why));
    }
}

static const struct client_events console_events = {
    .ready = on_ready,
    .state = on_state,
    .question = on_question,
    .output = on_output,
    .finished = on_finished,
    .gone = on_gone,
};

static void connect_console(struct mcp *mcp)
{
    struct client_setup setup = {
        .cwd = mcp->cwd,
        .socket = mcp->socket,
        .socket_directories = (const char *const *)mcp->socket_directories,
        .config_directory = mcp->config_directory,
        .name = "assent mcp",
        .session = mcp->client_name,
        .capability = mcp->capability,
        .own_session = mcp->capability == NULL,
        .resumes = mcp->repeats,
        .elicits = mcp->elicits,
    };
    mcp->client = client_new(mcp->setup.loop, &setup, &console_events, mcp);
}

/* ---- starting ------------------------------------------------------------------------------ */

/* A string or a number, as the specification has it; anything else is ignored. */
static json_t *read_progress_token(const json_t *params)
{
    json_t *token = json_object_get(json_object_get(params, "_meta"), "progressToken");
    return json_is_string(token) || json_is_number(token) ? json_incref(token) : NULL;
}

/* The same call that its client gave up on, while it still goes on. */
static struct tool_call *find_lingering(struct mcp *mcp, const struct mcp_tool *tool,
                                        const json_t *arguments)
{
    struct tool_call *call;
    TAILQ_FOREACH(call, &mcp->calls, entry)
    {
        bool lingers = call->request == NULL && !call->cancelled && (!call->open || call->joinable);
        if (lingers && call->tool == tool && json_equal(call->arguments, arguments))
            return call;
    }
    return NULL;
}

/* The call answers this request from now on, after `yield_ms` at the latest (0: at its end). */
void mcp_call_attach(struct tool_call *call, struct jsonrpc_request *request, const json_t *params,
                     int64_t yield_ms)
{
    loop_timer_stop(call->linger);
    call->request = request;
    call->yield_ms = yield_ms;
    json_decref(call->progress_token);
    call->progress_token = read_progress_token(params);
    call->progress = 0;
    send_progress(call);
    mcp_elicit_update(call);
    if (yield_ms > 0)
        loop_timer_start(call->due, yield_ms);
}

static void join_call(struct tool_call *call, struct jsonrpc_request *request, const json_t *params)
{
    mcp_call_attach(call, request, params, call->yield_ms);
    if (call->result != NULL)
        mcp_call_answer(call, call->tool->result(call->arguments, call->result));
}

int64_t mcp_call_milliseconds(const json_t *arguments, const char *name, int64_t fallback)
{
    json_int_t value = json_integer_value(json_object_get(arguments, name));
    return value > 0 ? value : fallback;
}

/* When an answer must be there: as the model wants it, and before the client gives up. */
static int64_t yield_of(const struct tool_call *call, const json_t *arguments)
{
    const struct mcp *mcp = call->mcp;
    if (call->tool != &mcp_shell)
        return 0;
    bool fed = json_is_true(json_object_get(arguments, "stdin"));
    int64_t wanted = mcp_call_milliseconds(arguments, "yield_ms", fed ? MCP_POLL_MS : 0);
    int64_t limit = mcp->setup.return_after_ms;
    if (limit == 0 && call->progress_token == NULL)
        limit = SILENT_LIMIT_MS;
    return wanted == 0 || (limit > 0 && limit < wanted) ? limit : wanted;
}

static void new_call(struct mcp *mcp, const struct mcp_tool *tool, struct jsonrpc_request *request,
                     const json_t *params, json_t *start)
{
    json_t *arguments = json_object_get(params, "arguments");
    struct tool_call *call = XNEW(struct tool_call);
    call->mcp = mcp;
    call->tool = tool;
    call->request = request;
    call->arguments = json_incref(arguments);
    call->params = start;
    call->progress_token = read_progress_token(params);
    call->linger = loop_timer_new(mcp->setup.loop, linger_ended, call);
    call->due = loop_timer_new(mcp->setup.loop, answer_is_due, call);
    mcp_elicit_begin(call);
    call->yield_ms = yield_of(call, arguments);
    call->joinable = json_object_get(arguments, "yield_ms") == NULL &&
                     !json_is_true(json_object_get(arguments, "stdin"));
    if (call->yield_ms > 0)
        loop_timer_start(call->due, call->yield_ms);
    TAILQ_INSERT_TAIL(&mcp->calls, call, entry);
    if (!loop_timer_running(mcp->tick))
        loop_timer_start(mcp->tick, PROGRESS_MS);
    if (mcp->client == NULL)
        connect_console(mcp);
    else if (client_is_ready(mcp->client))
        send_call(call);
}

void mcp_call_start(struct mcp *mcp, const struct mcp_tool *tool, struct jsonrpc_request *request,
                    const json_t *params)
{
    struct error error = ERROR_INIT;
    const json_t *arguments = json_object_get(params, "arguments");
    json_t *start = tool->params(arguments, mcp->cwd, &error);
    struct tool_call *same = start != NULL ? find_lingering(mcp, tool, arguments) : NULL;
    if (start == NULL) {
        jsonrpc_reply(&request, tool->failure(error.message));
    } else if (same != NULL) {
        json_decref(start);
        join_call(same, request, params);
    } else {
        new_call(mcp, tool, request, params, start);
    }
}

void mcp_call_linger(struct tool_call *call)
{
    loop_timer_start(call->linger, LINGER_MS);
}
