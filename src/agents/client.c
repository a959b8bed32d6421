/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "agents/jsonrpc.h"
#include "agents/proof.h"
#include "agents/rendezvous.h"
#include "base/alloc.h"
#include "base/base64.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "config/paths.h"

#define PROTOCOL 1
/* How long a console may take to answer the first words; a stopped one never does. */
#define ANSWER_MS 30000
/* With several consoles: how long each has to tell its root. */
#define CHOOSE_MS 2000
/* So many clients may come at once that the console's backlog is full for a moment. */
#define BUSY_RETRY_MS 50
#define NO_CONSOLE                                                                                 \
    "no Assent console is running for you: start one in a terminal with \"assent\" (in the "       \
    "project's directory), or without a terminal with \"assent --headless\""

/* Something that answers the connection; one that is a console is chosen, the others dropped. */
struct candidate {
    struct client *client;
    struct jsonrpc *peer; /* NULL once dropped */
    char *path;           /* of its socket, to name it */
    char *root;           /* NULL until it has told it and proved to be the operator's console */
    char *why;            /* it is of no use, or NULL */
    char challenge[SHA256_HEX_SIZE];
};

struct start {
    void (*started)(void *argument, uint64_t call, const char *why);
    void *argument;
    LIST_ENTRY(start) entry;
};

/* It understood, and says no (doc/control-socket.md). */
enum { CONSOLE_REFUSED = -32000 };

struct client {
    struct loop *loop;
    struct client_events events;
    void *argument;
    char *cwd, *socket, *name, *session, *capability;
    bool own_session, agent_session, resumes;
    char **directories;     /* where sockets are looked for */
    bool confined;          /* with its agent: the capability takes the place of the secret */
    char **key_directories; /* where the secret may be, best first */
    struct secret key;      /* once there are candidates */
    struct candidate **candidates;
    size_t candidate_count;
    struct jsonrpc *peer;     /* of the candidate that was chosen, or NULL */
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

static void find_console(struct client *client);

/* ---- the end ------------------------------------------------------------------------------- */

/* Notes the reason; it is told in the next turn, when no function of ours is in progress. */
static void give_up(struct client *client, const char *why)
{
    if (client->failure != NULL)
        return;
    client->failure = xstrdup(why);
    client->ready = false;
    loop_timer_start(client->timer, 0);
}

static void drop_candidate(struct candidate *candidate, const char *why)
{
    if (candidate->why == NULL)
        candidate->why = xstrdup(why);
    jsonrpc_free(&candidate->peer);
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
    if (state != NULL)
        client->events.state(client->argument, call_of(params), state, waiting);
}

static void on_notification(void *argument, const char *method, const json_t *params)
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
    else if (strcmp(method, "call/finished") == 0 && json_is_object(result))
        client->events.finished(client->argument, call_of(params), result);
}

static void on_request(void *argument, struct jsonrpc_request *request, const char *method,
                       const json_t *params)
{
    (void)argument;
    (void)params;
    jsonrpc_fail(&request, JSONRPC_METHOD_NOT_FOUND, "unknown method %.100s", method);
}

static const char *error_text(const json_t *error)
{
    const char *text = json_string_value(json_object_get(error, "message"));
    return text != NULL ? text : "the console answered with an error";
}

static void refused(struct client *client, const json_t *error)
{
    cleanup_free char *why = xasprintf("the console refused: %s", error_text(error));
    give_up(client, why);
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
        give_up(client, "the console speaks another protocol: use the same version of Assent");
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

static void initialize(struct client *client)
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
    loop_timer_start(client->timer, ANSWER_MS);
    jsonrpc_call(client->peer, "initialize", params, on_initialized, client);
}

/* ---- choosing a console --------------------------------------------------------------------- */

/* How much of `cwd` the root covers: its length, 0 when cwd does not lie in it. */
static size_t coverage(const char *root, const char *cwd)
{
    size_t length = strlen(root);
    if (length == 0 || strncmp(root, cwd, length) != 0)
        return 0;
    return length == 1 || cwd[length] == '\0' || cwd[length] == '/' ? length : 0;
}

/* It may be chosen: connected, and proved to be the operator's. */
static bool is_proven(const struct candidate *candidate)
{
    return candidate->peer != NULL && candidate->root != NULL;
}

static void say_how_to_choose(struct client *client)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, "several consoles are running and none is for this directory alone; set "
                         "ASSENT_SOCKET to one of:");
    for (size_t i = 0; i < client->candidate_count; i++) {
        const struct candidate *candidate = client->candidates[i];
        if (is_proven(candidate))
            strbuf_addf(&text, "\n  %s  (%s)", candidate->path, candidate->root);
    }
    give_up(client, strbuf_str(&text));
}

static void say_why_none(struct client *client)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < client->candidate_count; i++) {
        const struct candidate *candidate = client->candidates[i];
        strbuf_addf(&text, "%s%s", i > 0 ? "\n" : "",
                    candidate->why != NULL
                        ? candidate->why
                        : "the console does not answer (is it stopped, or very busy?)");
    }
    give_up(client, strbuf_str(&text));
}

/* The candidate with the closest root; NULL when none is closer than all others. */
static struct candidate *closest(struct client *client)
{
    struct candidate *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < client->candidate_count; i++) {
        struct candidate *candidate = client->candidates[i];
        if (!is_proven(candidate))
            continue;
        size_t covers = coverage(candidate->root, client->cwd);
        if (covers > 0 && covers == most)
            best = NULL;
        if (covers > most)
            best = candidate;
        most = covers > most ? covers : most;
    }
    return best;
}

static void choose(struct client *client)
{
    struct candidate *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < client->candidate_count; i++) {
        if (!is_proven(client->candidates[i]))
            continue;
        last = client->candidates[i];
        count++;
    }
    struct candidate *best = count == 1 ? last : closest(client);
    if (count == 0)
        say_why_none(client);
    else if (best == NULL)
        say_how_to_choose(client);
    for (size_t i = 0; i < client->candidate_count; i++)
        if (client->candidates[i] != best)
            drop_candidate(client->candidates[i], "not chosen");
    if (best == NULL)
        return;
    client->peer = best->peer;
    initialize(client);
}

static void choose_when_all_told(struct client *client)
{
    if (client->peer != NULL || client->failure != NULL)
        return;
    for (size_t i = 0; i < client->candidate_count; i++)
        if (client->candidates[i]->peer != NULL && client->candidates[i]->root == NULL)
            return;
    choose(client);
}

static void drop_impostor(struct candidate *candidate)
{
    cleanup_free char *why = xasprintf(
        "what listens on %s does not prove to be your console: it does not know the secret in %s "
        "(if it is yours: it runs with another configuration directory, or is of another version)",
        candidate->path, candidate->client->key_directories[0]);
    drop_candidate(candidate, why);
}

static bool has_proof(const struct candidate *candidate, const json_t *result)
{
    const struct client *client = candidate->client;
    if (client->confined)
        return proof_check_confined(client->capability, candidate->challenge,
                                    json_string_value(json_object_get(result, "confined_proof")));
    return proof_check(&client->key, candidate->challenge,
                       json_string_value(json_object_get(result, "proof")));
}

static void on_info(void *argument, const json_t *result, const json_t *error)
{
    struct candidate *candidate = argument;
    const char *root =
        json_string_value(json_object_get(json_object_get(result, "console"), "root"));
    if (error != NULL || root == NULL || !has_proof(candidate, result))
        drop_impostor(candidate);
    else
        candidate->root = xstrdup(root);
    choose_when_all_told(candidate->client);
}

static void lost(struct candidate *candidate, const json_t *error)
{
    struct client *client = candidate->client;
    cleanup_free char *why = error != NULL ? xasprintf("the console refused: %s", error_text(error))
                                           : xstrdup("the console is gone");
    if (client->peer == NULL) {
        drop_candidate(candidate, why);
        choose_when_all_told(client);
    } else {
        give_up(client, why);
    }
}

static void on_complaint(void *argument, const json_t *error)
{
    lost(argument, error);
}

static void on_closed(void *argument, int number)
{
    (void)number;
    lost(argument, NULL);
}

/* What was lost may have been the result that we wait for. */
static void on_garbled(void *argument, const char *why)
{
    struct candidate *candidate = argument;
    cleanup_free char *text = xasprintf("the console sent what cannot be read: %s", why);
    if (candidate->client->peer == candidate->peer)
        give_up(candidate->client, text);
    else
        lost(candidate, NULL);
}

static const struct jsonrpc_events console_events = {
    .request = on_request,
    .notification = on_notification,
    .complaint = on_complaint,
    .garbled = on_garbled,
    .closed = on_closed,
};

static void add_candidate(struct client *client, const char *directory, const char *name, int fd)
{
    struct candidate *candidate = XNEW(struct candidate);
    candidate->client = client;
    candidate->path = xasprintf("%s/%s", directory, name);
    candidate->peer = jsonrpc_new(client->loop, fd, fd, NULL, &console_events, candidate);
    client->candidates =
        xreallocarray(client->candidates, client->candidate_count + 1, sizeof(struct candidate *));
    client->candidates[client->candidate_count++] = candidate;
}

/* The directory must be out of reach for the commands of an agent that works where we are. */
static int check_place(const struct client *client, const char *path, struct error *error)
{
    if (!paths_is_exposed(path, client->cwd))
        return 0;
    return error_set(error, EPERM,
                     "%s lies in the working directory, where commands of agents can write: it "
                     "cannot be trusted (check XDG_CONFIG_HOME, XDG_RUNTIME_DIR, ASSENT_SOCKET)",
                     path);
}

/* Connects to all sockets of a directory, or to the one that was asked for. *busy is set when one
 * has no room for us at the moment. -1 with a message when the directory must not be used. */
static int connect_all(struct client *client, const char *path, bool *busy, struct error *error)
{
    cleanup_fd int directory = rendezvous_open(path, false, error);
    if (directory < 0)
        return error->number == ENOENT ? 0 : -1;
    if (check_place(client, path, error) < 0)
        return -1;
    const char *only[] = {client->socket != NULL ? strrchr(client->socket, '/') + 1 : NULL, NULL};
    cleanup_strv char **names = only[0] != NULL ? strv_copy(only) : rendezvous_list(directory);
    for (size_t i = 0; names[i] != NULL; i++) {
        int fd = rendezvous_connect(directory, names[i]);
        if (fd >= 0)
            add_candidate(client, path, names[i], fd);
        else
            *busy |= fd == -EAGAIN;
    }
    return 0;
}

static void no_connection(struct client *client, bool busy)
{
    if (busy && loop_now_ms(client->loop) < client->deadline_ms) {
        loop_timer_start(client->timer, BUSY_RETRY_MS);
        return;
    }
    cleanup_free char *why = NULL;
    if (busy)
        why = xstrdup("the console is too busy: try again later");
    else if (client->socket != NULL)
        why = xasprintf("no console listens on %s (from ASSENT_SOCKET)", client->socket);
    else
        why = xstrdup(NO_CONSOLE);
    give_up(client, why);
}

static void ask_candidates(struct client *client)
{
    loop_timer_start(client->timer, client->candidate_count > 1 ? CHOOSE_MS : ANSWER_MS);
    for (size_t i = 0; i < client->candidate_count; i++) {
        struct candidate *candidate = client->candidates[i];
        json_t *params = json_object();
        proof_challenge(candidate->challenge);
        json_object_set_new(params, "challenge", json_string(candidate->challenge));
        jsonrpc_call(candidate->peer, "console/info", params, on_info, candidate);
    }
}

static int read_key(struct client *client, struct error *error)
{
    int result = -1;
    for (size_t i = 0; client->key_directories[i] != NULL; i++) {
        const char *directory = client->key_directories[i];
        if (check_place(client, directory, error) < 0)
            return -1;
        result = proof_key_read(directory, false, &client->key, error);
        if (result == 0 || error->number != ENOENT)
            break;
    }
    return result;
}

/* Without the secret nothing can be told from a console. */
static void check_candidates(struct client *client)
{
    struct error error = ERROR_INIT;
    int result = read_key(client, &error);
    client->confined = result < 0 && client->capability != NULL && proof_is_confined();
    if (result == 0 || client->confined) {
        ask_candidates(client);
        return;
    }
    cleanup_free char *why =
        xasprintf("something listens on %s, but whether it is your console cannot be told: %s "
                  "(XDG_CONFIG_HOME "
                  "must be set as it was for the console, or name its directory with --config-dir)",
                  client->candidates[0]->path, error.message);
    give_up(client, why);
}

static void find_console(struct client *client)
{
    bool busy = false;
    struct error error = ERROR_INIT;
    for (size_t i = 0; client->directories[i] != NULL; i++)
        if (connect_all(client, client->directories[i], &busy, &error) < 0) {
            give_up(client, error.message);
            return;
        }
    if (client->candidate_count > 0)
        check_candidates(client);
    else
        no_connection(client, busy);
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
        give_up(client, "the console does not answer (is it stopped, or very busy?)");
    else if (client->candidate_count > 0)
        choose(client);
    else
        find_console(client);
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
        give_up(client, why);
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
    for (size_t i = 0; i < client->candidate_count; i++) {
        jsonrpc_free(&client->candidates[i]->peer);
        free(client->candidates[i]->path);
        free(client->candidates[i]->root);
        free(client->candidates[i]->why);
        free(client->candidates[i]);
    }
    free(client->candidates);
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
    start->started(start->argument, call, error != NULL ? error_text(error) : NULL);
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
        client->refused(client->refused_argument, error_text(error));
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
    client->fed(client->fed_argument, error != NULL ? error_text(error) : NULL);
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

void client_pause(struct client *client, bool pause)
{
    if (client->peer != NULL)
        jsonrpc_pause(client->peer, pause);
}
