/* SPDX-License-Identifier: MIT */
/* jsonrpc-int: what jsonrpc.c (a peer, and its bytes) and jsonrpc_message.c (what they say) share.
 */
#ifndef ASSENT_AGENTS_JSONRPC_INT_H
#define ASSENT_AGENTS_JSONRPC_INT_H

#include <stdint.h>
#include <sys/queue.h>

#include "agents/framing.h"
#include "agents/jsonrpc.h"
#include "base/strbuf.h"

struct pending_call; /* of ours, not answered yet */

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

/* ---- jsonrpc.c ------------------------------------------------------------------------------ */

/* Queues a message as one line and tries to get it out at once; takes it. A failure is reported
 * from the loop, never from inside the function that sent. */
void jsonrpc_send(struct jsonrpc *peer, json_t *message);
/* The same with `length` bytes as base64 put into the line, `behind` characters from its end. */
void jsonrpc_send_bytes(struct jsonrpc *peer, json_t *message, size_t behind, const char *bytes,
                        size_t length);

/* ---- jsonrpc_message.c ---------------------------------------------------------------------- */

/* A line has come in; its callbacks may free the peer, which lives until they have returned. */
void jsonrpc_take_line(struct jsonrpc *peer, const char *bytes, size_t length);
/* The line in peer->framing is not taken in full. */
void jsonrpc_take_overlong(struct jsonrpc *peer, const char *why);
/* Requests and calls that are open, without a word to anybody. */
void jsonrpc_forget_all(struct jsonrpc *peer);

#endif
