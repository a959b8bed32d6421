/* SPDX-License-Identifier: MIT */
/* passage_request: what the client says before it is connected, in HTTP or SOCKS. */
#include "config.h"

#include <errno.h>
#include <sys/socket.h>

#include "network/passage-int.h"

/* What a client may send before it is connected: a head, and the beginning of a body. */
#define EARLY_MAX (HEAD_MAX + (size_t)64 * 1024)

static void refuse_request(struct passage *connection, int status, const char *problem)
{
    passage_set_outcome(connection, PROXY_FAILED, problem);
    passage_say_http(connection, status, problem);
    passage_close_gently(connection);
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
    passage_ask(connection);
}

static void refuse_socks(struct passage *connection, const char *why)
{
    passage_set_outcome(connection, PROXY_FAILED, why);
    passage_close_gently(connection);
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
            passage_say(connection, answer, sizeof answer);
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
        passage_say_socks(connection, reply);
        refuse_socks(connection, "a SOCKS request other than a TCP connection to a host");
    }
    if (result != SOCKS_DONE)
        return;
    strbuf_consume(early, used);
    passage_ask(connection);
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

/* Who says nothing more before it is connected has left, also where its request is complete: one
 * that only closed its own direction looks the same, and what others have given up must neither be
 * asked about nor sent once the next one is allowed. */
static void client_left(struct passage *connection)
{
    passage_set_outcome(connection, PROXY_WITHDRAWN, "");
    passage_end(connection);
}

void passage_on_client(int fd, unsigned events, void *argument)
{
    (void)events;
    struct passage *connection = argument;
    char bytes[8192];
    ssize_t count = recv(fd, bytes, sizeof bytes, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        client_left(connection);
        return;
    }
    strbuf_add(&connection->early, bytes, (size_t)count);
    if (connection->early.length > EARLY_MAX)
        loop_io_set(connection->client_io, 0);
    if (connection->state == PASSAGE_READING)
        read_request(connection);
}
