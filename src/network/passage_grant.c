/* SPDX-License-Identifier: MIT */
/* passage_grant: may it be connected, and to which address? */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "network/passage-int.h"

static void choose_address(struct passage *connection);

static void deny(struct passage *connection, const char *message)
{
    passage_turn_away(connection, PROXY_DENIED, 0,
                      message != NULL ? message : "this was not granted");
}

static void look_up_answered(void *argument, const struct resolver_answer *answer)
{
    struct passage *connection = argument;
    connection->query = NULL;
    if (answer->count == 0) {
        passage_turn_away(connection, PROXY_FAILED, EHOSTUNREACH, answer->failure);
        return;
    }
    memcpy(connection->addresses, answer->addresses, sizeof connection->addresses);
    connection->address_count = answer->count;
    if (connection->via)
        passage_connect(connection);
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
        passage_connect(connection);
        return;
    }
    connection->state = PASSAGE_LOOKING_UP;
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
    connection->state = PASSAGE_ASKING;
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
    if (connection->state != PASSAGE_ASKING)
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

void passage_ask(struct passage *connection)
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
    passage_connect(connection);
}
