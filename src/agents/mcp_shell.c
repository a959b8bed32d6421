/* SPDX-License-Identifier: MIT */
/* mcp_shell: the tool `shell`. */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "agents/edited.h"
#include "agents/mcp_tool.h"
#include "agents/refusal.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"
#include "base/strbuf.h"

/* What the model reads. JSON text, because that is what a schema is best read as; parsed once a
 * call of tools/list. */
static const char description[] =
    "{"
    "\"name\":\"shell\","
    "\"title\":\"Run a command\","
    "\"description\":\"Runs a command on the user's machine under the supervision of Assent, in a "
    "sandbox: by default it may read files, write inside the workspace and reach no network. When "
    "it needs more, the operator is asked and may approve or refuse, so a call can take minutes; "
    "do not repeat it meanwhile. Standard input is empty unless stdin or tty is set. Output is cut "
    "in the middle when it is "
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
    "\"tty\":{\"type\":\"boolean\",\"description\":\"Run it on a terminal.\"},"
    "\"stdin\":{\"type\":\"boolean\",\"description\":\"Keep its standard input open for "
    "write_stdin.\"},"
    "\"yield_ms\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Return after so many "
    "milliseconds also when it still runs or waits, with what it has printed; it goes on, and "
    "write_stdin asks for the rest. Without it: when it has ended.\"}"
    "},\"required\":[\"command\"]},"
    "\"outputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"output\":{\"type\":\"string\"},"
    "\"note\":{\"type\":\"string\",\"description\":\"How it ended, when there is more to say "
    "than the output.\"},"
    "\"outcome\":{\"type\":\"string\",\"enum\":[\"exited\",\"signaled\",\"failed\",\"refused\","
    "\"cancelled\",\"running\",\"waiting\"]},"
    "\"call\":{\"type\":\"integer\",\"description\":\"For write_stdin, while outcome is running "
    "or waiting.\"},"
    "\"exit_code\":{\"type\":\"integer\"},"
    "\"signal\":{\"type\":\"integer\"},"
    "\"timed_out\":{\"type\":\"boolean\"},"
    "\"duration_ms\":{\"type\":\"integer\"},"
    "\"sandbox\":{\"type\":\"string\"},"
    "\"decision\":{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},"
    "\"source\":{\"type\":\"string\"},\"message\":{\"type\":\"string\"}}},"
    "\"denied\":{\"type\":\"object\",\"properties\":{"
    "\"reason\":{\"type\":\"string\"},\"inferred\":{\"type\":\"boolean\"}}},"
    "\"push_stopped\":{\"type\":\"string\",\"description\":"
    "\"It ended well, but nothing says that its push to this repository went through.\"},"
    "\"nobody_listened\":{\"type\":\"boolean\",\"description\":"
    "\"It failed to connect to localhost, where each command in the sandbox is alone.\"},"
    "\"placeholders\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":"
    "\"Names in its listing that are there only while it runs; told once.\"},"
    "\"unreached\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":"
    "\"Where it was not let connect to, and why.\"},"
    "\"unreached_by\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":"
    "\"Who did not let it, of each: user (the operator) or else the configuration.\"},"
    "\"unconnected\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
    "\"to\":{\"type\":\"string\"},\"why\":{\"type\":\"string\"}}},\"description\":"
    "\"Where it was let connect to, but could not be reached, and why.\"},"
    "\"failure\":{\"type\":\"string\"},"
    "\"attempts\":{\"type\":\"integer\"},"
    "\"edited\":{\"type\":\"object\",\"description\":\"What the operator made of the command.\","
    "\"properties\":{\"argv\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"second_try\":{\"type\":\"boolean\",\"description\":\"What was asked for ran before, until "
    "the sandbox stopped it.\"},"
    "\"first_try\":{\"type\":\"string\",\"description\":\"… or rather this, which the operator had "
    "made of it then.\"}}},"
    "\"truncated\":{\"type\":\"boolean\"}"
    "},\"required\":[\"outcome\",\"output\",\"truncated\"]},"
    "\"annotations\":{\"title\":\"Run a command\",\"readOnlyHint\":false,\"destructiveHint\":true,"
    "\"idempotentHint\":false,\"openWorldHint\":true}"
    "}";

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

static json_t *make_params(const json_t *arguments, const char *cwd, struct error *error)
{
    static const char *const passed_on[] = {
        "cwd", "timeout_ms", "justification", "sandbox_permissions", "additional_permissions",
        "tty", "stdin"};
    cleanup_json json_t *params = json_object();
    if (add_command(arguments, params, error) < 0)
        return NULL;
    json_object_set_new(params, "cwd", json_string_lossy(cwd, strlen(cwd)));
    for (size_t i = 0; i < COUNT(passed_on); i++) {
        json_t *value = json_object_get(arguments, passed_on[i]);
        if (value != NULL && !json_is_null(value))
            json_object_set(params, passed_on[i], value);
    }
    json_object_set_new(params, "stream",
                        json_boolean(json_object_get(arguments, "yield_ms") != NULL ||
                                     json_is_true(json_object_get(arguments, "stdin"))));
    return steal_pointer(&params);
}

/* ---- results -------------------------------------------------------------------------------- */

static json_t *failure(const char *text)
{
    json_t *answer = json_object();
    json_object_set_new(answer, "content", mcp_tool_content(text));
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
    const char *reason = member_text(decision, "message");
    if (reason == NULL)
        reason = member_text(result, "failure");
    add_reason(text, refusal_by(decision), reason);
}

static void add_hosts(struct strbuf *text, const json_t *result)
{
    const json_t *unreached = json_object_get(result, "unreached");
    const json_t *unconnected = json_object_get(result, "unconnected");
    for (size_t i = 0; i < json_array_size(unreached); i++)
        add_reason(text,
                   refusal_of_host_by_operator(result, i)
                       ? "the operator refused a connection to"
                       : "the configuration refused a connection to",
                   json_string_value(json_array_get(unreached, i)));
    for (size_t i = 0; i < json_array_size(unconnected); i++) {
        const json_t *host = json_array_get(unconnected, i);
        const char *to = member_text(host, "to");
        cleanup_free char *what =
            xasprintf("%s was allowed, but could not be reached", to != NULL ? to : "a host");
        add_reason(text, what, member_text(host, "why"));
    }
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
    if (json_is_true(json_object_get(result, "git_config_kept")))
        strbuf_addstr(text,
                      "[the sandbox keeps .git/config read-only: what git wanted to change there "
                      "(as tracking) is as it was]\n");
    if (refusal_to_push(result) != NULL)
        add_reason(text, refusal_to_push(result), member_text(result, "push_stopped"));
    if (refusal_by_localhost(result) != NULL)
        add_reason(text, refusal_by_localhost(result), NULL);
    cleanup_free char *names = refusal_of_names(result);
    if (names != NULL)
        add_reason(text,
                   "the sandbox holds these names, so that no command makes them; they are not on "
                   "disk",
                   names);
    add_hosts(text, result);
}

static json_t *without_nulls(const json_t *object)
{
    json_t *copy = json_object();
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (json_is_object(value))
            json_object_set_new(copy, key, without_nulls(value));
        else if (!json_is_null(value))
            json_object_set(copy, key, value);
    }
    return copy;
}

/* The result object as outputSchema has it. Codex and Claude Code show their model this object and
 * not the text, so it begins with what a reader wants and holds nothing that says nothing. */
static json_t *structured(const json_t *result, const json_t *output, const struct strbuf *note)
{
    json_t *object = json_object();
    json_object_set(object, "output", json_object_get(output, "aggregated"));
    if (note->length > 0)
        json_object_set_new(object, "note",
                            json_string_lossy(note->data, note->length - 1)); /* its line end */
    cleanup_json json_t *rest = without_nulls(result);
    json_object_del(rest, "output");
    json_object_update_missing(object, rest);
    json_object_set(object, "truncated", json_object_get(output, "truncated"));
    return object;
}

/* What is printed, on whole lines, and how it ended. */
static json_t *readable(const char *printed, const struct strbuf *note)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, printed);
    if (text.length > 0 && text.data[text.length - 1] != '\n')
        strbuf_addch(&text, '\n');
    strbuf_add(&text, strbuf_str(note), note->length);
    if (text.length == 0)
        strbuf_addstr(&text, "[no output]\n");
    return mcp_tool_content(strbuf_str(&text));
}

static json_t *make_result(const json_t *arguments, const json_t *result)
{
    (void)arguments;
    const json_t *output = json_object_get(result, "output");
    const char *printed = member_text(output, "aggregated");
    const char *outcome = member_text(result, "outcome");
    if (outcome == NULL || printed == NULL)
        return failure("the console sent no result: is it of the same version?");
    cleanup_strbuf struct strbuf note = STRBUF_INIT;
    cleanup_free char *edited = edited_command(result);
    if (edited != NULL && edited_first(result) != NULL)
        add_reason(&note, "the operator changed the command to", edited_first(result));
    if (edited != NULL)
        add_reason(&note, edited_words(result), edited);
    if (refusal_to_leave(result) != NULL)
        add_reason(&note, refusal_to_leave(result), NULL);
    add_ending(&note, result, outcome);
    bool ran = strcmp(outcome, "exited") == 0 || strcmp(outcome, "signaled") == 0;
    json_t *answer = json_object();
    json_object_set_new(answer, "content", readable(printed, &note));
    json_object_set_new(answer, "structuredContent", structured(result, output, &note));
    json_object_set_new(answer, "isError", json_boolean(!ran));
    return answer;
}

/* ---- calls that go on ----------------------------------------------------------------------- */

#define PRINTED_MAX ((size_t)10 * 1024)

void mcp_printed_add(struct mcp_printed *printed, const char *bytes, size_t length,
                     uint64_t skipped)
{
    printed->omitted += skipped;
    strbuf_add(&printed->text, bytes, length);
    if (printed->text.length <= PRINTED_MAX)
        return;
    size_t over = printed->text.length - PRINTED_MAX;
    printed->omitted += over;
    strbuf_consume(&printed->text, over);
}

/* The text as a JSON string, with a word on what is missing before it. New reference. */
static json_t *take_printed(struct mcp_printed *printed, bool *truncated)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    *truncated = printed->omitted > 0;
    if (printed->omitted > 0)
        strbuf_addf(&text, "[%" PRIu64 " bytes omitted]\n", printed->omitted);
    strbuf_add(&text, strbuf_str(&printed->text), printed->text.length);
    strbuf_reset(&printed->text);
    printed->omitted = 0;
    return json_string_lossy(strbuf_str(&text), text.length);
}

json_t *mcp_shell_unfinished(uint64_t call, bool waiting, struct mcp_printed *printed)
{
    bool truncated;
    cleanup_json json_t *text = take_printed(printed, &truncated);
    cleanup_strbuf struct strbuf note = STRBUF_INIT;
    strbuf_addf(&note, "[still %s: poll with write_stdin, call %" PRIu64 "]\n",
                waiting ? "waiting for the operator" : "running", call);
    json_t *object = json_object();
    json_object_set(object, "output", text);
    json_object_set_new(object, "note", json_string_lossy(note.data, note.length - 1));
    json_object_set_new(object, "outcome", json_string(waiting ? "waiting" : "running"));
    json_object_set_new(object, "call", json_integer((json_int_t)call));
    json_object_set_new(object, "truncated", json_boolean(truncated));
    json_t *answer = json_object();
    json_object_set_new(answer, "content", readable(json_string_value(text), &note));
    json_object_set_new(answer, "structuredContent", object);
    json_object_set_new(answer, "isError", json_false());
    return answer;
}

json_t *mcp_shell_rest(const json_t *result, struct mcp_printed *printed)
{
    bool truncated;
    cleanup_json json_t *rest = json_copy((json_t *)result);
    json_t *output = json_object();
    json_object_set_new(output, "aggregated", take_printed(printed, &truncated));
    json_object_set_new(output, "truncated", json_boolean(truncated));
    json_object_set_new(rest, "output", output);
    return make_result(NULL, rest);
}

const struct mcp_tool mcp_shell = {
    .name = "shell",
    .description = description,
    .params = make_params,
    .result = make_result,
    .failure = failure,
};

/* ---- write_stdin ---------------------------------------------------------------------------- */

static const char stdin_description[] =
    "{"
    "\"name\":\"write_stdin\","
    "\"title\":\"Go on with a command\","
    "\"description\":\"Goes on with a command that shell has returned from while it was running or "
    "waiting: sends it input, if any is given, and returns what it has printed since, when it has "
    "ended or after yield_ms. Polling does not hurry the operator.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"call\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"As shell has returned it.\"},"
    "\"input\":{\"type\":\"string\",\"description\":\"What to send; a line ends with a line "
    "feed. Without it: poll only.\"},"
    "\"end\":{\"type\":\"boolean\",\"description\":\"That was the end of its input.\"},"
    "\"yield_ms\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"How long to wait for it "
    "to end; 10000 without it.\"}"
    "},\"required\":[\"call\"]},"
    "\"annotations\":{\"title\":\"Go on with a command\",\"readOnlyHint\":false,"
    "\"destructiveHint\":true,\"idempotentHint\":false,\"openWorldHint\":true}"
    "}";

const struct mcp_tool mcp_write_stdin = {
    .name = "write_stdin",
    .description = stdin_description,
    .failure = failure,
    .polls = true,
};
