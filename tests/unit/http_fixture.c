/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "http_fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/strbuf.h"

#define REPLIES_MAX 8

struct peer {
    struct http_fixture *fixture;
    struct peer *next;
    int fd;
    struct loop_io *io;
    struct strbuf in, out;
    bool flood;
};

struct http_fixture {
    struct loop *loop;
    int fd, port;
    struct loop_io *io;
    struct peer *peers;
    struct http_fixture_reply replies[REPLIES_MAX];
    size_t reply_count, requests, open, most_open;
    struct strbuf last;
};

static void free_peer(struct peer *peer)
{
    struct peer **at = &peer->fixture->peers;
    while (*at != peer)
        at = &(*at)->next;
    *at = peer->next;
    peer->fixture->open--;
    loop_io_free(&peer->io);
    close(peer->fd);
    strbuf_free(&peer->in);
    strbuf_free(&peer->out);
    free(peer);
}

static bool is_complete(const struct strbuf *in)
{
    const char *head = strstr(strbuf_str(in), "\r\n\r\n");
    const char *length = strcasestr(strbuf_str(in), "content-length:");
    if (head == NULL)
        return false;
    size_t body = length != NULL ? (size_t)strtoul(length + 15, NULL, 10) : 0;
    return in->length >= (size_t)(head + 4 - in->data) + body;
}

static void reset(struct peer *peer)
{
    struct linger linger = {.l_onoff = 1};
    setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
    free_peer(peer);
}

static void answer(struct peer *peer)
{
    struct http_fixture *fixture = peer->fixture;
    size_t index = fixture->requests++;
    if (index >= fixture->reply_count)
        index = fixture->reply_count - 1;
    const struct http_fixture_reply *reply = &fixture->replies[index];
    strbuf_reset(&fixture->last);
    strbuf_add(&fixture->last, peer->in.data, peer->in.length);
    strbuf_reset(&peer->in);
    if (reply->manner == HTTP_FIXTURE_RESET) {
        reset(peer);
        return;
    }
    if (reply->manner == HTTP_FIXTURE_SILENCE)
        return;
    strbuf_add(&peer->out, reply->text, reply->length > 0 ? reply->length : strlen(reply->text));
    peer->flood = reply->manner == HTTP_FIXTURE_FLOOD;
    loop_io_set(peer->io, LOOP_READ | LOOP_WRITE);
}

static void on_peer(int fd, unsigned events, void *argument)
{
    static const char filler[16384];
    struct peer *peer = argument;
    char bytes[4096];
    if ((events & LOOP_READ) != 0) {
        ssize_t count = read(fd, bytes, sizeof(bytes));
        if (count <= 0) {
            free_peer(peer);
            return;
        }
        strbuf_add(&peer->in, bytes, (size_t)count);
        if (is_complete(&peer->in)) {
            answer(peer);
            return;
        }
    }
    if ((events & LOOP_WRITE) == 0)
        return;
    if (peer->out.length == 0 && peer->flood)
        strbuf_add(&peer->out, filler, sizeof(filler));
    ssize_t sent = send(fd, strbuf_str(&peer->out), peer->out.length, MSG_NOSIGNAL);
    if (sent > 0)
        strbuf_consume(&peer->out, (size_t)sent);
    if (sent < 0 || (peer->out.length == 0 && !peer->flood))
        free_peer(peer);
}

static void on_listener(int fd, unsigned events, void *argument)
{
    struct http_fixture *fixture = argument;
    int accepted = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    (void)events;
    if (accepted < 0)
        return;
    struct peer *peer = XNEW(struct peer);
    peer->fixture = fixture;
    peer->fd = accepted;
    peer->next = fixture->peers;
    fixture->peers = peer;
    peer->io = loop_io_new(fixture->loop, accepted, on_peer, peer);
    loop_io_set(peer->io, LOOP_READ);
    if (++fixture->open > fixture->most_open)
        fixture->most_open = fixture->open;
}

struct http_fixture *http_fixture_new(struct loop *loop)
{
    struct http_fixture *fixture = XNEW(struct http_fixture);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    fixture->loop = loop;
    fixture->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fixture->fd < 0 || bind(fixture->fd, (struct sockaddr *)&address, size) < 0 ||
        listen(fixture->fd, 16) < 0 ||
        getsockname(fixture->fd, (struct sockaddr *)&address, &size) < 0)
        abort();
    fixture->port = ntohs(address.sin_port);
    fixture->io = loop_io_new(loop, fixture->fd, on_listener, fixture);
    loop_io_set(fixture->io, LOOP_READ);
    return fixture;
}

void http_fixture_free(struct http_fixture **fixture)
{
    while ((*fixture)->peers != NULL)
        free_peer((*fixture)->peers);
    loop_io_free(&(*fixture)->io);
    close((*fixture)->fd);
    strbuf_free(&(*fixture)->last);
    free(*fixture);
    *fixture = NULL;
}

int http_fixture_port(const struct http_fixture *fixture)
{
    return fixture->port;
}

void http_fixture_script(struct http_fixture *fixture, const struct http_fixture_reply *replies,
                         size_t count)
{
    memcpy(fixture->replies, replies, count * sizeof(*replies));
    fixture->reply_count = count;
}

size_t http_fixture_requests(const struct http_fixture *fixture)
{
    return fixture->requests;
}

size_t http_fixture_most_open(const struct http_fixture *fixture)
{
    return fixture->most_open;
}

const char *http_fixture_last(const struct http_fixture *fixture)
{
    return strbuf_str(&fixture->last);
}
