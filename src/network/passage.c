/* SPDX-License-Identifier: MIT */
/* passage: its life: how it begins, what the client is answered, its tunnel, and its end. */
#include "config.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "network/passage-int.h"
#include "network/reply.h"

/* How long a client may take to say where it wants to go. */
#define READ_MS 30000
/* A connection on which nothing moves; longer than what servers keep open by themselves. */
#define IDLE_MS (15 * 60 * 1000)
/* What was answered is given so long to be read, since closing with unread bytes would lose it. */
#define LINGER_MS 2000

/* ---- the end --------------------------------------------------------------------------------- */

static void report(struct passage *connection)
{
    const struct passage_owner *owner = connection->owner;
    struct tunnel *tunnel = connection->tunnel;
    struct proxy_report told = {
        .target = connection->understood ? &connection->target : NULL,
        .outcome = connection->outcome,
        .detail = connection->detail,
        .address = connection->connected && !connection->via
                       ? &connection->addresses[connection->address_at]
                       : NULL,
        .sent = tunnel != NULL ? tunnel_sent(tunnel) : 0,
        .received = tunnel != NULL ? tunnel_received(tunnel) : 0,
        .duration_ms = loop_now_ms(owner->loop) - connection->since_ms,
    };
    connection->reported = true;
    if (owner->events->ended != NULL)
        owner->events->ended(owner->argument, &told);
}

static void release(struct passage *connection)
{
    resolver_cancel(&connection->query);
    loop_io_free(&connection->client_io);
    loop_io_free(&connection->server_io);
    loop_timer_stop(connection->timer);
    tunnel_free(&connection->tunnel);
    fd_close(&connection->client);
    fd_close(&connection->server);
}

static void conclude(struct passage *connection)
{
    if (connection->state == PASSAGE_ASKING)
        connection->owner->events->withdrawn(connection->owner->argument, connection);
    if (!connection->reported)
        report(connection);
    connection->state = PASSAGE_OVER;
    release(connection);
}

void passage_end(struct passage *connection)
{
    if (connection->state == PASSAGE_OVER)
        return;
    conclude(connection);
    connection->owner->over(connection->owner, connection);
}

void passage_set_outcome(struct passage *connection, enum proxy_outcome outcome, const char *detail)
{
    connection->outcome = outcome;
    snprintf(connection->detail, sizeof connection->detail, "%s", detail);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* A few bytes to a client that has just spoken: its socket takes them at once, or it is none that
 * we could answer. */
void passage_say(struct passage *connection, const char *bytes, size_t length)
{
    if (send(connection->client, bytes, length, MSG_NOSIGNAL) != (ssize_t)length)
        shutdown(connection->client, SHUT_RDWR);
}

void passage_say_http(struct passage *connection, int status, const char *text)
{
    cleanup_free char *answer = reply_http(status, text);
    passage_say(connection, answer, strlen(answer));
}

void passage_say_socks(struct passage *connection, enum socks_reply reply)
{
    char bytes[SOCKS_REPLY_SIZE];
    socks_format_reply(reply, bytes);
    passage_say(connection, bytes, sizeof bytes);
}

static void on_lingering(int fd, unsigned events, void *argument)
{
    (void)events;
    struct passage *connection = argument;
    char dropped[4096];
    ssize_t count = recv(fd, dropped, sizeof dropped, 0);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
        passage_end(connection);
}

/* Waits until the client has read its answer. */
void passage_close_gently(struct passage *connection)
{
    const struct passage_owner *owner = connection->owner;
    connection->state = PASSAGE_CLOSING;
    report(connection);
    shutdown(connection->client, SHUT_WR);
    loop_io_free(&connection->client_io);
    connection->client_io = loop_io_new(owner->loop, connection->client, on_lingering, connection);
    loop_io_set(connection->client_io, LOOP_READ);
    loop_timer_start(connection->timer, LINGER_MS);
}

void passage_turn_away(struct passage *connection, enum proxy_outcome outcome, int number,
                       const char *why)
{
    passage_set_outcome(connection, outcome, why);
    if (connection->speech == SPEECH_SOCKS) {
        passage_say_socks(connection, reply_socks(outcome == PROXY_DENIED, number));
    } else {
        cleanup_free char *url = target_url(&connection->target);
        cleanup_free char *text = xasprintf("%s: %s", url, why);
        passage_say_http(connection, outcome == PROXY_DENIED ? 403 : 502, text);
    }
    passage_close_gently(connection);
}

/* ---- inside the tunnel ----------------------------------------------------------------------- */

static enum tunnel_word look_at_tunnel(void *argument, const char *bytes, size_t *length)
{
    struct passage *connection = argument;
    enum tunnel_word word = peek_tunnel(&connection->target, bytes, *length, connection->detail);
    if (word == TUNNEL_REFUSE)
        connection->outcome = PROXY_OTHER_NAME;
    return word;
}

static enum tunnel_word look_at_body(void *argument, const char *bytes, size_t *length)
{
    struct passage *connection = argument;
    if (connection->body.done)
        *length = 0;
    else
        *length = body_take(&connection->body, bytes, *length);
    return connection->body.bad ? TUNNEL_REFUSE : TUNNEL_PASS;
}

static void on_tunnel_ended(void *argument, enum tunnel_end ended)
{
    struct passage *connection = argument;
    if (connection->outcome != PROXY_OTHER_NAME) {
        static const char *const details[] = {
            [TUNNEL_DONE] = "",
            [TUNNEL_BROKEN] = "broken off",
            [TUNNEL_IDLE] = "nothing moved for too long",
            [TUNNEL_REFUSED] = "the request's body is not what it was announced as",
        };
        passage_set_outcome(connection, PROXY_PASSED, details[ended]);
    }
    passage_end(connection);
}

void passage_pass(struct passage *connection)
{
    static const char established[] = "HTTP/1.1 200 Connection established\r\n\r\n";
    static const struct tunnel_events tunnels = {look_at_tunnel, on_tunnel_ended};
    static const struct tunnel_events plain = {look_at_body, on_tunnel_ended};
    bool is_plain = connection->target.protocol == PROTOCOL_HTTP;
    connection->state = PASSAGE_PASSING;
    connection->connected = true;
    passage_set_outcome(connection, PROXY_PASSED, "");
    loop_io_free(&connection->client_io);
    loop_io_free(&connection->server_io);
    loop_timer_stop(connection->timer);
    if (connection->speech == SPEECH_SOCKS)
        passage_say_socks(connection, SOCKS_SUCCEEDED);
    else if (!is_plain)
        passage_say(connection, established, sizeof established - 1);
    connection->tunnel = tunnel_new(connection->owner->loop, connection->client, connection->server,
                                    &connection->head.text, &connection->early, IDLE_MS,
                                    is_plain ? &plain : &tunnels, connection);
}

/* ---- the interface --------------------------------------------------------------------------- */

static void on_timer(void *argument)
{
    struct passage *connection = argument;
    if (connection->state == PASSAGE_CONNECTING) {
        passage_address_failed(connection, ETIMEDOUT);
        return;
    }
    if (connection->state == PASSAGE_READING)
        passage_set_outcome(connection, PROXY_FAILED, "no request came in time");
    passage_end(connection);
}

struct passage *passage_new(struct passage_owner *owner, int client)
{
    struct passage *connection = XNEW(struct passage);
    int on = 1;
    connection->owner = owner;
    connection->client = client;
    connection->server = -1;
    connection->since_ms = loop_now_ms(owner->loop);
    passage_set_outcome(connection, PROXY_WITHDRAWN, "");
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection->timer = loop_timer_new(owner->loop, on_timer, connection);
    loop_timer_start(connection->timer, READ_MS);
    connection->client_io = loop_io_new(owner->loop, client, passage_on_client, connection);
    loop_io_set(connection->client_io, LOOP_READ);
    return connection;
}

void passage_free(struct passage **place)
{
    struct passage *connection = steal_pointer(place);
    if (connection == NULL)
        return;
    if (connection->state != PASSAGE_OVER)
        conclude(connection);
    loop_timer_free(&connection->timer);
    head_clear(&connection->head);
    strbuf_free(&connection->early);
    strbuf_free(&connection->answer);
    free(connection);
}

struct passage *passage_next(const struct passage *connection)
{
    return connection->next;
}

void passage_set_next(struct passage *connection, struct passage *next)
{
    connection->next = next;
}
