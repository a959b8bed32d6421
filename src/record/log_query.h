/* SPDX-License-Identifier: MIT */
/*
 * log_query: the calls in a session log that an operator asks for, one after the other, with what
 * was decided about each and how it ended.
 */
#ifndef ASSENT_RECORD_LOG_QUERY_H
#define ASSENT_RECORD_LOG_QUERY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/log_index.h"

/* NULL or 0: whatever it is. */
struct log_query {
    const char *session;  /* its id */
    const char *agent;    /* a part of the name of the session or of the client */
    const char *decision; /* as in the log; "approved" is every kind of approval; none while a
                             second try waits for an answer */
    const char *source;   /* "user", "config", "cache", "rule", "client", "stopped", "ended" */
    const char *risk;     /* "low", "medium", "high": this level or a higher one */
    const char *text; /* a part of command (asked or edited), justification, directory or message,
                         any case; or the name of a call, "c12" */
    bool denials; /* only what the operator denied, with "x" as well, and has not taken back; not
                     what ended with another or with its agent */
    uint64_t call;
    int64_t since_ms, until_ms;
    size_t last; /* only so many, the newest; 0: all */
    /* Is a rule that outlived its session still kept? NULL: only what the log itself tells of that
     * is known. */
    bool (*keeps_rule)(void *argument, const char *line);
    void *keeper;
};

/* A call; everything is borrowed until the next. Texts are untrusted. */
struct log_call {
    uint64_t number;
    int64_t time_ms;
    const char *console, *session, *agent;
    bool shared;          /* by plain clients: `agent` is nobody's name */
    const char *client;   /* what the client calls itself, "" when it does not say */
    const char *risk;     /* "" when it was not assessed */
    const char *decision; /* "" while there is none */
    const char *source;
    uint64_t covered_by; /* the call whose answer covered it; 0: none, or none that is recorded */
    uint64_t reached_by, reached_last_by; /* the same of the first and the last of its connections
                                             that an answer covered; 0: none was */
    uint64_t host_by, host_last_by;       /* the same of those for which the operator was asked, and
                                             allowed them: the calls that asked */
    int64_t waited_ms;                    /* -1: nobody was asked */
    json_t *received;                     /* its event call_received */
    json_t *edited;                       /* what the operator made of it last, NULL: nothing */
    json_t *decided;                      /* its last decision, NULL when there is none */
    json_t *finished;                     /* NULL when it has not */
    bool unsandboxed;                     /* something of it ran where no sandbox held it */
    bool tried;          /* it ran, or began to: when it was denied, that was its second try */
    bool held_back;      /* it ran, and a host that it asked for was denied */
    bool taken_back;     /* the operator allowed more than this, or denied it, and took that back
                            since: a rule, an answer for longer, a denial */
    bool open;           /* it waits for an answer: with a decision, after a first try */
    const char *command; /* the words in the end, quoted as for a shell */
    const char *asked;   /* the same as the agent asked, NULL when it was not edited */
};

/* Calls `found` for each, in the order in which they came, until it says false. False then. */
bool log_query_run(const struct log_index *index, const char *console,
                   const struct log_query *query,
                   bool (*found)(void *argument, const struct log_call *call), void *argument);
/* The same in steps that take a few milliseconds each. What is given is borrowed until it is freed;
 * the index must not change. */
struct log_search *log_search_new(const struct log_index *index, const char *console,
                                  const struct log_query *query);
/* True when there is more to do. */
bool log_search_step(struct log_search *search,
                     bool (*found)(void *argument, const struct log_call *call), void *argument);
void log_search_free(struct log_search **search);

/* Is anything asked for beyond the session? */
bool log_query_selects(const struct log_query *query);

#endif
