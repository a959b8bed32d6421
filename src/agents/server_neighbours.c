/* SPDX-License-Identifier: MIT */
/* server_neighbours: other consoles for the same workspace. Between them a client cannot choose:
 * the operator who opens the second one is to know. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agents/rendezvous.h"
#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"

struct neighbour {
    struct server *server;
    struct jsonrpc *peer;
    char *name; /* of its socket */
    char challenge[SHA256_HEX_SIZE];
    LIST_ENTRY(neighbour) entry;
};

static void drop(struct neighbour *neighbour)
{
    LIST_REMOVE(neighbour, entry);
    jsonrpc_free(&neighbour->peer);
    free(neighbour->name);
    free(neighbour);
}

static const char *root_of(const json_t *result)
{
    return json_string_value(json_object_get(json_object_get(result, "console"), "root"));
}

/* Only what proves to be a console of this operator's is one. */
static void on_info(void *argument, const json_t *result, const json_t *error)
{
    struct neighbour *neighbour = argument;
    struct server *server = neighbour->server;
    const char *root = error == NULL ? root_of(result) : NULL;
    if (root != NULL && strcmp(root, server->context->root) == 0 &&
        proof_check(&server->key, neighbour->challenge,
                    json_string_value(json_object_get(result, "proof"))))
        orchestrator_notice(server->orchestrator, NOTICE_WARNING,
                            _("Another console is open here (process %.*s): its agents stay, new "
                              "ones reach neither; this one: ASSENT_SOCKET=%s"),
                            (int)strcspn(neighbour->name, "."), neighbour->name, server->path);
    drop(neighbour);
}

static void on_request(void *argument, struct jsonrpc_request *request, const char *method,
                       const json_t *params)
{
    (void)argument;
    (void)params;
    jsonrpc_fail(&request, JSONRPC_METHOD_NOT_FOUND, "unknown method %.100s", method);
}

static void on_complaint(void *argument, const json_t *error)
{
    (void)error;
    drop(argument);
}

static void on_garbled(void *argument, const char *why)
{
    (void)why;
    drop(argument);
}

static void on_closed(void *argument, int number)
{
    (void)number;
    drop(argument);
}

static const struct jsonrpc_events neighbour_events = {
    .request = on_request,
    .complaint = on_complaint,
    .garbled = on_garbled,
    .closed = on_closed,
};

static void ask(struct server *server, const char *name)
{
    int fd = rendezvous_connect(server->directory, name);
    struct neighbour *neighbour;
    json_t *params;
    if (fd < 0)
        return;
    neighbour = XNEW(struct neighbour);
    neighbour->server = server;
    neighbour->name = xstrdup(name);
    neighbour->peer = jsonrpc_new(server->loop, fd, fd, NULL, &neighbour_events, neighbour);
    LIST_INSERT_HEAD(&server->neighbours, neighbour, entry);
    params = json_object();
    proof_challenge(neighbour->challenge);
    json_object_set_new(params, "challenge", json_string(neighbour->challenge));
    jsonrpc_call(neighbour->peer, "console/info", params, on_info, neighbour);
}

void server_look_around(struct server *server)
{
    cleanup_strv char **names = rendezvous_list(server->directory);
    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], server->name) != 0)
            ask(server, names[i]);
}

void server_forget_neighbours(struct server *server)
{
    while (!LIST_EMPTY(&server->neighbours))
        drop(LIST_FIRST(&server->neighbours));
}
