/* SPDX-License-Identifier: MIT */
/* passage_connect: one address after the other is tried, and the next hop asked if there is one. */
#include "config.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "network/passage-int.h"

/* Each address of a host. */
#define CONNECT_MS 15000

void passage_address_failed(struct passage *connection, int number)
{
    loop_io_free(&connection->server_io);
    fd_close(&connection->server);
    if (++connection->address_at < connection->address_count) {
        passage_connect(connection);
        return;
    }
    connection->address_at = 0;
    cleanup_free char *hop =
        connection->via
            ? xasprintf("the proxy %s: %s", next_hop_name(connection->owner->hop), strerror(number))
            : NULL;
    passage_turn_away(connection, PROXY_FAILED, number, hop != NULL ? hop : strerror(number));
}

static void hop_refuses(struct passage *connection, int status)
{
    const char *name = next_hop_name(connection->owner->hop);
    cleanup_free char *why =
        status == 407 ? xasprintf("the proxy %s wants a name and a password (network_proxy)", name)
        : status != 0 ? xasprintf("the proxy %s does not let it through (%d)", name, status)
                      : xasprintf("the proxy %s gives no answer that can be read", name);
    loop_io_free(&connection->server_io);
    fd_close(&connection->server);
    passage_turn_away(connection, PROXY_FAILED, EHOSTUNREACH, why);
}

/* Takes what belongs to the answer and nothing of what follows it. */
static void on_hop_answer(int fd, unsigned events, void *argument)
{
    (void)events;
    struct passage *connection = argument;
    struct strbuf *answer = &connection->answer;
    enum next_hop_answer said = NEXT_HOP_CLOSED;
    size_t before = answer->length, used = 0;
    char bytes[4096];
    int status = 0;
    ssize_t count = recv(fd, bytes, sizeof bytes, MSG_PEEK);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count > 0) {
        strbuf_add(answer, bytes, (size_t)count);
        said = next_hop_read(answer->data, answer->length, &used, &status);
    }
    if (said == NEXT_HOP_CLOSED) {
        hop_refuses(connection, status);
        return;
    }
    recv(fd, bytes, said == NEXT_HOP_OPEN ? used - before : (size_t)count, 0);
    if (said == NEXT_HOP_OPEN)
        passage_pass(connection);
}

static void ask_hop(struct passage *connection)
{
    const struct next_hop *hop = connection->owner->hop;
    char *request = next_hop_connect(hop, &connection->target);
    size_t length = strlen(request);
    bool sent = send(connection->server, request, length, MSG_NOSIGNAL) == (ssize_t)length;
    next_hop_forget(&request);
    if (!sent) {
        passage_address_failed(connection, EPIPE);
        return;
    }
    loop_io_free(&connection->server_io);
    connection->server_io =
        loop_io_new(connection->owner->loop, connection->server, on_hop_answer, connection);
    loop_io_set(connection->server_io, LOOP_READ);
}

static void pass_or_ask_hop(struct passage *connection)
{
    bool plain = connection->target.protocol == PROTOCOL_HTTP;
    if (connection->via && !plain) {
        ask_hop(connection);
        return;
    }
    if (connection->via)
        next_hop_rewrite(connection->owner->hop, &connection->target, &connection->head.text);
    passage_pass(connection);
}

static void on_connected(int fd, unsigned events, void *argument)
{
    (void)events;
    struct passage *connection = argument;
    int number = 0;
    socklen_t size = sizeof number;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size) != 0)
        number = errno;
    if (number != 0)
        passage_address_failed(connection, number);
    else
        pass_or_ask_hop(connection);
}

void passage_connect(struct passage *connection)
{
    const struct network_address *address = &connection->addresses[connection->address_at];
    struct sockaddr_storage storage;
    uint16_t port =
        connection->via ? next_hop_port(connection->owner->hop) : connection->target.port;
    socklen_t size = address_to_sockaddr(address, port, &storage);
    int on = 1;
    connection->state = PASSAGE_CONNECTING;
    connection->server = socket(address->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (connection->server < 0 ||
        (connect(connection->server, (const struct sockaddr *)&storage, size) != 0 &&
         errno != EINPROGRESS)) {
        passage_address_failed(connection, errno);
        return;
    }
    setsockopt(connection->server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection->server_io =
        loop_io_new(connection->owner->loop, connection->server, on_connected, connection);
    loop_io_set(connection->server_io, LOOP_WRITE);
    loop_timer_start(connection->timer, CONNECT_MS);
}
