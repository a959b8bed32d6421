/* SPDX-License-Identifier: MIT */
/* server-int: what the parts of the control socket share: server.c (the socket), server_tree.c
 * (whose turn it is), server_limits.c (how much they may hold), server_session.c (in whose
 * session), server_process.c (sessions of agents' processes), server_connection.c (a client and its
 * methods), server_call.c (a call and its output), server_question.c (what its client is told of a
 * question), server_linger.c (calls whose client is gone), server_neighbours.c (other consoles). */
#ifndef ASSENT_AGENTS_SERVER_INT_H
#define ASSENT_AGENTS_SERVER_INT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "agents/call_params.h"
#include "agents/jsonrpc.h"
#include "agents/peer.h"
#include "agents/proof.h"
#include "agents/server.h"

#define SERVER_PROTOCOL 1
#define SERVER_CALL_BUCKETS 64

enum server_code {
    SERVER_REFUSED = -32000, /* limits, wrong state, the command cannot be started */
    SERVER_WRONG_VERSION = -32001,
};

/* One part of a call's output on its way to the client. */
struct server_stream {
    const char *name;  /* "stdout", "stderr", "terminal" */
    uint64_t position; /* up to where it was sent */
};

struct server_call {
    struct connection *connection; /* NULL once the client is gone */
    struct tree *tree;
    struct call *call; /* NULL while it waits for its turn, and once it was forgotten */
    uint64_t id;
    char *asked; /* its parameters, canonical; NULL when nobody can ask for it again */
    struct call_params params;     /* while it waits for its turn */
    struct jsonrpc_request *start; /* unanswered while it waits for its turn */
    size_t bytes;                  /* counts in tree->held until it has finished */
    bool running;                  /* counts in tree->held */
    bool asking;                   /* counts in tree->held */
    bool streaming;                /* the client wants the output as it comes */
    bool paused;                   /* its output waits for the client */
    struct server_stream streams[2];
    int sent_state;           /* enum call_state last told, or -1 */
    size_t place, sent_place; /* prompts before its own; last told */
    uint64_t sent_prompt;     /* the question last told, 0: none */
    unsigned sent_revision;
    json_t *result;                  /* once finished, until sent */
    struct jsonrpc_request *feeding; /* call/stdin that has not been taken in full */
    struct strbuf input;             /* what is left of it */
    size_t input_size;               /* what it was; counts in tree->held */
    bool input_ends;
    LIST_ENTRY(server_call) by_id;
    TAILQ_ENTRY(server_call) of_connection;
    TAILQ_ENTRY(server_call) waiting;
};

/* What the console holds for clients. */
struct holding {
    unsigned connections;
    unsigned calls;   /* waiting for their turn, running, or with a result not taken yet */
    unsigned running; /* of these */
    unsigned asking;  /* of those that run: they wait for the operator */
    size_t bytes;     /* of the requests for all that have not finished, and of their input */
};

/* The processes that count as one client for limits. */
struct tree {
    pid_t root;
    struct holding held;
    TAILQ_HEAD(, server_call) queue;
    TAILQ_ENTRY(tree) entry;
};

struct capability {
    char secret[SERVER_SECRET_SIZE];
    char *name;
    pid_t branch;  /* the child of ours that uses it, 0 until it does */
    uint64_t call; /* that runs the agent, 0: none that we know of */
    struct session *session;
    char *conversation; /* what the agent calls its session, or NULL */
    LIST_ENTRY(capability) entry;
};

struct linger;

struct connection {
    struct server *server;
    struct jsonrpc *peer; /* NULL: the client is gone, its calls linger */
    struct peer_identity identity;
    struct tree *tree;
    struct session *session; /* NULL until initialized */
    bool owns_session;
    bool elicits;              /* it can show its user what is asked */
    bool resumes;              /* its agent may start another such client and ask again */
    struct linger *linger;     /* or NULL */
    struct connection *before; /* a lingering one whose calls this one may ask for, or NULL */
    char *name;                /* what the client calls itself, or NULL */
    unsigned open_calls;
    struct loop_timer *deadline; /* for initializing */
    bool dirty;                  /* in server->dirty: something may be sent */
    TAILQ_HEAD(server_call_list, server_call) calls;
    TAILQ_ENTRY(connection) entry, dirty_entry;
};

struct server {
    struct loop *loop;
    struct orchestrator *orchestrator;
    struct turn_context *context;
    struct server_limits limits;
    struct secret key;
    char *path, *name; /* of the socket; name: its last component */
    int directory, listener;
    struct loop_io *accepting;
    struct loop_timer *pause; /* nobody is let in: there were no descriptors left */
    struct loop_turn *turn;
    struct loop_timer *retry; /* input that a command did not take at once */
    struct session *shared;   /* of plain clients that have none by their program */
    bool session_per_program;
    char **deciding;           /* names of clients that may answer for themselves, or NULL */
    int64_t noticed_ms;        /* when the operator was last told of a refused client */
    int64_t unasked_ms;        /* … of a request for more that nobody was asked about */
    unsigned untold;           /* such requests since then */
    struct loop_timer *places; /* clients are told how many prompts are before theirs now */
    bool freed_place;          /* a waiting call may start */
    TAILQ_HEAD(, connection) connections;
    TAILQ_HEAD(dirty_list, connection) dirty;
    TAILQ_HEAD(, tree) trees;
    LIST_HEAD(, capability) capabilities;
    LIST_HEAD(, process_session) processes;
    LIST_HEAD(, neighbour) neighbours; /* other consoles that have not answered yet */
    LIST_HEAD(, server_call) calls[SERVER_CALL_BUCKETS];
};

/* ---- server_tree.c ------------------------------------------------------------------------- */

/* The tree of that root, made when it is not known. */
struct tree *server_tree_find(struct server *server, pid_t root);
/* Starts waiting calls as far as the limits allow, trees taking turns. */
void server_admit(struct server *server);
/* Which calls wait for the operator now: they leave their places to others. */
void server_count_asking(struct server *server);
/* The call does not run any more. */
void server_leave_place(struct server_call *call);
/* Drops the tree when nothing belongs to it any more. */
void server_release_tree(struct server *server, struct tree *tree);

/* ---- server_limits.c ----------------------------------------------------------------------- */

/* Fills in what is 0. */
void server_limits_complete(struct server_limits *limits);
/* All trees together. */
struct holding server_held(const struct server *server);
/* May the tree have one more connection, one more call, so many more bytes? 0, or -1 with words
 * for the client: what, the limit, what to do. */
int server_check_connection(const struct server *server, const struct tree *tree,
                            struct error *error);
int server_check_call(const struct server *server, const struct tree *tree, struct error *error);
int server_check_bytes(const struct server *server, const struct tree *tree, size_t bytes,
                       struct error *error);
/* May a waiting call of the tree start, when all trees hold that? */
bool server_may_run(const struct server *server, const struct holding *all,
                    const struct tree *tree);

/* ---- server_neighbours.c -------------------------------------------------------------------- */

void server_forget_neighbours(struct server *server);

/* ---- server_session.c ---------------------------------------------------------------------- */

/* The session that the secret stands for, opened at first use; NULL when it stands for none, or is
 * used by a process that it was not given to. */
struct session *server_capability_session(struct server *server, const char *secret,
                                          const struct peer_identity *peer);
/* The session of the agent that the peer descends from, NULL when it descends from none. */
struct session *server_agent_session(struct server *server, const struct peer_identity *peer);
/* Is it an agent that runs confined by us, or a process of its? */
bool server_confines(const struct server *server, const struct peer_identity *peer);
/* Makes the proof for processes of a confined agent (proof.h); false when the peer is none. */
bool server_confined_proof(struct server *server, const struct peer_identity *peer,
                           const char *challenge, char proof[SHA256_HEX_SIZE]);
/* The session of plain clients: the one that all share, or, when they are told apart by what they
 * come from, of the same program; then those that come from none, or from one that has gone, share
 * one. NULL with a message when it cannot be told. */
struct session *server_plain_session(struct server *server, const struct peer_identity *peer,
                                     struct error *error);
void server_free_capability(struct capability *capability);

/* ---- server.c ------------------------------------------------------------------------------ */

/* Puts the connection on the list of those that may have something to send. */
void server_mark_dirty(struct connection *connection);
void server_notice_refused(struct server *server, const struct peer_identity *peer,
                           const char *why);
/* ---- server_unasked.c ---------------------------------------------------------------------- */

/* Its request for more permissions was refused, for that reason, before it became a call. */
void server_note_unasked(const struct connection *connection, const char *why);

/* ---- server_process.c ---------------------------------------------------------------------- */

/* The session of the agent that the peer is a bridge of, opened at its first question under this
 * name; it ends with the agent's process. NULL with a message. */
struct session *server_process_session(struct server *server, const char *name,
                                       const struct peer_identity *peer, struct error *error);
/* The session that all plain clients share that come from one program (peer->job, not 0); it ends
 * with that program and the last client that it left behind. NULL with a message, ESRCH when the
 * program has gone. */
struct session *server_job_session(struct server *server, const struct peer_identity *peer,
                                   struct error *error);
/* The same before any of them is there; as its session was called before. */
struct session *server_program_session(struct server *server, pid_t program, const char *name);
/* A client of that session has gone. */
void server_process_left(struct server *server, const struct session *session);
/* The session has ended; NULL: all are forgotten. */
void server_process_forget(struct server *server, const struct session *session);

/* ---- server_linger.c ----------------------------------------------------------------------- */

/* The client is gone. True: its calls stay for a while, and so does the connection. */
bool server_linger_begin(struct connection *connection);
/* The connection is about to be freed. */
void server_linger_free(struct connection *connection);
/* session/conversation, see doc/control-socket.md. */
void server_conversation(struct connection *connection, struct jsonrpc_request *request,
                         const json_t *params);
/* A client that resumes introduces itself: finds the lingering one before it. Returns its session
 * when that was the lingering one's own and goes over to this connection, else NULL. */
struct session *server_linger_resume(struct connection *connection);
/* False when no lingering call has these parameters; else it belongs to the connection and the
 * request was answered. */
bool server_linger_join(struct connection *connection, struct jsonrpc_request *request,
                        const char *asked);

/* ---- server_question.c --------------------------------------------------------------------- */

/* May whoever sits at a client of that name answer in its place? By the operator's configuration.
 */
bool server_client_decides(const struct server *server, const char *name);
/* Tells the client what is asked, if that is new and it can show it. */
void server_question_send(struct server_call *call);
/* call/decide, see doc/control-socket.md. Answers the request. */
void server_question_decide(struct server_call *call, struct jsonrpc_request *request,
                            const json_t *params);

/* ---- server_connection.c ------------------------------------------------------------------- */

/* Takes the descriptor and the identity. */
void connection_new(struct server *server, int fd, struct peer_identity *identity,
                    struct tree *tree);
void connection_free(struct connection *connection);
/* Sends what there is to send within one turn's share. */
void connection_pump(struct connection *connection);

/* ---- server_call.c ------------------------------------------------------------------------- */

/* Takes params, which were so many bytes, and request; the call waits for its turn
 * (server_admit). */
struct server_call *server_call_new(struct connection *connection, struct call_params *params,
                                    struct jsonrpc_request *request, size_t bytes);
/* Nobody is there to be told, for now. */
void server_call_release_client(struct server_call *call);
/* Another connection takes it over, and is told everything from the beginning. Takes the request.
 */
void server_call_move(struct server_call *call, struct connection *connection,
                      struct jsonrpc_request *request);
/* Hands it to the orchestrator and answers call/start. */
void server_call_submit(struct server_call *call);
struct server_call *server_call_find(struct server *server, uint64_t id);
/* The client is gone: cancels what is not finished. May free. */
void server_call_abandon(struct server_call *call, const char *why);
/* Sends state, output and result as far as the queue and *budget (bytes) allow. May free. */
void server_call_pump(struct server_call *call, size_t *budget);
/* Takes the request: input for the command. */
void server_call_feed(struct server_call *call, struct jsonrpc_request *request,
                      struct strbuf *bytes, bool end);
/* Forgets it without a word to anybody. */
void server_call_drop(struct server *server, struct server_call *call);
/* What the orchestrator told. */
void server_call_attempt_started(struct server_call *call);
void server_call_attempt_ended(struct server_call *call); /* another may follow */
void server_call_finished(struct server *server, struct server_call *call);
void server_call_forgotten(struct server *server, struct server_call *call);

#endif
