/* SPDX-License-Identifier: MIT */
/* server_linger: some agents end the bridge that they got no answer from in time, start another and
 * have it ask for the same again. The calls of the first wait a little for that, so that nothing
 * runs twice and the operator is not asked twice. Only while the agent's process lives, only for a
 * bridge of that same process, and only for a call of equal parameters. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"

#define LINGER_MS 15000

struct linger {
    struct loop_timer *timer;
    int pidfd; /* of the agent */
    struct loop_io *end;
};

static void over(void *argument)
{
    connection_free(argument);
}

static void agent_ended(int pidfd, unsigned events, void *argument)
{
    (void)pidfd;
    (void)events;
    connection_free(argument);
}

/* What waits for its turn has no answer to come back to. */
static void drop_waiting(struct connection *connection)
{
    struct server_call *call, *next;
    for (call = TAILQ_FIRST(&connection->calls); call != NULL; call = next) {
        next = TAILQ_NEXT(call, of_connection);
        if (call->start != NULL)
            server_call_drop(connection->server, call);
        else
            server_call_release_client(call);
    }
}

bool server_linger_begin(struct connection *connection)
{
    const struct peer_identity *identity = &connection->identity;
    if (!connection->resumes || connection->session == NULL || identity->agent == identity->pid)
        return false;
    drop_waiting(connection);
    if (TAILQ_EMPTY(&connection->calls))
        return false;
    int pidfd = (int)syscall(SYS_pidfd_open, identity->agent, 0);
    if (pidfd < 0)
        return false;
    struct linger *linger = XNEW(struct linger);
    linger->pidfd = pidfd;
    linger->end = loop_io_new(connection->server->loop, pidfd, agent_ended, connection);
    loop_io_set(linger->end, LOOP_READ);
    linger->timer = loop_timer_new(connection->server->loop, over, connection);
    loop_timer_start(linger->timer, LINGER_MS);
    connection->linger = linger;
    jsonrpc_free(&connection->peer);
    return true;
}

void server_linger_free(struct connection *connection)
{
    struct connection *other;
    TAILQ_FOREACH(other, &connection->server->connections, entry)
    {
        if (other->before == connection)
            other->before = NULL;
    }
    if (connection->linger == NULL)
        return;
    loop_timer_free(&connection->linger->timer);
    loop_io_free(&connection->linger->end);
    fd_close(&connection->linger->pidfd);
    free(steal_pointer(&connection->linger));
}

struct session *server_linger_resume(struct connection *connection)
{
    struct connection *other;
    TAILQ_FOREACH(other, &connection->server->connections, entry)
    {
        if (other->linger != NULL && other->session != NULL &&
            other->identity.agent == connection->identity.agent &&
            other->identity.branch == connection->identity.branch)
            break;
    }
    connection->before = other;
    if (other == NULL || !other->owns_session)
        return NULL;
    other->owns_session = false;
    connection->owns_session = true;
    return other->session;
}

bool server_linger_join(struct connection *connection, struct jsonrpc_request *request,
                        const char *asked)
{
    struct connection *before = connection->before;
    struct server_call *call;
    if (before == NULL || before->session != connection->session)
        return false;
    TAILQ_FOREACH(call, &before->calls, of_connection)
    {
        if (call->asked != NULL && strcmp(call->asked, asked) == 0)
            break;
    }
    if (call == NULL)
        return false;
    server_call_move(call, connection, request);
    if (TAILQ_EMPTY(&before->calls))
        connection_free(before);
    return true;
}
