/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/jsonrpc-int.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/base64.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/strbuf.h"

#define READ_SIZE ((size_t)64 * 1024)
#define LAST_READS 8
#define HIGH_WATER_DEFAULT ((size_t)256 * 1024)
/* Messages of one peer that are handled in one turn; the others wait so that every peer gets its
 * turn. */
#define MESSAGES_A_TURN 64

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
    jsonrpc_forget_all(peer);
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

void jsonrpc_send_bytes(struct jsonrpc *peer, json_t *message, size_t behind, const char *bytes,
                        size_t length)
{
    if (peer->dead || peer->write_error != 0) {
        json_decref(message);
        return;
    }
    if (peer->bare && json_is_object(message))
        json_object_del(message, "jsonrpc");
    cleanup_free char *line = json_line(message);
    json_decref(message);
    size_t before = strlen(line) - behind;
    bool was_empty = peer->output.length == 0;
    strbuf_add(&peer->output, line, before);
    base64_encode(&peer->output, bytes, length);
    strbuf_addstr(&peer->output, line + before);
    strbuf_addch(&peer->output, '\n');
    if (was_empty)
        write_some(peer);
    if (peer->write_error != 0)
        loop_timer_start(peer->later, 0);
    if (jsonrpc_full(peer))
        peer->was_full = true;
    update_watch(peer);
}

void jsonrpc_send(struct jsonrpc *peer, json_t *message)
{
    jsonrpc_send_bytes(peer, message, 0, NULL, 0);
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

size_t jsonrpc_line_bytes(const struct jsonrpc *peer)
{
    const struct framing *framing = &peer->framing;
    return !framing->complete && framing->line.length > FRAMING_KEPT ? framing->line.length : 0;
}

static void refuse_line(struct jsonrpc *peer)
{
    cleanup_free char *why = xasprintf("message is longer than %zu bytes", peer->framing.limit);
    jsonrpc_take_overlong(peer, why);
}

/* The owner may not let so much of an unfinished line stay. */
static void ask_to_keep(struct jsonrpc *peer)
{
    struct error error = ERROR_INIT;
    if (jsonrpc_line_bytes(peer) == 0 || peer->events.line_grows == NULL ||
        peer->events.line_grows(peer->argument, &error))
        return;
    framing_give_up(&peer->framing);
    jsonrpc_take_overlong(peer, error.message);
    framing_release(&peer->framing);
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
        if (result == FRAMING_MORE) {
            ask_to_keep(peer);
            continue;
        }
        handled++;
        if (result == FRAMING_LINE)
            jsonrpc_take_line(peer, strbuf_str(&peer->framing.line), peer->framing.line.length);
        else
            refuse_line(peer);
        framing_release(&peer->framing);
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
        jsonrpc_take_line(peer, strbuf_str(&framing->line), framing->line.length);
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

/* Who has hung up may have said why before: that is there to be read, and tells more than that it
 * is gone. Only our clients are told why. Not for ever: it may not have hung up altogether. */
static void hear_out(struct jsonrpc *peer)
{
    bool more = peer->events.complaint != NULL;
    for (int reads = 0; more && !peer->dead && reads < LAST_READS; reads++) {
        if (peer->input.length > 0)
            handle_input(peer);
        size_t before = peer->input.length;
        more = !peer->dead && !peer->ended && !peer->closed;
        if (more)
            read_some(peer);
        more = more && peer->input.length > before;
    }
}

/* Everything that can be done now; called whenever something may have changed. */
static void proceed(struct jsonrpc *peer)
{
    if (peer->write_error != 0) {
        hear_out(peer);
        report_closed(peer, peer->write_error);
    }
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
