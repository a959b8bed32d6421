/* SPDX-License-Identifier: MIT */
/* resolver: addresses of names, looked up in threads of their own, because the system's resolver
 * blocks. A name is looked up only once it may be reached: the question itself tells somebody. */
#ifndef ASSENT_NETWORK_RESOLVER_H
#define ASSENT_NETWORK_RESOLVER_H

#include "base/loop.h"
#include "network/address.h"
#include "network/host.h"

#define RESOLVER_ADDRESSES_MAX 16

struct resolver_answer {
    struct network_address addresses[RESOLVER_ADDRESSES_MAX];
    size_t count;
    const char *failure; /* static, when there are none */
};

/* Fills the answer in; runs in a thread of its own and may block. */
typedef void (*resolver_lookup)(const char *host, struct resolver_answer *answer);

struct resolver;
struct resolver_query;

/* `lookup` NULL: the system's (getaddrinfo). */
struct resolver *resolver_new(struct loop *loop, resolver_lookup lookup);
/* Every query must have been cancelled or answered; threads that still wait end by themselves. */
void resolver_free(struct resolver **resolver);

/* `callback` is called once, from the loop, never from inside this call; the query is gone then. */
struct resolver_query *resolver_start(struct resolver *resolver, const char *host,
                                      void (*callback)(void *argument,
                                                       const struct resolver_answer *answer),
                                      void *argument);
/* Its callback will not be called; clears the pointer. */
void resolver_cancel(struct resolver_query **query);

#endif
