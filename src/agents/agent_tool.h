/* SPDX-License-Identifier: MIT */
/*
 * agent_tool: what an agent is about to do by a tool of its own, as a question for the console.
 *
 * Agents ask about it before they do it (hooks, the tool `approve`). It does not run in our
 * sandbox, so it is judged as a command that leaves it.
 */
#ifndef ASSENT_AGENTS_AGENT_TOOL_H
#define ASSENT_AGENTS_AGENT_TOOL_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

/* Is it one of the tools of `assent mcp`, under the name that agents give it? Those ask by
 * themselves. NULL allowed. */
bool agent_tool_is_ours(const char *tool);

/* Is it a shell that takes its script as the field `command`? */
bool agent_tool_is_shell(const char *tool, const json_t *input);

/* Parameters for call/start: the command of a shell tool, or the tool's name and fields. New
 * reference, or NULL with a message. */
json_t *agent_tool_params(const char *tool, const json_t *input, const char *cwd,
                          struct error *error);

/* The same for a command that is known: a script (string) or a program and its arguments (array).
 * `purpose`: the agent's words on what it is for, or NULL. */
json_t *agent_tool_command_params(const char *tool, json_t *command, const char *purpose,
                                  const char *cwd);

/* What the operator said with a refusal, borrowed, or NULL. */
const char *agent_tool_words(const json_t *result);

/* NULL when the agent may (`result` of call/finished), else why not, in words for the model; the
 * caller frees. *interrupt: the operator wants the agent to stop. */
char *agent_tool_refusal(const json_t *result, bool *interrupt);

#endif
