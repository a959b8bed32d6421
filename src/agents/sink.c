/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/sink.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"

/* A pipe that poll(2) calls writable takes this much without blocking, pipe(7). */
#define PIECE ((size_t)PIPE_BUF)
#define PIECES_A_TURN 64

struct sink {
    int fd;
    struct loop_io *io;
    void (*changed)(void *argument);
    void *argument;
    struct strbuf queue;
    size_t start; /* bytes of the queue that are written */
    int failure;
};

static void write_piece(struct sink *sink)
{
    size_t left = sink->queue.length - sink->start;
    ssize_t count = write(sink->fd, sink->queue.data + sink->start, left < PIECE ? left : PIECE);
    if (count >= 0)
        sink->start += (size_t)count;
    else if (errno != EAGAIN && errno != EINTR)
        sink->failure = errno;
}

static void write_queue(struct sink *sink)
{
    for (int i = 0; i < PIECES_A_TURN && sink_queued(sink) > 0; i++) {
        if (sink->failure != 0 || !fd_is_ready(sink->fd, POLLOUT))
            break;
        write_piece(sink);
    }
    strbuf_consume(&sink->queue, sink->start);
    sink->start = 0;
    if (sink->failure != 0)
        strbuf_reset(&sink->queue);
    loop_io_set(sink->io, sink->queue.length > 0 ? LOOP_WRITE : 0);
}

static void ready(int fd, unsigned events, void *argument)
{
    struct sink *sink = argument;
    (void)fd;
    (void)events;
    write_queue(sink);
    sink->changed(sink->argument);
}

struct sink *sink_new(struct loop *loop, int fd, void (*changed)(void *argument), void *argument)
{
    struct sink *sink = XNEW(struct sink);
    sink->fd = fd;
    sink->changed = changed;
    sink->argument = argument;
    sink->io = loop_io_new(loop, fd, ready, sink);
    return sink;
}

void sink_free(struct sink **place)
{
    struct sink *sink = *place;
    if (sink == NULL)
        return;
    *place = NULL;
    loop_io_free(&sink->io);
    strbuf_free(&sink->queue);
    free(sink);
}

void sink_write(struct sink *sink, const char *bytes, size_t length)
{
    if (sink->failure != 0 || length == 0)
        return;
    strbuf_add(&sink->queue, bytes, length);
    loop_io_set(sink->io, LOOP_WRITE);
}

size_t sink_queued(const struct sink *sink)
{
    return sink->queue.length - sink->start;
}

int sink_failure(const struct sink *sink)
{
    return sink->failure;
}
