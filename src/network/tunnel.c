/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/tunnel.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"

#define PIECE ((size_t)64 * 1024)
/* Pieces that one direction may move in a turn, so that one download delays nobody. */
#define PIECES_MAX 4

struct flow {
    int from, to;
    struct strbuf pending; /* read, and not yet taken by `to` */
    struct strbuf held;    /* read, and not yet looked at to the end */
    bool looking;
    bool ended; /* nothing more will be read */
    bool shut;  /* `to` has been told so */
    uint64_t bytes;
};

struct tunnel {
    struct loop *loop;
    struct flow up, down; /* to the server, to the client */
    struct loop_io *client, *server;
    struct loop_timer *timer;
    int64_t idle_ms, moved_ms;
    const struct tunnel_events *events;
    void *argument;
    bool over;
    enum tunnel_end end;
};

/* ---- one direction --------------------------------------------------------------------------- */

static void finish(struct tunnel *tunnel, enum tunnel_end end)
{
    if (!tunnel->over)
        tunnel->end = end;
    tunnel->over = true;
}

/* The other side does not want to read any more. It may still have something to say. */
static void cut(struct flow *flow)
{
    strbuf_free(&flow->pending);
    strbuf_free(&flow->held);
    flow->ended = flow->shut = true;
}

/* Sends what it can; what is left waits. */
static void put(struct tunnel *tunnel, struct flow *flow, const char *bytes, size_t length)
{
    size_t done = 0;
    while (done < length && flow->pending.length == 0) {
        ssize_t count = send(flow->to, bytes + done, length - done, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            break;
        if (count < 0) {
            cut(flow);
            if (flow == &tunnel->down)
                finish(tunnel, TUNNEL_BROKEN);
            return;
        }
        done += (size_t)count;
        flow->bytes += (uint64_t)count;
    }
    if (done < length)
        strbuf_add(&flow->pending, bytes + done, length - done);
}

static void flush(struct tunnel *tunnel, struct flow *flow)
{
    struct strbuf waiting = flow->pending;
    flow->pending = (struct strbuf)STRBUF_INIT;
    if (waiting.length > 0)
        put(tunnel, flow, waiting.data, waiting.length);
    strbuf_free(&waiting);
}

static void look(struct tunnel *tunnel, struct flow *flow, const char *bytes, size_t length)
{
    size_t passed = length;
    switch (tunnel->events->look(tunnel->argument, bytes, &passed)) {
    case TUNNEL_HOLD:
        return;
    case TUNNEL_PASS_ALL:
        flow->looking = false;
        break;
    case TUNNEL_PASS:
        break;
    case TUNNEL_REFUSE:
        finish(tunnel, TUNNEL_REFUSED);
        return;
    }
    put(tunnel, flow, bytes, passed);
    strbuf_reset(&flow->held);
}

static void take(struct tunnel *tunnel, struct flow *flow, const char *bytes, size_t length)
{
    if (!flow->looking) {
        put(tunnel, flow, bytes, length);
        return;
    }
    strbuf_add(&flow->held, bytes, length);
    look(tunnel, flow, flow->held.data, flow->held.length);
}

static void read_from(struct tunnel *tunnel, struct flow *flow)
{
    char bytes[PIECE];
    for (int i = 0; i < PIECES_MAX && flow->pending.length == 0 && !flow->ended && !tunnel->over;
         i++) {
        ssize_t count = recv(flow->from, bytes, sizeof bytes, 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (count < 0) {
            finish(tunnel, TUNNEL_BROKEN);
            return;
        }
        tunnel->moved_ms = loop_now_ms(tunnel->loop);
        if (count == 0)
            flow->ended = true;
        else
            take(tunnel, flow, bytes, (size_t)count);
        if ((size_t)count < sizeof bytes)
            return;
    }
}

static void pass_end(struct flow *flow)
{
    if (!flow->ended || flow->shut || flow->pending.length > 0)
        return;
    flow->shut = true;
    shutdown(flow->to, SHUT_WR);
}

/* ---- both ------------------------------------------------------------------------------------ */

static unsigned interest(const struct flow *out, const struct flow *in)
{
    unsigned events = 0;
    if (!out->ended && out->pending.length == 0)
        events |= LOOP_READ;
    if (in->pending.length > 0)
        events |= LOOP_WRITE;
    return events;
}

/* Called last in a callback: the tunnel may be gone after. */
static void settle(struct tunnel *tunnel)
{
    pass_end(&tunnel->up);
    pass_end(&tunnel->down);
    if (tunnel->down.shut && tunnel->up.shut)
        finish(tunnel, TUNNEL_DONE);
    bool over = tunnel->over;
    loop_io_set(tunnel->client, over ? 0 : interest(&tunnel->up, &tunnel->down));
    loop_io_set(tunnel->server, over ? 0 : interest(&tunnel->down, &tunnel->up));
    if (!over)
        return;
    loop_timer_stop(tunnel->timer);
    tunnel->events->ended(tunnel->argument, tunnel->end);
}

static void on_event(struct tunnel *tunnel, unsigned events, struct flow *out, struct flow *in)
{
    if (tunnel->over)
        return;
    if (events & LOOP_WRITE) {
        tunnel->moved_ms = loop_now_ms(tunnel->loop);
        flush(tunnel, in);
    }
    if (events & LOOP_READ)
        read_from(tunnel, out);
    settle(tunnel);
}

static void on_client(int fd, unsigned events, void *argument)
{
    (void)fd;
    struct tunnel *tunnel = argument;
    on_event(tunnel, events, &tunnel->up, &tunnel->down);
}

static void on_server(int fd, unsigned events, void *argument)
{
    (void)fd;
    struct tunnel *tunnel = argument;
    on_event(tunnel, events, &tunnel->down, &tunnel->up);
}

/* The timer is not set anew with every byte: it looks when the last one moved. */
static void on_timer(void *argument)
{
    struct tunnel *tunnel = argument;
    int64_t left = tunnel->moved_ms + tunnel->idle_ms - loop_now_ms(tunnel->loop);
    if (left > 0 && !tunnel->over) {
        loop_timer_start(tunnel->timer, left);
        return;
    }
    finish(tunnel, TUNNEL_IDLE);
    settle(tunnel);
}

struct tunnel *tunnel_new(struct loop *loop, int client, int server, struct strbuf *first,
                          struct strbuf *early, int64_t idle_ms, const struct tunnel_events *events,
                          void *argument)
{
    struct tunnel *tunnel = XNEW(struct tunnel);
    tunnel->loop = loop;
    tunnel->events = events;
    tunnel->argument = argument;
    tunnel->idle_ms = idle_ms;
    tunnel->moved_ms = loop_now_ms(loop);
    tunnel->up = (struct flow){.from = client, .to = server, .looking = events->look != NULL};
    tunnel->down = (struct flow){.from = server, .to = client};
    tunnel->client = loop_io_new(loop, client, on_client, tunnel);
    tunnel->server = loop_io_new(loop, server, on_server, tunnel);
    tunnel->timer = loop_timer_new(loop, on_timer, tunnel);
    put(tunnel, &tunnel->up, strbuf_str(first), first->length);
    if (early->length > 0)
        take(tunnel, &tunnel->up, early->data, early->length);
    strbuf_free(first);
    strbuf_free(early);
    /* What has ended already is told by the timer, from the loop. */
    loop_timer_start(tunnel->timer, tunnel->over ? 0 : idle_ms);
    if (!tunnel->over) {
        loop_io_set(tunnel->client, interest(&tunnel->up, &tunnel->down));
        loop_io_set(tunnel->server, interest(&tunnel->down, &tunnel->up));
    }
    return tunnel;
}

void tunnel_free(struct tunnel **place)
{
    struct tunnel *tunnel = steal_pointer(place);
    if (tunnel == NULL)
        return;
    loop_io_free(&tunnel->client);
    loop_io_free(&tunnel->server);
    loop_timer_free(&tunnel->timer);
    strbuf_free(&tunnel->up.pending);
    strbuf_free(&tunnel->up.held);
    strbuf_free(&tunnel->down.pending);
    free(tunnel);
}

uint64_t tunnel_sent(const struct tunnel *tunnel)
{
    return tunnel->up.bytes;
}

uint64_t tunnel_received(const struct tunnel *tunnel)
{
    return tunnel->down.bytes;
}
