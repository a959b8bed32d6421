/* SPDX-License-Identifier: MIT */
/* mcp_tool: the tool `shell` as an agent sees it: its description and schemas, its arguments as
 * parameters of call/start, a call's result as the tool's. */
#ifndef ASSENT_AGENTS_MCP_TOOL_H
#define ASSENT_AGENTS_MCP_TOOL_H

#include <jansson.h>

#include "base/error.h"

#define MCP_TOOL_NAME "shell"

/* The element of tools/list. New reference. */
json_t *mcp_tool_describe(void);

/* Parameters for call/start; `cwd` is used when the arguments name none. New reference, or NULL
 * with a message for the model. */
json_t *mcp_tool_params(const json_t *arguments, const char *cwd, struct error *error);

/* The result of tools/call for a finished call (`result` of call/finished). New reference. */
json_t *mcp_tool_result(const json_t *result);
/* The result of tools/call when there is nothing but a reason. New reference. */
json_t *mcp_tool_failure(const char *text);

#endif
