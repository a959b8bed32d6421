/* SPDX-License-Identifier: MIT */
/*
 * proxy: takes the connections of one command and brings them to where they were granted to go.
 *
 * Speaks HTTP (CONNECT, and plain requests with the whole URL, one a connection) and SOCKS5 on the
 * same listening socket. Whom a connection may reach is asked of the owner before a name is even
 * looked up, and again with the addresses when a name leads to something else than the public
 * Internet. The address that was checked is the one that is connected to, but through a next hop,
 * which looks names up itself. TLS is passed through
 * unopened; a client that names another server in it than it was granted is cut off.
 */
#ifndef ASSENT_NETWORK_PROXY_H
#define ASSENT_NETWORK_PROXY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/loop.h"
#include "network/address.h"
#include "network/next_hop.h"
#include "network/resolver.h"
#include "network/target.h"

struct proxy;
struct passage;

/* May a connection go there? */
struct proxy_question {
    const struct network_target *target;
    /* What it leads to, as far as that is known: for an address, for a name of this machine, and
     * for a granted name that was looked up and has no public address. Else ADDRESS_PUBLIC. */
    enum address_class class;
    const struct network_address *addresses; /* none before a name was looked up */
    size_t address_count;
};

enum proxy_verdict { PROXY_WAIT, PROXY_ALLOW, PROXY_DENY };

enum proxy_outcome {
    PROXY_PASSED,     /* it was connected, and has ended */
    PROXY_DENIED,     /* the owner said no */
    PROXY_FAILED,     /* it could not be connected, or not be understood */
    PROXY_OTHER_NAME, /* TLS or a plain request named another host than the one granted */
    PROXY_WITHDRAWN,  /* the client went away before it was connected */
};

/* One connection, once it has ended. */
struct proxy_report {
    const struct network_target *target; /* NULL when it never said where to */
    enum proxy_outcome outcome;
    const char *detail; /* what failed, or the other name; untrusted; "" when there is nothing */
    const struct network_address *address; /* connected to, or NULL */
    uint64_t sent, received;               /* bytes of the client, of the server */
    int64_t duration_ms;                   /* since it was accepted */
};

struct proxy_events {
    /* PROXY_WAIT: proxy_answer() follows. PROXY_DENY: *message says why to the client, and is
     * freed here; it may stay NULL. */
    enum proxy_verdict (*ask)(void *argument, struct passage *connection,
                              const struct proxy_question *question, char **message);
    /* A connection that waits for its answer is gone: it must not be answered any more. */
    void (*withdrawn)(void *argument, struct passage *connection);
    void (*ended)(void *argument, const struct proxy_report *report);
};

struct proxy_setup {
    struct loop *loop;
    struct resolver *resolver;
    const struct next_hop *hop; /* connections that it serves go out through it; NULL: none do */
    int listener;               /* a listening socket, non-blocking; owned from here on */
    const struct proxy_events *events;
    void *argument;
};

/* Connections at a time; more wait in the kernel's queue. */
#define PROXY_CONNECTIONS_MAX 2048

struct proxy *proxy_new(const struct proxy_setup *setup);
/* Ends all connections (each is reported) and closes the listener. Not from inside an event. */
void proxy_free(struct proxy **proxy);

/* The answer to a connection that waits. `message` is for the client, and may be NULL. Not from
 * inside `ask`. */
void proxy_answer(struct passage *connection, bool allow, const char *message);

const char *proxy_outcome_name(enum proxy_outcome outcome); /* "passed", "denied" … */

#endif
