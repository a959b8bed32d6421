/* SPDX-License-Identifier: MIT */
/*
 * client-int: what the parts of the client share.
 *
 *   client         the conversation with the console that was chosen
 *   client_search  finds the consoles and chooses one
 */
#ifndef ASSENT_AGENTS_CLIENT_INT_H
#define ASSENT_AGENTS_CLIENT_INT_H

#include <sys/queue.h>

#include "agents/client.h"
#include "agents/jsonrpc.h"
#include "agents/proof.h"

/* How long a console may take to answer the first words; a stopped one never does. */
#define ANSWER_MS 30000

/* Something that answers the connection; one that is a console is chosen, the others dropped. */
struct candidate {
    struct client *client;
    struct jsonrpc *peer; /* NULL once dropped */
    char *path;           /* of its socket, to name it */
    char *root;           /* NULL until it has told it and proved to be the operator's console */
    char *why;            /* it is of no use, or NULL */
    char challenge[SHA256_HEX_SIZE];
};

struct client {
    struct loop *loop;
    struct client_events events;
    void *argument;
    char *cwd, *socket, *name, *session, *capability;
    bool own_session, agent_session, resumes, elicits;
    char **directories;     /* where sockets are looked for */
    bool confined;          /* with its agent: the capability takes the place of the secret */
    char **key_directories; /* where the secret may be, best first */
    struct secret key;      /* once there are candidates */
    struct candidate **candidates;
    size_t candidate_count;
    struct jsonrpc *peer;     /* of the candidate that was chosen, or NULL */
    const char *root;         /* its workspace; the candidate's */
    struct loop_timer *timer; /* for the step in progress */
    int64_t deadline_ms;      /* for finding a console that is not too busy */
    bool ready;
    char *failure; /* why it is over; told by the timer */
    void (*fed)(void *argument, const char *error);
    void *fed_argument;
    void (*refused)(void *argument, const char *why);
    void *refused_argument;
    LIST_HEAD(, start) starts; /* without an answer */
};

/* ---- client ---------------------------------------------------------------------------------- */

/* Notes the reason; it is told in the next turn, when no function of ours is in progress. */
void client_give_up(struct client *client, const char *why);
/* What an answer that is an error says; borrowed. */
const char *client_error_text(const json_t *error);
/* Introduces us to the console that was chosen. */
void client_initialize(struct client *client);
/* A jsonrpc_events.notification, of a candidate. */
void client_notified(void *argument, const char *method, const json_t *params);

/* ---- client_search --------------------------------------------------------------------------- */

/* Connects to all that may be consoles and asks them who they are; gives up when there are none. */
void client_find_console(struct client *client);
/* Takes one of those that have told, or gives up. */
void client_choose(struct client *client);
void client_free_candidates(struct client *client);

#endif
