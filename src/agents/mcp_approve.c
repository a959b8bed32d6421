/* SPDX-License-Identifier: MIT */
/* mcp_approve: the tool `approve`. Claude Code calls it with what it is about to do, and expects a
 * text that is JSON: {"behavior": "allow", "updatedInput": …} or {"behavior": "deny", "message":
 * …}. Whatever goes wrong is a deny. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "agents/agent_tool.h"
#include "agents/mcp_tool.h"
#include "base/alloc.h"
#include "base/json.h"

static const char description[] =
    "{"
    "\"name\":\"approve\","
    "\"title\":\"Ask whether the agent may\","
    "\"description\":\"For agent programs, not for models: asks the operator whether the agent may "
    "use a tool of its own (--permission-prompt-tool of Claude Code).\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"tool_name\":{\"type\":\"string\"},"
    "\"input\":{\"type\":\"object\"},"
    "\"tool_use_id\":{\"type\":\"string\"}"
    "},\"required\":[\"tool_name\",\"input\"]},"
    "\"annotations\":{\"title\":\"Ask whether the agent may\",\"readOnlyHint\":true,"
    "\"openWorldHint\":false}"
    "}";

static json_t *reply(json_t *says)
{
    cleanup_free char *text = json_dumps(says, JSON_COMPACT);
    json_t *answer = json_object();
    json_decref(says);
    json_object_set_new(answer, "content", mcp_tool_content(text));
    return answer;
}

static json_t *deny(const char *why, bool interrupt)
{
    json_t *says = json_object();
    json_object_set_new(says, "behavior", json_string("deny"));
    json_object_set_new(says, "message", json_string_lossy(why, strlen(why)));
    if (interrupt)
        json_object_set_new(says, "interrupt", json_true());
    return reply(says);
}

static json_t *allow(const json_t *arguments)
{
    json_t *says = json_object();
    json_object_set_new(says, "behavior", json_string("allow"));
    json_object_set(says, "updatedInput", json_object_get(arguments, "input"));
    return reply(says);
}

/* What it asks about our own tools is asked by them. */
static json_t *answer(const json_t *arguments)
{
    const char *tool = json_string_value(json_object_get(arguments, "tool_name"));
    return agent_tool_is_ours(tool) && json_is_object(json_object_get(arguments, "input"))
               ? allow(arguments)
               : NULL;
}

static json_t *make_params(const json_t *arguments, const char *cwd, struct error *error)
{
    return agent_tool_params(json_string_value(json_object_get(arguments, "tool_name")),
                             json_object_get(arguments, "input"), cwd, error);
}

static json_t *make_result(const json_t *arguments, const json_t *result)
{
    bool interrupt = false;
    cleanup_free char *why = agent_tool_refusal(result, &interrupt);
    return why != NULL ? deny(why, interrupt) : allow(arguments);
}

static json_t *failure(const char *text)
{
    return deny(text, false);
}

const struct mcp_tool mcp_approve = {
    .name = "approve",
    .description = description,
    .answer = answer,
    .params = make_params,
    .result = make_result,
    .failure = failure,
};
