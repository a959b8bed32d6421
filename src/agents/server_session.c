/* SPDX-License-Identifier: MIT */
/* server_session: whose session a client speaks in: by a secret that was handed to the agent, by
 * the process that it descends from, else the one of plain clients. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/base64.h"
#include "base/random.h"
#include "base/strbuf.h"
#include "run/runner.h"

static struct session *shared_session(struct server *server)
{
    if (server->shared == NULL) {
        server->shared = orchestrator_open_session(server->orchestrator, SESSION_DEFAULT, "default",
                                                   0, NULL, server->context);
        server->shared->leftover = server->session_per_program;
    }
    return server->shared;
}

struct session *server_plain_session(struct server *server, const struct peer_identity *peer,
                                     struct error *error)
{
    struct error why = ERROR_INIT;
    bool own = server->session_per_program && peer->job != 0;
    struct session *session = own ? server_job_session(server, peer, &why) : NULL;
    if (session == NULL && own && why.number != ESRCH) {
        *error = why;
        return NULL;
    }
    return session != NULL ? session : shared_session(server);
}

void server_open_plain(struct server *server, pid_t program, const char *name)
{
    if (program == 0)
        shared_session(server);
    else if (server->session_per_program)
        server_program_session(server, program, name);
}

/* In a time that does not tell how much of it was right. */
static bool same_secret(const char *a, const char *b)
{
    size_t length = strlen(a);
    if (strlen(b) != length)
        return false;
    unsigned char difference = 0;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)(a[i] ^ b[i]);
    return difference == 0;
}

static struct capability *find_capability(struct server *server, const char *secret)
{
    struct capability *capability, *found = NULL;
    LIST_FOREACH(capability, &server->capabilities, entry)
    {
        if (same_secret(capability->secret, secret))
            found = capability;
    }
    return found;
}

static struct session *session_of(struct server *server, struct capability *capability,
                                  const struct peer_identity *peer)
{
    const struct call *agent = capability->call != 0
                                   ? orchestrator_find_call(server->orchestrator, capability->call)
                                   : NULL;
    if (capability->session != NULL)
        return capability->session;
    capability->session =
        orchestrator_open_session(server->orchestrator, SESSION_CLIENT, capability->name, peer->pid,
                                  peer->exe, server->context);
    capability->session->confined = agent != NULL && agent->session->confined;
    return capability->session;
}

struct session *server_capability_session(struct server *server, const char *secret,
                                          const struct peer_identity *peer)
{
    struct capability *capability = find_capability(server, secret);
    if (capability == NULL)
        return NULL;
    /* The agent hands its environment on: a command that it has run by us may hold the secret too,
     * but does not descend from the same child of ours. */
    if (peer->branch != 0 && capability->branch == 0)
        capability->branch = peer->branch;
    if (peer->branch != capability->branch)
        return NULL;
    return session_of(server, capability, peer);
}

/* The child of ours that a call runs in; 0 when it does not run. */
static pid_t branch_of_call(const struct server *server, uint64_t id)
{
    const struct call *call = id != 0 ? orchestrator_find_call(server->orchestrator, id) : NULL;
    return call != NULL && call->run != NULL ? run_pid(call->run) : 0;
}

static const struct capability *confined_capability(const struct server *server,
                                                    const struct peer_identity *peer)
{
    const struct capability *capability;
    LIST_FOREACH(capability, &server->capabilities, entry)
    {
        pid_t branch = branch_of_call(server, capability->call);
        if (branch != 0 && branch == peer->branch)
            return orchestrator_find_call(server->orchestrator, capability->call)->session->confined
                       ? capability
                       : NULL;
    }
    return NULL;
}

bool server_confines(const struct server *server, const struct peer_identity *peer)
{
    return confined_capability(server, peer) != NULL;
}

bool server_confined_proof(struct server *server, const struct peer_identity *peer,
                           const char *challenge, char proof[SHA256_HEX_SIZE])
{
    const struct capability *capability = confined_capability(server, peer);
    if (capability != NULL)
        proof_make_confined(capability->secret, challenge, proof);
    return capability != NULL;
}

struct session *server_agent_session(struct server *server, const struct peer_identity *peer)
{
    struct capability *capability;
    LIST_FOREACH(capability, &server->capabilities, entry)
    {
        pid_t branch = branch_of_call(server, capability->call);
        if (branch != 0 && branch == peer->branch)
            return session_of(server, capability, peer);
    }
    return NULL;
}

void server_issue_capability(struct server *server, const char *name,
                             char secret[SERVER_SECRET_SIZE])
{
    unsigned char random[32];
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    struct capability *capability = XNEW(struct capability);
    random_fill(random, sizeof(random));
    base64_encode(&text, random, sizeof(random));
    snprintf(capability->secret, sizeof(capability->secret), "%.43s", strbuf_str(&text));
    capability->name = xstrdup(name);
    LIST_INSERT_HEAD(&server->capabilities, capability, entry);
    memcpy(secret, capability->secret, SERVER_SECRET_SIZE);
}

void server_bind_capability(struct server *server, const char *secret, uint64_t call)
{
    struct capability *capability = find_capability(server, secret);
    if (capability != NULL)
        capability->call = call;
}

void server_free_capability(struct capability *capability)
{
    LIST_REMOVE(capability, entry);
    explicit_bzero(capability->secret, sizeof(capability->secret));
    free(capability->name);
    free(capability->conversation);
    free(capability);
}

void server_revoke_capability(struct server *server, const char *secret)
{
    struct capability *capability = find_capability(server, secret);
    if (capability == NULL)
        return;
    struct session *session = capability->session;
    server_free_capability(capability);
    struct connection *connection, *next;
    for (connection = TAILQ_FIRST(&server->connections); connection != NULL; connection = next) {
        next = TAILQ_NEXT(connection, entry);
        if (session != NULL && connection->session == session)
            connection_free(connection);
    }
    if (session != NULL)
        orchestrator_close_session(server->orchestrator, session);
}
