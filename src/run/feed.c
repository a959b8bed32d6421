/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/feed.h"

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "run/pty.h"

/* Written bytes are cut off the front of the queue only when this many have gathered: moving the
 * rest for each short write would make a large paste quadratic. */
#define CONSUME_AT ((size_t)256 * 1024)

/* What is written without waiting for a turn: keys, and answers to a program's questions. */
#define AT_ONCE_MAX ((size_t)1024)

/* The end of input is there for each read that comes, as it is of a file: on a terminal one
 * character is the end for one read. It is sent again after so long, then less and less often. */
#define END_AGAIN_MS 100
#define END_AGAIN_MS_MAX 6400

struct feed {
    struct loop *loop;
    int fd; /* -1 once closed */
    bool terminal;
    bool ended; /* nothing more is taken */
    char last;  /* byte queued last: a line must end before the end of input is one */
    struct strbuf queue;
    size_t written; /* of the queue */
    struct loop_io *io;
    struct loop_timer *end_timer; /* a terminal's, since the end of input */
    int64_t end_ms;
};

static void close_feed(struct feed *feed)
{
    loop_io_free(&feed->io);
    loop_timer_free(&feed->end_timer);
    fd_close(&feed->fd);
    strbuf_free(&feed->queue);
    feed->written = 0;
    feed->ended = true;
}

static void write_some(struct feed *feed)
{
    while (feed->written < feed->queue.length) {
        ssize_t count =
            write(feed->fd, feed->queue.data + feed->written, feed->queue.length - feed->written);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            break;
        if (count < 0) {
            close_feed(feed);
            return;
        }
        feed->written += (size_t)count;
    }
    bool empty = feed->written == feed->queue.length;
    if (empty || feed->written >= CONSUME_AT) {
        strbuf_consume(&feed->queue, feed->written);
        feed->written = 0;
    }
    if (empty && feed->ended && !feed->terminal)
        close_feed(feed);
    else
        loop_io_set(feed->io, empty ? 0 : LOOP_WRITE);
}

static void on_writable(int fd, unsigned events, void *argument)
{
    (void)fd;
    (void)events;
    write_some(argument);
}

struct feed *feed_new(struct loop *loop, int fd, bool terminal)
{
    struct feed *feed = XNEW(struct feed);
    feed->loop = loop;
    feed->fd = fd;
    feed->terminal = terminal;
    feed->last = '\n';
    feed->io = loop_io_new(loop, fd, on_writable, feed);
    return feed;
}

void feed_free(struct feed **feed)
{
    if (*feed == NULL)
        return;
    close_feed(*feed);
    free(*feed);
    *feed = NULL;
}

int feed_write(struct feed *feed, const char *bytes, size_t length)
{
    if (feed->ended)
        return -EPIPE;
    if (length > FEED_QUEUE_MAX - (feed->queue.length - feed->written))
        return -EAGAIN;
    if (length == 0)
        return 0;
    bool waiting = feed->queue.length > 0;
    loop_timer_free(&feed->end_timer); /* somebody types after all */
    strbuf_add(&feed->queue, bytes, length);
    feed->last = bytes[length - 1];
    /* A key does not wait for a turn in which other commands' output is read first. */
    if (!waiting && length <= AT_ONCE_MAX)
        write_some(feed);
    else
        loop_io_set(feed->io, LOOP_WRITE);
    return 0;
}

/* On a terminal the character ends a line first, and means the end only at the start of one. */
static void queue_end_character(struct feed *feed)
{
    int character = pty_eof_character(feed->fd);
    if (character < 0)
        return;
    if (feed->last != '\n' && feed->last != '\r')
        strbuf_addch(&feed->queue, (char)character);
    strbuf_addch(&feed->queue, (char)character);
    feed->last = '\n';
}

static void end_again(void *argument)
{
    struct feed *feed = argument;

    if (feed->queue.length == 0)
        queue_end_character(feed);
    if (feed->end_ms < END_AGAIN_MS_MAX)
        feed->end_ms *= 2;
    loop_timer_start(feed->end_timer, feed->end_ms);
    write_some(feed); /* last: it may close the feed, and with it the timer */
}

void feed_end(struct feed *feed)
{
    if (feed->ended)
        return;
    if (feed->terminal) {
        queue_end_character(feed);
        if (feed->end_timer == NULL)
            feed->end_timer = loop_timer_new(feed->loop, end_again, feed);
        feed->end_ms = END_AGAIN_MS;
        loop_timer_start(feed->end_timer, feed->end_ms);
    }
    feed->ended = !feed->terminal;
    write_some(feed);
}
