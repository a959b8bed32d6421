/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "agents/drive/appserver-int.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"

/* As long as people take: the server would give up on our tools after 300 s. */
#define TOOL_TIMEOUT_SECONDS 86400

static void end(struct appserver *server, const char *why)
{
    if (server->over)
        return;
    server->over = true;
    appserver_approval_cancel(server);
    server->setup.events->ended(server->setup.argument, why);
}

static char *error_text(const json_t *error)
{
    const char *message = json_string_value(json_object_get(error, "message"));
    return xasprintf("%.*s", APPSERVER_TEXT_MAX, message != NULL ? message : "it gave no reason");
}

/* ---- beginning ------------------------------------------------------------------------------ */

static void on_thread(void *argument, const json_t *result, const json_t *error)
{
    struct appserver *server = argument;
    const json_t *thread = json_object_get(result, "thread");
    const char *id = json_string_value(json_object_get(thread, "id"));
    if (error != NULL || id == NULL) {
        cleanup_free char *text = error_text(error);
        cleanup_free char *why = xasprintf("Codex gives no thread: %s", text);
        end(server, why);
        return;
    }
    free(server->thread);
    server->thread = xstrdup(id);
    server->setup.events->ready(server->setup.argument, server->agent, server->thread);
}

static void start_thread(struct appserver *server)
{
    json_t *params = json_object();
    json_object_set_new(params, "cwd", json_string_lossy(server->cwd, strlen(server->cwd)));
    json_object_set_new(params, "approvalPolicy", json_string("on-request"));
    json_object_set_new(params, "sandbox", json_string("workspace-write"));
    if (json_object_size(server->servers) > 0) {
        json_t *config = json_object();
        json_object_set(config, "mcp_servers", server->servers);
        json_object_set_new(params, "config", config);
    }
    if (server->load != NULL)
        json_object_set_new(params, "threadId", json_string(server->load));
    jsonrpc_call(server->peer, server->load != NULL ? "thread/resume" : "thread/start", params,
                 on_thread, server);
}

static void on_initialized(void *argument, const json_t *result, const json_t *error)
{
    struct appserver *server = argument;
    const char *name = json_string_value(json_object_get(result, "userAgent"));
    if (error != NULL) {
        cleanup_free char *text = error_text(error);
        cleanup_free char *why = xasprintf("Codex refused to begin: %s", text);
        end(server, why);
        return;
    }
    /* "assent/0.169.0 (Debian …": our name, its version. */
    const char *version = name != NULL ? strchr(name, '/') : NULL;
    server->agent = version != NULL
                        ? xasprintf("Codex %.*s", (int)strcspn(version + 1, " "), version + 1)
                        : xstrdup("Codex");
    jsonrpc_notify(server->peer, "initialized", json_object());
    start_thread(server);
}

static void initialize(struct appserver *server)
{
    json_t *info = json_object();
    json_object_set_new(info, "name", json_string("assent"));
    json_object_set_new(info, "title", json_string("Assent"));
    json_object_set_new(info, "version", json_string(PACKAGE_VERSION));
    json_t *can = json_object();
    json_object_set_new(can, "experimentalApi", json_true());
    json_t *params = json_object();
    json_object_set_new(params, "clientInfo", info);
    json_object_set_new(params, "capabilities", can);
    jsonrpc_call(server->peer, "initialize", params, on_initialized, server);
}

/* ---- what the server says ------------------------------------------------------------------- */

static void turn_completed(struct appserver *server, const json_t *params)
{
    const json_t *turn = json_object_get(params, "turn");
    const char *status = json_string_value(json_object_get(turn, "status"));
    const char *message =
        json_string_value(json_object_get(json_object_get(turn, "error"), "message"));
    bool finished = status != NULL && strcmp(status, "completed") == 0;
    cleanup_free char *why = xasprintf("%.*s", APPSERVER_TEXT_MAX,
                                       message != NULL  ? message
                                       : status != NULL ? status
                                                        : "it gave no reason");
    cleanup_free char *words = steal_pointer(&server->words);
    if (!server->prompting)
        return;
    server->prompting = false;
    free(steal_pointer(&server->turn));
    appserver_approval_cancel(server);
    server->setup.events->turn_ended(server->setup.argument, finished ? NULL : why);
    if (words != NULL && !server->over)
        agent_session_prompt(&server->session, words);
}

/* A sub-agent has a thread of its own: its turns are not ours. */
static bool is_ours(const struct appserver *server, const json_t *params)
{
    const char *thread = json_string_value(json_object_get(params, "threadId"));
    return thread != NULL && server->thread != NULL && strcmp(thread, server->thread) == 0;
}

static void interrupt_turn(struct appserver *server);

static void turn_started(struct appserver *server, const json_t *turn)
{
    const char *id = json_string_value(json_object_get(turn, "id"));
    if (id == NULL || !server->prompting)
        return;
    free(server->turn);
    server->turn = xstrdup(id);
    if (server->interrupting)
        interrupt_turn(server);
}

static void on_notification(void *argument, const char *method, const json_t *params)
{
    struct appserver *server = argument;
    if (server->over)
        return;
    if (strcmp(method, "serverRequest/resolved") == 0)
        appserver_approval_resolved(server, json_object_get(params, "requestId"));
    else if (!is_ours(server, params) && json_object_get(params, "threadId") != NULL)
        return;
    else if (strcmp(method, "turn/started") == 0)
        turn_started(server, json_object_get(params, "turn"));
    else if (strcmp(method, "turn/completed") == 0)
        turn_completed(server, params);
    else
        appserver_item_notification(server, method, params);
}

static void on_request(void *argument, struct jsonrpc_request *request, const char *method,
                       const json_t *params)
{
    struct appserver *server = argument;
    if (server->over || !appserver_approval_request(server, request, method, params))
        jsonrpc_fail(&request, JSONRPC_METHOD_NOT_FOUND, "no such method: %.100s", method);
}

static void on_garbled(void *argument, const char *why)
{
    struct appserver *server = argument;
    agent_session_note(&server->setup, N_("Codex sent a line that is no message: %s"), why);
}

static void on_closed(void *argument, int number)
{
    (void)number;
    end(argument, "Codex has closed the connection");
}

/* ---- what the operator does ----------------------------------------------------------------- */

static void on_turn(void *argument, const json_t *result, const json_t *error)
{
    struct appserver *server = argument;
    if (error == NULL) {
        turn_started(server, json_object_get(result, "turn"));
        return;
    }
    cleanup_free char *text = error_text(error);
    server->prompting = false;
    server->setup.events->turn_ended(server->setup.argument, text);
}

static void prompt(struct agent_session *session, const char *text)
{
    struct appserver *server = (struct appserver *)session;
    if (server->thread == NULL || server->prompting || server->over)
        return;
    json_t *part = json_object();
    json_object_set_new(part, "type", json_string("text"));
    json_object_set_new(part, "text", json_string_lossy(text, strlen(text)));
    json_t *input = json_array();
    json_array_append_new(input, part);
    json_t *params = json_object();
    json_object_set_new(params, "threadId", json_string(server->thread));
    json_object_set_new(params, "input", input);
    server->prompting = true;
    server->interrupting = false;
    server->setup.events->speech(server->setup.argument, AGENT_SPEECH_OPERATOR, text, strlen(text));
    jsonrpc_call(server->peer, "turn/start", params, on_turn, server);
}

static void ignore_answer(void *argument, const json_t *result, const json_t *error)
{
    (void)argument;
    (void)result;
    (void)error;
}

static void interrupt_turn(struct appserver *server)
{
    json_t *params = json_object();
    json_object_set_new(params, "threadId", json_string(server->thread));
    json_object_set_new(params, "turnId", json_string(server->turn));
    server->interrupting = false;
    jsonrpc_call(server->peer, "turn/interrupt", params, ignore_answer, server);
}

static void cancel(struct agent_session *session)
{
    struct appserver *server = (struct appserver *)session;
    if (!server->prompting || server->over)
        return;
    appserver_approval_cancel(server);
    if (server->turn != NULL)
        interrupt_turn(server);
    else
        server->interrupting = true;
}

/* Modes and log-ins are settled in Codex' own configuration. */
static bool has_none(struct agent_session *session, const char *name)
{
    (void)session;
    (void)name;
    return false;
}

/* ---- life ----------------------------------------------------------------------------------- */

static void free_appserver(struct agent_session *session)
{
    struct appserver *server = (struct appserver *)session;
    server->over = true;
    appserver_approval_cancel(server);
    jsonrpc_flush(server->peer);
    jsonrpc_free(&server->peer);
    json_decref(server->servers);
    json_decref(server->items);
    free(server->agent);
    free(server->thread);
    free(server->turn);
    free(server->spoken);
    free(server->cwd);
    free(server->load);
    free(server->words);
    free(server);
}

static json_t *servers_of(const struct agent_session_setup *setup)
{
    json_t *servers = json_object();
    if (setup->server == NULL)
        return servers;
    json_t *arguments = json_array();
    for (char *const *word = setup->server + 1; *word != NULL; word++)
        json_array_append_new(arguments, json_string(*word));
    json_t *environment = json_object();
    for (char *const *entry = setup->server_env; entry != NULL && *entry != NULL; entry++) {
        size_t name = strcspn(*entry, "=");
        cleanup_free char *key = xstrndup(*entry, name);
        json_object_set_new(environment, key, json_string(*entry + name + 1));
    }
    json_t *server = json_object();
    json_object_set_new(server, "command", json_string(setup->server[0]));
    json_object_set_new(server, "args", arguments);
    json_object_set_new(server, "env", environment);
    json_object_set_new(server, "tool_timeout_sec", json_integer(TOOL_TIMEOUT_SECONDS));
    /* Ours ask by themselves. */
    json_object_set_new(server, "default_tools_approval_mode", json_string("approve"));
    json_object_set_new(servers, "assent", server);
    return servers;
}

struct agent_session *appserver_new(const struct agent_session_setup *setup)
{
    static const struct agent_session_class class = {
        .prompt = prompt,
        .cancel = cancel,
        .set_mode = has_none,
        .authenticate = has_none,
        .free = free_appserver,
    };
    static const struct jsonrpc_events events = {
        .request = on_request,
        .notification = on_notification,
        .garbled = on_garbled,
        .closed = on_closed,
    };
    static const struct jsonrpc_setup bare = {.bare = true};
    struct appserver *server = XNEW(struct appserver);
    server->session.class = &class;
    server->setup = *setup;
    server->cwd = xstrdup(setup->cwd);
    server->load = setup->load != NULL ? xstrdup(setup->load) : NULL;
    server->servers = servers_of(setup);
    server->items = json_object();
    LIST_INIT(&server->questions);
    server->peer =
        jsonrpc_new(setup->loop, setup->from_agent, setup->to_agent, &bare, &events, server);
    initialize(server);
    return &server->session;
}
