/* SPDX-License-Identifier: MIT */
/* server_question: a question that is open at the console, told to the client whose call it is
 * about, and the answer of that client where the operator's configuration takes one. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/json.h"

/* Nobody answers to what was not shown whole. */
#define COMMAND_BYTES_MAX ((size_t)2000)

bool server_client_decides(const struct server *server, const char *name)
{
    cleanup_free char *entry = xasprintf("%s=client", name);
    return strv_has((const char *const *)server->deciding, entry);
}

static bool may_decide(const struct server_call *call)
{
    const struct connection *connection = call->connection;
    return connection->elicits && orchestrator_client_may_decide(call->call) &&
           strlen(call->call->prompt->command) <= COMMAND_BYTES_MAX;
}

static void add_text(json_t *object, const char *key, const char *text)
{
    if (text == NULL)
        return;
    size_t length = strlen(text);
    json_object_set_new(
        object, key,
        json_string_lossy(text, length < COMMAND_BYTES_MAX ? length : COMMAND_BYTES_MAX));
}

void server_question_send(struct server_call *call)
{
    const struct prompt *prompt = call->call->prompt;
    if (!call->connection->elicits || prompt == NULL ||
        (call->sent_prompt == prompt->id && call->sent_revision == prompt->revision))
        return;
    call->sent_prompt = prompt->id;
    call->sent_revision = prompt->revision;
    json_t *params = json_object();
    json_object_set_new(params, "call", json_integer((json_int_t)call->id));
    json_object_set_new(params, "prompt", json_integer((json_int_t)prompt->id));
    json_object_set_new(params, "revision", json_integer(prompt->revision));
    add_text(params, "command", prompt->command);
    add_text(params, "cwd", call->call->spec->cwd);
    add_text(params, "reason", wording_english(prompt->reason));
    add_text(params, "under", wording_english(prompt->under));
    add_text(params, "risk", risk_level_name(call->call->assessment.level));
    json_object_set_new(params, "may_decide", json_boolean(may_decide(call)));
    jsonrpc_notify(call->connection->peer, "call/question", params);
}

static int read_decision(const json_t *params, int64_t *prompt, int64_t *revision,
                         enum review_kind *kind, struct error *error)
{
    const char *word = NULL;
    if (json_get_integer_optional(params, "prompt", 1, INT64_MAX, prompt, error) < 0 ||
        json_get_integer_optional(params, "revision", 0, UINT32_MAX, revision, error) < 0 ||
        json_get_string(params, "decision", &word, error) < 0)
        return -1;
    bool once = strcmp(word, "once") == 0;
    if (!once && strcmp(word, "deny") != 0)
        return error_set(error, 0, "decision: expected once or deny");
    *kind = once ? REVIEW_APPROVED : REVIEW_DENIED;
    return 0;
}

void server_question_decide(struct server_call *call, struct jsonrpc_request *request,
                            const json_t *params)
{
    struct error error = ERROR_INIT;
    struct orchestrator *orchestrator = call->connection->server->orchestrator;
    enum review_kind kind = REVIEW_DENIED;
    int64_t prompt = 0, revision = 0;
    if (read_decision(params, &prompt, &revision, &kind, &error) < 0) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    /* What was asked of another call is not this client's to answer. */
    bool open = call->call != NULL && call->call->prompt != NULL &&
                call->call->prompt->id == (uint64_t)prompt;
    if (!open)
        jsonrpc_fail(&request, SERVER_REFUSED, "this request is not open any more");
    else if (!may_decide(call))
        jsonrpc_fail(&request, SERVER_REFUSED, "this request is decided at the console");
    else if (orchestrator_decide_as_client(orchestrator, (uint64_t)prompt, (unsigned)revision, kind,
                                           &error) < 0)
        jsonrpc_fail(&request, SERVER_REFUSED, "%s", error.message);
    else
        jsonrpc_reply(&request, json_object());
}
