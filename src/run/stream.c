/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/stream.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"

/* What one run may read in one turn. */
#define READ_BUDGET_BYTES ((size_t)8 * 1024)
#define READ_BUDGET_MS 1
/* The same while somebody waits for the echo of a key. */
#define ECHO_BUDGET_BYTES ((size_t)4 * 1024)
/* Who has written that much at once is likely to go on without a pause. */
#define FLOOD_BYTES ((size_t)2 * 1024)

struct stream {
    struct loop *loop;
    enum run_stream kind;
    size_t count;
    stream_came came;
    void *argument;
    int fd;
    struct loop_io *io;
};

/* Fills the buffer as far as there is something, and time: a command that writes while it is read
 * is never done. An echo that somebody waits for is taken as soon as it is there: to be told that a
 * terminal has no more can mean to wait for the kernel's worker that hands it on (n_tty_read()
 * flushes its queue first). Returns the bytes; *end when nothing will come. */
static size_t gather(const struct stream *stream, char *bytes, size_t length, bool *end)
{
    int64_t stop_ms = loop_now_ms(stream->loop) + READ_BUDGET_MS;
    bool hurries = loop_hurries(stream->loop);
    size_t done = 0;
    while (done < length && (done == 0 || (!hurries && loop_now_ms(stream->loop) < stop_ms))) {
        ssize_t count = read(stream->fd, bytes + done, length - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            break;
        if (count <= 0) { /* EIO on a terminal: its last user has closed it */
            *end = true;
            break;
        }
        done += (size_t)count;
    }
    return done;
}

static size_t budget(const struct stream *stream)
{
    size_t bytes = loop_hurries(stream->loop) ? ECHO_BUDGET_BYTES : READ_BUDGET_BYTES;
    return bytes / stream->count;
}

static void on_readable(int fd, unsigned events, void *argument)
{
    (void)fd;
    (void)events;
    struct stream *stream = argument;
    char bytes[READ_BUDGET_BYTES];
    bool end = false;
    size_t length = gather(stream, bytes, budget(stream), &end);
    if (length >= FLOOD_BYTES)
        loop_give_way(stream->loop);
    stream->came(stream->argument, stream->kind, bytes, length, end);
}

struct stream *stream_new(struct loop *loop, int fd, enum run_stream kind, size_t count,
                          stream_came came, void *argument)
{
    struct stream *stream = XNEW(struct stream);
    *stream = (struct stream){
        .loop = loop, .kind = kind, .count = count, .came = came, .argument = argument, .fd = fd};
    stream->io = loop_io_new(loop, fd, on_readable, stream);
    loop_io_set(stream->io, LOOP_READ);
    return stream;
}

void stream_free(struct stream **place)
{
    struct stream *stream = steal_pointer(place);
    if (stream == NULL)
        return;
    loop_io_free(&stream->io);
    fd_close(&stream->fd);
    free(stream);
}

int stream_fd(const struct stream *stream)
{
    return stream->fd;
}

void stream_pause(struct stream *stream, bool pause)
{
    loop_io_set(stream->io, pause ? 0 : LOOP_READ);
}
