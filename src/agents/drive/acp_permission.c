/* SPDX-License-Identifier: MIT */
/* acp_permission: the agent asks before it uses a tool of its own; the console answers. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agents/agent_tool.h"
#include "agents/drive/acp-int.h"
#include "approval/call.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/text.h"

/* Open at once; an agent that asks more without waiting is broken. */
#define QUESTIONS_MAX 64
#define TOOL_NAME_MAX 100
#define OPTIONS_SHOWN 8
#define OPTION_NAME_MAX 100 /* columns */

struct acp_question {
    struct acp *acp;
    struct jsonrpc_request *request;
    struct asked *asked;
    char *allow, *reject; /* optionIds, or NULL: the agent offers none */
    char **offers;        /* those of what can be picked by name, NULL-terminated */
    LIST_ENTRY(acp_question) entry;
};

static const char *text_member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* ---- what is asked -------------------------------------------------------------------------- */

/* The tool's name, in the place where some agent puts it; the kind of thing it does otherwise. */
static char *tool_name(const json_t *tool)
{
    const json_t *meta = json_object_get(tool, "_meta");
    const char *const names[] = {
        text_member(json_object_get(meta, "claudeCode"), "toolName"),
        text_member(tool, "name"),
        text_member(meta, "toolName"),
        text_member(tool, "kind"),
        "tool",
    };
    size_t at = 0;
    while (names[at] == NULL || names[at][0] == '\0')
        at++;
    return xasprintf("%.*s", TOOL_NAME_MAX, names[at]);
}

/* What runs, as a string or an array, or NULL. */
static json_t *command_of(const json_t *input)
{
    static const char *const keys[] = {"command", "cmd", "script"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        json_t *command = json_object_get(input, keys[i]);
        if (json_is_string(command) || (json_is_array(command) && json_array_size(command) > 0))
            return command;
    }
    return NULL;
}

static const char *purpose_of(const json_t *input)
{
    static const char *const keys[] = {"description", "justification", "reason"};
    for (size_t i = 0; i < COUNT(keys); i++)
        if (text_member(input, keys[i]) != NULL)
            return text_member(input, keys[i]);
    return NULL;
}

/* The agent's words: what it is for, and the answers that it offers under its own names. */
static char *words_of(const json_t *tool, const json_t *options)
{
    struct strbuf text = STRBUF_INIT;
    const char *purpose = purpose_of(json_object_get(tool, "rawInput"));
    size_t index;
    const json_t *option;
    if (purpose != NULL)
        strbuf_addf(&text, "%.*s ", ACP_TEXT_MAX, purpose);
    strbuf_addstr(&text, "(answers offered: ");
    json_array_foreach(options, index, option)
    {
        const char *name = text_member(option, "name");
        if (index < OPTIONS_SHOWN)
            strbuf_addf(&text, "%s%.80s", index > 0 ? ", " : "", name != NULL ? name : "?");
    }
    strbuf_addch(&text, ')');
    return strbuf_steal(&text);
}

/* What a change of files and what a tool without a command is, as fields. */
static json_t *fields_of(const json_t *tool)
{
    static const char *const kept[] = {"path", "oldText", "newText"};
    json_t *fields = json_object();
    const char *kind = text_member(tool, "kind");
    bool runs = kind != NULL && strcmp(kind, "execute") == 0;
    size_t index;
    const json_t *part;
    /* Some agents have the command nowhere else. */
    if (text_member(tool, "title") != NULL)
        json_object_set(fields, runs ? "command" : "title", json_object_get(tool, "title"));
    json_array_foreach(json_object_get(tool, "content"), index, part)
    {
        const char *type = text_member(part, "type");
        const char *text = text_member(json_object_get(part, "content"), "text");
        cleanup_free char *label = xasprintf("text%zu", index + 1);
        bool diff = type != NULL && strcmp(type, "diff") == 0;
        for (size_t i = 0; diff && i < COUNT(kept); i++) {
            cleanup_free char *key =
                index == 0 ? xstrdup(kept[i]) : xasprintf("%s%zu", kept[i], index + 1);
            if (text_member(part, kept[i]) != NULL)
                json_object_set(fields, key, json_object_get(part, kept[i]));
        }
        if (!diff && text != NULL)
            json_object_set_new(fields, label, json_string(text));
    }
    if (json_object_get(fields, "path") == NULL)
        json_object_update_missing(fields, json_object_get(tool, "rawInput"));
    return fields;
}

static json_t *params_of(const struct acp *acp, const json_t *tool, const json_t *options)
{
    const json_t *input = json_object_get(tool, "rawInput");
    const char *kind = text_member(tool, "kind");
    json_t *command = command_of(input);
    cleanup_free char *name = tool_name(tool);
    cleanup_free char *words = words_of(tool, options);
    const char *cwd = text_member(input, "cwd");
    if (cwd == NULL || cwd[0] != '/')
        cwd = acp->cwd;
    bool file = kind != NULL && strcmp(kind, "edit") == 0;
    if (command != NULL && !file)
        return agent_tool_command_params(name, command, words, cwd);
    cleanup_json json_t *fields = fields_of(tool);
    json_t *params = agent_tool_params(name, fields, cwd, NULL);
    if (json_object_get(params, "justification") == NULL)
        json_object_set_new(params, "justification", json_string(words));
    return params;
}

/* Tools of claude-code-acp that do nothing but call our terminals and files. */
static bool calls_us(const struct acp *acp, const char *name)
{
    static const char *const names[] = {"mcp__acp__Bash",  "mcp__acp__Read",
                                        "mcp__acp__Write", "mcp__acp__KillShell",
                                        "mcp__acp__Edit",  "mcp__acp__BashOutput"};
    for (size_t i = 0; i < COUNT(names) && acp->setup.files; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* A tool of the server that we gave the agent, which asks by itself. A command is never one,
 * whatever its title: that may be the model's. */
static bool is_ours(const struct acp *acp, const json_t *tool)
{
    static const char *const prefixes[] = {"Tool: assent/", "assent_", "mcp_assent_", "assent-"};
    const json_t *input = json_object_get(tool, "rawInput");
    const char *kind = text_member(tool, "kind");
    const char *title = text_member(tool, "title");
    const char *id = text_member(tool, "toolCallId");
    const char *server = text_member(input, "server");
    cleanup_free char *name = tool_name(tool);
    if (calls_us(acp, name))
        return true;
    if (kind != NULL && strcmp(kind, "other") != 0)
        return false;
    if (server == NULL)
        server = text_member(input, "server_name");
    if (server != NULL)
        return strcmp(server, "assent") == 0;
    if (agent_tool_is_ours(name) || agent_tool_is_ours(title))
        return true;
    if (id != NULL && strncmp(id, "mcp_assent_", strlen("mcp_assent_")) == 0)
        return true;
    for (size_t i = 0; i < COUNT(prefixes) && title != NULL; i++) {
        size_t length = strlen(prefixes[i]);
        cleanup_free char *full = strncmp(title, prefixes[i], length) == 0
                                      ? xasprintf("mcp__assent__%.100s", title + length)
                                      : NULL;
        if (agent_tool_is_ours(full))
            return true;
    }
    return false;
}

/* ---- the answer ----------------------------------------------------------------------------- */

/* The first option of that kind. */
static const char *option_of(const json_t *options, const char *kind)
{
    size_t index;
    const json_t *option;
    json_array_foreach(options, index, option)
    {
        const char *its = text_member(option, "kind");
        if (its != NULL && strcmp(its, kind) == 0)
            return text_member(option, "optionId");
    }
    return NULL;
}

/* NULL: no answer of the agent's is chosen. */
static void reply(struct jsonrpc_request **request, const char *option)
{
    json_t *outcome = json_object();
    json_object_set_new(outcome, "outcome", json_string(option != NULL ? "selected" : "cancelled"));
    if (option != NULL)
        json_object_set_new(outcome, "optionId", json_string(option));
    json_t *result = json_object();
    json_object_set_new(result, "outcome", outcome);
    jsonrpc_reply(request, result);
}

/* All options but the two that stand for yes and no: what lasts at the agent's, and what we do not
 * know, is only ever picked by its name. Their ids go to `ids`. New reference. */
static json_t *offers_of(const json_t *options, const char *allow, const char *reject, char ***ids)
{
    json_t *offers = json_array();
    size_t index, count = 0;
    const json_t *option;
    *ids = xcalloc(CALL_OFFERS_MAX + 1, sizeof(char *));
    json_array_foreach(options, index, option)
    {
        const char *id = text_member(option, "optionId");
        const char *name = text_member(option, "name");
        if (count == CALL_OFFERS_MAX || id == NULL || (allow != NULL && strcmp(id, allow) == 0) ||
            (reject != NULL && strcmp(id, reject) == 0))
            continue;
        if (name == NULL || name[0] == '\0')
            name = id[0] != '\0' ? id : "?";
        size_t shown = text_fit(name, strlen(name), OPTION_NAME_MAX);
        json_t *offer = json_object();
        json_object_set_new(offer, "name", json_string_lossy(name, shown > 0 ? shown : 1));
        if (text_member(option, "kind") != NULL)
            json_object_set(offer, "kind", json_object_get(option, "kind"));
        json_array_append_new(offers, offer);
        (*ids)[count++] = xstrdup(id);
    }
    return offers;
}

/* The option that the operator picked by name, or NULL. */
static const char *picked(const struct acp_question *question, const json_t *result)
{
    const json_t *offer = json_object_get(json_object_get(result, "decision"), "offer");
    json_int_t index = json_integer_value(offer);
    bool known = json_is_integer(offer) && index >= 0 &&
                 (size_t)index < strv_length((const char *const *)question->offers);
    return known ? question->offers[index] : NULL;
}

static void free_question(struct acp_question *question)
{
    LIST_REMOVE(question, entry);
    question->acp->question_count--;
    asker_drop(&question->asked);
    free(question->allow);
    free(question->reject);
    strv_free(&question->offers);
    free(question);
}

static void on_finished(void *argument, const json_t *result, const char *why)
{
    struct acp_question *question = argument;
    struct acp *acp = question->acp;
    bool interrupt = false;
    question->asked = NULL;
    cleanup_free char *refusal =
        result != NULL ? agent_tool_refusal(result, &interrupt) : xstrdup(why);
    if (result == NULL)
        agent_session_note(&acp->setup, N_("Nobody could be asked: %s"), why);
    const char *words = agent_tool_words(result);
    if (words != NULL) {
        free(acp->words);
        acp->words = xstrdup(words);
    }
    const char *option = picked(question, result);
    if (refusal == NULL && question->allow == NULL && option == NULL)
        agent_session_note(&acp->setup,
                           N_("The agent offers no way to allow this once: it was told no."));
    if (option == NULL)
        option = refusal == NULL ? question->allow : question->reject;
    reply(&question->request, option);
    free_question(question);
    if (interrupt)
        agent_session_cancel(&acp->session);
}

void acp_permission_cancel(struct acp *acp)
{
    struct acp_question *question;
    while ((question = LIST_FIRST(&acp->questions)) != NULL) {
        reply(&question->request, NULL);
        free_question(question);
    }
}

bool acp_permission_withdraw(struct acp *acp, const json_t *id)
{
    struct acp_question *question;
    LIST_FOREACH(question, &acp->questions, entry)
    {
        if (json_equal(jsonrpc_request_id(question->request), id))
            break;
    }
    if (question == NULL)
        return false;
    jsonrpc_fail(&question->request, ACP_CANCELLED, "cancelled");
    free_question(question);
    return true;
}

static char *copy(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

void acp_permission_request(struct acp *acp, struct jsonrpc_request *request, const json_t *params)
{
    static const struct asked_events events = {.finished = on_finished};
    const json_t *options = json_object_get(params, "options");
    const json_t *tool = acp_tool_merge(acp, json_object_get(params, "toolCall"));
    const char *allow = option_of(options, "allow_once");
    if (tool == NULL || json_array_size(options) == 0) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS,
                     "expected toolCall with its toolCallId, and options");
        return;
    }
    if (acp->question_count >= QUESTIONS_MAX) {
        jsonrpc_fail(&request, JSONRPC_INTERNAL_ERROR, "%d questions are open already",
                     QUESTIONS_MAX);
        return;
    }
    if (allow != NULL && is_ours(acp, tool)) {
        reply(&request, allow);
        return;
    }
    struct acp_question *question = XNEW(struct acp_question);
    question->acp = acp;
    question->request = request;
    question->allow = copy(allow);
    question->reject = copy(option_of(options, "reject_once"));
    json_t *asked = params_of(acp, tool, options);
    json_object_set_new(asked, "offers",
                        offers_of(options, question->allow, question->reject, &question->offers));
    LIST_INSERT_HEAD(&acp->questions, question, entry);
    acp->question_count++;
    question->asked = asker_start(acp->setup.asker, asked, &events, question);
}
