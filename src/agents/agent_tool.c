/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/agent_tool.h"

#include <string.h>

#include "agents/refusal.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"

/* Shells of agents that take their script as `command`: Claude Code and Codex, Gemini CLI and Qwen
 * Code, Copilot CLI. */
static const char *const shells[] = {"Bash", "run_shell_command", "bash"};

/* As clients name the tools of a server that is installed as "assent". */
static const char *const ours[] = {
    "mcp__assent__apply_patch",         "mcp__assent__shell",   "mcp__assent__write_stdin",
    "mcp__assent__request_permissions", "mcp__assent__approve",
};

bool agent_tool_is_ours(const char *tool)
{
    return tool != NULL && IS_IN(tool, ours);
}

bool agent_tool_is_shell(const char *tool, const json_t *input)
{
    return IS_IN(tool, shells) && json_is_string(json_object_get(input, "command"));
}

/* The agent's words on what it is for, where a tool has them. */
static const char *purpose_of(const json_t *input)
{
    return json_string_value(json_object_get(input, "description"));
}

static json_t *tool_params(const char *tool, const char *cwd)
{
    json_t *params = json_object();
    json_object_set_new(params, "agent_tool", json_string(tool));
    json_object_set_new(params, "cwd", json_string_lossy(cwd, strlen(cwd)));
    return params;
}

json_t *agent_tool_command_params(const char *tool, json_t *command, const char *purpose,
                                  const char *cwd)
{
    json_t *params = tool_params(tool, cwd);
    json_object_set(params, json_is_array(command) ? "argv" : "script", command);
    if (purpose != NULL)
        json_object_set_new(params, "justification", json_string(purpose));
    return params;
}

json_t *agent_tool_params(const char *tool, const json_t *input, const char *cwd,
                          struct error *error)
{
    if (tool == NULL || tool[0] == '\0' || !json_is_object(input)) {
        error_set(error, 0, "expected the name of a tool and its input");
        return NULL;
    }
    if (agent_tool_is_shell(tool, input))
        return agent_tool_command_params(tool, json_object_get(input, "command"), purpose_of(input),
                                         cwd);
    json_t *params = tool_params(tool, cwd);
    json_object_set(params, "agent_input", (json_t *)input);
    return params;
}

const char *agent_tool_words(const json_t *result)
{
    const json_t *decision = json_object_get(result, "decision");
    const char *source = json_string_value(json_object_get(decision, "source"));
    bool by_operator = source != NULL && strcmp(source, "user") == 0;
    return by_operator ? json_string_value(json_object_get(decision, "message")) : NULL;
}

char *agent_tool_refusal(const json_t *result, bool *interrupt)
{
    const json_t *decision = json_object_get(result, "decision");
    const char *outcome = json_string_value(json_object_get(result, "outcome"));
    const char *kind = json_string_value(json_object_get(decision, "kind"));
    const char *message = json_string_value(json_object_get(decision, "message"));
    const char *failure = json_string_value(json_object_get(result, "failure"));
    if (outcome != NULL && strcmp(outcome, "allowed") == 0)
        return NULL;
    *interrupt = kind != NULL && strcmp(kind, "abort") == 0;
    const char *who = refusal_by(decision);
    if (message == NULL)
        message = failure;
    return message != NULL ? xasprintf("%s: %s", who, message) : xstrdup(who);
}
