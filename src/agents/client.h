/* SPDX-License-Identifier: MIT */
/*
 * client: finds a running console, lets it prove that it is the operator's, introduces itself and
 * asks it to run commands; what `assent exec` and `assent mcp` share. Everything happens on the
 * loop, nothing blocks.
 */
#ifndef ASSENT_AGENTS_CLIENT_H
#define ASSENT_AGENTS_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/loop.h"

struct client;

struct client_setup {
    const char *cwd;    /* absolute: the console whose root is its closest ancestor is taken */
    const char *socket; /* a certain console's socket, or NULL */
    /* Where sockets are looked for (NULL-terminated) and where the secret is that consoles prove
     * themselves with; NULL: where the environment says. */
    const char *const *socket_directories;
    const char *config_directory;
    const char *name;       /* what the program calls itself */
    const char *session;    /* a name to show, or NULL */
    const char *capability; /* the secret that the console handed over, or NULL */
    bool own_session;       /* without a capability: a session of this connection's own */
    bool resumes;           /* the agent may end this client and ask another for the same */
    bool elicits;           /* questions are to be told: they can be shown to a user */
    bool agent_session;     /* without a capability: that of the agent's process */
};

struct client_events {
    /* The console has let us in. */
    void (*ready)(void *argument);
    /* `waiting`: how many questions the operator answers before ours; `attempt`: how often it has
     * been started. */
    void (*state)(void *argument, uint64_t call, const char *state, int64_t waiting,
                  int64_t attempt);
    /* With `elicits`: what the operator is asked about the call, the parameters of call/question;
     * another one takes its place. May be NULL. */
    void (*question)(void *argument, uint64_t call, const json_t *question);
    /* May be NULL when no call asked for a stream. */
    void (*output)(void *argument, uint64_t call, const char *stream, const char *bytes,
                   size_t length, uint64_t skipped);
    /* The last of a call. `result` as in doc/control-socket.md, borrowed. */
    void (*finished)(void *argument, uint64_t call, const json_t *result);
    /* The last of all, once, never from inside client_new(): there is no console, it did not let
     * us in, or it has gone. `why` says so and what to do. The client may be freed from here. */
    void (*gone)(void *argument, const char *why);
};

/* Starts to look for a console. Strings of `setup` are copied. */
struct client *client_new(struct loop *loop, const struct client_setup *setup,
                          const struct client_events *events, void *argument);
void client_free(struct client **client);
bool client_is_ready(const struct client *client);
/* The workspace of the console that was chosen; NULL until one was. Borrowed. */
const char *client_console_root(const struct client *client);

/* Asks to run a command; takes `params` (those of call/start). `started` is called once, with the
 * call's id, or with 0 and the reason why not; not any more once the client is gone or freed.
 * Only when ready. */
void client_start(struct client *client, json_t *params,
                  void (*started)(void *argument, uint64_t call, const char *why), void *argument);
void client_cancel(struct client *client, uint64_t call);
/* What the client's user said to a question; only where it says may_decide does that count. */
void client_decide(struct client *client, const json_t *question, bool allow);
/* The agent's session goes on under this id of its own; `loaded`: it is an earlier one, which must
 * not be open elsewhere. `told` is called when the console does not want that, not otherwise.
 * Only when ready. */
void client_conversation(struct client *client, const char *id, bool loaded,
                         void (*told)(void *argument, const char *why), void *argument);
/* Input for a command; `done` is called when it was taken (error NULL) or not. One at a time. */
void client_feed(struct client *client, uint64_t call, const char *bytes, size_t length, bool end,
                 void (*done)(void *argument, const char *error), void *argument);
void client_resize(struct client *client, uint64_t call, int rows, int columns);
/* Stops or goes on reading: the command is held back when we are slow. */
void client_pause(struct client *client, bool pause);

#endif
