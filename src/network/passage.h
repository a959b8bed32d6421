/* SPDX-License-Identifier: MIT */
/*
 * passage: one client of the proxy, from its first byte to its last.
 *
 *   reading ──► asking ──► looking up ──► connecting ──► passing ──► (gone)
 *                 ▲            │ not public      │ failed, or refused by the next hop
 *                 └────────────┘                 └──► closing: the answer is read to the end
 *
 * Belongs to its proxy, which hears of its end by the `over` of passage_owner.
 */
#ifndef ASSENT_NETWORK_PASSAGE_H
#define ASSENT_NETWORK_PASSAGE_H

#include "network/proxy.h"

struct passage;

/* What connections of one proxy share; outlives them. */
struct passage_owner {
    struct loop *loop;
    struct resolver *resolver;
    const struct next_hop *hop; /* or NULL */
    const struct proxy_events *events;
    void *argument; /* of the events */
    /* The connection is over and reported: take it off the list and free it, now or later. */
    void (*over)(struct passage_owner *owner, struct passage *connection);
};

/* `client` is a connected, non-blocking socket; owned from here on. */
struct passage *passage_new(struct passage_owner *owner, int client);
/* Frees; one that is not over is reported first. */
void passage_free(struct passage **connection);

/* For the owner's list. */
struct passage *passage_next(const struct passage *connection);
void passage_set_next(struct passage *connection, struct passage *next);

#endif
