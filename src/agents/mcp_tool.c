/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/mcp_tool.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"

/* What the model reads. JSON text, because that is what a schema is best read as; parsed once a
 * call of tools/list. */
static const char description[] =
    "{"
    "\"name\":\"" MCP_TOOL_NAME "\","
    "\"title\":\"Run a command\","
    "\"description\":\"Runs a command on the user's machine under the supervision of Assent, in a "
    "sandbox: by default it may read files, write inside the workspace and reach no network. When "
    "it needs more, the operator is asked and may approve or refuse, so a call can take minutes; "
    "do not repeat it meanwhile. Standard input is empty. Output is cut in the middle when it is "
    "long (10 KiB, 256 lines). When a call was refused, read the reason and do something else "
    "instead of trying the same again.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"command\":{\"description\":\"What to run: a shell script as one string (run by bash -c), "
    "or a program and its arguments as an array of strings (run without a shell).\","
    "\"anyOf\":[{\"type\":\"string\"},"
    "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1}]},"
    "\"cwd\":{\"type\":\"string\",\"description\":\"Absolute path of the directory to run it in. "
    "Default: the workspace.\"},"
    "\"timeout_ms\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"How long it may run, in "
    "milliseconds. Time that the operator takes to decide does not count.\"},"
    "\"justification\":{\"type\":\"string\",\"description\":\"One sentence for the operator: why "
    "the command is needed. Give it whenever you ask for more than the sandbox allows.\"},"
    "\"sandbox_permissions\":{\"type\":\"string\",\"enum\":[\"use_default\",\"require_escalated\","
    "\"with_additional_permissions\"],\"description\":\"use_default: in the sandbox. "
    "require_escalated: without the sandbox, if the operator approves. "
    "with_additional_permissions: in the sandbox with what additional_permissions adds, if the "
    "operator approves.\"},"
    "\"additional_permissions\":{\"type\":\"object\",\"properties\":{"
    "\"readable\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"writable\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"network\":{\"type\":\"boolean\"}},\"description\":\"Absolute paths to be readable or "
    "writable, and network access; only with with_additional_permissions.\"},"
    "\"tty\":{\"type\":\"boolean\",\"description\":\"Run it on a terminal.\"}"
    "},\"required\":[\"command\"]},"
    "\"outputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"outcome\":{\"type\":\"string\",\"enum\":[\"exited\",\"signaled\",\"failed\",\"refused\","
    "\"cancelled\"]},"
    "\"exit_code\":{\"type\":\"integer\"},"
    "\"signal\":{\"type\":[\"integer\",\"null\"]},"
    "\"timed_out\":{\"type\":\"boolean\"},"
    "\"duration_ms\":{\"type\":\"integer\"},"
    "\"sandbox\":{\"type\":[\"string\",\"null\"]},"
    "\"decision\":{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},"
    "\"source\":{\"type\":[\"string\",\"null\"]},\"message\":{\"type\":[\"string\",\"null\"]}}},"
    "\"denied\":{\"type\":[\"object\",\"null\"],\"properties\":{"
    "\"reason\":{\"type\":[\"string\",\"null\"]},\"inferred\":{\"type\":\"boolean\"}}},"
    "\"failure\":{\"type\":[\"string\",\"null\"]},"
    "\"attempts\":{\"type\":\"integer\"},"
    "\"output\":{\"type\":\"string\"},"
    "\"truncated\":{\"type\":\"boolean\"}"
    "},\"required\":[\"outcome\",\"exit_code\",\"timed_out\",\"duration_ms\",\"output\","
    "\"truncated\"]},"
    "\"annotations\":{\"title\":\"Run a command\",\"readOnlyHint\":false,\"destructiveHint\":true,"
    "\"idempotentHint\":false,\"openWorldHint\":true}"
    "}";

json_t *mcp_tool_describe(void)
{
    return json_loads(description, JSON_REJECT_DUPLICATES, NULL);
}

/* ---- arguments ------------------------------------------------------------------------------ */

static int add_command(const json_t *arguments, json_t *params, struct error *error)
{
    json_t *command = json_object_get(arguments, "command");
    if (json_is_string(command))
        json_object_set(params, "script", command);
    else if (json_is_array(command) && json_array_size(command) > 0)
        json_object_set(params, "argv", command);
    else
        return error_set(error, 0,
                         "command: expected a script as one string, or a program and its arguments "
                         "as an array of strings");
    return 0;
}

json_t *mcp_tool_params(const json_t *arguments, const char *cwd, struct error *error)
{
    static const char *const passed_on[] = {
        "cwd", "timeout_ms", "justification", "sandbox_permissions", "additional_permissions",
        "tty"};
    cleanup_json json_t *params = json_object();
    if (add_command(arguments, params, error) < 0)
        return NULL;
    json_object_set_new(params, "cwd", json_string_lossy(cwd, strlen(cwd)));
    for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++) {
        json_t *value = json_object_get(arguments, passed_on[i]);
        if (value != NULL && !json_is_null(value))
            json_object_set(params, passed_on[i], value);
    }
    json_object_set_new(params, "stream", json_false());
    return steal_pointer(&params);
}

/* ---- results -------------------------------------------------------------------------------- */

static json_t *text_content(const char *text)
{
    json_t *item = json_object();
    json_object_set_new(item, "type", json_string("text"));
    json_object_set_new(item, "text", json_string_lossy(text, strlen(text)));
    json_t *content = json_array();
    json_array_append_new(content, item);
    return content;
}

json_t *mcp_tool_failure(const char *text)
{
    json_t *answer = json_object();
    json_object_set_new(answer, "content", text_content(text));
    json_object_set_new(answer, "isError", json_true());
    return answer;
}

static const char *member_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void add_reason(struct strbuf *text, const char *what, const char *reason)
{
    if (reason != NULL)
        strbuf_addf(text, "[%s: %s]\n", what, reason);
    else
        strbuf_addf(text, "[%s]\n", what);
}

static void add_refusal(struct strbuf *text, const json_t *result)
{
    const json_t *decision = json_object_get(result, "decision");
    const char *source = member_text(decision, "source");
    const char *reason = member_text(decision, "message");
    if (reason == NULL)
        reason = member_text(result, "failure");
    bool by_operator = source != NULL && strcmp(source, "user") == 0;
    add_reason(text, by_operator ? "refused by the operator" : "refused by policy", reason);
}

/* How it ended, for a reader who sees only the text: nothing for a plain success. */
static void add_ending(struct strbuf *text, const json_t *result, const char *outcome)
{
    json_int_t code = json_integer_value(json_object_get(result, "exit_code"));
    if (json_is_true(json_object_get(result, "timed_out")))
        strbuf_addstr(text, "[took longer than allowed and was ended]\n");
    else if (strcmp(outcome, "refused") == 0)
        add_refusal(text, result);
    else if (strcmp(outcome, "failed") == 0)
        add_reason(text, "could not be run", member_text(result, "failure"));
    else if (strcmp(outcome, "cancelled") == 0)
        add_reason(text, "cancelled", member_text(result, "failure"));
    else if (strcmp(outcome, "signaled") == 0)
        strbuf_addf(text, "[ended by signal %" JSON_INTEGER_FORMAT "]\n", code - 128);
    else if (code != 0)
        strbuf_addf(text, "[exit code %" JSON_INTEGER_FORMAT "]\n", code);
    const json_t *denied = json_object_get(result, "denied");
    if (json_is_object(denied))
        add_reason(text, "the sandbox blocked it", member_text(denied, "reason"));
}

/* The result object as outputSchema has it: one text instead of three. */
static json_t *structured(const json_t *result, const json_t *output)
{
    json_t *object = json_copy((json_t *)result);
    json_object_set(object, "output", json_object_get(output, "aggregated"));
    json_object_set(object, "truncated", json_object_get(output, "truncated"));
    return object;
}

json_t *mcp_tool_result(const json_t *result)
{
    const json_t *output = json_object_get(result, "output");
    const char *printed = member_text(output, "aggregated");
    const char *outcome = member_text(result, "outcome");
    if (outcome == NULL || printed == NULL)
        return mcp_tool_failure("the console sent no result: is it of the same version?");
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, printed);
    if (text.length > 0 && text.data[text.length - 1] != '\n')
        strbuf_addch(&text, '\n');
    add_ending(&text, result, outcome);
    if (text.length == 0)
        strbuf_addstr(&text, "[no output]\n");
    bool ran = strcmp(outcome, "exited") == 0 || strcmp(outcome, "signaled") == 0;
    json_t *answer = json_object();
    json_object_set_new(answer, "content", text_content(strbuf_str(&text)));
    json_object_set_new(answer, "structuredContent", structured(result, output));
    json_object_set_new(answer, "isError", json_boolean(!ran));
    return answer;
}
