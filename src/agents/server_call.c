/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agents/call_result.h"
#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"

/* Output in one notification: what its client takes apart at a time, before it gives way to others
 * on its processor. */
#define CHUNK_BYTES ((size_t)8 * 1024)
/* The command is held back when its client is this far behind, let go when it has caught up. */
#define UNSENT_HIGH ((uint64_t)256 * 1024)
#define UNSENT_LOW ((uint64_t)64 * 1024)
/* How much of a first attempt's unsent output goes out at once when a second takes its place. */
#define ATTEMPT_REST_BYTES ((size_t)1024 * 1024)
/* Input handed over at a time; the runner takes a piece whole or not at all. */
#define INPUT_PIECE ((size_t)64 * 1024)
#define RETRY_MS 20

/* ---- life ---------------------------------------------------------------------------------- */

struct server_call *server_call_find(struct server *server, uint64_t id)
{
    struct server_call *call;
    for (call = LIST_FIRST(&server->calls[id % SERVER_CALL_BUCKETS]); call != NULL;
         call = LIST_NEXT(call, by_id))
        if (call->id == id)
            return call;
    return NULL;
}

static void name_streams(struct server_call *call)
{
    call->streams[0].name = call->params.spec->tty ? "terminal" : "stdout";
    call->streams[1].name = "stderr";
}

struct server_call *server_call_new(struct connection *connection, struct call_params *params,
                                    struct jsonrpc_request *request, size_t bytes)
{
    struct server_call *call = XNEW(struct server_call);
    call->connection = connection;
    call->tree = connection->tree;
    call->bytes = bytes;
    call->tree->held.bytes += bytes;
    call->params = *params;
    memset(params, 0, sizeof(*params));
    call->start = request;
    call->streaming = call->params.stream;
    call->sent_state = -1;
    name_streams(call);
    connection->open_calls++;
    TAILQ_INSERT_TAIL(&connection->calls, call, of_connection);
    call->tree->held.calls++;
    TAILQ_INSERT_TAIL(&call->tree->queue, call, waiting);
    return call;
}

/* What has not been taken of it is lost. */
static void drop_input(struct server_call *call)
{
    strbuf_free(&call->input);
    call->tree->held.bytes -= call->input_size;
    call->input_size = 0;
}

static void leave_queue(struct server_call *call)
{
    if (call->start == NULL)
        return;
    TAILQ_REMOVE(&call->tree->queue, call, waiting);
    call->start = NULL;
}

static void leave_connection(struct server_call *call)
{
    if (call->connection == NULL)
        return;
    TAILQ_REMOVE(&call->connection->calls, call, of_connection);
    call->connection->open_calls--;
    call->connection = NULL;
}

void server_call_drop(struct server *server, struct server_call *call)
{
    struct tree *tree = call->tree;
    leave_queue(call);
    leave_connection(call);
    if (call->id != 0)
        LIST_REMOVE(call, by_id);
    server_leave_place(call);
    tree->held.calls--;
    drop_input(call);
    call_params_clear(&call->params);
    json_decref(call->result);
    free(call->asked);
    free(call);
    server_release_tree(server, tree);
}

static void answer_start(struct server_call *call, struct jsonrpc_request **request)
{
    const struct call *its = call->call;
    json_t *result = json_object();
    json_object_set_new(result, "call", json_integer((json_int_t)call->id));
    json_object_set_new(result, "state",
                        json_string(call_state_name(its != NULL ? its->state : CALL_FINISHED)));
    jsonrpc_reply(request, result);
    server_mark_dirty(call->connection);
}

void server_call_submit(struct server_call *call)
{
    struct connection *connection = call->connection;
    struct server *server = connection->server;
    struct jsonrpc_request *request = call->start;
    leave_queue(call);

    if (connection->session == NULL) {
        jsonrpc_fail(&request, SERVER_REFUSED, "the session has ended");
        server_call_drop(server, call);
        return;
    }
    struct error error = ERROR_INIT;
    struct call_options options = {.rows = call->params.rows, .columns = call->params.columns};
    options.agent_tool = call->params.agent_tool;
    options.patch = call->params.patch;
    options.agent_fields = call->params.agent_fields;
    options.offers = call->params.offers;
    options.offer_count = call->params.offer_count;
    options.widens = call->params.widens;
    options.wants_words = call->params.wants_words;
    options.secret_words = call->params.secret_words;
    options.in_person = call->params.in_person;
    options.input_for = (uint64_t)call->params.input_for;
    options.client.name = connection->name;
    options.client.pid = connection->identity.asker;
    options.client.exe = connection->identity.asker_exe;
    options.client.tree = call->tree->root;
    options.client.lineage = connection->identity.lineage;
    call->call = orchestrator_submit(server->orchestrator, connection->session,
                                     call->params.patch != NULL ? CALL_APPLY_PATCH : CALL_SHELL,
                                     steal_pointer(&call->params.spec), &options, &error);
    if (call->call == NULL) {
        if (call->params.widens)
            server_note_unasked(connection, error.message);
        jsonrpc_fail(&request, SERVER_REFUSED, "%s", error.message);
        server_call_drop(server, call);
        return;
    }
    call->id = call->call->id;
    call->running = true;
    call->tree->held.running++;
    LIST_INSERT_HEAD(&server->calls[call->id % SERVER_CALL_BUCKETS], call, by_id);
    answer_start(call, &request);
}

void server_call_release_client(struct server_call *call)
{
    call->feeding = NULL;
    drop_input(call);
    if (call->paused)
        orchestrator_pause_output(call->connection->server->orchestrator, call->call, false);
    call->paused = false;
}

void server_call_move(struct server_call *call, struct connection *connection,
                      struct jsonrpc_request *request)
{
    leave_connection(call);
    call->connection = connection;
    connection->open_calls++;
    TAILQ_INSERT_TAIL(&connection->calls, call, of_connection);
    call->sent_state = -1;
    call->sent_prompt = 0;
    call->streams[0].position = 0;
    call->streams[1].position = 0;
    answer_start(call, &request);
}

void server_call_abandon(struct server_call *call, const char *why)
{
    struct server *server = call->connection->server;
    if (!call->running) {
        server_call_drop(server, call);
        return;
    }
    server_call_release_client(call);
    leave_connection(call);
    /* Agents go ahead when what asked for them ends. */
    bool unanswered = call->call->agent_tool != NULL && call->call->input_for == 0;
    orchestrator_cancel(
        server->orchestrator, call->call, CANCELLED_BY_CLIENT,
        unanswered ? "it ended before it was answered: the agent may have gone ahead" : why);
}

/* ---- what the client is told ---------------------------------------------------------------- */

static json_t *new_params(const struct server_call *call)
{
    json_t *params = json_object();
    json_object_set_new(params, "call", json_integer((json_int_t)call->id));
    return params;
}

static size_t prompts_before(const struct server_call *call)
{
    const struct orchestrator *orchestrator = call->connection->server->orchestrator;
    size_t count = orchestrator_waiting_count(orchestrator);
    for (size_t i = 0; i < count; i++)
        if (orchestrator_waiting_at(orchestrator, i) == call->call)
            return i;
    return 0;
}

static void send_state(struct server_call *call)
{
    enum call_state state = call->call->state;
    if (state == CALL_FINISHED)
        return; /* call/finished says it */
    if (call->sent_state != (int)state)
        call->place = state == CALL_ASKING ? prompts_before(call) : 0;
    if (call->sent_state == (int)state && call->sent_place == call->place)
        return;
    call->sent_state = (int)state;
    call->sent_place = call->place;
    json_t *params = new_params(call);
    json_object_set_new(params, "state", json_string(call_state_name(state)));
    json_object_set_new(params, "waiting", json_integer((json_int_t)call->place));
    json_object_set_new(params, "attempt", json_integer(call->call->attempt_count));
    jsonrpc_notify(call->connection->peer, "call/state", params);
}

static void notify_output(struct server_call *call, const struct server_stream *stream,
                          const char *bytes, size_t length, uint64_t skipped)
{
    json_t *params = new_params(call);
    json_object_set_new(params, "stream", json_string(stream->name));
    if (skipped > 0)
        json_object_set_new(params, "skipped", json_integer((json_int_t)skipped));
    jsonrpc_notify_bytes(call->connection->peer, "call/output", params, "data", bytes, length);
}

/* The output behind a stream; NULL when there is none (yet, any more). */
static const struct output *source_of(const struct server_call *call, size_t index)
{
    if (call->call == NULL)
        return NULL;
    return index == 0 ? call->call->output : call->call->error_output;
}

/* One chunk of one stream. Returns its size, 0 when there was nothing. */
static size_t send_chunk(struct server_call *call, size_t index)
{
    struct server_stream *stream = &call->streams[index];
    const struct output *source = source_of(call, index);
    char bytes[CHUNK_BYTES];
    uint64_t skipped = 0;
    if (source == NULL)
        return 0;
    size_t length = output_read(source, &stream->position, bytes, sizeof(bytes), &skipped);
    if (length > 0 || skipped > 0)
        notify_output(call, stream, bytes, length, skipped);
    return length;
}

static uint64_t unsent(const struct server_call *call)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < 2 && call->streaming; i++) {
        const struct output *source = source_of(call, i);
        if (source != NULL && output_total(source) > call->streams[i].position)
            sum += output_total(source) - call->streams[i].position;
    }
    return sum;
}

/* Returns false when something is left that did not fit. */
static bool send_output(struct server_call *call, size_t *budget)
{
    while (unsent(call) > 0) {
        if (*budget == 0 || jsonrpc_full(call->connection->peer))
            return false;
        size_t sent = send_chunk(call, 0) + send_chunk(call, 1);
        *budget -= sent < *budget ? sent : *budget;
        if (sent == 0)
            break; /* what is missing was dropped, and the client told so */
    }
    return true;
}

/* Holds the command back while its client is behind. */
static void pace(struct server_call *call)
{
    struct orchestrator *orchestrator = call->connection->server->orchestrator;
    uint64_t behind = unsent(call);
    bool pause = call->paused ? behind > UNSENT_LOW : behind > UNSENT_HIGH;
    if (pause == call->paused)
        return;
    call->paused = pause;
    orchestrator_pause_output(orchestrator, call->call, pause);
}

static void send_result(struct server_call *call)
{
    json_t *params = new_params(call);
    json_object_set_new(params, "result", steal_pointer(&call->result));
    jsonrpc_notify(call->connection->peer, "call/finished", params);
}

/* ---- input --------------------------------------------------------------------------------- */

static void refuse_input(struct server_call *call, const char *why)
{
    drop_input(call);
    jsonrpc_fail(&call->feeding, SERVER_REFUSED, "%s", why);
}

/* Passes input on as far as the command takes it; the request is answered when all was taken, so
 * that a client's speed is the command's. */
static void feed(struct server_call *call)
{
    struct server *server = call->connection->server;
    if (call->feeding == NULL)
        return;
    if (call->call == NULL || call->call->state == CALL_FINISHED) {
        refuse_input(call, "the command has ended");
        return;
    }
    while (call->input.length > 0) {
        size_t piece = call->input.length < INPUT_PIECE ? call->input.length : INPUT_PIECE;
        int result = orchestrator_write(server->orchestrator, call->call, call->input.data, piece);
        if (result == -EAGAIN) {
            loop_timer_start(server->retry, RETRY_MS);
            return;
        }
        if (result < 0) {
            refuse_input(call, "the command takes no more input");
            return;
        }
        strbuf_consume(&call->input, piece);
    }
    if (call->input_ends)
        orchestrator_write_end(server->orchestrator, call->call);
    json_t *answer = json_object();
    json_object_set_new(answer, "queued", json_integer((json_int_t)call->input_size));
    drop_input(call);
    jsonrpc_reply(&call->feeding, answer);
}

void server_call_feed(struct server_call *call, struct jsonrpc_request *request,
                      struct strbuf *bytes, bool end)
{
    drop_input(call);
    call->input_size = bytes->length;
    call->tree->held.bytes += call->input_size;
    call->input.capacity = bytes->capacity;
    call->input.length = bytes->length;
    call->input.data = strbuf_steal(bytes);
    call->input_ends = end;
    call->feeding = request;
    feed(call);
}

/* ---- turns and events ---------------------------------------------------------------------- */

void server_call_pump(struct server_call *call, size_t *budget)
{
    feed(call);
    bool all_sent = true;
    if (call->call != NULL) {
        send_state(call);
        server_question_send(call);
        all_sent = send_output(call, budget);
    }
    if (call->result == NULL) {
        if (call->call != NULL)
            pace(call);
        return;
    }
    /* Results are long enough to count: a client that does not read has no more on their way. */
    if (!all_sent || jsonrpc_full(call->connection->peer))
        return;
    send_result(call);
    server_call_drop(call->connection->server, call);
}

void server_call_attempt_started(struct server_call *call)
{
    call->sent_state = -1; /* a second one may follow so soon that nothing between was told */
    call->streams[0].position = 0;
    call->streams[1].position = 0;
}

void server_call_attempt_ended(struct server_call *call)
{
    if (call->connection == NULL || call->connection->peer == NULL || !call->streaming)
        return;
    size_t left = ATTEMPT_REST_BYTES;
    size_t sent;
    do {
        sent = send_chunk(call, 0) + send_chunk(call, 1);
        left -= sent < left ? sent : left;
    } while (sent > 0 && left > 0);
}

void server_call_finished(struct server *server, struct server_call *call)
{
    server_leave_place(call);
    if (call->connection == NULL) {
        server_call_drop(server, call);
        return;
    }
    call->result = call_result_new(call->call);
    server_mark_dirty(call->connection);
}

void server_call_forgotten(struct server *server, struct server_call *call)
{
    if (call->connection == NULL) {
        call->call = NULL;
        server_call_drop(server, call);
        return;
    }
    uint64_t lost = unsent(call);
    if (lost > 0 && call->connection->peer != NULL)
        notify_output(call, &call->streams[0], "", 0, lost);
    call->call = NULL;
    server_mark_dirty(call->connection);
}
