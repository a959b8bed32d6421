/* SPDX-License-Identifier: MIT */
/* mcp_permissions: the tool `request_permissions`: more for the whole session, by one question
 * instead of one with each command. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "agents/agent_tool.h"
#include "agents/mcp_tool.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"

static const char description[] =
    "{"
    "\"name\":\"request_permissions\","
    "\"title\":\"Ask for more permissions\","
    "\"description\":\"Asks the operator whether all commands from now on may read or write more, "
    "or "
    "use the network, still in the sandbox. For a single command use shell with "
    "with_additional_permissions. Ask for no more than the task needs.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"reason\":{\"type\":\"string\",\"description\":\"One sentence for the operator: why.\"},"
    "\"readable\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"Absolute "
    "paths.\"},"
    "\"writable\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"Absolute "
    "paths.\"},"
    "\"network\":{\"type\":\"boolean\"}"
    "},\"required\":[\"reason\"]},"
    "\"outputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"granted\":{\"type\":\"boolean\"},\"note\":{\"type\":\"string\"}"
    "},\"required\":[\"granted\",\"note\"]},"
    "\"annotations\":{\"title\":\"Ask for more permissions\",\"readOnlyHint\":false,"
    "\"openWorldHint\":false}"
    "}";

static json_t *reply(bool granted, const char *note)
{
    json_t *object = json_object();
    json_object_set_new(object, "granted", json_boolean(granted));
    json_object_set_new(object, "note", json_string_lossy(note, strlen(note)));
    json_t *answer = json_object();
    json_object_set_new(answer, "content", mcp_tool_content(note));
    json_object_set_new(answer, "structuredContent", object);
    json_object_set_new(answer, "isError", json_boolean(!granted));
    return answer;
}

static json_t *failure(const char *text)
{
    return reply(false, text);
}

static json_t *make_params(const json_t *arguments, const char *cwd, struct error *error)
{
    static const char *const wanted[] = {"readable", "writable", "network"};
    json_t *reason = json_object_get(arguments, "reason");
    json_t *additional = json_object();
    for (size_t i = 0; i < COUNT(wanted); i++)
        if (json_object_get(arguments, wanted[i]) != NULL)
            json_object_set(additional, wanted[i], json_object_get(arguments, wanted[i]));
    json_t *params = agent_tool_params("request_permissions", additional, cwd, error);
    json_object_set_new(params, "additional_permissions", additional);
    json_object_set_new(params, "sandbox_permissions", json_string("with_additional_permissions"));
    json_object_set_new(params, "widens", json_true());
    if (json_is_string(reason))
        json_object_set(params, "justification", reason);
    return params;
}

static json_t *make_result(const json_t *arguments, const json_t *result)
{
    bool interrupt;
    cleanup_free char *why = agent_tool_refusal(result, &interrupt);
    (void)arguments;
    return why != NULL ? reply(false, why)
                       : reply(true, "granted for the commands of this session from now on");
}

const struct mcp_tool mcp_request_permissions = {
    .name = "request_permissions",
    .description = description,
    .params = make_params,
    .result = make_result,
    .failure = failure,
};
