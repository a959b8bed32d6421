/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "agents/drive/acp-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/json.h"

/* Agents print a stray line to standard output now and then; one that prints nothing else does not
 * speak the protocol. */
#define GARBLED_MAX 100

#define PROTOCOL_VERSION 1

static void withdraw_everything(struct acp *acp)
{
    acp_permission_cancel(acp);
    acp_elicitation_cancel(acp);
    acp_file_drop_all(acp);
    acp_terminal_drop_all(acp);
}

void acp_end(struct acp *acp, const char *why)
{
    if (acp->over)
        return;
    acp->over = true;
    withdraw_everything(acp);
    acp->setup.events->ended(acp->setup.argument, why);
}

/* What an error object says, for people. */
static char *error_text(const json_t *error)
{
    const char *message = json_string_value(json_object_get(error, "message"));
    const json_t *data = json_object_get(error, "data");
    cleanup_free char *dump = json_is_object(data) ? json_dumps(data, JSON_COMPACT) : NULL;
    const char *details = json_is_string(data) ? json_string_value(data) : dump;
    if (message == NULL)
        message = "it gave no reason";
    return details != NULL ? xasprintf("%.*s: %.*s", ACP_TEXT_MAX, message, ACP_TEXT_MAX, details)
                           : xasprintf("%.*s", ACP_TEXT_MAX, message);
}

/* ---- the session ---------------------------------------------------------------------------- */

static void start_session(struct acp *acp);

static void announce(struct acp *acp)
{
    acp->setup.events->ready(acp->setup.argument, acp->agent, acp->id);
}

static void list_methods(struct acp *acp)
{
    size_t index;
    const json_t *method;
    agent_session_note(&acp->setup, N_("The agent wants you to log in first; it offers:"));
    json_array_foreach(acp->methods, index, method)
    {
        const char *id = json_string_value(json_object_get(method, "id"));
        const char *name = json_string_value(json_object_get(method, "name"));
        if (id != NULL)
            agent_session_note(&acp->setup, "  /auth %.200s   %.200s", id,
                               name != NULL ? name : "");
    }
}

static void refused_session(struct acp *acp, const json_t *error)
{
    if (json_integer_value(json_object_get(error, "code")) == ACP_AUTH_REQUIRED &&
        json_array_size(acp->methods) > 0) {
        list_methods(acp);
        return;
    }
    cleanup_free char *text = error_text(error);
    cleanup_free char *why = xasprintf("the agent gives no session: %s", text);
    acp_end(acp, why);
}

static void on_new(void *argument, const json_t *result, const json_t *error)
{
    struct acp *acp = argument;
    const char *id = json_string_value(json_object_get(result, "sessionId"));
    if (error != NULL) {
        refused_session(acp, error);
    } else if (id == NULL) {
        acp_end(acp, "the agent gave a session without an id");
    } else {
        free(acp->id);
        acp->id = xstrdup(id);
        acp_take_modes(acp, result);
        announce(acp);
    }
}

static void on_loaded(void *argument, const json_t *result, const json_t *error)
{
    struct acp *acp = argument;
    if (error != NULL) {
        refused_session(acp, error);
        return;
    }
    acp_take_modes(acp, result);
    announce(acp);
}

static json_t *session_params(const struct acp *acp)
{
    json_t *params = json_object();
    json_object_set_new(params, "cwd", json_string_lossy(acp->cwd, strlen(acp->cwd)));
    json_object_set(params, "mcpServers", acp->servers);
    return params;
}

static void start_session(struct acp *acp)
{
    json_t *params = session_params(acp);
    if (acp->load == NULL) {
        jsonrpc_call(acp->peer, "session/new", params, on_new, acp);
    } else if (!acp->can_load) {
        json_decref(params);
        acp_end(acp, "this agent cannot go on with an earlier session");
    } else {
        /* It replays the conversation before it answers. */
        free(acp->id);
        acp->id = xstrdup(acp->load);
        json_object_set_new(params, "sessionId", json_string(acp->load));
        jsonrpc_call(acp->peer, "session/load", params, on_loaded, acp);
    }
}

/* ---- initialize ----------------------------------------------------------------------------- */

static void take_agent(struct acp *acp, const json_t *result)
{
    const json_t *info = json_object_get(result, "agentInfo");
    const json_t *can = json_object_get(result, "agentCapabilities");
    const char *name = json_string_value(json_object_get(info, "title"));
    const char *version = json_string_value(json_object_get(info, "version"));
    if (name == NULL)
        name = json_string_value(json_object_get(info, "name"));
    if (name == NULL)
        name = "the agent";
    free(acp->agent);
    acp->agent =
        version != NULL ? xasprintf("%.100s %.50s", name, version) : xasprintf("%.100s", name);
    acp->can_load = json_is_true(json_object_get(can, "loadSession"));
    json_decref(acp->methods);
    acp->methods = json_incref(json_object_get(result, "authMethods"));
}

static void on_initialized(void *argument, const json_t *result, const json_t *error)
{
    struct acp *acp = argument;
    if (error != NULL) {
        cleanup_free char *text = error_text(error);
        cleanup_free char *why = xasprintf("the agent refused to begin: %s", text);
        acp_end(acp, why);
        return;
    }
    const json_t *version = json_object_get(result, "protocolVersion");
    if (json_integer_value(version) != PROTOCOL_VERSION) {
        acp_end(acp, "the agent speaks another version of the Agent Client Protocol than 1");
        return;
    }
    take_agent(acp, result);
    start_session(acp);
}

static json_t *initialize_params(const struct acp *acp)
{
    json_t *files = json_object();
    json_object_set_new(files, "readTextFile", json_boolean(acp->setup.files));
    json_object_set_new(files, "writeTextFile", json_boolean(acp->setup.files));
    json_t *can = json_object();
    json_object_set_new(can, "fs", files);
    json_object_set_new(can, "terminal", json_true());
    json_object_set_new(can, "elicitation", json_pack("{s:{},s:{}}", "form", "url"));
    json_t *info = json_object();
    json_object_set_new(info, "name", json_string("assent"));
    json_object_set_new(info, "title", json_string("Assent"));
    json_object_set_new(info, "version", json_string(PACKAGE_VERSION));
    json_t *params = json_object();
    json_object_set_new(params, "protocolVersion", json_integer(PROTOCOL_VERSION));
    json_object_set_new(params, "clientCapabilities", can);
    json_object_set_new(params, "clientInfo", info);
    return params;
}

/* ---- what the agent asks and reports -------------------------------------------------------- */

/* The session that a message is about is ours. */
static bool is_ours(const struct acp *acp, const json_t *params)
{
    const char *id = json_string_value(json_object_get(params, "sessionId"));
    return acp->id != NULL && id != NULL && strcmp(id, acp->id) == 0;
}

/* Or it is about one of our own requests, before there is a session. */
static bool is_about_us(const struct acp *acp, const char *method, const json_t *params)
{
    bool may_be_early = strcmp(method, "elicitation/create") == 0 &&
                        json_object_get(params, "sessionId") == NULL &&
                        json_object_get(params, "requestId") != NULL;
    return may_be_early || is_ours(acp, params);
}

static void on_request(void *argument, struct jsonrpc_request *request, const char *method,
                       const json_t *params)
{
    static const struct {
        const char *method;
        void (*handle)(struct acp *acp, struct jsonrpc_request *request, const json_t *params);
    } methods[] = {
        {"session/request_permission", acp_permission_request},
        {"elicitation/create", acp_elicitation_create},
        {"fs/read_text_file", acp_file_read},
        {"fs/write_text_file", acp_file_write},
    };
    struct acp *acp = argument;
    size_t at = 0;
    while (at < COUNT(methods) && strcmp(methods[at].method, method) != 0)
        at++;
    bool known = at < COUNT(methods);
    if (!known && strncmp(method, "terminal/", strlen("terminal/")) != 0)
        jsonrpc_fail(&request, JSONRPC_METHOD_NOT_FOUND, "no such method: %.100s", method);
    else if (acp->over || !is_about_us(acp, method, params))
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "sessionId: there is no such session");
    else if (known)
        methods[at].handle(acp, request, params);
    else if (!acp_terminal_request(acp, request, method, params))
        jsonrpc_fail(&request, JSONRPC_METHOD_NOT_FOUND, "no such method: %.100s", method);
}

static void on_notification(void *argument, const char *method, const json_t *params)
{
    struct acp *acp = argument;
    const json_t *id = json_object_get(params, "requestId");
    if (acp->over)
        return;
    if (strcmp(method, "session/update") == 0 && is_ours(acp, params))
        acp_update(acp, json_object_get(params, "update"));
    else if (strcmp(method, "$/cancel_request") == 0 && !acp_permission_withdraw(acp, id))
        acp_elicitation_withdraw(acp, id);
}

static void on_garbled(void *argument, const char *why)
{
    struct acp *acp = argument;
    if (acp->garbled++ == 0)
        agent_session_note(&acp->setup, N_("The agent sent a line that is no message: %s"), why);
    if (acp->garbled == GARBLED_MAX)
        acp_end(acp, "the agent does not speak the Agent Client Protocol");
}

static void on_closed(void *argument, int number)
{
    (void)number;
    acp_end(argument, "the agent has closed the connection");
}

/* ---- what the operator does ----------------------------------------------------------------- */

static void on_prompted(void *argument, const json_t *result, const json_t *error)
{
    struct acp *acp = argument;
    const char *reason = json_string_value(json_object_get(result, "stopReason"));
    cleanup_free char *words = steal_pointer(&acp->words);
    acp->prompting = false;
    acp_permission_cancel(acp);
    acp_elicitation_cancel(acp);
    if (error != NULL) {
        cleanup_free char *why = error_text(error);
        acp->setup.events->turn_ended(acp->setup.argument, why);
        return;
    }
    bool finished = reason != NULL && strcmp(reason, "end_turn") == 0;
    cleanup_free char *why = xasprintf("%.100s", reason != NULL ? reason : "no reason given");
    acp->setup.events->turn_ended(acp->setup.argument, finished ? NULL : why);
    /* The protocol has no words for a refusal: they are what the operator says next. */
    if (words != NULL && !acp->over)
        agent_session_prompt(&acp->session, words);
}

static void prompt(struct agent_session *session, const char *text)
{
    struct acp *acp = (struct acp *)session;
    if (acp->id == NULL || acp->prompting || acp->over)
        return;
    json_t *block = json_object();
    json_object_set_new(block, "type", json_string("text"));
    json_object_set_new(block, "text", json_string_lossy(text, strlen(text)));
    json_t *blocks = json_array();
    json_array_append_new(blocks, block);
    json_t *params = json_object();
    json_object_set_new(params, "sessionId", json_string(acp->id));
    json_object_set_new(params, "prompt", blocks);
    acp->prompting = true;
    acp->setup.events->speech(acp->setup.argument, AGENT_SPEECH_OPERATOR, text, strlen(text));
    jsonrpc_call(acp->peer, "session/prompt", params, on_prompted, acp);
}

static json_t *session_object(const struct acp *acp)
{
    json_t *params = json_object();
    json_object_set_new(params, "sessionId", json_string(acp->id));
    return params;
}

static void cancel(struct agent_session *session)
{
    struct acp *acp = (struct acp *)session;
    if (!acp->prompting || acp->over)
        return;
    jsonrpc_notify(acp->peer, "session/cancel", session_object(acp));
    acp_permission_cancel(acp);
    acp_elicitation_cancel(acp);
}

static void on_mode_set(void *argument, const json_t *result, const json_t *error)
{
    struct acp *acp = argument;
    (void)result;
    if (error == NULL)
        return;
    cleanup_free char *text = error_text(error);
    agent_session_note(&acp->setup, N_("The agent keeps its mode: %s"), text);
}

static bool set_mode(struct agent_session *session, const char *name)
{
    struct acp *acp = (struct acp *)session;
    for (size_t i = 0; i < acp->mode_count && acp->id != NULL; i++) {
        const struct acp_mode *mode = &acp->modes[i];
        if (strcmp(mode->id, name) != 0 && strcmp(mode->name, name) != 0)
            continue;
        json_t *params = session_object(acp);
        json_object_set_new(params, "modeId", json_string(mode->id));
        jsonrpc_call(acp->peer, "session/set_mode", params, on_mode_set, acp);
        acp->setup.events->mode(acp->setup.argument, mode->name);
        return true;
    }
    return false;
}

static void on_authenticated(void *argument, const json_t *result, const json_t *error)
{
    struct acp *acp = argument;
    (void)result;
    if (error == NULL) {
        start_session(acp);
        return;
    }
    cleanup_free char *text = error_text(error);
    agent_session_note(&acp->setup, N_("The agent did not log in: %s"), text);
}

static bool authenticate(struct agent_session *session, const char *method)
{
    struct acp *acp = (struct acp *)session;
    size_t index;
    const json_t *offered;
    json_array_foreach(acp->methods, index, offered)
    {
        const char *id = json_string_value(json_object_get(offered, "id"));
        if (id == NULL || strcmp(id, method) != 0)
            continue;
        json_t *params = json_object();
        json_object_set_new(params, "methodId", json_string(id));
        jsonrpc_call(acp->peer, "authenticate", params, on_authenticated, acp);
        return true;
    }
    return false;
}

/* ---- life ----------------------------------------------------------------------------------- */

static void free_acp(struct agent_session *session)
{
    struct acp *acp = (struct acp *)session;
    acp->over = true;
    withdraw_everything(acp);
    jsonrpc_flush(acp->peer);
    jsonrpc_free(&acp->peer);
    for (size_t i = 0; i < acp->mode_count; i++) {
        free(acp->modes[i].id);
        free(acp->modes[i].name);
    }
    free(acp->modes);
    json_decref(acp->servers);
    json_decref(acp->methods);
    json_decref(acp->tools);
    free(acp->agent);
    free(acp->id);
    free(acp->cwd);
    free(acp->load);
    free(acp->words);
    free(acp);
}

static json_t *variables(char *const *environment)
{
    json_t *list = json_array();
    for (; environment != NULL && *environment != NULL; environment++) {
        size_t name = strcspn(*environment, "=");
        json_t *variable = json_object();
        json_object_set_new(variable, "name", json_stringn(*environment, name));
        json_object_set_new(variable, "value", json_string(*environment + name + 1));
        json_array_append_new(list, variable);
    }
    return list;
}

static json_t *servers_of(const struct agent_session_setup *setup)
{
    json_t *list = json_array();
    if (setup->server == NULL)
        return list;
    json_t *arguments = json_array();
    for (char *const *word = setup->server + 1; *word != NULL; word++)
        json_array_append_new(arguments, json_string(*word));
    json_t *server = json_object();
    json_object_set_new(server, "name", json_string("assent"));
    json_object_set_new(server, "command", json_string(setup->server[0]));
    json_object_set_new(server, "args", arguments);
    json_object_set_new(server, "env", variables(setup->server_env));
    json_array_append_new(list, server);
    return list;
}

struct agent_session *acp_new(const struct agent_session_setup *setup)
{
    static const struct agent_session_class class = {
        .prompt = prompt,
        .cancel = cancel,
        .set_mode = set_mode,
        .authenticate = authenticate,
        .free = free_acp,
    };
    static const struct jsonrpc_events events = {
        .request = on_request,
        .notification = on_notification,
        .garbled = on_garbled,
        .closed = on_closed,
    };
    struct acp *acp = XNEW(struct acp);
    acp->session.class = &class;
    acp->setup = *setup;
    acp->cwd = xstrdup(setup->cwd);
    acp->load = setup->load != NULL ? xstrdup(setup->load) : NULL;
    acp->servers = servers_of(setup);
    acp->tools = json_object();
    LIST_INIT(&acp->questions);
    LIST_INIT(&acp->elicitations);
    LIST_INIT(&acp->terminals);
    LIST_INIT(&acp->files);
    acp->peer = jsonrpc_new(setup->loop, setup->from_agent, setup->to_agent, NULL, &events, acp);
    jsonrpc_call(acp->peer, "initialize", initialize_params(acp), on_initialized, acp);
    return &acp->session;
}
