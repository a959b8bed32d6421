/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/mcp_tool.h"

#include <string.h>

#include "base/array.h"
#include "base/json.h"

static const struct mcp_tool *const tools[] = {&mcp_shell, &mcp_write_stdin, &mcp_patch,
                                               &mcp_request_permissions, &mcp_approve};

#define TOOL_COUNT (COUNT(tools))

const struct mcp_tool *mcp_tool_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < TOOL_COUNT; i++)
        if (strcmp(tools[i]->name, name) == 0)
            return tools[i];
    return NULL;
}

json_t *mcp_tool_list(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < TOOL_COUNT; i++)
        json_array_append_new(list,
                              json_loads(tools[i]->description, JSON_REJECT_DUPLICATES, NULL));
    return list;
}

json_t *mcp_tool_content(const char *text)
{
    json_t *item = json_object();
    json_object_set_new(item, "type", json_string("text"));
    json_object_set_new(item, "text", json_string_lossy(text, strlen(text)));
    json_t *content = json_array();
    json_array_append_new(content, item);
    return content;
}
