/* SPDX-License-Identifier: MIT */
/* passage-int: what the parts of a passage share; for them only. */
#ifndef ASSENT_NETWORK_PASSAGE_INT_H
#define ASSENT_NETWORK_PASSAGE_INT_H

#include "base/strbuf.h"
#include "network/body.h"
#include "network/head.h"
#include "network/passage.h"
#include "network/peek.h"
#include "network/socks.h"
#include "network/tunnel.h"

enum passage_state {
    PASSAGE_READING,
    PASSAGE_ASKING,
    PASSAGE_LOOKING_UP,
    PASSAGE_CONNECTING,
    PASSAGE_PASSING,
    PASSAGE_CLOSING,
    PASSAGE_OVER
};
enum passage_speech { SPEECH_UNKNOWN, SPEECH_HTTP, SPEECH_SOCKS };

struct passage {
    struct passage_owner *owner;
    struct passage *next;
    enum passage_state state;
    enum passage_speech speech;
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

/* ---- passage.c: its end, its answers, its tunnel --------------------------------------------- */

/* What will be reported of it. `detail` is copied. */
void passage_set_outcome(struct passage *connection, enum proxy_outcome outcome,
                         const char *detail);
/* It is over: reports it and lets the owner free it. Called last in a callback. */
void passage_end(struct passage *connection);

/* A few bytes to a client that has just spoken. */
void passage_say(struct passage *connection, const char *bytes, size_t length);
void passage_say_http(struct passage *connection, int status, const char *text);
void passage_say_socks(struct passage *connection, enum socks_reply reply);
/* Reports it, and ends it when the client has read its answer. */
void passage_close_gently(struct passage *connection);
/* Tells the client why it is not connected, and closes; `number` is an errno value or 0. */
void passage_turn_away(struct passage *connection, enum proxy_outcome outcome, int number,
                       const char *why);

/* It is connected: bytes go both ways from now on. */
void passage_pass(struct passage *connection);

/* ---- passage_request.c: what the client says ------------------------------------------------- */

/* Of the loop: the client can be read, before there is a tunnel. */
void passage_on_client(int fd, unsigned events, void *argument);

/* ---- passage_grant.c: may it? ---------------------------------------------------------------- */

/* The client has said where it wants to go: asks whether it may. */
void passage_ask(struct passage *connection);

/* ---- passage_connect.c: to an address -------------------------------------------------------- */

/* Tries the address at hand, and those behind it when that fails. */
void passage_connect(struct passage *connection);
/* That address can not be reached; `number` is an errno value. */
void passage_address_failed(struct passage *connection, int number);

#endif
