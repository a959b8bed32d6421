/* SPDX-License-Identifier: MIT */
/*
 * client_search: the consoles that run are connected to, must prove that they are the operator's,
 * and the one that is closest to the working directory is chosen.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agents/client-int.h"
#include "agents/rendezvous.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "config/paths.h"

/* With several consoles: how long each has to tell its root. */
#define CHOOSE_MS 2000
/* So many clients may come at once that the console's backlog is full for a moment. */
#define BUSY_RETRY_MS 50
#define NO_CONSOLE                                                                                 \
    "no Assent console is running for you: start one in a terminal with \"assent\" (in the "       \
    "project's directory), or without a terminal with \"assent --headless\""

static void drop_candidate(struct candidate *candidate, const char *why)
{
    if (candidate->why == NULL)
        candidate->why = xstrdup(why);
    jsonrpc_free(&candidate->peer);
}

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
    client_give_up(client, strbuf_str(&text));
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
    client_give_up(client, strbuf_str(&text));
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

void client_choose(struct client *client)
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
    client->root = best->root;
    client_initialize(client);
}

static void choose_when_all_told(struct client *client)
{
    if (client->peer != NULL || client->failure != NULL)
        return;
    for (size_t i = 0; i < client->candidate_count; i++)
        if (client->candidates[i]->peer != NULL && client->candidates[i]->root == NULL)
            return;
    client_choose(client);
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

static void on_request(void *argument, struct jsonrpc_request *request, const char *method,
                       const json_t *params)
{
    (void)argument;
    (void)params;
    jsonrpc_fail(&request, JSONRPC_METHOD_NOT_FOUND, "unknown method %.100s", method);
}

static void lost(struct candidate *candidate, const char *why)
{
    struct client *client = candidate->client;
    if (client->peer == NULL) {
        drop_candidate(candidate, why);
        choose_when_all_told(client);
    } else {
        client_give_up(client, why);
    }
}

static void on_complaint(void *argument, const json_t *error)
{
    cleanup_free char *why = xasprintf("the console refused: %s", client_error_text(error));
    lost(argument, why);
}

static void on_closed(void *argument, int number)
{
    (void)number;
    lost(argument, "the console is gone");
}

/* What was lost may have been the result that we wait for. */
static void on_garbled(void *argument, const char *why)
{
    cleanup_free char *text = xasprintf("the console sent what cannot be read: %s", why);
    lost(argument, text);
}

static const struct jsonrpc_events console_events = {
    .request = on_request,
    .notification = client_notified,
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
    client_give_up(client, why);
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
    client_give_up(client, why);
}

void client_find_console(struct client *client)
{
    bool busy = false;
    struct error error = ERROR_INIT;
    for (size_t i = 0; client->directories[i] != NULL; i++)
        if (connect_all(client, client->directories[i], &busy, &error) < 0) {
            client_give_up(client, error.message);
            return;
        }
    if (client->candidate_count > 0)
        check_candidates(client);
    else
        no_connection(client, busy);
}

void client_free_candidates(struct client *client)
{
    for (size_t i = 0; i < client->candidate_count; i++) {
        jsonrpc_free(&client->candidates[i]->peer);
        free(client->candidates[i]->path);
        free(client->candidates[i]->root);
        free(client->candidates[i]->why);
        free(client->candidates[i]);
    }
    free(client->candidates);
}
