/* SPDX-License-Identifier: MIT */
/* The server's knowledge of what agents that the console started call their own sessions, so that a
 * later console can go on with them, and none is open twice. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/json.h"

#define CONVERSATION_MAX 200

/* Letters, digits and what else names are made of: it becomes a word of a command line. */
static bool is_plain(const char *id)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "._:-/+=@";
    size_t length = strlen(id);
    return length > 0 && length <= CONVERSATION_MAX && strspn(id, letters) == length;
}

static struct capability *capability_of(const struct connection *connection)
{
    struct capability *capability;
    LIST_FOREACH(capability, &connection->server->capabilities, entry)
    {
        if (capability->session == connection->session && capability->call != 0)
            break;
    }
    return capability;
}

/* Behind the program, without what says which session to go on with. */
static char *const *next_word(char *const *word)
{
    while (*word != NULL && strncmp(*word, "--load", strlen("--load")) == 0)
        word += strcmp(*word, "--load") == 0 && word[1] != NULL ? 2 : 1;
    return word;
}

static bool same_agent(const struct call *one, const struct call *other)
{
    char *const *first = next_word(one->spec->argv), *const *second = next_word(other->spec->argv);
    while (*first != NULL && *second != NULL && strcmp(*first, *second) == 0) {
        first = next_word(first + 1);
        second = next_word(second + 1);
    }
    return *first == NULL && *second == NULL;
}

/* Another call that runs the same agent with that session; NULL: none. */
static const struct call *open_elsewhere(const struct server *server, const struct capability *own,
                                         const struct call *call, const char *id)
{
    const struct capability *other;
    LIST_FOREACH(other, &server->capabilities, entry)
    {
        const struct call *open = orchestrator_find_call(server->orchestrator, other->call);
        if (other != own && other->conversation != NULL && strcmp(other->conversation, id) == 0 &&
            open != NULL && open->state != CALL_FINISHED && same_agent(open, call))
            return open;
    }
    return NULL;
}

void server_conversation(struct connection *connection, struct jsonrpc_request *request,
                         const json_t *params)
{
    struct server *server = connection->server;
    struct error error = ERROR_INIT;
    const char *id = NULL;
    bool loaded = false;
    if (json_get_string(params, "conversation", &id, &error) < 0 ||
        json_get_bool_optional(params, "loaded", &loaded, &error) < 0) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    struct capability *capability = capability_of(connection);
    struct call *call =
        capability != NULL ? orchestrator_find_call(server->orchestrator, capability->call) : NULL;
    const struct call *open =
        call != NULL && loaded ? open_elsewhere(server, capability, call, id) : NULL;
    if (open != NULL) {
        jsonrpc_fail(&request, SERVER_REFUSED,
                     "this session of the agent is open already, in c%" PRIu64 ": go on there",
                     open->id);
        return;
    }
    /* Who comes first says it: that is who converses, and not what the agent started. */
    if (call != NULL && capability->conversation == NULL && is_plain(id)) {
        capability->conversation = xstrdup(id);
        orchestrator_conversation(server->orchestrator, call, id);
    }
    jsonrpc_reply(&request, json_object());
}
