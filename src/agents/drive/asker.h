/* SPDX-License-Identifier: MIT */
/*
 * asker: questions and commands of one agent on their way to the console, each with callbacks of
 * its own. Looks for the console when there is something to ask; what is asked meanwhile waits.
 */
#ifndef ASSENT_AGENTS_DRIVE_ASKER_H
#define ASSENT_AGENTS_DRIVE_ASKER_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "agents/client.h"
#include "base/loop.h"

struct asker;
struct asked; /* a call that has not finished */

struct asked_events {
    /* What the command prints. May be NULL. */
    void (*output)(void *argument, const char *bytes, size_t length, uint64_t skipped);
    /* Once, never from inside asker_start(): the result of call/finished, or (NULL) why there is
     * none. The call is gone afterwards. */
    void (*finished)(void *argument, const json_t *result, const char *why);
};

/* `client` as for client_new(); its strings outlive the asker. */
struct asker *asker_new(struct loop *loop, const struct client_setup *client);
/* What the console shows as the name of whoever asks, from the next connection on. */
void asker_set_name(struct asker *asker, const char *name);
/* Every call is cancelled and says nothing more. */
void asker_free(struct asker **asker);

/* The agent's session goes on under this id of its own; `loaded`: it is an earlier one. `refused`
 * is called when that is open elsewhere in the console, not otherwise. */
void asker_conversation(struct asker *asker, const char *id, bool loaded,
                        void (*refused)(void *argument, const char *why), void *argument);

/* Takes the parameters of call/start. */
struct asked *asker_start(struct asker *asker, json_t *params, const struct asked_events *events,
                          void *argument);
/* The call is to end; `finished` still comes. */
void asker_cancel(struct asked *asked);
/* The same, and nothing more comes; clears the pointer. NULL inside is allowed. */
void asker_drop(struct asked **asked);

#endif
