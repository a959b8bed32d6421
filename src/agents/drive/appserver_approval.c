/* SPDX-License-Identifier: MIT */
/* appserver_approval: Codex asks before it does something itself; the console answers. What our own
 * answers allow for longer is remembered here, where it can be seen and undone; Codex is told once,
 * unless the operator picks an answer of Codex' own by its name. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agents/agent_tool.h"
#include "agents/drive/appserver-int.h"
#include "agents/drive/form.h"
#include "agents/drive/inquiry.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "command/shell.h"

#define QUESTIONS_MAX 64

enum verdict { VERDICT_YES, VERDICT_NO, VERDICT_STOP };

struct appserver_question;

/* One kind of question. */
struct kind {
    const char *method;
    /* Parameters of call/start, or NULL with a message. No function: it always wants words. */
    json_t *(*ask)(struct appserver *server, const json_t *params, struct error *error);
    json_t *(*answer)(const json_t *params, enum verdict verdict, const char *why);
};

struct appserver_question {
    struct appserver *server;
    const struct kind *kind;
    struct jsonrpc_request *request;
    json_t *params;
    struct asked *asked;     /* it is answered by yes or no, */
    struct inquiry *inquiry; /* or by words */
    struct appserver_offers offers;
    LIST_ENTRY(appserver_question) entry;
};

static const char *text_member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static const char *cwd_of(const struct appserver *server, const json_t *params)
{
    const char *cwd = text_member(params, "cwd");
    return cwd != NULL && cwd[0] == '/' ? cwd : server->cwd;
}

/* ---- commands ------------------------------------------------------------------------------- */

/* The command line as its words, when they can be known for certain: then the rules and the screen
 * see the script in it, not the shell around it. */
static json_t *words_of(const char *line)
{
    struct shell_script script;
    json_t *words = NULL;
    shell_parse(line, strlen(line), &script);
    if (script.plain && script.count == 1) {
        words = json_array();
        for (char **word = script.commands[0].argv; *word != NULL; word++)
            json_array_append_new(words, json_string(*word));
    }
    shell_script_clear(&script);
    return words != NULL ? words : json_string(line);
}

/* Adds `name: value` to what the agent says. */
static void add_words(struct strbuf *text, const char *name, const json_t *value)
{
    if (value == NULL || json_is_null(value))
        return;
    cleanup_free char *dump =
        json_is_string(value) ? xstrdup(json_string_value(value)) : json_dumps(value, JSON_COMPACT);
    strbuf_addf(text, "%s%s%s%.*s", text->length > 0 ? "; " : "", name, name[0] != '\0' ? ": " : "",
                APPSERVER_TEXT_MAX, dump != NULL ? dump : "?");
}

static char *purpose_of(const json_t *params)
{
    static const struct {
        const char *key, *shown;
    } members[] = {{"reason", ""},
                   {"risk", "the agent calls it"},
                   {"networkApprovalContext", "it wants to reach"},
                   {"additionalPermissions", "it wants more rights"},
                   {"grantRoot", "it wants to write below"}};
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < COUNT(members); i++)
        add_words(&text, members[i].shown, json_object_get(params, members[i].key));
    return strbuf_steal(&text);
}

/* One word for what Codex has read out of the command: "read", "search", "listFiles". */
static const char *tool_of(const json_t *params)
{
    const json_t *actions = json_object_get(params, "commandActions");
    const char *kind = text_member(params, "kind");
    if (kind != NULL && strcmp(kind, "command") != 0)
        return kind;
    const char *type = text_member(json_array_get(actions, 0), "type");
    if (json_array_size(actions) != 1 || type == NULL || strcmp(type, "unknown") == 0)
        return "shell";
    return type;
}

static json_t *ask_command(struct appserver *server, const json_t *params, struct error *error)
{
    const json_t *item = json_object_get(
        server->items, text_member(params, "itemId") ? text_member(params, "itemId") : "");
    const char *line = text_member(params, "command");
    cleanup_free char *purpose = purpose_of(params);
    if (line == NULL)
        line = text_member(item, "command");
    if (line == NULL) { /* a connection of a command that runs already */
        cleanup_json json_t *fields = json_object();
        json_object_set_new(fields, "request", json_string(purpose));
        return agent_tool_params("network", fields, cwd_of(server, params), error);
    }
    cleanup_json json_t *command = words_of(line);
    return agent_tool_command_params(tool_of(params), command, purpose, cwd_of(server, params));
}

static json_t *decision(const char *word)
{
    json_t *object = json_object();
    json_object_set_new(object, "decision", json_string(word));
    return object;
}

static json_t *answer_item(const json_t *params, enum verdict verdict, const char *why)
{
    static const char *const words[] = {"accept", "decline", "cancel"};
    (void)params;
    (void)why;
    return decision(words[verdict]);
}

/* ---- files ---------------------------------------------------------------------------------- */

static json_t *ask_change(struct appserver *server, const json_t *params, struct error *error)
{
    const char *id = text_member(params, "itemId");
    const json_t *item = id != NULL ? json_object_get(server->items, id) : NULL;
    cleanup_free char *purpose = purpose_of(params);
    cleanup_json json_t *fields = json_object();
    size_t index;
    const json_t *change;
    json_array_foreach(json_object_get(item, "changes"), index, change)
    {
        const char *path = text_member(change, "path");
        const char *kind = text_member(json_object_get(change, "kind"), "type");
        cleanup_free char *key = xasprintf("%.20s %.*s", kind != NULL ? kind : "change",
                                           APPSERVER_TEXT_MAX, path != NULL ? path : "?");
        json_object_set(fields, key, json_object_get(change, "diff"));
    }
    if (json_object_size(fields) == 0) {
        error_set(error, 0, "itemId: no such change of files was announced");
        return NULL;
    }
    json_t *call = agent_tool_params("apply_patch", fields, server->cwd, error);
    if (purpose[0] != '\0')
        json_object_set_new(call, "justification", json_string(purpose));
    return call;
}

/* ---- permissions ---------------------------------------------------------------------------- */

static json_t *ask_permissions(struct appserver *server, const json_t *params, struct error *error)
{
    cleanup_json json_t *fields = json_object();
    const json_t *wanted = json_object_get(params, "permissions");
    if (!json_is_object(wanted)) {
        error_set(error, 0, "permissions: expected an object");
        return NULL;
    }
    json_object_update(fields, (json_t *)wanted);
    json_t *call = agent_tool_params("request_permissions", fields, cwd_of(server, params), error);
    if (text_member(params, "reason") != NULL)
        json_object_set(call, "justification", json_object_get(params, "reason"));
    return call;
}

static json_t *answer_permissions(const json_t *params, enum verdict verdict, const char *why)
{
    json_t *object = json_object();
    (void)why;
    json_object_set_new(object, "permissions",
                        verdict == VERDICT_YES ? json_incref(json_object_get(params, "permissions"))
                                               : json_object());
    json_object_set_new(object, "scope", json_string("turn"));
    return object;
}

/* ---- tools of MCP servers ------------------------------------------------------------------- */

static json_t *ask_tool(struct appserver *server, const json_t *params, struct error *error)
{
    if (inquiry_is_url(params))
        return inquiry_url_params(params, server->cwd, error);
    const json_t *meta = json_object_get(params, "_meta");
    const char *from = text_member(params, "serverName");
    const char *tool = text_member(meta, "tool_name");
    json_t *input = json_object_get(meta, "tool_params");
    cleanup_json json_t *none = json_object();
    cleanup_free char *name =
        xasprintf("mcp__%.80s__%.80s", from != NULL ? from : "?", tool != NULL ? tool : "?");
    return agent_tool_params(name, json_is_object(input) ? input : none, server->cwd, error);
}

static json_t *answer_tool(const json_t *params, enum verdict verdict, const char *why)
{
    static const char *const words[] = {"accept", "decline", "cancel"};
    json_t *object = json_object();
    (void)params;
    (void)why;
    json_object_set_new(object, "action", json_string(words[verdict]));
    json_object_set_new(object, "content", verdict == VERDICT_YES ? json_object() : json_null());
    return object;
}

static bool is_our_server(const struct kind *kind, const json_t *params)
{
    const char *server = text_member(params, "serverName");
    const char *approval = text_member(json_object_get(params, "_meta"), "codex_approval_kind");
    return kind->answer == answer_tool && server != NULL && strcmp(server, "assent") == 0 &&
           approval != NULL && strcmp(approval, "mcp_tool_call") == 0;
}

/* ---- requests of earlier versions ----------------------------------------------------------- */

static json_t *ask_earlier_command(struct appserver *server, const json_t *params,
                                   struct error *error)
{
    json_t *command = json_object_get(params, "command");
    const json_t *parsed = json_object_get(params, "parsedCmd");
    const char *type = text_member(json_array_get(parsed, 0), "type");
    cleanup_free char *purpose = purpose_of(params);
    if (!json_is_array(command) || json_array_size(command) == 0) {
        error_set(error, 0, "command: expected an array of strings");
        return NULL;
    }
    bool known = json_array_size(parsed) == 1 && type != NULL && strcmp(type, "unknown") != 0;
    return agent_tool_command_params(known ? type : "shell", command, purpose,
                                     cwd_of(server, params));
}

static json_t *ask_earlier_change(struct appserver *server, const json_t *params,
                                  struct error *error)
{
    json_t *changes = json_object_get(params, "fileChanges");
    cleanup_free char *purpose = purpose_of(params);
    json_t *call = agent_tool_params("apply_patch", changes, server->cwd, error);
    if (call != NULL && purpose[0] != '\0')
        json_object_set_new(call, "justification", json_string(purpose));
    return call;
}

static json_t *answer_earlier(const json_t *params, enum verdict verdict, const char *why)
{
    (void)params;
    if (verdict != VERDICT_NO)
        return decision(verdict == VERDICT_YES ? "approved" : "abort");
    json_t *denied = json_object();
    json_object_set_new(denied, "rejection", json_string_lossy(why, strlen(why)));
    json_t *word = json_object();
    json_object_set_new(word, "denied", denied);
    json_t *object = json_object();
    json_object_set_new(object, "decision", word);
    return object;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static json_t *answer_nothing(const json_t *params, enum verdict verdict, const char *why)
{
    json_t *object = json_object();
    (void)params;
    (void)verdict;
    (void)why;
    json_object_set_new(object, "answers", json_object());
    return object;
}

static const struct kind kinds[] = {
    {"item/commandExecution/requestApproval", ask_command, answer_item},
    {"item/fileChange/requestApproval", ask_change, answer_item},
    {"item/permissions/requestApproval", ask_permissions, answer_permissions},
    {"mcpServer/elicitation/request", ask_tool, answer_tool},
    {"item/tool/requestUserInput", NULL, answer_nothing},
    {"execCommandApproval", ask_earlier_command, answer_earlier},
    {"applyPatchApproval", ask_earlier_change, answer_earlier},
};

static void free_question(struct appserver_question *question)
{
    LIST_REMOVE(question, entry);
    question->server->question_count--;
    asker_drop(&question->asked);
    inquiry_drop(&question->inquiry);
    appserver_offers_clear(&question->offers);
    json_decref(question->params);
    free(question);
}

static void settle(struct appserver_question *question, enum verdict verdict, const char *why)
{
    jsonrpc_reply(&question->request, question->kind->answer(question->params, verdict, why));
    free_question(question);
}

/* ---- questions that want words -------------------------------------------------------------- */

/* The form of a request that is not answered by yes or no; NULL with *error empty: it is. */
static struct form *form_of(const struct kind *kind, const json_t *params, struct error *error)
{
    const char *approval = text_member(json_object_get(params, "_meta"), "codex_approval_kind");
    const char *from = text_member(params, "serverName");
    const char *message = text_member(params, "message");
    if (kind->ask == NULL)
        return form_from_questions(json_object_get(params, "questions"), error);
    if (kind->answer != answer_tool || inquiry_is_url(params) ||
        (approval != NULL && strcmp(approval, "mcp_tool_call") == 0))
        return NULL;
    cleanup_free char *words = xasprintf("%.100s asks: %.*s", from != NULL ? from : "a tool server",
                                         APPSERVER_TEXT_MAX, message != NULL ? message : "");
    return form_from_schema(words, json_object_get(params, "requestedSchema"), error);
}

/* {id: {answers: [words]}} */
static json_t *answers_of(const json_t *content)
{
    json_t *answers = json_object();
    const char *id;
    json_t *value;
    json_object_foreach((json_t *)content, id, value)
    {
        json_object_set_new(answers, id, json_pack("{s:[O]}", "answers", value));
    }
    return answers;
}

static json_t *result_of(const struct appserver_question *question, const json_t *content)
{
    json_t *result = json_object();
    if (question->kind->ask == NULL) {
        json_object_set_new(result, "answers", answers_of(content));
    } else {
        json_object_set_new(result, "action", json_string("accept"));
        json_object_set(result, "content", (json_t *)content);
    }
    return result;
}

/* Every field has its answer, or there is none. */
static void on_words(void *argument, const json_t *content, bool stop, const char *why)
{
    struct appserver_question *question = argument;
    question->inquiry = NULL;
    if (content == NULL) {
        settle(question, stop ? VERDICT_STOP : VERDICT_NO, why);
        return;
    }
    jsonrpc_reply(&question->request, result_of(question, content));
    free_question(question);
}

/* ---- yes or no ------------------------------------------------------------------------------ */

static void on_finished(void *argument, const json_t *result, const char *why)
{
    struct appserver_question *question = argument;
    struct appserver *server = question->server;
    bool interrupt = false;
    question->asked = NULL;
    cleanup_free char *refusal =
        result != NULL ? agent_tool_refusal(result, &interrupt) : xstrdup(why);
    if (result == NULL)
        agent_session_note(&server->setup, N_("Nobody could be asked: %s"), why);
    const char *words = agent_tool_words(result);
    if (words != NULL && question->kind->answer != answer_earlier) {
        free(server->words);
        server->words = xstrdup(words);
    }
    json_t *picked = appserver_offers_picked(&question->offers, result);
    if (picked != NULL) {
        jsonrpc_reply(&question->request, picked);
        free_question(question);
        return;
    }
    settle(question,
           refusal == NULL ? VERDICT_YES
           : interrupt     ? VERDICT_STOP
                           : VERDICT_NO,
           refusal);
}

void appserver_approval_cancel(struct appserver *server)
{
    while (!LIST_EMPTY(&server->questions))
        settle(LIST_FIRST(&server->questions), VERDICT_STOP, "the turn has ended");
}

void appserver_approval_resolved(struct appserver *server, const json_t *id)
{
    struct appserver_question *question;
    LIST_FOREACH(question, &server->questions, entry)
    {
        if (json_equal(jsonrpc_request_id(question->request), id))
            break;
    }
    if (question == NULL)
        return;
    agent_session_note(&server->setup, N_("The question was settled elsewhere."));
    jsonrpc_drop(&question->request);
    free_question(question);
}

static void begin(struct appserver *server, const struct kind *kind,
                  struct jsonrpc_request *request, const json_t *params)
{
    static const struct asked_events events = {.finished = on_finished};
    struct error error = ERROR_INIT;
    struct form *form = form_of(kind, params, &error);
    bool plain = form == NULL && error.message[0] == '\0';
    json_t *call = plain ? kind->ask(server, params, &error) : NULL;
    if (call == NULL && form == NULL && kind->answer == answer_tool) {
        agent_session_note(&server->setup, N_("Declined: %s"), error.message);
        jsonrpc_reply(&request, answer_tool(params, VERDICT_NO, error.message));
        return;
    }
    if (call == NULL && form == NULL) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    struct appserver_question *question = XNEW(struct appserver_question);
    question->server = server;
    question->kind = kind;
    question->request = request;
    question->params = json_incref((json_t *)params);
    LIST_INSERT_HEAD(&server->questions, question, entry);
    server->question_count++;
    if (form != NULL) {
        question->inquiry =
            inquiry_start(server->setup.asker, form, server->cwd, on_words, question);
        return;
    }
    appserver_offers_make(&question->offers, kind->method, params);
    if (json_array_size(question->offers.names) > 0)
        json_object_set(call, "offers", question->offers.names);
    question->asked = asker_start(server->setup.asker, call, &events, question);
}

bool appserver_approval_request(struct appserver *server, struct jsonrpc_request *request,
                                const char *method, const json_t *params)
{
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (strcmp(kinds[i].method, method) != 0)
            continue;
        if (is_our_server(&kinds[i], params))
            jsonrpc_reply(&request, answer_tool(params, VERDICT_YES, NULL));
        else if (server->question_count >= QUESTIONS_MAX)
            jsonrpc_fail(&request, JSONRPC_INTERNAL_ERROR, "%d questions are open already",
                         QUESTIONS_MAX);
        else
            begin(server, &kinds[i], request, params);
        return true;
    }
    return false;
}
