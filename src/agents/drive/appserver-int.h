/* SPDX-License-Identifier: MIT */
/* appserver-int: what the files of appserver share. */
#ifndef ASSENT_AGENTS_DRIVE_APPSERVER_INT_H
#define ASSENT_AGENTS_DRIVE_APPSERVER_INT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "agents/drive/appserver.h"
#include "agents/jsonrpc.h"

#define APPSERVER_TEXT_MAX 2000

struct appserver {
    struct agent_session session;
    struct agent_session_setup setup;
    char *cwd, *load;
    json_t *servers; /* mcp_servers of the configuration */
    struct jsonrpc *peer;
    char *agent;
    char *thread; /* its id; NULL before there is one */
    char *turn;   /* the id of the turn that goes on, or NULL */
    bool prompting;
    bool interrupting; /* the operator wants the turn to end as soon as it has an id */
    bool over;
    char *spoken;  /* the message that came, or comes, in pieces; or NULL */
    json_t *items; /* those that were started and may be asked about, by their id */
    LIST_HEAD(, appserver_question) questions;
    size_t question_count;
    char *words; /* what the operator said with a refusal, for the next prompt */
};

/* Answers of Codex' own beside plain yes and no, for call/start, and what is replied for each. */
struct appserver_offers {
    json_t *names, *results; /* arrays of equal length */
};

/* appserver_offer: those of a request. */
void appserver_offers_make(struct appserver_offers *offers, const char *method,
                           const json_t *params);
/* The reply that the operator picked by its name (`result` of call/finished): a new reference, or
 * NULL. */
json_t *appserver_offers_picked(const struct appserver_offers *offers, const json_t *result);
void appserver_offers_clear(struct appserver_offers *offers);

/* appserver_item: what the agent reports. */
void appserver_item_notification(struct appserver *server, const char *method,
                                 const json_t *params);

/* appserver_approval: what it asks. False: that is no question (the request is still open). */
bool appserver_approval_request(struct appserver *server, struct jsonrpc_request *request,
                                const char *method, const json_t *params);
/* The server has settled the request of that id without us. */
void appserver_approval_resolved(struct appserver *server, const json_t *id);
/* Answers every open question no and withdraws it. */
void appserver_approval_cancel(struct appserver *server);

#endif
