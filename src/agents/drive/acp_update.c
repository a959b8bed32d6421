/* SPDX-License-Identifier: MIT */
/* acp_update: what the agent reports: messages, tool calls, its plan, its mode. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agents/drive/acp-int.h"
#include "base/alloc.h"
#include "base/array.h"

/* Tool calls that are remembered; an agent asks about recent ones. */
#define TOOLS_MAX 256
#define MODES_MAX 100

static const char *text_member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* ---- messages ------------------------------------------------------------------------------- */

/* What there is instead of text. */
static char *describe(const json_t *content)
{
    const char *type = text_member(content, "type");
    const char *uri = text_member(content, "uri");
    if (uri == NULL)
        uri = text_member(json_object_get(content, "resource"), "uri");
    if (uri != NULL)
        return xasprintf("[%.*s]", ACP_TEXT_MAX, uri);
    return xasprintf("[%.50s]", type != NULL ? type : "something unknown");
}

static void say(struct acp *acp, enum agent_speech who, const json_t *content)
{
    const json_t *text = json_object_get(content, "text");
    if (who == AGENT_SPEECH_OPERATOR && acp->prompting)
        return; /* shown when it was sent; what comes while a session is loaded is news */
    if (json_is_string(text)) {
        acp->setup.events->speech(acp->setup.argument, who, json_string_value(text),
                                  json_string_length(text));
        return;
    }
    cleanup_free char *instead = describe(content);
    acp->setup.events->speech(acp->setup.argument, who, instead, strlen(instead));
}

/* ---- tool calls ----------------------------------------------------------------------------- */

json_t *acp_tool_merge(struct acp *acp, const json_t *fields)
{
    const char *id = text_member(fields, "toolCallId");
    if (id == NULL)
        return NULL;
    json_t *tool = json_object_get(acp->tools, id);
    if (tool == NULL) {
        /* Insertion order: the first is the oldest. */
        void *oldest = json_object_iter(acp->tools);
        if (json_object_size(acp->tools) >= TOOLS_MAX && oldest != NULL)
            json_object_del(acp->tools, json_object_iter_key(oldest));
        tool = json_object();
        json_object_set_new(acp->tools, id, tool);
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)fields, key, value)
    {
        if (!json_is_null(value))
            json_object_set(tool, key, value);
    }
    return tool;
}

static void show_tool(struct acp *acp, const json_t *fields)
{
    json_t *tool = acp_tool_merge(acp, fields);
    const char *title = text_member(tool, "title");
    const char *status = text_member(tool, "status");
    if (tool == NULL)
        return;
    cleanup_free char *shown = xasprintf("%.*s", ACP_TEXT_MAX, title != NULL ? title : "a tool");
    if (status == NULL)
        status = "pending";
    /* Told when the status is another than the last one told; an agent may repeat itself. */
    const char *told = text_member(tool, "assent_told");
    if (told != NULL && strcmp(told, status) == 0)
        return;
    json_object_set_new(tool, "assent_told", json_string(status));
    acp->setup.events->tool(acp->setup.argument, shown, status);
}

/* ---- plan and modes ------------------------------------------------------------------------- */

static void show_mode(struct acp *acp, const char *id)
{
    for (size_t i = 0; i < acp->mode_count && id != NULL; i++)
        if (strcmp(acp->modes[i].id, id) == 0)
            acp->setup.events->mode(acp->setup.argument, acp->modes[i].name);
}

void acp_take_modes(struct acp *acp, const json_t *result)
{
    const json_t *modes = json_object_get(result, "modes");
    size_t index;
    const json_t *entry;
    json_array_foreach(json_object_get(modes, "availableModes"), index, entry)
    {
        const char *id = text_member(entry, "id");
        const char *name = text_member(entry, "name");
        if (id == NULL || acp->mode_count == MODES_MAX)
            continue;
        acp->modes = xreallocarray(acp->modes, acp->mode_count + 1, sizeof(*acp->modes));
        acp->modes[acp->mode_count++] =
            (struct acp_mode){xstrdup(id), xasprintf("%.100s", name != NULL ? name : id)};
    }
    show_mode(acp, text_member(modes, "currentModeId"));
}

/* ---- all of them ---------------------------------------------------------------------------- */

void acp_update(struct acp *acp, const json_t *update)
{
    static const struct {
        const char *kind;
        enum agent_speech who;
    } speakers[] = {{"user_message_chunk", AGENT_SPEECH_OPERATOR},
                    {"agent_message_chunk", AGENT_SPEECH_AGENT},
                    {"agent_thought_chunk", AGENT_SPEECH_THOUGHT}};
    const char *kind = text_member(update, "sessionUpdate");
    if (kind == NULL)
        return;
    for (size_t i = 0; i < COUNT(speakers); i++)
        if (strcmp(kind, speakers[i].kind) == 0)
            say(acp, speakers[i].who, json_object_get(update, "content"));
    if (strcmp(kind, "tool_call") == 0 || strcmp(kind, "tool_call_update") == 0)
        show_tool(acp, update);
    else if (strcmp(kind, "plan") == 0)
        agent_session_plan(&acp->setup, json_object_get(update, "entries"), "content",
                           "in_progress");
    else if (strcmp(kind, "current_mode_update") == 0)
        show_mode(acp, text_member(update, "currentModeId"));
}
