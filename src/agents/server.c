/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agents/rendezvous.h"
#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/log.h"
#include "config/paths.h"

/* New connections taken in one turn. */
#define ACCEPTS_A_TURN 16
/* What all connections together may take of a turn. */
#define TURN_MS 1
/* When there are no descriptors left, another try after so long. */
#define PAUSE_MS 100
/* The operator is told of refused clients at most this often. */
#define NOTICE_EVERY_MS 1000
/* Clients are told how many are before them at most this often. */
#define PLACES_MS 1000

void server_set_context(struct server *server, struct turn_context *context)
{
    struct turn_context *old = server->context;
    server->context = turn_context_ref(context);
    turn_context_unref(&old);
}

/* ---- who may come in ----------------------------------------------------------------------- */

void server_notice_refused(struct server *server, const struct peer_identity *peer, const char *why)
{
    int64_t now = loop_now_ms(server->loop);
    log_info("server", "refused a client, pid %d: %s", (int)peer->pid, why);
    if (server->noticed_ms != 0 && now - server->noticed_ms < NOTICE_EVERY_MS)
        return;
    server->noticed_ms = now;
    orchestrator_notice(server->orchestrator, NOTICE_WARNING, "refused a client (pid %d, %s): %s",
                        (int)peer->pid, peer->exe != NULL ? peer->exe : "program unknown", why);
}

/* Tells somebody who is not let in why, and leaves; a fresh socket has room for one line. */
static void turn_away(struct server *server, int fd, struct peer_identity *peer, const char *why)
{
    json_t *error = json_object();
    json_object_set_new(error, "code", json_integer(SERVER_REFUSED));
    json_object_set_new(error, "message", json_string_lossy(why, strlen(why)));
    cleanup_json json_t *message = json_object();
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    json_object_set_new(message, "id", json_null());
    json_object_set_new(message, "error", error);
    cleanup_free char *text = json_line(message);
    cleanup_free char *line = xasprintf("%s\n", text);
    (void)!send(fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT);
    server_notice_refused(server, peer, why);
    peer_clear(peer);
    fd_close(&fd);
}

static void welcome(struct server *server, int fd)
{
    struct error error = ERROR_INIT;
    struct peer_identity identity;
    if (peer_identify(fd, &identity, &error) < 0 && error.number == ESRCH) {
        log_info("server", "pid %d has gone before it asked: it looked whether somebody listens",
                 (int)identity.pid);
        peer_clear(&identity);
        fd_close(&fd);
        return;
    }
    if (error.message[0] != '\0') {
        turn_away(server, fd, &identity, error.message);
        return;
    }
    if (identity.apart != NULL && !server_confines(server, &identity)) {
        error_set(&error, EPERM,
                  "the client lives in another %s namespace: confined commands and containers "
                  "cannot ask this console",
                  identity.apart);
        turn_away(server, fd, &identity, error.message);
        return;
    }
    struct tree *tree = server_tree_find(server, identity.tree);
    if (server_check_connection(server, tree, &error) < 0) {
        turn_away(server, fd, &identity, error.message);
        server_release_tree(server, tree);
        return;
    }
    connection_new(server, fd, &identity, tree);
}

static void on_pause_over(void *argument)
{
    struct server *server = argument;
    loop_io_set(server->accepting, LOOP_READ);
}

/* Who waits makes the listener readable as long as nobody takes it up. */
static void pause_accepting(struct server *server)
{
    loop_io_set(server->accepting, 0);
    loop_timer_start(server->pause, PAUSE_MS);
}

static void accept_some(int listener, unsigned events, void *argument)
{
    struct server *server = argument;
    (void)events;
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            welcome(server, fd);
        } else if (errno != EINTR && errno != ECONNABORTED) {
            if (errno != EAGAIN)
                log_warning("server", "accept: %s", strerror(errno));
            if (fd_none_left(errno))
                pause_accepting(server);
            return;
        }
    }
}

/* ---- turns --------------------------------------------------------------------------------- */

void server_mark_dirty(struct connection *connection)
{
    if (connection->dirty || connection->peer == NULL)
        return;
    connection->dirty = true;
    TAILQ_INSERT_TAIL(&connection->server->dirty, connection, dirty_entry);
    loop_wake(connection->server->loop);
}

static void mark_all_dirty(struct server *server)
{
    struct connection *connection;
    TAILQ_FOREACH(connection, &server->connections, entry)
    {
        if (!TAILQ_EMPTY(&connection->calls))
            server_mark_dirty(connection);
    }
}

static void retry_input(void *argument)
{
    mark_all_dirty(argument);
}

static void end_of_turn(void *argument)
{
    struct server *server = argument;
    if (server->freed_place) {
        server->freed_place = false;
        server_count_asking(server);
        server_admit(server);
    }
    /* Those that become dirty meanwhile get the next turn, and those for whom there is no time. */
    int64_t stop_ms = loop_now_ms(server->loop) + TURN_MS;
    struct connection *last = TAILQ_LAST(&server->dirty, dirty_list);
    struct connection *connection;
    while ((connection = TAILQ_FIRST(&server->dirty)) != NULL) {
        bool is_last = connection == last;
        TAILQ_REMOVE(&server->dirty, connection, dirty_entry);
        connection->dirty = false;
        connection_pump(connection);
        if (is_last || loop_now_ms(server->loop) >= stop_ms)
            break;
    }
    if (!TAILQ_EMPTY(&server->dirty))
        loop_wake(server->loop);
}

/* ---- what the orchestrator tells ------------------------------------------------------------ */

static struct server_call *our_call(struct server *server, const struct call *call)
{
    struct server_call *found = server_call_find(server, call->id);
    return found != NULL && found->call == call ? found : NULL;
}

static void touch(struct server *server, const struct call *call)
{
    struct server_call *found = our_call(server, call);
    if (found != NULL && found->connection != NULL)
        server_mark_dirty(found->connection);
}

/* It may be one that waits for the operator now. */
static void on_call_received(void *argument, const struct call *call)
{
    struct server *server = argument;
    server->freed_place = true;
    touch(server, call);
}

static void on_asked(void *argument, const struct call *call)
{
    struct server *server = argument;
    server->freed_place = true;
    touch(server, call);
}

static void on_prompt_changed(void *argument, const struct call *call)
{
    touch(argument, call);
}

/* With a thousand prompts each answer moves all of them: their clients hear of it together. */
static void tell_places(void *argument)
{
    struct server *server = argument;
    size_t count = orchestrator_waiting_count(server->orchestrator);
    for (size_t i = 0; i < count; i++) {
        const struct call *call = orchestrator_waiting_at(server->orchestrator, i);
        struct server_call *found = our_call(server, call);
        if (found == NULL || found->place == i)
            continue;
        found->place = i;
        touch(server, call);
    }
}

static void places_changed(struct server *server)
{
    if (!loop_timer_running(server->places))
        loop_timer_start(server->places, PLACES_MS);
}

static void on_decided(void *argument, const struct call *call, const struct prompt *prompt)
{
    struct server *server = argument;
    (void)prompt;
    server->freed_place = true; /* or one less is free */
    touch(server, call);
    places_changed(server);
}

static void on_attempt_started(void *argument, const struct call *call, unsigned attempt)
{
    struct server_call *found = our_call(argument, call);
    (void)attempt;
    if (found == NULL)
        return;
    server_call_attempt_started(found);
    touch(argument, call);
}

static void on_output(void *argument, const struct call *call, enum run_stream stream,
                      const char *bytes, size_t length)
{
    (void)stream;
    (void)bytes;
    (void)length;
    touch(argument, call);
}

static void on_attempt_ended(void *argument, const struct call *call, unsigned attempt)
{
    struct server_call *found = our_call(argument, call);
    (void)attempt;
    if (found == NULL)
        return;
    if (call->attempt_count == 1 && call->attempts[0].denial != NULL)
        server_call_attempt_ended(found);
    touch(argument, call);
}

static void on_finished(void *argument, const struct call *call)
{
    struct server *server = argument;
    struct server_call *found = our_call(server, call);
    places_changed(server);
    if (found == NULL)
        return;
    server->freed_place = true;
    loop_wake(server->loop);
    server_call_finished(server, found);
}

static void on_forgotten(void *argument, const struct call *call)
{
    struct server *server = argument;
    struct server_call *found = our_call(server, call);
    if (found != NULL)
        server_call_forgotten(server, found);
}

static void on_session_ended(void *argument, const struct session *session)
{
    struct server *server = argument;
    struct capability *capability;
    struct connection *connection;
    if (server->shared == session)
        server->shared = NULL;
    server_process_forget(server, session);
    TAILQ_FOREACH(connection, &server->connections, entry)
    {
        if (connection->session != session)
            continue;
        connection->session = NULL; /* the client may introduce itself again */
        connection->owns_session = false;
    }
    LIST_FOREACH(capability, &server->capabilities, entry)
    {
        if (capability->session == session)
            capability->session = NULL;
    }
}

static const struct observer server_observer = {
    .name = "server",
    .session_ended = on_session_ended,
    .call_received = on_call_received,
    .asked = on_asked,
    .prompt_changed = on_prompt_changed,
    .decided = on_decided,
    .attempt_started = on_attempt_started,
    .output = on_output,
    .attempt_ended = on_attempt_ended,
    .finished = on_finished,
    .forgotten = on_forgotten,
};

/* ---- life ---------------------------------------------------------------------------------- */

/* Fills in path, name, directory and listener. */
static int open_socket(struct server *server, const char *socket, struct error *error)
{
    cleanup_free char *directory = NULL;
    if (socket != NULL) {
        const char *slash = strrchr(socket, '/');
        if (socket[0] != '/' || slash[1] == '\0')
            return error_set(error, EINVAL, "the socket %s: expected an absolute path", socket);
        directory = xstrndup(socket, slash == socket ? 1 : (size_t)(slash - socket));
        server->name = xstrdup(slash + 1);
    } else {
        directory = paths_runtime_directory(error);
        if (directory == NULL)
            return -1;
        server->name = xasprintf("%d.sock", (int)getpid());
    }
    server->path = xasprintf("%s/%s", directory, server->name);
    server->directory = rendezvous_open(directory, true, error);
    if (server->directory < 0)
        return -1;
    rendezvous_reclaim(server->directory);
    server->listener = rendezvous_listen(server->directory, server->name, error);
    return server->listener < 0 ? -1 : 0;
}

static int open_key(struct server *server, const char *directory, struct error *error)
{
    if (directory != NULL)
        return proof_key_read(directory, true, &server->key, error);
    cleanup_free char *config = paths_config_directory();
    cleanup_free char *state = paths_state_directory();
    if (proof_key_read(config, true, &server->key, error) < 0)
        return -1;
    return proof_key_copy(&server->key, state, error);
}

struct server *server_new(const struct server_setup *setup, struct error *error)
{
    struct server *server = XNEW(struct server);
    server->directory = -1;
    server->listener = -1;
    server->loop = setup->loop;
    server->orchestrator = setup->orchestrator;
    server->limits = setup->limits;
    server->session_per_program = setup->session_per_program;
    server->deciding = strv_copy(setup->deciding);
    server_limits_complete(&server->limits);
    TAILQ_INIT(&server->connections);
    TAILQ_INIT(&server->dirty);
    TAILQ_INIT(&server->trees);
    LIST_INIT(&server->capabilities);
    LIST_INIT(&server->processes);
    LIST_INIT(&server->neighbours);
    if (open_key(server, setup->key_directory, error) < 0 ||
        open_socket(server, setup->socket, error) < 0) {
        server_free(&server);
        return NULL;
    }
    server->context = turn_context_ref(setup->context);
    server->accepting = loop_io_new(server->loop, server->listener, accept_some, server);
    loop_io_set(server->accepting, LOOP_READ);
    server->pause = loop_timer_new(server->loop, on_pause_over, server);
    server->turn = loop_on_turn(server->loop, end_of_turn, server);
    server->retry = loop_timer_new(server->loop, retry_input, server);
    server->places = loop_timer_new(server->loop, tell_places, server);
    orchestrator_add_observer(server->orchestrator, &server_observer, server);
    return server;
}

/* Calls whose client has gone and that have not finished yet: nobody waits for them here. */
static void forget_calls(struct server *server)
{
    for (size_t i = 0; i < SERVER_CALL_BUCKETS; i++)
        while (!LIST_EMPTY(&server->calls[i]))
            server_call_drop(server, LIST_FIRST(&server->calls[i]));
}

/* What has been decided is told, as far as the clients take it. Nobody is admitted any more. */
static void tell_the_end(struct server *server)
{
    struct connection *connection;
    while ((connection = TAILQ_FIRST(&server->dirty)) != NULL) {
        TAILQ_REMOVE(&server->dirty, connection, dirty_entry);
        connection->dirty = false;
        connection_pump(connection);
    }
    TAILQ_FOREACH(connection, &server->connections, entry)
    if (connection->peer != NULL)
        jsonrpc_flush(connection->peer);
}

void server_free(struct server **place)
{
    struct server *server = *place;
    if (server == NULL)
        return;
    *place = NULL;
    loop_io_free(&server->accepting);
    if (server->listener >= 0)
        rendezvous_remove(server->directory, server->name, server->listener);
    tell_the_end(server);
    while (!TAILQ_EMPTY(&server->connections))
        connection_free(TAILQ_FIRST(&server->connections));
    if (server->turn != NULL)
        orchestrator_remove_observer(server->orchestrator, server);
    forget_calls(server);
    while (!LIST_EMPTY(&server->capabilities))
        server_free_capability(LIST_FIRST(&server->capabilities));
    server_process_forget(server, NULL);
    server_forget_neighbours(server);
    loop_turn_free(&server->turn);
    loop_timer_free(&server->pause);
    loop_timer_free(&server->retry);
    loop_timer_free(&server->places);
    fd_close(&server->listener);
    fd_close(&server->directory);
    turn_context_unref(&server->context);
    strv_free(&server->deciding);
    free(server->path);
    free(server->name);
    explicit_bzero(&server->key, sizeof(server->key));
    free(server);
}

const char *server_path(const struct server *server)
{
    return server->path;
}

unsigned server_connection_count(const struct server *server)
{
    return server_held(server).connections;
}
