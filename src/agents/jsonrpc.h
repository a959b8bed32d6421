/* SPDX-License-Identifier: MIT */
/*
 * jsonrpc: one end of a JSON-RPC 2.0 conversation, one message a line, over descriptors on the
 * loop. https://www.jsonrpc.org/specification
 *
 * Requests may be answered later and in any order. Ids come back as they came (type included).
 * Whatever the other end sends that is not a good message is answered with an error, to its id
 * where one can be read; it never ends the conversation. Batches are answered as batches.
 *
 * Nothing here blocks. What cannot be written waits in a queue; while the queue is above its
 * high-water mark nothing more is read, and jsonrpc_full() tells producers to hold back.
 */
#ifndef ASSENT_AGENTS_JSONRPC_H
#define ASSENT_AGENTS_JSONRPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/loop.h"

struct jsonrpc;         /* a peer */
struct jsonrpc_request; /* a request that came in and has not been answered */

enum jsonrpc_code {
    JSONRPC_PARSE_ERROR = -32700,
    JSONRPC_INVALID_REQUEST = -32600,
    JSONRPC_METHOD_NOT_FOUND = -32601,
    JSONRPC_INVALID_PARAMS = -32602,
    JSONRPC_INTERNAL_ERROR = -32603,
};

struct jsonrpc_events {
    /* A request; answer it now or later with jsonrpc_reply() or jsonrpc_fail(). `params` is always
     * an object (an empty one when there were none), valid during the call. */
    void (*request)(void *argument, struct jsonrpc_request *request, const char *method,
                    const json_t *params);
    /* May be NULL: then notifications are ignored. */
    void (*notification)(void *argument, const char *method, const json_t *params);
    /* An error that answers nothing in particular (id null). May be NULL. */
    void (*complaint)(void *argument, const json_t *error);
    /* The other end sent a line that is no JSON or too long. NULL: it is told so; else that is left
     * to the callback, for an end that cannot go on after a lost message. */
    void (*garbled)(void *argument, const char *why);
    /* More of a long line has come, and the line has not ended: may it stay? Else its rest is
     * skipped, and the other end told why (`error`). May be NULL. */
    bool (*line_grows)(void *argument, struct error *error);
    /* The queue was above its high-water mark and has room again. May be NULL. */
    void (*drained)(void *argument);
    /* Once: the other end has said its last (`number` 0) or the descriptor failed (errno value).
     * After 0 writing may still work. The callback may free the peer. */
    void (*closed)(void *argument, int number);
};

struct jsonrpc_setup {
    size_t line_limit; /* bytes of one message that we accept; 0: JSONRPC_LINE_LIMIT */
    size_t high_water; /* bytes of queue from which nothing more is read; 0: 256 KiB */
    bool bare;         /* no member "jsonrpc", neither sent nor expected (Codex' app-server) */
};
#define JSONRPC_LINE_LIMIT ((size_t)8 * 1024 * 1024)

/* Owns the descriptors from now on (they may be the same one) and makes them non-blocking, except
 * terminals. `setup` may be NULL. */
struct jsonrpc *jsonrpc_new(struct loop *loop, int read_fd, int write_fd,
                            const struct jsonrpc_setup *setup, const struct jsonrpc_events *events,
                            void *argument);
/* Closes the descriptors. Unanswered requests and calls in flight are forgotten without a word.
 * May be called from any of the peer's callbacks. */
void jsonrpc_free(struct jsonrpc **peer);

/* Both take the request (the pointer is cleared) and, for a reply, the result. */
void jsonrpc_reply(struct jsonrpc_request **request, json_t *result);
void jsonrpc_fail(struct jsonrpc_request **request, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Leaves a request without an answer, for protocols in which a cancelled request gets none. */
void jsonrpc_drop(struct jsonrpc_request **request);
/* The id of a request, borrowed. */
const json_t *jsonrpc_request_id(const struct jsonrpc_request *request);

/* Sends a request; `answer` is called once, with the result or with the error object, the other
 * being NULL; never when the peer is freed before. Takes `params`. Returns the request's id. */
int64_t jsonrpc_call(struct jsonrpc *peer, const char *method, json_t *params,
                     void (*answer)(void *argument, const json_t *result, const json_t *error),
                     void *argument);
/* Nobody waits for the answer to that request any more: when it comes, it is ignored. */
void jsonrpc_forget(struct jsonrpc *peer, int64_t id);
/* Sends a notification. Takes `params`. */
void jsonrpc_notify(struct jsonrpc *peer, const char *method, json_t *params);
/* The same with one more member in `params`, an object without it, `name`: the bytes as base64.
 * (Much output goes this way: a string of it in a JSON object would be checked and escaped
 * character by character.) */
void jsonrpc_notify_bytes(struct jsonrpc *peer, const char *method, json_t *params,
                          const char *name, const char *bytes, size_t length);
/* Sends an error that answers no request in particular (id null). */
void jsonrpc_complain(struct jsonrpc *peer, int code, const char *message);

/* True while more is queued than the high-water mark. */
bool jsonrpc_full(const struct jsonrpc *peer);
size_t jsonrpc_queued(const struct jsonrpc *peer); /* bytes not written yet */
/* Bytes of the line that is coming in and has not ended, if they are many (64 KiB). */
size_t jsonrpc_line_bytes(const struct jsonrpc *peer);
/* Stops or goes on reading. */
void jsonrpc_pause(struct jsonrpc *peer, bool pause);
/* Writes what can be written at once, for a peer that is about to be freed. */
void jsonrpc_flush(struct jsonrpc *peer);

#endif
