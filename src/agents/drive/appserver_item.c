/* SPDX-License-Identifier: MIT */
/* appserver_item: what Codex reports of a turn: messages, commands, changes of files, its plan. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agents/drive/appserver-int.h"
#include "base/alloc.h"

#define ITEMS_MAX 256

static const char *text_member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* ---- items ---------------------------------------------------------------------------------- */

/* What the item does, in a line; NULL for one that is not shown as a tool. */
static char *title_of(const json_t *item)
{
    const char *type = text_member(item, "type");
    const char *command = text_member(item, "command");
    const char *tool = text_member(item, "tool");
    const char *query = text_member(item, "query");
    const json_t *changes = json_object_get(item, "changes");
    const char *path = text_member(json_array_get(changes, 0), "path");
    size_t count = json_array_size(changes);
    if (type == NULL)
        return NULL;
    if (strcmp(type, "commandExecution") == 0)
        return xasprintf("%.*s", APPSERVER_TEXT_MAX, command != NULL ? command : "a command");
    if (strcmp(type, "fileChange") == 0 && count == 1)
        return xasprintf("Change %.*s", APPSERVER_TEXT_MAX, path != NULL ? path : "a file");
    if (strcmp(type, "fileChange") == 0)
        return xasprintf("Change %zu files", count);
    if (strcmp(type, "mcpToolCall") == 0)
        return xasprintf("%.200s/%.200s",
                         text_member(item, "server") ? text_member(item, "server") : "?",
                         tool != NULL ? tool : "?");
    if (strcmp(type, "webSearch") == 0)
        return xasprintf("Search for %.*s", APPSERVER_TEXT_MAX, query != NULL ? query : "?");
    return NULL;
}

static void remember(struct appserver *server, json_t *item)
{
    const char *id = text_member(item, "id");
    void *oldest = json_object_iter(server->items);
    if (id == NULL)
        return;
    if (json_object_size(server->items) >= ITEMS_MAX && oldest != NULL)
        json_object_del(server->items, json_object_iter_key(oldest));
    json_object_set(server->items, id, item);
}

static void show_item(struct appserver *server, const json_t *params, const char *fallback)
{
    json_t *item = json_object_get(params, "item");
    const char *status = text_member(item, "status");
    cleanup_free char *title = title_of(item);
    if (title == NULL)
        return;
    remember(server, item);
    server->setup.events->tool(server->setup.argument, title, status != NULL ? status : fallback);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void say(struct appserver *server, enum agent_speech who, const json_t *text)
{
    if (json_is_string(text))
        server->setup.events->speech(server->setup.argument, who, json_string_value(text),
                                     json_string_length(text));
}

static void say_piece(struct appserver *server, const json_t *params)
{
    const char *id = text_member(params, "itemId");
    free(server->spoken);
    server->spoken = id != NULL ? xstrdup(id) : NULL;
    say(server, AGENT_SPEECH_AGENT, json_object_get(params, "delta"));
}

/* A message that did not come in pieces comes whole. */
static void say_whole(struct appserver *server, const json_t *item)
{
    const char *type = text_member(item, "type");
    const char *id = text_member(item, "id");
    if (type == NULL || strcmp(type, "agentMessage") != 0)
        return;
    if (id == NULL || server->spoken == NULL || strcmp(id, server->spoken) != 0)
        say(server, AGENT_SPEECH_AGENT, json_object_get(item, "text"));
}

static void complete_item(struct appserver *server, const json_t *params)
{
    say_whole(server, json_object_get(params, "item"));
    show_item(server, params, "completed");
}

static void show_problem(struct appserver *server, const json_t *params)
{
    const char *message = text_member(params, "message");
    if (message == NULL)
        message = text_member(json_object_get(params, "error"), "message");
    if (message != NULL)
        agent_session_note(&server->setup, "%.*s", APPSERVER_TEXT_MAX, message);
}

void appserver_item_notification(struct appserver *server, const char *method, const json_t *params)
{
    if (strcmp(method, "item/agentMessage/delta") == 0)
        say_piece(server, params);
    else if (strcmp(method, "item/reasoning/summaryTextDelta") == 0 ||
             strcmp(method, "item/reasoning/textDelta") == 0)
        say(server, AGENT_SPEECH_THOUGHT, json_object_get(params, "delta"));
    else if (strcmp(method, "item/started") == 0)
        show_item(server, params, "inProgress");
    else if (strcmp(method, "item/completed") == 0)
        complete_item(server, params);
    else if (strcmp(method, "turn/plan/updated") == 0)
        agent_session_plan(&server->setup, json_object_get(params, "plan"), "step", "inProgress");
    else if (strcmp(method, "warning") == 0 || strcmp(method, "error") == 0 ||
             strcmp(method, "guardianWarning") == 0)
        show_problem(server, params);
}
