/* SPDX-License-Identifier: MIT */
/* server_tree: processes that count as one client, and whose call starts next. */
#include "config.h"

#include <stdlib.h>

#include "agents/server-int.h"
#include "base/alloc.h"

#define SHARED_PART 8 /* of the places of a session is few */

struct tree *server_tree_find(struct server *server, pid_t root)
{
    struct tree *tree;
    TAILQ_FOREACH(tree, &server->trees, entry)
    {
        if (tree->root == root)
            return tree;
    }
    tree = XNEW(struct tree);
    tree->root = root;
    TAILQ_INIT(&tree->queue);
    TAILQ_INSERT_TAIL(&server->trees, tree, entry);
    return tree;
}

void server_release_tree(struct server *server, struct tree *tree)
{
    if (tree->held.connections > 0 || tree->held.calls > 0)
        return;
    TAILQ_REMOVE(&server->trees, tree, entry);
    free(tree);
}

void server_count_asking(struct server *server)
{
    for (size_t i = 0; i < SERVER_CALL_BUCKETS; i++) {
        struct server_call *call;
        LIST_FOREACH(call, &server->calls[i], by_id)
        {
            bool asking = call->running && orchestrator_waits(call->call);
            if (asking != call->asking)
                call->tree->held.asking += asking ? 1U : -1U;
            call->asking = asking;
        }
    }
}

void server_leave_place(struct server_call *call)
{
    call->tree->held.running -= call->running;
    call->tree->held.asking -= call->asking;
    call->tree->held.bytes -= call->bytes;
    call->running = call->asking = false;
    call->bytes = 0;
}

/* A few places beside those of a session, for each that has less in it than others: in the session
 * that all plain clients share one of them could keep the others out, unseen. */
static bool session_has_room(const struct server *server, const struct tree *tree,
                             const struct session *session)
{
    unsigned limit = server->limits.session_running;
    unsigned few = limit / SHARED_PART > 0 ? limit / SHARED_PART : 1;
    if (session == NULL || session->open_calls < limit)
        return true;
    return session == server->shared && tree->held.running < few &&
           session->open_calls < limit * ORCHESTRATOR_SHARED_CALLS;
}

/* The first waiting call of the tree that may start now, or NULL. */
static struct server_call *next_of_tree(const struct server *server, const struct holding *all,
                                        const struct tree *tree)
{
    struct server_call *call;
    if (!server_may_run(server, all, tree))
        return NULL;
    TAILQ_FOREACH(call, &tree->queue, waiting)
    {
        /* A session that has ended is told so when it is submitted. */
        const struct session *session = call->connection->session;
        if (session_has_room(server, tree, session))
            return call;
    }
    return NULL;
}

static struct server_call *next_to_admit(struct server *server)
{
    struct holding all = server_held(server);
    struct tree *tree;
    TAILQ_FOREACH(tree, &server->trees, entry)
    {
        struct server_call *call = next_of_tree(server, &all, tree);
        if (call == NULL)
            continue;
        /* To the end of the line: the other trees come first next time. */
        TAILQ_REMOVE(&server->trees, tree, entry);
        TAILQ_INSERT_TAIL(&server->trees, tree, entry);
        return call;
    }
    return NULL;
}

void server_admit(struct server *server)
{
    struct server_call *call;
    while ((call = next_to_admit(server)) != NULL)
        server_call_submit(call);
}
