/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"

/* Bytes of output that one connection sends in one turn. */
#define TURN_BYTES ((size_t)24 * 1024)
/* A connection that has not introduced itself by then makes room for others. */
#define INITIALIZE_MS 10000
/* Names are for showing. */
#define NAME_MAX_BYTES 200
#define CHALLENGE_MAX_BYTES 256
#define TERMINAL_SIZE_MAX 4096

/* ---- life ---------------------------------------------------------------------------------- */

void connection_free(struct connection *connection)
{
    struct server *server = connection->server;
    const struct session *session = connection->session;
    struct server_call *call;
    server_linger_free(connection);
    while ((call = TAILQ_FIRST(&connection->calls)) != NULL)
        server_call_abandon(call, "the client is gone");
    if (connection->owns_session)
        orchestrator_close_session(server->orchestrator, connection->session);
    if (connection->dirty)
        TAILQ_REMOVE(&server->dirty, connection, dirty_entry);
    TAILQ_REMOVE(&server->connections, connection, entry);
    connection->tree->held.connections--;
    server_release_tree(server, connection->tree);
    loop_timer_free(&connection->deadline);
    jsonrpc_free(&connection->peer);
    peer_clear(&connection->identity);
    free(connection->name);
    free(connection);
    if (session != NULL)
        server_process_left(server, session);
}

/* The client has introduced itself too late. */
static void deadline_passed(void *argument)
{
    struct connection *connection = argument;
    jsonrpc_complain(connection->peer, SERVER_REFUSED, "no initialize came: disconnected");
    jsonrpc_flush(connection->peer);
    connection_free(connection);
}

static void on_closed(void *argument, int number)
{
    struct connection *connection = argument;
    (void)number;
    jsonrpc_flush(connection->peer);
    if (!server_linger_begin(connection))
        connection_free(connection);
}

static void on_drained(void *argument)
{
    server_mark_dirty(argument);
}

void connection_pump(struct connection *connection)
{
    size_t budget = TURN_BYTES;
    struct server_call *call, *next;
    if (connection->peer == NULL)
        return;
    struct server_call *last = TAILQ_LAST(&connection->calls, server_call_list);
    for (call = TAILQ_FIRST(&connection->calls); call != NULL; call = next) {
        next = call == last ? NULL : TAILQ_NEXT(call, of_connection);
        server_call_pump(call, &budget);
    }
    if (budget > 0 || jsonrpc_full(connection->peer))
        return;
    /* Whoever had the turn's bytes waits behind the others next time. */
    call = TAILQ_FIRST(&connection->calls);
    if (call != NULL) {
        TAILQ_REMOVE(&connection->calls, call, of_connection);
        TAILQ_INSERT_TAIL(&connection->calls, call, of_connection);
    }
    server_mark_dirty(connection);
}

/* ---- initialize ---------------------------------------------------------------------------- */

static json_t *console_object(const struct server *server)
{
    json_t *console = json_object();
    json_object_set_new(console, "version", json_string(PACKAGE_VERSION));
    json_object_set_new(console, "pid", json_integer(getpid()));
    json_object_set_new(console, "root",
                        json_string_lossy(server->context->root, strlen(server->context->root)));
    return console;
}

static void handle_info(struct connection *connection, struct jsonrpc_request *request,
                        const json_t *params)
{
    struct error error = ERROR_INIT;
    const char *challenge = NULL;
    if (json_get_string_optional(params, "challenge", &challenge, &error) < 0) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    if (challenge != NULL && strlen(challenge) > CHALLENGE_MAX_BYTES) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "challenge: expected at most %d bytes",
                     CHALLENGE_MAX_BYTES);
        return;
    }
    json_t *result = json_object();
    if (challenge != NULL) {
        char proof[SHA256_HEX_SIZE];
        proof_make(&connection->server->key, challenge, connection->identity.pid, proof);
        json_object_set_new(result, "proof", json_string(proof));
        if (server_confined_proof(connection->server, &connection->identity, challenge, proof))
            json_object_set_new(result, "confined_proof", json_string(proof));
    }
    json_object_set_new(result, "protocol", json_integer(SERVER_PROTOCOL));
    json_object_set_new(result, "console", console_object(connection->server));
    jsonrpc_reply(&request, result);
}

struct introduction {
    int64_t protocol;
    const char *name, *session, *capability;
    bool own_session, agent_session, resumes, elicits;
};

static int read_introduction(const json_t *params, struct introduction *out, struct error *error)
{
    const json_t *client = json_object_get(params, "client");
    if (client != NULL && !json_is_object(client))
        return error_set(error, 0, "client: expected an object");
    if (json_get_integer_optional(params, "protocol", INT32_MIN, INT32_MAX, &out->protocol, error) <
            0 ||
        json_get_string_optional(params, "session", &out->session, error) < 0 ||
        json_get_string_optional(params, "capability", &out->capability, error) < 0 ||
        json_get_bool_optional(params, "own_session", &out->own_session, error) < 0 ||
        json_get_bool_optional(params, "agent_session", &out->agent_session, error) < 0 ||
        json_get_bool_optional(params, "resumes", &out->resumes, error) < 0 ||
        json_get_bool_optional(params, "elicits", &out->elicits, error) < 0)
        return -1;
    if (client != NULL && json_get_string_optional(client, "name", &out->name, error) < 0)
        return error_prefix(error, "client");
    return 0;
}

/* The session that the client's calls belong to, by what it can show, never by a name. NULL with
 * the reason. */
static struct session *choose_session(struct connection *connection,
                                      const struct introduction *introduction, struct error *error)
{
    struct server *server = connection->server;
    const struct peer_identity *identity = &connection->identity;
    struct session *resumed = introduction->resumes ? server_linger_resume(connection) : NULL;
    if (resumed != NULL)
        return resumed;
    if (introduction->capability != NULL) {
        struct session *session =
            server_capability_session(server, introduction->capability, identity);
        if (session == NULL)
            error_set(error, 0, "the capability is not valid here");
        return session;
    }
    if (identity->branch != 0) {
        struct session *session = server_agent_session(server, identity);
        if (session == NULL)
            error_set(error, 0, "a command that this console runs cannot ask it to run another");
        return session;
    }
    if (introduction->agent_session && identity->agent != identity->pid)
        return server_process_session(server, connection->name, identity, error);
    if (!introduction->own_session)
        return server_plain_session(server, identity, error);
    struct session *session =
        orchestrator_open_session(server->orchestrator, SESSION_CLIENT, connection->name,
                                  identity->agent, identity->exe, server->context);
    session->client_decides = server_client_decides(server, connection->name);
    connection->owns_session = true;
    return session;
}

/* Which processes a session belongs to that not everybody shares. */
static void note_tree(const struct connection *connection)
{
    const struct server *server = connection->server;
    struct session *session = connection->session;
    if (session != NULL && session != server->shared && session->tree == 0)
        orchestrator_set_tree(server->orchestrator, session, connection->identity.tree);
}

static void answer_initialize(struct connection *connection, struct jsonrpc_request *request)
{
    const struct session *session = connection->session;
    json_t *shown = json_object();
    json_object_set_new(shown, "id", json_string(session->id));
    json_object_set_new(shown, "name", json_string_lossy(session->name, strlen(session->name)));
    json_t *result = json_object();
    json_object_set_new(result, "protocol", json_integer(SERVER_PROTOCOL));
    json_object_set_new(result, "console", console_object(connection->server));
    json_object_set_new(result, "session", shown);
    jsonrpc_reply(&request, result);
}

static void handle_initialize(struct connection *connection, struct jsonrpc_request *request,
                              const json_t *params)
{
    struct error error = ERROR_INIT;
    struct introduction introduction = {0};
    if (connection->session != NULL) {
        jsonrpc_fail(&request, SERVER_REFUSED, "already initialized");
        return;
    }
    if (read_introduction(params, &introduction, &error) < 0) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    if (introduction.protocol != SERVER_PROTOCOL) {
        jsonrpc_fail(&request, SERVER_WRONG_VERSION,
                     "the console (Assent %s) speaks protocol %d, the client %" PRId64
                     ": use the same version of Assent for both",
                     PACKAGE_VERSION, SERVER_PROTOCOL, introduction.protocol);
        return;
    }
    const char *name = introduction.session != NULL ? introduction.session : introduction.name;
    free(connection->name);
    connection->name = xstrndup(name != NULL ? name : "client", NAME_MAX_BYTES);
    connection->session = choose_session(connection, &introduction, &error);
    note_tree(connection);
    if (connection->session == NULL) {
        server_notice_refused(connection->server, &connection->identity, error.message);
        jsonrpc_fail(&request, SERVER_REFUSED, "%s", error.message);
        return;
    }
    connection->resumes = introduction.resumes;
    /* Whoever converses with an agent in the console sees its questions there. */
    connection->elicits = introduction.elicits && connection->owns_session;
    loop_timer_stop(connection->deadline);
    answer_initialize(connection, request);
}

/* ---- calls --------------------------------------------------------------------------------- */

static void handle_start(struct connection *connection, struct jsonrpc_request *request,
                         const json_t *params)
{
    struct error error = ERROR_INIT;
    struct call_params call;
    const struct server_limits *limits = &connection->server->limits;
    if (connection->session->ended) {
        jsonrpc_fail(&request, SERVER_REFUSED, "the session has ended");
        return;
    }
    cleanup_free char *asked = connection->resumes ? json_canonical(params) : NULL;
    if (asked != NULL && server_linger_join(connection, request, asked))
        return;
    if (connection->open_calls >= limits->connection_calls) {
        jsonrpc_fail(&request, SERVER_REFUSED,
                     "a connection may have %u open calls: wait until one has finished",
                     limits->connection_calls);
        return;
    }
    size_t bytes = json_dumpb(params, NULL, 0, JSON_COMPACT);
    if (server_check_call(connection->server, connection->tree, &error) < 0 ||
        server_check_bytes(connection->server, connection->tree, bytes, &error) < 0) {
        jsonrpc_fail(&request, SERVER_REFUSED, "%s", error.message);
        return;
    }
    if (call_params_read(params, &call, &error) < 0) {
        if (json_is_true(json_object_get(params, "widens")))
            server_note_unasked(connection, error.message);
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    const struct server_call *target =
        call.input_for != 0 ? server_call_find(connection->server, (uint64_t)call.input_for) : NULL;
    if (call.input_for != 0 && (target == NULL || target->connection != connection)) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS,
                     "input_for: expected the id of an open call");
        call_params_clear(&call);
        return;
    }
    server_call_new(connection, &call, request, bytes)->asked = steal_pointer(&asked);
    server_admit(connection->server);
}

/* The call that params name, or NULL after the request was answered. */
static struct server_call *named_call(struct connection *connection,
                                      struct jsonrpc_request **request, const json_t *params)
{
    struct error error = ERROR_INIT;
    int64_t id = 0;
    if (json_get_integer_optional(params, "call", 1, INT64_MAX, &id, &error) < 0) {
        jsonrpc_fail(request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return NULL;
    }
    struct server_call *call = server_call_find(connection->server, (uint64_t)id);
    if (call != NULL && call->connection == connection)
        return call;
    jsonrpc_fail(request, JSONRPC_INVALID_PARAMS, "call: expected the id of an open call");
    return NULL;
}

static void handle_cancel(struct connection *connection, struct jsonrpc_request *request,
                          const json_t *params)
{
    struct server_call *call = named_call(connection, &request, params);
    if (call == NULL)
        return;
    if (call->running)
        orchestrator_cancel(connection->server->orchestrator, call->call, CANCELLED_BY_CLIENT,
                            "withdrawn by the client");
    jsonrpc_reply(&request, json_object());
}

static void handle_stdin(struct connection *connection, struct jsonrpc_request *request,
                         const json_t *params)
{
    struct error error = ERROR_INIT;
    const char *data = "";
    bool end = false;
    cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
    struct server_call *call = named_call(connection, &request, params);
    if (call == NULL)
        return;
    if (json_get_string_optional(params, "data", &data, &error) < 0 ||
        json_get_bool_optional(params, "eof", &end, &error) < 0)
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
    else if (base64_decode(&bytes, data, strlen(data)) < 0)
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "data: expected base64");
    else if (call->feeding != NULL)
        jsonrpc_fail(&request, SERVER_REFUSED, "try again");
    else if (server_check_bytes(connection->server, connection->tree, bytes.length, &error) < 0)
        jsonrpc_fail(&request, SERVER_REFUSED, "%s", error.message);
    else
        server_call_feed(call, request, &bytes, end);
}

static void handle_resize(struct connection *connection, struct jsonrpc_request *request,
                          const json_t *params)
{
    struct error error = ERROR_INIT;
    int64_t rows = 24, columns = 80;
    struct server_call *call = named_call(connection, &request, params);
    if (call == NULL)
        return;
    if (json_get_integer_optional(params, "rows", 1, TERMINAL_SIZE_MAX, &rows, &error) < 0 ||
        json_get_integer_optional(params, "columns", 1, TERMINAL_SIZE_MAX, &columns, &error) < 0) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    if (call->running)
        orchestrator_resize(connection->server->orchestrator, call->call, (int)rows, (int)columns);
    jsonrpc_reply(&request, json_object());
}

static void handle_decide(struct connection *connection, struct jsonrpc_request *request,
                          const json_t *params)
{
    struct server_call *call = named_call(connection, &request, params);
    if (call != NULL)
        server_question_decide(call, request, params);
}

static int signal_number(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"INT", SIGINT}, {"TSTP", SIGTSTP}, {"CONT", SIGCONT}, {"TERM", SIGTERM}};
    for (size_t i = 0; i < COUNT(signals); i++)
        if (strcmp(signals[i].name, name) == 0)
            return signals[i].number;
    return 0;
}

static void handle_signal(struct connection *connection, struct jsonrpc_request *request,
                          const json_t *params)
{
    struct error error = ERROR_INIT;
    const char *name = NULL;
    struct server_call *call = named_call(connection, &request, params);
    if (call == NULL)
        return;
    if (json_get_string(params, "signal", &name, &error) < 0) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    int number = signal_number(name);
    if (number == 0)
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "signal: expected INT, TSTP, CONT or TERM");
    else if (!call->running ||
             orchestrator_signal(connection->server->orchestrator, call->call, number) < 0)
        jsonrpc_fail(&request, SERVER_REFUSED, "the command does not run");
    else
        jsonrpc_reply(&request, json_object());
}

/* ---- dispatch ------------------------------------------------------------------------------ */

static void handle_ping(struct connection *connection, struct jsonrpc_request *request,
                        const json_t *params)
{
    (void)connection;
    (void)params;
    jsonrpc_reply(&request, json_object());
}

static const struct {
    const char *name;
    bool before_initialize;
    void (*handle)(struct connection *connection, struct jsonrpc_request *request,
                   const json_t *params);
} methods[] = {
    {"ping", true, handle_ping},
    {"console/info", true, handle_info},
    {"initialize", true, handle_initialize},
    {"call/start", false, handle_start},
    {"call/cancel", false, handle_cancel},
    {"call/stdin", false, handle_stdin},
    {"call/resize", false, handle_resize},
    {"call/signal", false, handle_signal},
    {"call/decide", false, handle_decide},
    {"session/conversation", false, server_conversation},
};

static void on_request(void *argument, struct jsonrpc_request *request, const char *method,
                       const json_t *params)
{
    struct connection *connection = argument;
    for (size_t i = 0; i < COUNT(methods); i++) {
        if (strcmp(methods[i].name, method) != 0)
            continue;
        if (connection->session == NULL && !methods[i].before_initialize)
            jsonrpc_fail(&request, SERVER_REFUSED, "initialize first");
        else
            methods[i].handle(connection, request, params);
        return;
    }
    jsonrpc_fail(&request, JSONRPC_METHOD_NOT_FOUND, "unknown method %.100s", method);
}

static bool on_line_grows(void *argument, struct error *error)
{
    const struct connection *connection = argument;
    return server_check_bytes(connection->server, connection->tree, 0, error) == 0;
}

static const struct jsonrpc_events connection_events = {
    .request = on_request,
    .line_grows = on_line_grows,
    .drained = on_drained,
    .closed = on_closed,
};

void connection_new(struct server *server, int fd, struct peer_identity *identity,
                    struct tree *tree)
{
    struct connection *connection = XNEW(struct connection);
    struct jsonrpc_setup setup = {.line_limit = server->limits.line_bytes};
    connection->server = server;
    connection->identity = *identity;
    memset(identity, 0, sizeof(*identity));
    connection->tree = tree;
    tree->held.connections++;
    TAILQ_INIT(&connection->calls);
    TAILQ_INSERT_TAIL(&server->connections, connection, entry);
    connection->deadline = loop_timer_new(server->loop, deadline_passed, connection);
    loop_timer_start(connection->deadline, INITIALIZE_MS);
    connection->peer = jsonrpc_new(server->loop, fd, fd, &setup, &connection_events, connection);
}
