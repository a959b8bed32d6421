/* SPDX-License-Identifier: MIT */
/* jsonrpc_message: what lines say, and what is said: requests, answers, notifications, batches. */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "agents/jsonrpc-int.h"
#include "agents/salvage.h"
#include "base/alloc.h"
#include "base/json.h"

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

void jsonrpc_forget_all(struct jsonrpc *peer)
{
    while (!LIST_EMPTY(&peer->requests))
        free_request(LIST_FIRST(&peer->requests));
    while (!LIST_EMPTY(&peer->calls)) {
        struct pending_call *call = LIST_FIRST(&peer->calls);
        LIST_REMOVE(call, entry);
        free(call);
    }
}

/* ---- what is said --------------------------------------------------------------------------- */

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
        jsonrpc_send(peer, json_incref(batch->replies));
    json_decref(batch->replies);
    free(batch);
}

static void deliver(struct jsonrpc *peer, struct batch *batch, json_t *message)
{
    if (batch != NULL)
        json_array_append_new(batch->replies, message);
    else
        jsonrpc_send(peer, message);
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

int64_t jsonrpc_call(struct jsonrpc *peer, const char *method, json_t *params,
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
    jsonrpc_send(peer, message);
    return call->id;
}

/* The call of ours with that id, or NULL. */
static struct pending_call *find_call(const struct jsonrpc *peer, const json_t *id)
{
    struct pending_call *call;
    LIST_FOREACH(call, &peer->calls, entry)
    {
        if (json_is_integer(id) && json_integer_value(id) == call->id)
            break;
    }
    return call;
}

void jsonrpc_forget(struct jsonrpc *peer, int64_t id)
{
    cleanup_json json_t *number = json_integer(id);
    struct pending_call *call = find_call(peer, number);
    if (call == NULL)
        return;
    LIST_REMOVE(call, entry);
    free(call);
}

void jsonrpc_notify(struct jsonrpc *peer, const char *method, json_t *params)
{
    json_t *message = new_message();
    json_object_set_new(message, "method", json_string(method));
    json_object_set_new(message, "params", params);
    jsonrpc_send(peer, message);
}

void jsonrpc_notify_bytes(struct jsonrpc *peer, const char *method, json_t *params,
                          const char *name, const char *bytes, size_t length)
{
    json_t *message = new_message();
    json_object_set_new(params, name, json_string(""));
    json_object_set_new(message, "method", json_string(method));
    json_object_set_new(message, "params", params);
    /* Members keep their order: the line ends with the empty string and the two objects. */
    jsonrpc_send_bytes(peer, message, strlen("\"}}"), bytes, length);
}

void jsonrpc_complain(struct jsonrpc *peer, int code, const char *message)
{
    jsonrpc_send(peer, error_message(NULL, code, message));
}

/* ---- what comes in -------------------------------------------------------------------------- */

static void handle_answer(struct jsonrpc *peer, const json_t *message)
{
    const json_t *id = json_object_get(message, "id");
    struct pending_call *call = find_call(peer, id);
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
    jsonrpc_send(peer, error_message(id, code, text));
}

static bool is_blank(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (strchr(" \t\r", bytes[i]) == NULL || bytes[i] == '\0')
            return false;
    return true;
}

void jsonrpc_take_line(struct jsonrpc *peer, const char *bytes, size_t length)
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

void jsonrpc_take_overlong(struct jsonrpc *peer, const char *why)
{
    handle_broken_line(peer, strbuf_str(&peer->framing.line), peer->framing.line.length,
                       JSONRPC_INVALID_REQUEST, why);
}
