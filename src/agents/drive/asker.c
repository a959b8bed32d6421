/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/drive/asker.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "base/alloc.h"

struct asked {
    struct asker *asker;
    json_t *params; /* until it is sent */
    uint64_t id;    /* 0: the console has not said yet */
    bool cancelled;
    bool dropped; /* nobody listens */
    const struct asked_events *events;
    void *argument;
    TAILQ_ENTRY(asked) entry;
};

struct asker {
    struct loop *loop;
    struct client_setup setup;
    char *name; /* or NULL: setup.session */
    struct client *client;
    struct loop_timer *withdrawn; /* tells of calls that were cancelled before they were sent */
    TAILQ_HEAD(asked_list, asked) calls;
    char *conversation; /* or NULL */
    bool loaded;
    void (*refused)(void *argument, const char *why);
    void *refused_argument;
};

static void free_asked(struct asked *asked)
{
    TAILQ_REMOVE(&asked->asker->calls, asked, entry);
    json_decref(asked->params);
    free(asked);
}

static void finish(struct asked *asked, const json_t *result, const char *why)
{
    const struct asked_events *events = asked->events;
    void *argument = asked->argument;
    bool dropped = asked->dropped;
    free_asked(asked);
    if (!dropped)
        events->finished(argument, result, why);
}

static struct asked *find(struct asker *asker, uint64_t id)
{
    struct asked *asked;
    TAILQ_FOREACH(asked, &asker->calls, entry)
    {
        if (asked->id == id)
            break;
    }
    return asked;
}

static void on_started(void *argument, uint64_t id, const char *why)
{
    struct asked *asked = argument;
    if (id == 0) {
        finish(asked, NULL, why != NULL ? why : "the console did not take it");
        return;
    }
    asked->id = id;
    if (asked->cancelled)
        client_cancel(asked->asker->client, id);
}

static void send_call(struct asked *asked)
{
    client_start(asked->asker->client, steal_pointer(&asked->params), on_started, asked);
}

static void send_conversation(struct asker *asker)
{
    client_conversation(asker->client, asker->conversation, asker->loaded, asker->refused,
                        asker->refused_argument);
}

static void on_ready(void *argument)
{
    struct asker *asker = argument;
    struct asked *asked;
    if (asker->conversation != NULL)
        send_conversation(asker);
    TAILQ_FOREACH(asked, &asker->calls, entry)
    {
        if (asked->params != NULL && !asked->cancelled)
            send_call(asked);
    }
}

static void on_state(void *argument, uint64_t call, const char *state, int64_t waiting,
                     int64_t attempt)
{
    (void)argument;
    (void)call;
    (void)state;
    (void)waiting;
    (void)attempt;
}

static void on_output(void *argument, uint64_t call, const char *stream, const char *bytes,
                      size_t length, uint64_t skipped)
{
    struct asked *asked = find(argument, call);
    (void)stream;
    if (asked != NULL && !asked->dropped && asked->events->output != NULL)
        asked->events->output(asked->argument, bytes, length, skipped);
}

static void on_finished(void *argument, uint64_t call, const json_t *result)
{
    struct asked *asked = find(argument, call);
    if (asked != NULL)
        finish(asked, result, NULL);
}

/* What is asked while this goes on looks for a console anew. */
static void on_gone(void *argument, const char *why)
{
    struct asker *asker = argument;
    struct asked *last = TAILQ_LAST(&asker->calls, asked_list);
    client_free(&asker->client);
    for (struct asked *asked; last != NULL && (asked = TAILQ_FIRST(&asker->calls)) != NULL;) {
        bool was_last = asked == last;
        finish(asked, NULL, why);
        if (was_last)
            break;
    }
}

static const struct client_events console_events = {
    .ready = on_ready,
    .state = on_state,
    .output = on_output,
    .finished = on_finished,
    .gone = on_gone,
};

static void tell_withdrawn(void *argument)
{
    struct asker *asker = argument;
    struct asked *asked = TAILQ_FIRST(&asker->calls);
    while (asked != NULL && !(asked->cancelled && asked->params != NULL))
        asked = TAILQ_NEXT(asked, entry);
    if (asked == NULL)
        return;
    loop_timer_start(asker->withdrawn, 0); /* there may be more */
    finish(asked, NULL, "cancelled");
}

struct asker *asker_new(struct loop *loop, const struct client_setup *client)
{
    struct asker *asker = XNEW(struct asker);
    asker->loop = loop;
    asker->setup = *client;
    asker->withdrawn = loop_timer_new(loop, tell_withdrawn, asker);
    TAILQ_INIT(&asker->calls);
    return asker;
}

void asker_set_name(struct asker *asker, const char *name)
{
    free(asker->name);
    asker->name = xstrdup(name);
    asker->setup.session = asker->name;
}

void asker_free(struct asker **place)
{
    struct asker *asker = *place;
    if (asker == NULL)
        return;
    client_free(&asker->client); /* which cancels what it started */
    while (!TAILQ_EMPTY(&asker->calls))
        free_asked(TAILQ_FIRST(&asker->calls));
    loop_timer_free(&asker->withdrawn);
    free(asker->name);
    free(asker->conversation);
    free(asker);
    *place = NULL;
}

void asker_conversation(struct asker *asker, const char *id, bool loaded,
                        void (*refused)(void *argument, const char *why), void *argument)
{
    free(asker->conversation);
    asker->conversation = xstrdup(id);
    asker->loaded = loaded;
    asker->refused = refused;
    asker->refused_argument = argument;
    if (asker->client == NULL)
        asker->client = client_new(asker->loop, &asker->setup, &console_events, asker);
    else if (client_is_ready(asker->client))
        send_conversation(asker);
}

struct asked *asker_start(struct asker *asker, json_t *params, const struct asked_events *events,
                          void *argument)
{
    struct asked *asked = XNEW(struct asked);
    asked->asker = asker;
    asked->params = params;
    asked->events = events;
    asked->argument = argument;
    TAILQ_INSERT_TAIL(&asker->calls, asked, entry);
    if (asker->client == NULL)
        asker->client = client_new(asker->loop, &asker->setup, &console_events, asker);
    else if (client_is_ready(asker->client))
        send_call(asked);
    return asked;
}

void asker_cancel(struct asked *asked)
{
    struct asker *asker = asked->asker;
    if (asked->cancelled)
        return;
    asked->cancelled = true;
    if (asked->id != 0)
        client_cancel(asker->client, asked->id);
    else if (asked->params != NULL)
        loop_timer_start(asker->withdrawn, 0);
}

void asker_drop(struct asked **place)
{
    struct asked *asked = *place;
    if (asked == NULL)
        return;
    *place = NULL;
    asked->dropped = true;
    asker_cancel(asked);
}
