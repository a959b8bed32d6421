/* SPDX-License-Identifier: MIT */
/* mcp_patch: the tool `apply_patch`. */
#include "config.h"

#include <string.h>

#include "agents/mcp_tool.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"

static const char description[] =
    "{"
    "\"name\":\"apply_patch\","
    "\"title\":\"Change files\","
    "\"description\":\"Adds, changes, moves and deletes files by a patch, all of them or none. "
    "Files of the workspace are changed at once or after the operator's approval; others only "
    "after it. The patch begins with the line *** Begin Patch and ends with *** End Patch. "
    "Between them, for each file: *** Add File: PATH with lines that begin with +; *** Delete "
    "File: PATH; or *** Update File: PATH, optionally *** Move to: PATH, then for each place "
    "optionally @@ and a line that comes before it, and lines that begin with a space (context), "
    "- (removed) or + (added), with about three lines of context on both sides. *** End of File "
    "behind the lines says that they are the last of the file. Use each path once.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"patch\":{\"type\":\"string\",\"description\":\"The patch.\"},"
    "\"cwd\":{\"type\":\"string\",\"description\":\"Absolute path of the directory that relative "
    "paths start from. Default: the workspace.\"},"
    "\"justification\":{\"type\":\"string\",\"description\":\"One sentence for the operator: why "
    "the files are changed.\"}"
    "},\"required\":[\"patch\"]},"
    "\"annotations\":{\"title\":\"Change files\",\"readOnlyHint\":false,\"destructiveHint\":true,"
    "\"idempotentHint\":false,\"openWorldHint\":false}"
    "}";

static json_t *make_params(const json_t *arguments, const char *cwd, struct error *error)
{
    static const char *const passed_on[] = {"cwd", "justification"};
    json_t *patch = json_object_get(arguments, "patch");
    if (!json_is_string(patch)) {
        error_set(error, 0, "patch: expected the patch as one string");
        return NULL;
    }
    json_t *params = json_object();
    json_object_set(params, "patch", patch);
    json_object_set_new(params, "cwd", json_string_lossy(cwd, strlen(cwd)));
    for (size_t i = 0; i < COUNT(passed_on); i++) {
        json_t *value = json_object_get(arguments, passed_on[i]);
        if (value != NULL && !json_is_null(value))
            json_object_set(params, passed_on[i], value);
    }
    json_object_set_new(params, "stream", json_false());
    return params;
}

/* As for a command; but one that does not apply is an error of the tool. */
static json_t *make_result(const json_t *arguments, const json_t *result)
{
    json_t *answer = mcp_shell.result(arguments, result);
    if (json_integer_value(json_object_get(result, "exit_code")) != 0)
        json_object_set_new(answer, "isError", json_true());
    json_object_del(answer, "structuredContent"); /* the text says it all */
    return answer;
}

static json_t *failure(const char *text)
{
    return mcp_shell.failure(text);
}

const struct mcp_tool mcp_patch = {
    .name = "apply_patch",
    .description = description,
    .params = make_params,
    .result = make_result,
    .failure = failure,
};
