/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/input.h"

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "run/pty.h"

/* Written bytes are cut off the front of the queue only when this many have gathered: moving the
 * rest for each short write would make a large paste quadratic. */
#define CONSUME_AT ((size_t)256 * 1024)

struct input {
    int fd; /* -1 once closed */
    bool terminal;
    bool ended; /* nothing more is taken */
    char last;  /* byte queued last: a line must end before the end of input is one */
    struct strbuf queue;
    size_t written; /* of the queue */
    struct loop_io *io;
};

static void close_input(struct input *input)
{
    loop_io_free(&input->io);
    fd_close(&input->fd);
    strbuf_free(&input->queue);
    input->written = 0;
    input->ended = true;
}

static void write_some(struct input *input)
{
    while (input->written < input->queue.length) {
        ssize_t count = write(input->fd, input->queue.data + input->written,
                              input->queue.length - input->written);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            break;
        if (count < 0) {
            close_input(input);
            return;
        }
        input->written += (size_t)count;
    }
    bool empty = input->written == input->queue.length;
    if (empty || input->written >= CONSUME_AT) {
        strbuf_consume(&input->queue, input->written);
        input->written = 0;
    }
    if (empty && input->ended && !input->terminal)
        close_input(input);
    else
        loop_io_set(input->io, empty ? 0 : LOOP_WRITE);
}

static void on_writable(int fd, unsigned events, void *argument)
{
    (void)fd;
    (void)events;
    write_some(argument);
}

struct input *input_new(struct loop *loop, int fd, bool terminal)
{
    struct input *input = XNEW(struct input);
    input->fd = fd;
    input->terminal = terminal;
    input->last = '\n';
    input->io = loop_io_new(loop, fd, on_writable, input);
    return input;
}

void input_free(struct input **input)
{
    if (*input == NULL)
        return;
    close_input(*input);
    free(*input);
    *input = NULL;
}

int input_write(struct input *input, const char *bytes, size_t length)
{
    if (input->ended)
        return -EPIPE;
    if (length > INPUT_QUEUE_MAX - (input->queue.length - input->written))
        return -EAGAIN;
    if (length == 0)
        return 0;
    strbuf_add(&input->queue, bytes, length);
    input->last = bytes[length - 1];
    loop_io_set(input->io, LOOP_WRITE);
    return 0;
}

/* On a terminal the character ends a line first, and means the end only at the start of one. */
static void queue_end_character(struct input *input)
{
    int character = pty_eof_character(input->fd);
    if (character < 0)
        return;
    if (input->last != '\n' && input->last != '\r')
        strbuf_addch(&input->queue, (char)character);
    strbuf_addch(&input->queue, (char)character);
    input->last = '\n';
}

void input_end(struct input *input)
{
    if (input->ended)
        return;
    if (input->terminal)
        queue_end_character(input);
    input->ended = !input->terminal;
    write_some(input);
}
