/* SPDX-License-Identifier: MIT */
/*
 * server_limits: what clients can make the console hold, all of them together and each tree of
 * processes.
 *
 * What is shared in fairness a tree takes more of only while it has no more than is left: alone it
 * gets half, the next one half of the rest, and whoever comes new finds something while anything is
 * left. So one that floods keeps nobody else out.
 *
 * What stays possible: an orphan that leads a session of its own (as a daemon does) is a tree of
 * its own, because nothing that the kernel shows ties it to who started it (peer.c). Who makes many
 * of those can take all places there are, so that the others are told to come back later, until
 * the operator ends these processes. More than all places they cannot take.
 */
#include "config.h"

#include "agents/server-int.h"

/* The console's own limits, of all clients together; for tests there may be others. */
static const struct server_limits defaults = {
    .connections = 256,
    .running = 128,
    .open = 2048,
    .queued = 512,
    .bytes = (size_t)256 * 1024 * 1024,
    .session_running = 64,
    .connection_calls = 64,
};

void server_limits_complete(struct server_limits *limits)
{
    if (limits->connections == 0)
        limits->connections = defaults.connections;
    if (limits->running == 0)
        limits->running = defaults.running;
    if (limits->open == 0)
        limits->open = defaults.open;
    if (limits->queued == 0)
        limits->queued = defaults.queued;
    if (limits->bytes == 0)
        limits->bytes = defaults.bytes;
    if (limits->session_running == 0)
        limits->session_running = defaults.session_running;
    if (limits->connection_calls == 0)
        limits->connection_calls = defaults.connection_calls;
}

struct holding server_held(const struct server *server)
{
    struct holding all = {0};
    const struct tree *tree;
    TAILQ_FOREACH(tree, &server->trees, entry)
    {
        all.connections += tree->held.connections;
        all.calls += tree->held.calls;
        all.running += tree->held.running;
        all.asking += tree->held.asking;
        all.bytes += tree->held.bytes;
    }
    return all;
}

/* What a tree wants more of. */
struct claim {
    const char *what;
    size_t limit;    /* of all trees together */
    size_t fair;     /* the last part of it, which is shared in fairness */
    size_t all, own; /* what they hold, and the tree of that */
    size_t more;
};

static bool has_room(const struct claim *claim)
{
    size_t left = claim->limit > claim->all ? claim->limit - claim->all : 0;
    return claim->more <= left && (left > claim->fair || claim->own <= left - claim->more);
}

/* The words name the limit, so that who meets it knows whether it is their own doing. */
static int check(const struct claim *claim, struct error *error)
{
    if (has_room(claim))
        return 0;
    if (claim->all + claim->more > claim->limit)
        return error_set(error, 0,
                         "all clients together hold %zu of the console's %zu %s: try again when "
                         "some have ended",
                         claim->all, claim->limit, claim->what);
    return error_set(
        error, 0,
        "this client's processes hold %zu %s, and the rest of the console's %zu is for "
        "others: try again when some of your own have ended",
        claim->own, claim->what, claim->limit);
}

/* A program may well have two hundred clients that wait for their turn, each with a connection. */
int server_check_connection(const struct server *server, const struct tree *tree,
                            struct error *error)
{
    struct claim claim = {.what = "connections",
                          .limit = server->limits.connections,
                          .fair = server->limits.connections / 5,
                          .all = server_held(server).connections,
                          .own = tree->held.connections,
                          .more = 1};
    return check(&claim, error);
}

/* What comes at once cannot all be taken up before more of it comes, so that calls which will run
 * or ask and those which will wait are one number here. */
int server_check_call(const struct server *server, const struct tree *tree, struct error *error)
{
    size_t limit = (size_t)server->limits.open + server->limits.queued;
    struct claim claim = {.what = "open calls",
                          .limit = limit,
                          .fair = limit,
                          .all = server_held(server).calls,
                          .own = tree->held.calls,
                          .more = 1};
    return check(&claim, error);
}

/* Of the tree's clients, or with NULL of all: messages that are coming in. */
static size_t incoming_bytes(const struct server *server, const struct tree *tree)
{
    const struct connection *connection;
    size_t sum = 0;
    TAILQ_FOREACH(connection, &server->connections, entry)
    {
        if (connection->peer != NULL && (tree == NULL || connection->tree == tree))
            sum += jsonrpc_line_bytes(connection->peer);
    }
    return sum;
}

int server_check_bytes(const struct server *server, const struct tree *tree, size_t bytes,
                       struct error *error)
{
    struct claim claim = {.what = "bytes of messages and input",
                          .limit = server->limits.bytes,
                          .fair = server->limits.bytes,
                          .all = server_held(server).bytes + incoming_bytes(server, NULL),
                          .own = tree->held.bytes + incoming_bytes(server, tree),
                          .more = bytes};
    return check(&claim, error);
}

bool server_may_run(const struct server *server, const struct holding *all, const struct tree *tree)
{
    struct claim running = {.limit = server->limits.running,
                            .fair = server->limits.running,
                            .all = all->running - all->asking,
                            .own = tree->held.running - tree->held.asking,
                            .more = 1};
    struct claim open = {.limit = server->limits.open,
                         .fair = server->limits.open,
                         .all = all->running,
                         .own = tree->held.running,
                         .more = 1};
    return has_room(&running) && has_room(&open);
}
