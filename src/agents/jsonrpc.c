/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/jsonrpc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/framing.h"
#include "agents/salvage.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/strbuf.h"

#define READ_SIZE ((size_t)64 * 1024)
#define HIGH_WATER_DEFAULT ((size_t)256 * 1024)
/* Messages of one peer that are handled in one turn; the others wait so that every peer gets its
 * turn. */
#define MESSAGES_A_TURN 64
/* Elements of a batch; each may be answered. */
#define BATCH_MAX 256

struct batch {
    json_t *replies;
    size_t open; /* requests without an answer, plus one while the batch is being read */
};

struct jsonrpc_request {
    struct jsonrpc *peer;
    json_t *id;
    struct batch *batch; /* NULL when it came alone */
    LIST_ENTRY(jsonrpc_request) entry;
};

struct pending_call {
    int64_t id;
    void (*answer)(void *argument, const json_t *result, const json_t *error);
    void *argument;
    LIST_ENTRY(pending_call) entry;
};

struct jsonrpc {
    struct loop *loop;
    struct jsonrpc_events events;
    void *argument;
    int read_fd, write_fd;
    struct loop_io *reader, *writer; /* the same one when the descriptors are */
    struct loop_timer *later;        /* takes up input that is left, reports a failed write */
    struct framing framing;
    struct strbuf input;  /* read, not looked at yet */
    struct strbuf output; /* not written yet */
    size_t high_water;
    bool was_full;   /* `drained` is due once there is room */
    bool paused;     /* by the owner */
    bool ended;      /* nothing more will be read */
    bool is_socket;  /* write_fd is one */
    bool bare;       /* as in struct jsonrpc_setup */
    bool closed;     /* `closed` was called */
    int write_error; /* errno value of the write that failed */
    unsigned busy;   /* depth of callbacks: freeing waits for the last to return */
    bool dead;
    int64_t last_id;
    LIST_HEAD(, jsonrpc_request) requests;
    LIST_HEAD(, pending_call) calls;
};

static void io_ready(int fd, unsigned events, void *argument);
static void take_up_later(void *argument);

/* ---- life ---------------------------------------------------------------------------------- */

/* A terminal is shared with the shell that waits for us: its flags are not ours to change. */
static bool prepare_fd(int fd)
{
    struct stat status;
    if (fstat(fd, &status) < 0)
        return false;
    if (!S_ISCHR(status.st_mode))
        (void)fd_set_nonblock(fd, true);
    return S_ISSOCK(status.st_mode);
}

struct jsonrpc *jsonrpc_new(struct loop *loop, int read_fd, int write_fd,
                            const struct jsonrpc_setup *setup, const struct jsonrpc_events *events,
                            void *argument)
{
    struct jsonrpc *peer = XNEW(struct jsonrpc);
    size_t limit = setup != NULL && setup->line_limit > 0 ? setup->line_limit : JSONRPC_LINE_LIMIT;
    peer->loop = loop;
    peer->events = *events;
    peer->argument = argument;
    peer->read_fd = read_fd;
    peer->write_fd = write_fd;
    peer->high_water =
        setup != NULL && setup->high_water > 0 ? setup->high_water : HIGH_WATER_DEFAULT;
    peer->bare = setup != NULL && setup->bare;
    framing_init(&peer->framing, limit);
    LIST_INIT(&peer->requests);
    LIST_INIT(&peer->calls);
    prepare_fd(read_fd);
    peer->is_socket = prepare_fd(write_fd);
    peer->later = loop_timer_new(loop, take_up_later, peer);
    peer->reader = loop_io_new(loop, read_fd, io_ready, peer);
    peer->writer = read_fd == write_fd ? peer->reader : loop_io_new(loop, write_fd, io_ready, peer);
    loop_io_set(peer->reader, LOOP_READ);
    return peer;
}

static void free_request(struct jsonrpc_request *request)
{
    LIST_REMOVE(request, entry);
    json_decref(request->id);
    struct batch *batch = request->batch;
    if (batch != NULL && --batch->open == 0) {
        json_decref(batch->replies);
        free(batch);
    }
    free(request);
}

static void stop_watching(struct jsonrpc *peer)
{
    if (peer->writer != peer->reader)
        loop_io_free(&peer->writer);
    loop_io_free(&peer->reader);
    peer->writer = NULL;
    loop_timer_free(&peer->later);
}

static void destroy(struct jsonrpc *peer)
{
    while (!LIST_EMPTY(&peer->requests))
        free_request(LIST_FIRST(&peer->requests));
    while (!LIST_EMPTY(&peer->calls)) {
        struct pending_call *call = LIST_FIRST(&peer->calls);
        LIST_REMOVE(call, entry);
        free(call);
    }
    if (peer->write_fd != peer->read_fd)
        fd_close(&peer->write_fd);
    fd_close(&peer->read_fd);
    framing_clear(&peer->framing);
    strbuf_free(&peer->input);
    strbuf_free(&peer->output);
    free(peer);
}

void jsonrpc_free(struct jsonrpc **place)
{
    struct jsonrpc *peer = *place;
    if (peer == NULL)
        return;
    *place = NULL;
    peer->dead = true;
    stop_watching(peer);
    if (peer->busy == 0)
        destroy(peer);
}

static void enter(struct jsonrpc *peer)
{
    peer->busy++;
}

/* Returns false when the peer was freed meanwhile: nothing of it may be touched any more. */
static bool leave(struct jsonrpc *peer)
{
    peer->busy--;
    if (!peer->dead)
        return true;
    if (peer->busy == 0)
        destroy(peer);
    return false;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void update_watch(struct jsonrpc *peer)
{
    if (peer->dead)
        return;
    bool reading = !peer->ended && !peer->paused && !jsonrpc_full(peer) && peer->input.length == 0;
    bool writing = peer->output.length > 0 && peer->write_error == 0;
    unsigned read_events = reading ? LOOP_READ : 0;
    unsigned write_events = writing ? LOOP_WRITE : 0;
    if (peer->writer == peer->reader) {
        loop_io_set(peer->reader, read_events | write_events);
        return;
    }
    loop_io_set(peer->reader, read_events);
    loop_io_set(peer->writer, write_events);
}

/* One write; false when nothing more can be written now. */
static bool write_some(struct jsonrpc *peer)
{
    ssize_t count = peer->is_socket ? send(peer->write_fd, peer->output.data, peer->output.length,
                                           MSG_NOSIGNAL | MSG_DONTWAIT)
                                    : write(peer->write_fd, peer->output.data, peer->output.length);
    if (count >= 0) {
        strbuf_consume(&peer->output, (size_t)count);
        return true;
    }
    if (errno == EINTR)
        return true;
    if (errno != EAGAIN) {
        peer->write_error = errno;
        strbuf_free(&peer->output);
    }
    return false;
}

void jsonrpc_flush(struct jsonrpc *peer)
{
    while (peer->output.length > 0 && peer->write_error == 0 && write_some(peer))
        continue;
}

/* Queues one line and tries to get it out at once. A failure is reported from the loop, never
 * from inside the function that sent. */
static void send_message(struct jsonrpc *peer, json_t *message)
{
    if (peer->dead || peer->write_error != 0) {
        json_decref(message);
        return;
    }
    if (peer->bare && json_is_object(message))
        json_object_del(message, "jsonrpc");
    cleanup_free char *line = json_line(message);
    json_decref(message);
    bool was_empty = peer->output.length == 0;
    strbuf_addstr(&peer->output, line);
    strbuf_addch(&peer->output, '\n');
    if (was_empty)
        write_some(peer);
    if (peer->write_error != 0)
        loop_timer_start(peer->later, 0);
    if (jsonrpc_full(peer))
        peer->was_full = true;
    update_watch(peer);
}

static json_t *new_message(void)
{
    json_t *message = json_object();
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    return message;
}

static json_t *error_message(const json_t *id, int code, const char *text)
{
    json_t *error = json_object();
    json_object_set_new(error, "code", json_integer(code));
    json_object_set_new(error, "message", json_string_lossy(text, strlen(text)));
    json_t *message = new_message();
    json_object_set_new(message, "id", id != NULL ? json_incref((json_t *)id) : json_null());
    json_object_set_new(message, "error", error);
    return message;
}

/* Sends a batch's answers once the last of them is there. */
static void batch_release(struct jsonrpc *peer, struct batch *batch)
{
    if (--batch->open > 0)
        return;
    if (json_array_size(batch->replies) > 0)
        send_message(peer, json_incref(batch->replies));
    json_decref(batch->replies);
    free(batch);
}

static void deliver(struct jsonrpc *peer, struct batch *batch, json_t *message)
{
    if (batch != NULL)
        json_array_append_new(batch->replies, message);
    else
        send_message(peer, message);
}

static void answer(struct jsonrpc_request **place, json_t *message)
{
    deliver((*place)->peer, (*place)->batch, message);
    jsonrpc_drop(place);
}

void jsonrpc_reply(struct jsonrpc_request **request, json_t *result)
{
    json_t *message = new_message();
    json_object_set(message, "id", (*request)->id);
    json_object_set_new(message, "result", result);
    answer(request, message);
}

void jsonrpc_fail(struct jsonrpc_request **request, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cleanup_free char *text = xvasprintf(format, arguments);
    va_end(arguments);
    answer(request, error_message((*request)->id, code, text));
}

void jsonrpc_drop(struct jsonrpc_request **place)
{
    struct jsonrpc_request *request = *place;
    struct batch *batch = request->batch;
    struct jsonrpc *peer = request->peer;
    *place = NULL;
    request->batch = NULL;
    free_request(request);
    if (batch != NULL)
        batch_release(peer, batch);
}

const json_t *jsonrpc_request_id(const struct jsonrpc_request *request)
{
    return request->id;
}

void jsonrpc_call(struct jsonrpc *peer, const char *method, json_t *params,
                  void (*answer_callback)(void *argument, const json_t *result,
                                          const json_t *error),
                  void *argument)
{
    struct pending_call *call = XNEW(struct pending_call);
    call->id = ++peer->last_id;
    call->answer = answer_callback;
    call->argument = argument;
    LIST_INSERT_HEAD(&peer->calls, call, entry);
    json_t *message = new_message();
    json_object_set_new(message, "id", json_integer(call->id));
    json_object_set_new(message, "method", json_string(method));
    json_object_set_new(message, "params", params);
    send_message(peer, message);
}

void jsonrpc_notify(struct jsonrpc *peer, const char *method, json_t *params)
{
    json_t *message = new_message();
    json_object_set_new(message, "method", json_string(method));
    json_object_set_new(message, "params", params);
    send_message(peer, message);
}

void jsonrpc_complain(struct jsonrpc *peer, int code, const char *message)
{
    send_message(peer, error_message(NULL, code, message));
}

bool jsonrpc_full(const struct jsonrpc *peer)
{
    return peer->output.length > peer->high_water;
}

size_t jsonrpc_queued(const struct jsonrpc *peer)
{
    return peer->output.length;
}

/* ---- reading ------------------------------------------------------------------------------- */

static void handle_answer(struct jsonrpc *peer, const json_t *message)
{
    const json_t *id = json_object_get(message, "id");
    struct pending_call *call;
    LIST_FOREACH(call, &peer->calls, entry)
    if (json_is_integer(id) && json_integer_value(id) == call->id)
        break;
    const json_t *error = json_object_get(message, "error");
    if (call == NULL) {
        if (json_is_null(id) && error != NULL && peer->events.complaint != NULL)
            peer->events.complaint(peer->argument, error);
        return;
    }
    LIST_REMOVE(call, entry);
    call->answer(call->argument, error != NULL ? NULL : json_object_get(message, "result"), error);
    free(call);
}

static void handle_request(struct jsonrpc *peer, struct batch *batch, json_t *id,
                           const char *method, const json_t *params)
{
    struct jsonrpc_request *request = XNEW(struct jsonrpc_request);
    request->peer = peer;
    request->id = json_incref(id);
    request->batch = batch;
    if (batch != NULL)
        batch->open++;
    LIST_INSERT_HEAD(&peer->requests, request, entry);
    if (params != NULL && !json_is_object(params)) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "params: expected an object");
        return;
    }
    cleanup_json json_t *none = json_object();
    peer->events.request(peer->argument, request, method, params != NULL ? params : none);
}

static void handle_notification(struct jsonrpc *peer, const char *method, const json_t *params)
{
    if (peer->events.notification == NULL || (params != NULL && !json_is_object(params)))
        return;
    cleanup_json json_t *none = json_object();
    peer->events.notification(peer->argument, method, params != NULL ? params : none);
}

/* What is wrong with a message that is not an answer, or NULL. */
static const char *message_fault(const struct jsonrpc *peer, const json_t *message,
                                 const json_t *id)
{
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    if (!peer->bare && (version == NULL || strcmp(version, "2.0") != 0))
        return "jsonrpc: expected \"2.0\"";
    if (id != NULL && !json_is_string(id) && !json_is_integer(id))
        return "id: expected a string or a whole number";
    const json_t *method = json_object_get(message, "method");
    if (!json_is_string(method))
        return "method: expected a string";
    return NULL;
}

static void handle_message(struct jsonrpc *peer, struct batch *batch, const json_t *message)
{
    if (!json_is_object(message)) {
        deliver(peer, batch,
                error_message(NULL, JSONRPC_INVALID_REQUEST, "expected a request object"));
        return;
    }
    json_t *id = json_object_get(message, "id");
    const json_t *method = json_object_get(message, "method");
    if (method == NULL && (json_object_get(message, "result") || json_object_get(message, "error")))
        return handle_answer(peer, message);
    const char *fault = message_fault(peer, message, id);
    if (fault != NULL) {
        bool usable = json_is_string(id) || json_is_integer(id);
        deliver(peer, batch, error_message(usable ? id : NULL, JSONRPC_INVALID_REQUEST, fault));
        return;
    }
    const json_t *params = json_object_get(message, "params");
    if (json_is_null(params))
        params = NULL;
    if (id != NULL)
        handle_request(peer, batch, id, json_string_value(method), params);
    else
        handle_notification(peer, json_string_value(method), params);
}

static void handle_batch(struct jsonrpc *peer, const json_t *messages)
{
    size_t count = json_array_size(messages);
    if (count == 0 || count > BATCH_MAX) {
        cleanup_free char *text = xasprintf("a batch has 1 to %d elements", BATCH_MAX);
        jsonrpc_complain(peer, JSONRPC_INVALID_REQUEST, text);
        return;
    }
    struct batch *batch = XNEW(struct batch);
    batch->replies = json_array();
    batch->open = 1;
    for (size_t i = 0; i < count && !peer->dead; i++)
        handle_message(peer, batch, json_array_get(messages, i));
    batch_release(peer, batch);
}

static void handle_broken_line(struct jsonrpc *peer, const char *bytes, size_t length, int code,
                               const char *text)
{
    if (peer->events.garbled != NULL) {
        peer->events.garbled(peer->argument, text);
        return;
    }
    cleanup_json json_t *id = salvage_id(bytes, length);
    send_message(peer, error_message(id, code, text));
}

static bool is_blank(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (strchr(" \t\r", bytes[i]) == NULL || bytes[i] == '\0')
            return false;
    return true;
}

static void handle_line(struct jsonrpc *peer, const char *bytes, size_t length)
{
    if (is_blank(bytes, length))
        return;
    struct error error = ERROR_INIT;
    cleanup_json json_t *message = json_parse(bytes, length, &error);
    if (message == NULL)
        handle_broken_line(peer, bytes, length, JSONRPC_PARSE_ERROR, error.message);
    else if (json_is_array(message))
        handle_batch(peer, message);
    else
        handle_message(peer, NULL, message);
}

static void handle_overlong(struct jsonrpc *peer)
{
    cleanup_free char *text = xasprintf("message is longer than %zu bytes", peer->framing.limit);
    handle_broken_line(peer, strbuf_str(&peer->framing.line), peer->framing.line.length,
                       JSONRPC_INVALID_REQUEST, text);
}

/* Handles lines until the input is used up, the queue is full or the peer's turn is over. */
static void handle_input(struct jsonrpc *peer)
{
    size_t at = 0;
    for (unsigned handled = 0; handled < MESSAGES_A_TURN && at < peer->input.length;) {
        if (peer->dead || peer->paused || jsonrpc_full(peer))
            break;
        size_t taken;
        enum framing_result result =
            framing_take(&peer->framing, peer->input.data + at, peer->input.length - at, &taken);
        at += taken;
        if (result == FRAMING_MORE)
            continue;
        handled++;
        if (result == FRAMING_LINE)
            handle_line(peer, strbuf_str(&peer->framing.line), peer->framing.line.length);
        else
            handle_overlong(peer);
    }
    strbuf_consume(&peer->input, at);
}

static void report_closed(struct jsonrpc *peer, int number)
{
    if (peer->closed || peer->dead)
        return;
    peer->closed = true;
    peer->events.closed(peer->argument, number);
}

/* The bytes behind the last line end are a message too, once no more can come. */
static void handle_end(struct jsonrpc *peer)
{
    if (peer->closed || peer->input.length > 0 || peer->paused || jsonrpc_full(peer))
        return;
    struct framing *framing = &peer->framing;
    if (framing->line.length > 0 && !framing->complete && !framing->skipping) {
        framing->complete = true;
        handle_line(peer, strbuf_str(&framing->line), framing->line.length);
    }
    report_closed(peer, 0);
}

static void read_some(struct jsonrpc *peer)
{
    char bytes[READ_SIZE];
    ssize_t count = read(peer->read_fd, bytes, sizeof(bytes));
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count < 0) {
        peer->ended = true;
        report_closed(peer, errno);
        return;
    }
    if (count == 0)
        peer->ended = true;
    else
        strbuf_add(&peer->input, bytes, (size_t)count);
}

/* Everything that can be done now; called whenever something may have changed. */
static void proceed(struct jsonrpc *peer)
{
    if (peer->write_error != 0)
        report_closed(peer, peer->write_error);
    if (!peer->dead && peer->was_full && !jsonrpc_full(peer)) {
        peer->was_full = false;
        if (peer->events.drained != NULL)
            peer->events.drained(peer->argument);
    }
    if (!peer->dead && peer->input.length > 0)
        handle_input(peer);
    if (!peer->dead && peer->ended)
        handle_end(peer);
    if (!peer->dead && peer->input.length > 0 && !peer->paused && !jsonrpc_full(peer))
        loop_timer_start(peer->later, 0);
    update_watch(peer);
}

static void take_up_later(void *argument)
{
    struct jsonrpc *peer = argument;
    enter(peer);
    proceed(peer);
    leave(peer);
}

static void io_ready(int fd, unsigned events, void *argument)
{
    struct jsonrpc *peer = argument;
    (void)fd;
    enter(peer);
    if ((events & LOOP_WRITE) != 0 && peer->output.length > 0)
        write_some(peer);
    bool reading = !peer->ended && peer->input.length == 0 && !jsonrpc_full(peer);
    if ((events & LOOP_READ) != 0 && reading && !peer->paused)
        read_some(peer);
    proceed(peer);
    leave(peer);
}

void jsonrpc_pause(struct jsonrpc *peer, bool pause)
{
    peer->paused = pause;
    if (!pause && (peer->input.length > 0 || peer->ended))
        loop_timer_start(peer->later, 0);
    update_watch(peer);
}
