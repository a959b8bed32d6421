/* SPDX-License-Identifier: MIT */
/*
 * tunnel: bytes both ways between two sockets. Back-pressured (what one side does not take, the
 * other does not send), the end of each direction is passed on by itself, and a connection on
 * which nothing moves ends.
 */
#ifndef ASSENT_NETWORK_TUNNEL_H
#define ASSENT_NETWORK_TUNNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/loop.h"
#include "base/strbuf.h"

enum tunnel_word {
    TUNNEL_HOLD,     /* not yet: ask again when there is more */
    TUNNEL_PASS,     /* the first *length bytes go to the server, the others are dropped */
    TUNNEL_PASS_ALL, /* all of it, and all that comes later without another look */
    TUNNEL_REFUSE,   /* none of it: the tunnel ends */
};

enum tunnel_end {
    TUNNEL_DONE,    /* both sides have ended */
    TUNNEL_BROKEN,  /* one of them broke off */
    TUNNEL_IDLE,    /* nothing moved for too long */
    TUNNEL_REFUSED, /* by `look` */
};

struct tunnel_events {
    /* Looks at what the client sends before it goes on; NULL: all of it does. */
    enum tunnel_word (*look)(void *argument, const char *bytes, size_t *length);
    /* Last call, exactly once, never from inside tunnel_new(). */
    void (*ended)(void *argument, enum tunnel_end end);
};

struct tunnel;

/* `first` goes to the server before anything else, `early` is what the client has sent already:
 * both are emptied. Does not own the descriptors (non-blocking sockets), which must stay open until
 * tunnel_free(). */
struct tunnel *tunnel_new(struct loop *loop, int client, int server, struct strbuf *first,
                          struct strbuf *early, int64_t idle_ms, const struct tunnel_events *events,
                          void *argument);
void tunnel_free(struct tunnel **tunnel);
/* Bytes that went to the server, and that came from it. */
uint64_t tunnel_sent(const struct tunnel *tunnel);
uint64_t tunnel_received(const struct tunnel *tunnel);

#endif
