/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/passage.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "network/body.h"
#include "network/head.h"
#include "network/peek.h"
#include "network/reply.h"
#include "network/socks.h"
#include "network/tunnel.h"

/* How long a client may take to say where it wants to go. */
#define READ_MS 30000
/* Each address of a host. */
#define CONNECT_MS 15000
/* A connection on which nothing moves; longer than what servers keep open by themselves. */
#define IDLE_MS (15 * 60 * 1000)
/* What was answered is given so long to be read, since closing with unread bytes would lose it. */
#define LINGER_MS 2000
/* What a client may send before it is connected: a head, and the beginning of a body. */
#define EARLY_MAX (HEAD_MAX + (size_t)64 * 1024)

enum state { READING, ASKING, LOOKING_UP, CONNECTING, PASSING, CLOSING, OVER };
enum speech { SPEECH_UNKNOWN, SPEECH_HTTP, SPEECH_SOCKS };

struct passage {
    struct passage_owner *owner;
    struct passage *next;
    enum state state;
    enum speech speech;
    bool greeted; /* SOCKS: the first of its two messages is through */
    bool understood;

    int client, server;
    struct loop_io *client_io, *server_io;
    struct loop_timer *timer;
    struct strbuf early; /* of the client, not yet used */
    int64_t since_ms;

    struct head head; /* HTTP */
    struct body body; /* plain HTTP: what goes to the server after the head */
    struct network_target target;
    struct resolver_query *query;
    struct network_address addresses[RESOLVER_ADDRESSES_MAX];
    size_t address_count, address_at; /* the one that is tried, or connected to */
    bool via;                         /* the next hop: the addresses are its */
    struct strbuf answer;             /* of the next hop, as far as it has come */
    struct tunnel *tunnel;

    enum proxy_outcome outcome;
    char detail[PEEK_DETAIL_SIZE];
    bool connected, reported;
};

static void choose_address(struct passage *connection);
static void try_address(struct passage *connection);

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
    if (connection->state == ASKING)
        connection->owner->events->withdrawn(connection->owner->argument, connection);
    if (!connection->reported)
        report(connection);
    connection->state = OVER;
    release(connection);
}

/* Called last in a callback. */
static void end(struct passage *connection)
{
    if (connection->state == OVER)
        return;
    conclude(connection);
    connection->owner->over(connection->owner, connection);
}

static void set_outcome(struct passage *connection, enum proxy_outcome outcome, const char *detail)
{
    connection->outcome = outcome;
    snprintf(connection->detail, sizeof connection->detail, "%s", detail);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* A few bytes to a client that has just spoken: its socket takes them at once, or it is none that
 * we could answer. */
static void say(struct passage *connection, const char *bytes, size_t length)
{
    if (send(connection->client, bytes, length, MSG_NOSIGNAL) != (ssize_t)length)
        shutdown(connection->client, SHUT_RDWR);
}

static void say_http(struct passage *connection, int status, const char *text)
{
    cleanup_free char *answer = reply_http(status, text);
    say(connection, answer, strlen(answer));
}

static void say_socks(struct passage *connection, enum socks_reply reply)
{
    char bytes[SOCKS_REPLY_SIZE];
    socks_format_reply(reply, bytes);
    say(connection, bytes, sizeof bytes);
}

static void on_lingering(int fd, unsigned events, void *argument)
{
    (void)events;
    struct passage *connection = argument;
    char dropped[4096];
    ssize_t count = recv(fd, dropped, sizeof dropped, 0);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
        end(connection);
}

/* Waits until the client has read its answer. */
static void close_gently(struct passage *connection)
{
    const struct passage_owner *owner = connection->owner;
    connection->state = CLOSING;
    report(connection);
    shutdown(connection->client, SHUT_WR);
    loop_io_free(&connection->client_io);
    connection->client_io = loop_io_new(owner->loop, connection->client, on_lingering, connection);
    loop_io_set(connection->client_io, LOOP_READ);
    loop_timer_start(connection->timer, LINGER_MS);
}

/* Tells the client why it is not connected; `number` is an errno value or 0. */
static void turn_away(struct passage *connection, enum proxy_outcome outcome, int number,
                      const char *why)
{
    set_outcome(connection, outcome, why);
    if (connection->speech == SPEECH_SOCKS) {
        say_socks(connection, reply_socks(outcome == PROXY_DENIED, number));
    } else {
        cleanup_free char *url = target_url(&connection->target);
        cleanup_free char *text = xasprintf("%s: %s", url, why);
        say_http(connection, outcome == PROXY_DENIED ? 403 : 502, text);
    }
    close_gently(connection);
}

/* ---- may it? --------------------------------------------------------------------------------- */

static void deny(struct passage *connection, const char *message)
{
    turn_away(connection, PROXY_DENIED, 0, message != NULL ? message : "this was not granted");
}

static void look_up_answered(void *argument, const struct resolver_answer *answer)
{
    struct passage *connection = argument;
    connection->query = NULL;
    if (answer->count == 0) {
        turn_away(connection, PROXY_FAILED, EHOSTUNREACH, answer->failure);
        return;
    }
    memcpy(connection->addresses, answer->addresses, sizeof connection->addresses);
    connection->address_count = answer->count;
    if (connection->via)
        try_address(connection);
    else
        choose_address(connection);
}

/* Through a next hop it is that one that looks names up, and answers for where they lead. */
static void go_via(struct passage *connection, const struct network_host *host)
{
    connection->via = true;
    connection->address_count = host->literal;
    connection->addresses[0] = host->address;
}

static void allow(struct passage *connection)
{
    const struct next_hop *hop = connection->owner->hop;
    const struct network_host *host = &connection->target.host;
    if (hop != NULL && next_hop_serves(hop, &connection->target)) {
        host = next_hop_host(hop);
        go_via(connection, host);
    }
    if (connection->address_count > 0) {
        try_address(connection);
        return;
    }
    connection->state = LOOKING_UP;
    connection->query =
        resolver_start(connection->owner->resolver, host->name, look_up_answered, connection);
}

static void ask(struct passage *connection, enum address_class class)
{
    const struct passage_owner *owner = connection->owner;
    struct proxy_question question = {
        .target = &connection->target,
        .class = class,
        .addresses = connection->addresses,
        .address_count = connection->address_count,
    };
    cleanup_free char *message = NULL;
    connection->state = ASKING;
    loop_timer_stop(connection->timer);
    switch (owner->events->ask(owner->argument, connection, &question, &message)) {
    case PROXY_WAIT:
        break;
    case PROXY_ALLOW:
        allow(connection);
        break;
    case PROXY_DENY:
        deny(connection, message);
        break;
    }
}

void proxy_answer(struct passage *connection, bool allowed, const char *message)
{
    if (connection->state != ASKING)
        return;
    if (allowed)
        allow(connection);
    else
        deny(connection, message);
}

static enum address_class class_of(const struct network_address *address)
{
    enum address_class class = address_classify(address);
    return class == ADDRESS_PUBLIC && address_is_own(address) ? ADDRESS_LOOPBACK : class;
}

/* What needs no looking up: an address, and this machine, whose names no resolver is asked for. */
static void take_addresses(struct passage *connection)
{
    const struct network_host *host = &connection->target.host;
    static const char *const own[] = {"127.0.0.1", "::1"};
    struct network_host loopback;
    if (host->literal)
        connection->addresses[connection->address_count++] = host->address;
    for (size_t i = 0; i < 2 && host_is_localhost(host->name); i++)
        if (host_parse(own[i], strlen(own[i]), &loopback, NULL) == 0)
            connection->addresses[connection->address_count++] = loopback.address;
}

static void ask_first(struct passage *connection)
{
    connection->understood = true;
    take_addresses(connection);
    ask(connection,
        connection->address_count > 0 ? class_of(&connection->addresses[0]) : ADDRESS_PUBLIC);
}

/* A name was granted, not what it leads to: of its addresses the public ones are used, and when
 * there are none the others are a question of their own. */
static void choose_address(struct passage *connection)
{
    enum address_class class = ADDRESS_PUBLIC;
    size_t public = 0;
    struct network_address found[RESOLVER_ADDRESSES_MAX];
    for (size_t i = 0; i < connection->address_count; i++) {
        enum address_class one = class_of(&connection->addresses[i]);
        if (one == ADDRESS_PUBLIC)
            found[public ++] = connection->addresses[i];
        else if (class == ADDRESS_PUBLIC || one == ADDRESS_METADATA)
            class = one;
    }
    if (public == 0) {
        ask(connection, class);
        return;
    }
    memcpy(connection->addresses, found, public * sizeof found[0]);
    connection->address_count = public;
    try_address(connection);
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
        set_outcome(connection, PROXY_PASSED, details[ended]);
    }
    end(connection);
}

static void start_passing(struct passage *connection)
{
    static const char established[] = "HTTP/1.1 200 Connection established\r\n\r\n";
    static const struct tunnel_events tunnels = {look_at_tunnel, on_tunnel_ended};
    static const struct tunnel_events plain = {look_at_body, on_tunnel_ended};
    bool is_plain = connection->target.protocol == PROTOCOL_HTTP;
    connection->state = PASSING;
    connection->connected = true;
    set_outcome(connection, PROXY_PASSED, "");
    loop_io_free(&connection->client_io);
    loop_io_free(&connection->server_io);
    loop_timer_stop(connection->timer);
    if (connection->speech == SPEECH_SOCKS)
        say_socks(connection, SOCKS_SUCCEEDED);
    else if (!is_plain)
        say(connection, established, sizeof established - 1);
    connection->tunnel = tunnel_new(connection->owner->loop, connection->client, connection->server,
                                    &connection->head.text, &connection->early, IDLE_MS,
                                    is_plain ? &plain : &tunnels, connection);
}

/* ---- connecting ------------------------------------------------------------------------------ */

static void address_failed(struct passage *connection, int number)
{
    loop_io_free(&connection->server_io);
    fd_close(&connection->server);
    if (++connection->address_at < connection->address_count) {
        try_address(connection);
        return;
    }
    connection->address_at = 0;
    cleanup_free char *hop =
        connection->via
            ? xasprintf("the proxy %s: %s", next_hop_name(connection->owner->hop), strerror(number))
            : NULL;
    turn_away(connection, PROXY_FAILED, number, hop != NULL ? hop : strerror(number));
}

/* ---- the next hop ---------------------------------------------------------------------------- */

static void hop_refuses(struct passage *connection, int status)
{
    const char *name = next_hop_name(connection->owner->hop);
    cleanup_free char *why =
        status == 407 ? xasprintf("the proxy %s wants a name and a password (network_proxy)", name)
        : status != 0 ? xasprintf("the proxy %s does not let it through (%d)", name, status)
                      : xasprintf("the proxy %s gives no answer that can be read", name);
    loop_io_free(&connection->server_io);
    fd_close(&connection->server);
    turn_away(connection, PROXY_FAILED, EHOSTUNREACH, why);
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
        start_passing(connection);
}

static void ask_hop(struct passage *connection)
{
    const struct next_hop *hop = connection->owner->hop;
    char *request = next_hop_connect(hop, &connection->target);
    size_t length = strlen(request);
    bool sent = send(connection->server, request, length, MSG_NOSIGNAL) == (ssize_t)length;
    next_hop_forget(&request);
    if (!sent) {
        address_failed(connection, EPIPE);
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
    start_passing(connection);
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
        address_failed(connection, number);
    else
        pass_or_ask_hop(connection);
}

static void try_address(struct passage *connection)
{
    const struct network_address *address = &connection->addresses[connection->address_at];
    struct sockaddr_storage storage;
    uint16_t port =
        connection->via ? next_hop_port(connection->owner->hop) : connection->target.port;
    socklen_t size = address_to_sockaddr(address, port, &storage);
    int on = 1;
    connection->state = CONNECTING;
    connection->server = socket(address->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (connection->server < 0 ||
        (connect(connection->server, (const struct sockaddr *)&storage, size) != 0 &&
         errno != EINPROGRESS)) {
        address_failed(connection, errno);
        return;
    }
    setsockopt(connection->server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection->server_io =
        loop_io_new(connection->owner->loop, connection->server, on_connected, connection);
    loop_io_set(connection->server_io, LOOP_WRITE);
    loop_timer_start(connection->timer, CONNECT_MS);
}

/* ---- what the client says -------------------------------------------------------------------- */

static void refuse_request(struct passage *connection, int status, const char *problem)
{
    set_outcome(connection, PROXY_FAILED, problem);
    say_http(connection, status, problem);
    close_gently(connection);
}

static void read_http(struct passage *connection)
{
    struct head *head = &connection->head;
    switch (head_parse(connection->early.data, connection->early.length, head)) {
    case HEAD_MORE:
        return;
    case HEAD_BAD:
        refuse_request(connection, head->status, head->problem);
        return;
    case HEAD_DONE:
        break;
    }
    strbuf_consume(&connection->early, head->length);
    connection->target = head->target;
    if (head->target.protocol == PROTOCOL_HTTPS)
        strbuf_free(&head->text);
    body_start(&connection->body, head);
    ask_first(connection);
}

static void refuse_socks(struct passage *connection, const char *why)
{
    set_outcome(connection, PROXY_FAILED, why);
    close_gently(connection);
}

static void read_socks(struct passage *connection)
{
    struct strbuf *early = &connection->early;
    enum socks_reply reply;
    enum socks_result result;
    char answer[2];
    size_t used;
    if (!connection->greeted) {
        result = socks_parse_greeting(early->data, early->length, &used, answer);
        if (result != SOCKS_MORE)
            say(connection, answer, sizeof answer);
        if (result == SOCKS_BAD)
            refuse_socks(connection, "SOCKS5 without authentication only");
        if (result != SOCKS_DONE)
            return;
        connection->greeted = true;
        strbuf_consume(early, used);
    }
    result =
        socks_parse_request(strbuf_str(early), early->length, &used, &connection->target, &reply);
    if (result == SOCKS_BAD) {
        say_socks(connection, reply);
        refuse_socks(connection, "a SOCKS request other than a TCP connection to a host");
    }
    if (result != SOCKS_DONE)
        return;
    strbuf_consume(early, used);
    ask_first(connection);
}

static void read_request(struct passage *connection)
{
    if (connection->speech == SPEECH_UNKNOWN)
        connection->speech =
            (unsigned char)connection->early.data[0] < 0x20 ? SPEECH_SOCKS : SPEECH_HTTP;
    if (connection->speech == SPEECH_HTTP)
        read_http(connection);
    else
        read_socks(connection);
}

/* The client has nothing more to say. A plain request is complete then, and its answer is waited
 * for; who asked for a tunnel has left. */
static void client_ended(struct passage *connection)
{
    bool plain = connection->understood && connection->target.protocol == PROTOCOL_HTTP;
    if (plain && connection->body.done) {
        loop_io_set(connection->client_io, 0);
        return;
    }
    set_outcome(connection, PROXY_WITHDRAWN, "");
    end(connection);
}

static void on_client(int fd, unsigned events, void *argument)
{
    (void)events;
    struct passage *connection = argument;
    char bytes[8192];
    ssize_t count = recv(fd, bytes, sizeof bytes, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count < 0) {
        set_outcome(connection, PROXY_WITHDRAWN, "");
        end(connection);
        return;
    }
    if (count == 0) {
        client_ended(connection);
        return;
    }
    strbuf_add(&connection->early, bytes, (size_t)count);
    if (connection->early.length > EARLY_MAX)
        loop_io_set(connection->client_io, 0);
    if (connection->state == READING)
        read_request(connection);
}

static void on_timer(void *argument)
{
    struct passage *connection = argument;
    if (connection->state == CONNECTING) {
        address_failed(connection, ETIMEDOUT);
        return;
    }
    if (connection->state == READING)
        set_outcome(connection, PROXY_FAILED, "no request came in time");
    end(connection);
}

/* ---- the interface --------------------------------------------------------------------------- */

struct passage *passage_new(struct passage_owner *owner, int client)
{
    struct passage *connection = XNEW(struct passage);
    int on = 1;
    connection->owner = owner;
    connection->client = client;
    connection->server = -1;
    connection->since_ms = loop_now_ms(owner->loop);
    set_outcome(connection, PROXY_WITHDRAWN, "");
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection->timer = loop_timer_new(owner->loop, on_timer, connection);
    loop_timer_start(connection->timer, READ_MS);
    connection->client_io = loop_io_new(owner->loop, client, on_client, connection);
    loop_io_set(connection->client_io, LOOP_READ);
    return connection;
}

void passage_free(struct passage **place)
{
    struct passage *connection = steal_pointer(place);
    if (connection == NULL)
        return;
    if (connection->state != OVER)
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
