/* SPDX-License-Identifier: MIT */
/* mcp_tool: the tools of `assent mcp` as agents see them: their descriptions and schemas, what is
 * asked of the console for them, and its result as theirs. */
#ifndef ASSENT_AGENTS_MCP_TOOL_H
#define ASSENT_AGENTS_MCP_TOOL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

struct mcp_tool {
    const char *name;
    const char *description; /* JSON text: the element of tools/list */
    /* The answer when nobody has to be asked, or NULL. May be NULL itself. */
    json_t *(*answer)(const json_t *arguments);
    /* Parameters for call/start; `cwd` is used when the arguments name none. New reference, or
     * NULL with a message for the model. */
    json_t *(*params)(const json_t *arguments, const char *cwd, struct error *error);
    /* The result of tools/call for a finished call (`result` of call/finished), and when there is
     * nothing but a reason. New references. */
    json_t *(*result)(const json_t *arguments, const json_t *result);
    json_t *(*failure)(const char *text);
    bool polls; /* about a call that runs (write_stdin): none of the above but failure() */
};

/* The tool `shell`: runs a command (mcp_shell.c). */
extern const struct mcp_tool mcp_shell;
/* The tool `write_stdin`: goes on with a call that `shell` has returned from unfinished. */
extern const struct mcp_tool mcp_write_stdin;
/* The tool `apply_patch`: changes files (mcp_patch.c). */
extern const struct mcp_tool mcp_patch;
/* The tool `request_permissions`: more for the whole session (mcp_permissions.c). */
extern const struct mcp_tool mcp_request_permissions;
/* The tool `approve`: answers what Claude Code asks before it does something itself
 * (--permission-prompt-tool; mcp_approve.c). */
extern const struct mcp_tool mcp_approve;

/* NULL when there is none of that name (NULL allowed). */
const struct mcp_tool *mcp_tool_find(const char *name);
/* The array of tools/list. New reference. */
json_t *mcp_tool_list(void);

/* What a call has printed since it was last asked about. */
struct mcp_printed {
    struct strbuf text; /* the last of it, bounded */
    uint64_t omitted;   /* bytes before it that nobody will see */
};
void mcp_printed_add(struct mcp_printed *printed, const char *bytes, size_t length,
                     uint64_t skipped);

/* The result of `shell` and `write_stdin` for a call that goes on (`waiting`: for the operator),
 * and for one that has finished after it was said to go on: its output is what came since then.
 * Both empty `printed`. New references. */
json_t *mcp_shell_unfinished(uint64_t call, bool waiting, struct mcp_printed *printed);
json_t *mcp_shell_rest(const json_t *result, struct mcp_printed *printed);

/* For tools: `content` with one text; new reference. */
json_t *mcp_tool_content(const char *text);

#endif
