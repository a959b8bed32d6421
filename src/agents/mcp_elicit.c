/* SPDX-License-Identifier: MIT */
/* mcp_elicit: a client that can show a form to its user is told what the operator is asked. The
 * answer decides only where the console says so (decide_by in the operator's configuration). */
#include "config.h"

#include <string.h>

#include "agents/mcp-int.h"
#include "base/alloc.h"
#include "base/json.h"
#include "base/text.h"

/* Most questions are answered at the console before anybody need be told that they wait. */
#define INFORM_MS 5000

/* By the specification an empty capability is that of forms; clients may know addresses alone. */
bool mcp_elicit_supported(const json_t *params)
{
    const json_t *kinds = json_object_get(json_object_get(params, "capabilities"), "elicitation");
    return json_is_object(kinds) &&
           (json_object_size(kinds) == 0 || json_object_get(kinds, "form") != NULL);
}

static bool decides(const struct tool_call *call)
{
    return json_is_true(json_object_get(call->question, "may_decide"));
}

static void add_line(struct strbuf *text, const char *label, const json_t *question,
                     const char *key, unsigned flags)
{
    const json_t *value = json_object_get(question, key);
    if (!json_is_string(value))
        return;
    strbuf_addstr(text, label);
    text_escape(text, json_string_value(value), json_string_length(value),
                TEXT_PLAIN_AGENT | flags);
    strbuf_addch(text, '\n');
}

static json_t *message_of(const struct tool_call *call)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, decides(call) ? "Assent asks: may this command run?\n\n"
                                       : "The operator is asked at the Assent console:\n\n");
    add_line(&text, "", call->question, "command", TEXT_KEEP_NEWLINES);
    strbuf_addch(&text, '\n');
    add_line(&text, "Directory: ", call->question, "cwd", 0);
    add_line(&text, "Asked because: ", call->question, "reason", TEXT_PROSE);
    add_line(&text, "It would run: ", call->question, "under", TEXT_PROSE);
    add_line(&text, "Risk: ", call->question, "risk", 0);
    if (!decides(call))
        strbuf_addstr(&text, "It is answered there; what is chosen here decides nothing.\n");
    return json_string_lossy(text.data, text.length - 1);
}

/* A client that fills forms in by their defaults denies. */
static json_t *schema_of(const struct tool_call *call)
{
    json_t *properties = json_object();
    json_t *schema = json_pack("{s:s,s:o}", "type", "object", "properties", properties);
    if (!decides(call))
        return schema;
    json_object_set_new(properties, "decision",
                        json_pack("{s:s,s:s,s:[s,s],s:[s,s],s:s}", "type", "string", "title",
                                  "Decision", "enum", "deny", "once", "enumNames", "Deny",
                                  "Allow once", "default", "deny"));
    json_object_set_new(schema, "required", json_pack("[s]", "decision"));
    return schema;
}

static void on_answer(void *argument, const json_t *result, const json_t *error)
{
    struct tool_call *call = argument;
    struct client *client = call->mcp->client;
    const char *action = json_string_value(json_object_get(result, "action"));
    const char *decision =
        json_string_value(json_object_get(json_object_get(result, "content"), "decision"));
    (void)error;
    call->elicitation = 0;
    call->elicited = true;
    if (!decides(call) || action == NULL || client == NULL || !client_is_ready(client))
        return;
    bool accepts = strcmp(action, "accept") == 0 && decision != NULL;
    if (accepts && strcmp(decision, "once") == 0)
        client_decide(client, call->question, true);
    else if (strcmp(action, "decline") == 0 || (accepts && strcmp(decision, "deny") == 0))
        client_decide(client, call->question, false);
}

static void elicit(void *argument)
{
    struct tool_call *call = argument;
    json_t *params = json_object();
    json_object_set_new(params, "message", message_of(call));
    json_object_set_new(params, "requestedSchema", schema_of(call));
    call->elicitation =
        jsonrpc_call(call->mcp->peer, "elicitation/create", params, on_answer, call);
}

static void withdraw(struct tool_call *call)
{
    loop_timer_stop(call->inform);
    if (call->elicitation == 0)
        return;
    jsonrpc_forget(call->mcp->peer, call->elicitation);
    jsonrpc_notify(call->mcp->peer, "notifications/cancelled",
                   json_pack("{s:I,s:s}", "requestId", (json_int_t)call->elicitation, "reason",
                             "the console asks this no more"));
    call->elicitation = 0;
}

void mcp_elicit_question(struct tool_call *call, const json_t *question)
{
    withdraw(call);
    json_decref(call->question);
    call->question = json_incref((json_t *)question);
    call->elicited = false;
    mcp_elicit_update(call);
}

void mcp_elicit_update(struct tool_call *call)
{
    bool asking = call->state != NULL && strcmp(call->state, "asking") == 0;
    if (call->question == NULL)
        return;
    if (!asking || call->request == NULL)
        withdraw(call);
    if (!asking) /* what it asks next is another question */
        json_decref(steal_pointer(&call->question));
    if (!asking || call->request == NULL)
        return;
    if (call->elicited || call->elicitation != 0 || loop_timer_running(call->inform))
        return;
    if (decides(call))
        elicit(call);
    else
        loop_timer_start(call->inform, INFORM_MS);
}

void mcp_elicit_begin(struct tool_call *call)
{
    call->inform = loop_timer_new(call->mcp->setup.loop, elicit, call);
}

void mcp_elicit_end(struct tool_call *call)
{
    withdraw(call);
    json_decref(call->question);
    loop_timer_free(&call->inform);
}
