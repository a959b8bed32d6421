/* SPDX-License-Identifier: MIT */
/*
 * server: the control socket, where clients ask the console to run commands
 * (doc/control-socket.md).
 *
 * A frontend like any other: it submits calls to the orchestrator, observes them and passes on
 * what it sees. It decides nothing. Whatever a client does, only that client gets to feel it:
 * reads and writes never block, each connection and each call has a share of every turn, a slow
 * reader holds up its own command, a client that goes away takes its calls with it.
 */
#ifndef ASSENT_AGENTS_SERVER_H
#define ASSENT_AGENTS_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "approval/context.h"
#include "approval/orchestrator.h"
#include "base/error.h"
#include "base/loop.h"

struct server;

struct server_limits {
    size_t line_bytes; /* one message; 0: 8 MiB */
    /* Of all clients together. One tree of processes takes more only while it has no more than is
     * left, so that alone it gets half; of connections that holds for the last fifth. */
    unsigned connections; /* at once; 0: 256 */
    unsigned running;     /* calls that the operator is not asked about; 0: 128 */
    unsigned open;        /* with those that the operator is asked about; 0: 2048 */
    unsigned queued;      /* beyond these, more may wait for their turn; 0: 512 */
    size_t bytes;         /* of requests for all of these, incoming messages, input; 0: 256 MiB */
    /* Of each. */
    unsigned session_running;  /* calls of one session that are not finished; 0: 64 */
    unsigned connection_calls; /* open calls of one connection, waiting ones included; 0: 64 */
};

struct server_setup {
    struct loop *loop;
    struct orchestrator *orchestrator; /* outlives the server */
    struct turn_context *context;      /* of sessions that begin; referenced */
    const char *socket; /* absolute path of the socket; NULL: PID.sock in the usual directory */
    /* Configuration directory whose secret proves to clients who we are; NULL: the usual one. */
    const char *key_directory;
    struct server_limits limits;
    /* Plain clients share a session with what the same program starts, not with all others. */
    bool session_per_program;
    /* Clients that may answer for themselves what is of no high risk, "NAME=client" each, as in the
     * configuration; NULL-terminated and copied, or NULL. */
    const char *const *deciding;
};

/* Reclaims the sockets of dead consoles, then listens. NULL with a message. */
struct server *server_new(const struct server_setup *setup, struct error *error);
/* Cancels the calls of all clients, disconnects them, removes the socket. */
void server_free(struct server **server);

/* Asks the other consoles of this user for their workspaces; the operator is told of those that
 * have the same one, once they have answered. */
void server_look_around(struct server *server);

const char *server_path(const struct server *server); /* of the socket, absolute */
unsigned server_connection_count(const struct server *server);
/* The context of sessions that begin from now on; referenced. */
void server_set_context(struct server *server, struct turn_context *context);

/* Opens the session of the plain clients of that program (0: of those that come from none) before
 * any of them is there: what was approved for them before holds from now on, and is seen. Nothing
 * where they have none of their own, or when the program has gone. */
void server_open_plain(struct server *server, pid_t program, const char *name);

/* A secret for one agent that the console is about to start (in its environment as
 * ASSENT_CAPABILITY): clients that show it share a session of that name, which nobody else can
 * get into, and they may descend from the console although other commands may not. */
#define SERVER_SECRET_SIZE 44 /* text and NUL */
void server_issue_capability(struct server *server, const char *name,
                             char secret[SERVER_SECRET_SIZE]);
/* The agent is what that call runs: whatever descends from its process is let in without showing
 * the secret, because agents start their tool servers with few variables. */
void server_bind_capability(struct server *server, const char *secret, uint64_t call);
/* Ends that agent's session. */
void server_revoke_capability(struct server *server, const char *secret);

#endif
