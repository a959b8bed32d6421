/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/client-int.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "config/paths.h"

#define PROTOCOL 1

/* It understood, and says no (doc/control-socket.md). */
enum { CONSOLE_REFUSED = -32000 };

struct start {
    void (*started)(void *argument, uint64_t call, const char *why);
    void *argument;
    LIST_ENTRY(start) entry;
};

/* ---- the end ------------------------------------------------------------------------------- */

void client_give_up(struct client *client, const char *why)
{
    if (client->failure != NULL)
        return;
    client->failure = xstrdup(why);
    client->ready = false;
    loop_timer_start(client->timer, 0);
}

/* ---- what the chosen console says ------------------------------------------------------------ */

static uint64_t call_of(const json_t *params)
{
    json_int_t id = json_integer_value(json_object_get(params, "call"));
    return id > 0 ? (uint64_t)id : 0;
}

static void handle_output(struct client *client, const json_t *params)
{
    const char *stream = json_string_value(json_object_get(params, "stream"));
    const json_t *data = json_object_get(params, "data");
    json_int_t skipped = json_integer_value(json_object_get(params, "skipped"));
    cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
    if (client->events.output == NULL || stream == NULL || !json_is_string(data) ||
        base64_decode(&bytes, json_string_value(data), json_string_length(data)) < 0)
        return;
    client->events.output(client->argument, call_of(params), stream, strbuf_str(&bytes),
                          bytes.length, skipped > 0 ? (uint64_t)skipped : 0);
}

static void handle_state(struct client *client, const json_t *params)
{
    const char *state = json_string_value(json_object_get(params, "state"));
    json_int_t waiting = json_integer_value(json_object_get(params, "waiting"));
    json_int_t attempt = json_integer_value(json_object_get(params, "attempt"));
    if (state != NULL)
        client->events.state(client->argument, call_of(params), state, waiting, attempt);
}

void client_notified(void *argument, const char *method, const json_t *params)
{
    struct candidate *candidate = argument;
    struct client *client = candidate->client;
    if (client->peer != candidate->peer || client->failure != NULL || call_of(params) == 0)
        return;
    const json_t *result = json_object_get(params, "result");
    if (strcmp(method, "call/output") == 0)
        handle_output(client, params);
    else if (strcmp(method, "call/state") == 0)
        handle_state(client, params);
    else if (strcmp(method, "call/question") == 0 && client->events.question != NULL)
        client->events.question(client->argument, call_of(params), params);
    else if (strcmp(method, "call/finished") == 0 && json_is_object(result))
        client->events.finished(client->argument, call_of(params), result);
}

const char *client_error_text(const json_t *error)
{
    const char *text = json_string_value(json_object_get(error, "message"));
    return text != NULL ? text : "the console answered with an error";
}

static void refused(struct client *client, const json_t *error)
{
    cleanup_free char *why = xasprintf("the console refused: %s", client_error_text(error));
    client_give_up(client, why);
}

/* ---- introducing ourselves ------------------------------------------------------------------ */

static void on_initialized(void *argument, const json_t *result, const json_t *error)
{
    struct client *client = argument;
    if (error != NULL) {
        refused(client, error);
        return;
    }
    if (json_integer_value(json_object_get(result, "protocol")) != PROTOCOL) {
        client_give_up(client,
                       "the console speaks another protocol: use the same version of Assent");
        return;
    }
    loop_timer_stop(client->timer);
    client->ready = true;
    client->events.ready(client->argument);
}

static json_t *lossy(const char *text)
{
    return json_string_lossy(text, strlen(text));
}

void client_initialize(struct client *client)
{
    json_t *about = json_object();
    json_object_set_new(about, "name", lossy(client->name));
    json_object_set_new(about, "version", json_string(PACKAGE_VERSION));
    json_t *params = json_object();
    json_object_set_new(params, "protocol", json_integer(PROTOCOL));
    json_object_set_new(params, "client", about);
    json_object_set_new(params, "cwd", lossy(client->cwd));
    if (client->session != NULL)
        json_object_set_new(params, "session", lossy(client->session));
    if (client->capability != NULL)
        json_object_set_new(params, "capability", lossy(client->capability));
    if (client->own_session)
        json_object_set_new(params, "own_session", json_true());
    if (client->agent_session)
        json_object_set_new(params, "agent_session", json_true());
    if (client->resumes)
        json_object_set_new(params, "resumes", json_true());
    if (client->elicits)
        json_object_set_new(params, "elicits", json_true());
    loop_timer_start(client->timer, ANSWER_MS);
    jsonrpc_call(client->peer, "initialize", params, on_initialized, client);
}

/* ---- life ---------------------------------------------------------------------------------- */

static void timer_fired(void *argument)
{
    struct client *client = argument;
    /* A copy: the client may be freed by the one who is told. */
    cleanup_free char *why = client->failure != NULL ? xstrdup(client->failure) : NULL;
    if (why != NULL)
        client->events.gone(client->argument, why);
    else if (client->peer != NULL)
        client_give_up(client, "the console does not answer (is it stopped, or very busy?)");
    else if (client->candidate_count > 0)
        client_choose(client);
    else
        client_find_console(client);
}

static char *copy_or_null(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

static char **directories_of(const struct client *client)
{
    if (client->socket == NULL)
        return paths_runtime_candidates();
    char **only = xcalloc(2, sizeof(char *));
    only[0] = xstrndup(client->socket, (size_t)(strrchr(client->socket, '/') - client->socket));
    return only;
}

struct client *client_new(struct loop *loop, const struct client_setup *setup,
                          const struct client_events *events, void *argument)
{
    struct client *client = XNEW(struct client);
    client->loop = loop;
    client->events = *events;
    client->argument = argument;
    client->cwd = xstrdup(setup->cwd);
    /* An empty variable is the same as none. */
    client->socket =
        setup->socket != NULL && *setup->socket != '\0' ? xstrdup(setup->socket) : NULL;
    client->name = xstrdup(setup->name);
    client->session = copy_or_null(setup->session);
    client->capability = copy_or_null(setup->capability);
    client->own_session = setup->own_session;
    client->agent_session = setup->agent_session;
    client->resumes = setup->resumes;
    client->elicits = setup->elicits;
    client->key_directories = xcalloc(3, sizeof(char *));
    if (setup->config_directory != NULL) {
        client->key_directories[0] = xstrdup(setup->config_directory);
    } else {
        client->key_directories[0] = paths_config_directory();
        client->key_directories[1] = paths_state_directory();
    }
    client->deadline_ms = loop_now_ms(loop) + ANSWER_MS;
    client->timer = loop_timer_new(loop, timer_fired, client);
    LIST_INIT(&client->starts);
    if (client->socket != NULL && client->socket[0] != '/') {
        cleanup_free char *why =
            xasprintf("ASSENT_SOCKET is %s: expected an absolute path", client->socket);
        client_give_up(client, why);
    } else {
        client->directories = setup->socket_directories != NULL
                                  ? strv_copy(setup->socket_directories)
                                  : directories_of(client);
        loop_timer_start(client->timer, 0);
    }
    return client;
}

void client_free(struct client **place)
{
    struct client *client = *place;
    if (client == NULL)
        return;
    *place = NULL;
    client_free_candidates(client);
    while (!LIST_EMPTY(&client->starts)) {
        struct start *start = LIST_FIRST(&client->starts);
        LIST_REMOVE(start, entry);
        free(start);
    }
    loop_timer_free(&client->timer);
    free(client->cwd);
    free(client->socket);
    free(client->name);
    free(client->session);
    free(client->capability);
    strv_free(&client->directories);
    strv_free(&client->key_directories);
    explicit_bzero(&client->key, sizeof(client->key));
    free(client->failure);
    free(client);
}

bool client_is_ready(const struct client *client)
{
    return client->ready;
}

/* ---- calls --------------------------------------------------------------------------------- */

static void on_started(void *argument, const json_t *result, const json_t *error)
{
    struct start *start = argument;
    uint64_t call = error != NULL ? 0 : call_of(result);
    LIST_REMOVE(start, entry);
    start->started(start->argument, call, error != NULL ? client_error_text(error) : NULL);
    free(start);
}

void client_start(struct client *client, json_t *params,
                  void (*started)(void *argument, uint64_t call, const char *why), void *argument)
{
    struct start *start = XNEW(struct start);
    start->started = started;
    start->argument = argument;
    LIST_INSERT_HEAD(&client->starts, start, entry);
    jsonrpc_call(client->peer, "call/start", params, on_started, start);
}

static json_t *call_params(uint64_t call)
{
    json_t *params = json_object();
    json_object_set_new(params, "call", json_integer((json_int_t)call));
    return params;
}

static void on_ignored(void *argument, const json_t *result, const json_t *error)
{
    (void)argument;
    (void)result;
    (void)error;
}

void client_cancel(struct client *client, uint64_t call)
{
    if (client->ready)
        jsonrpc_call(client->peer, "call/cancel", call_params(call), on_ignored, NULL);
}

static void on_conversation(void *argument, const json_t *result, const json_t *error)
{
    struct client *client = argument;
    (void)result;
    if (error != NULL && json_integer_value(json_object_get(error, "code")) == CONSOLE_REFUSED)
        client->refused(client->refused_argument, client_error_text(error));
}

void client_decide(struct client *client, const json_t *question, bool allow)
{
    json_t *params = call_params(call_of(question));
    json_object_set(params, "prompt", json_object_get(question, "prompt"));
    json_object_set(params, "revision", json_object_get(question, "revision"));
    json_object_set_new(params, "decision", json_string(allow ? "once" : "deny"));
    jsonrpc_call(client->peer, "call/decide", params, on_ignored, NULL);
}

void client_conversation(struct client *client, const char *id, bool loaded,
                         void (*told)(void *argument, const char *why), void *argument)
{
    json_t *params = json_object();
    json_object_set_new(params, "conversation", json_string_lossy(id, strlen(id)));
    json_object_set_new(params, "loaded", json_boolean(loaded));
    client->refused = told;
    client->refused_argument = argument;
    jsonrpc_call(client->peer, "session/conversation", params, on_conversation, client);
}

static void on_fed(void *argument, const json_t *result, const json_t *error)
{
    struct client *client = argument;
    (void)result;
    client->fed(client->fed_argument, error != NULL ? client_error_text(error) : NULL);
}

void client_feed(struct client *client, uint64_t call, const char *bytes, size_t length, bool end,
                 void (*done)(void *argument, const char *error), void *argument)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    base64_encode(&text, bytes, length);
    json_t *params = call_params(call);
    json_object_set_new(params, "data", json_stringn_nocheck(strbuf_str(&text), text.length));
    if (end)
        json_object_set_new(params, "eof", json_true());
    client->fed = done;
    client->fed_argument = argument;
    jsonrpc_call(client->peer, "call/stdin", params, on_fed, client);
}

void client_resize(struct client *client, uint64_t call, int rows, int columns)
{
    if (!client->ready)
        return;
    json_t *params = call_params(call);
    json_object_set_new(params, "rows", json_integer(rows));
    json_object_set_new(params, "columns", json_integer(columns));
    jsonrpc_call(client->peer, "call/resize", params, on_ignored, NULL);
}

const char *client_console_root(const struct client *client)
{
    return client->root;
}

void client_pause(struct client *client, bool pause)
{
    if (client->peer != NULL)
        jsonrpc_pause(client->peer, pause);
}
