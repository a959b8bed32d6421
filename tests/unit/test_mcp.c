/* SPDX-License-Identifier: MIT */
/* mcp and client: the test is the agent at one end and the console at the other. */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "mcp_fixture.h"

/* ---- the protocol -------------------------------------------------------------------------- */

static void the_revision_is_the_clients_where_we_know_it(void **state)
{
    static const char *const cases[][2] = {
        {"\"2025-11-25\"", "2025-11-25"}, {"\"2025-06-18\"", "2025-06-18"},
        {"\"2025-03-26\"", "2025-03-26"}, {"\"2024-11-05\"", "2024-11-05"},
        {"\"2026-07-28\"", "2025-11-25"}, {"7", "2025-11-25"},
    };
    static const char *const requests[] = {
        INITIALIZE("\"2025-11-25\""), INITIALIZE("\"2025-06-18\""), INITIALIZE("\"2025-03-26\""),
        INITIALIZE("\"2024-11-05\""), INITIALIZE("\"2026-07-28\""), INITIALIZE("7"),
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cleanup_free char *expected = xasprintf("\"protocolVersion\":\"%s\"", cases[i][1]);
        assert_says(say(*state, requests[i]), expected);
    }
}

static void everything_is_answered_before_initialize(void **state)
{
    assert_says(say(*state, REQUEST("\"probe-1\"", "server/discover", "{}")),
                "\"id\":\"probe-1\",\"error\":{\"code\":-32601");
    assert_says(say(*state, REQUEST("1", "tools/list", "{}")),
                "\"id\":1,\"error\":{\"code\":-32600");
    assert_says(say(*state, REQUEST("2", "ping", "{}")), "\"id\":2,\"result\":{}");
    assert_string_equal(say(*state, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"), "");
    assert_says(say(*state, "rubbish"), "\"id\":null,\"error\":{\"code\":-32700");
}

static void the_tool_is_listed_with_its_schemas(void **state)
{
    say(*state, INITIALIZE("\"2025-11-25\""));
    cleanup_json json_t *answer =
        json_loads(say(*state, REQUEST("1", "tools/list", "{\"_meta\":{\"progressToken\":0}}")),
                   JSON_DISABLE_EOF_CHECK, NULL);
    const json_t *tools = json_object_get(json_object_get(answer, "result"), "tools");
    assert_int_equal(json_array_size(tools), 5);
    const json_t *tool = json_array_get(tools, 0);
    assert_string_equal(json_string_value(json_object_get(tool, "name")), "shell");
    static const char *const properties[] = {
        "command", "cwd",      "timeout_ms",          "justification",         "tty",
        "stdin",   "yield_ms", "sandbox_permissions", "additional_permissions"};
    const json_t *schema = json_object_get(json_object_get(tool, "inputSchema"), "properties");
    assert_int_equal(json_object_size(schema), sizeof(properties) / sizeof(properties[0]));
    for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++)
        assert_non_null(json_object_get(schema, properties[i]));
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(tool, "outputSchema"), "type")),
        "object");
}

/* What some clients ask all servers, whatever these offer. */
static void what_was_not_offered_is_no_method(void **state)
{
    static const char *const methods[] = {
        "resources/list",
        "resources/templates/list",
        "prompts/list",
        "logging/setLevel",
        "completion/complete",
        "roots/list",
        "resources/subscribe",
        "tasks/list",
        "",
    };
    say(*state, INITIALIZE("\"2025-11-25\""));
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        cleanup_free char *request =
            xasprintf("{\"jsonrpc\":\"2.0\",\"id\":\"%zu\",\"method\":\"%s\",\"params\":{"
                      "\"_meta\":{\"progressToken\":\"p\"},\"extra\":[1]}}",
                      i, methods[i]);
        cleanup_free char *answer = xasprintf("\"id\":\"%zu\",\"error\":{\"code\":-32601", i);
        assert_says(say(*state, request), answer);
    }
    static const char *const told[] = {
        "notifications/initialized", "notifications/roots/list_changed",
        "notifications/progress",    "notifications/elicitation/complete",
        "$/cancelRequest",           "notifications/cancelled",
    };
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
        cleanup_free char *line = xasprintf("{\"jsonrpc\":\"2.0\",\"method\":\"%s\"}", told[i]);
        assert_string_equal(say(*state, line), "");
    }
}

static void there_is_one_page_of_tools(void **state)
{
    say(*state, INITIALIZE("\"2025-11-25\""));
    const char *page = say(*state, REQUEST("1", "tools/list", "{\"cursor\":null}"));
    assert_says(page, "\"name\":\"shell\"");
    assert_null(strstr(page, "nextCursor"));
    assert_says(say(*state, REQUEST("2", "tools/list", "{\"cursor\":\"x\"}")),
                "\"id\":2,\"error\":{\"code\":-32602");
}

/* Revision 2025-03-26 had batches; what comes at once is answered at once. */
static void batches_of_an_older_revision_are_answered(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-03-26\""));
    assert_string_equal(say(fixture, "[" REQUEST("1", "ping", "{}") "," CALL(
                                         "\"c\"", "{\"command\":\"a\"}",
                                         "") ",{\"jsonrpc\":"
                                             "\"2.0\",\"method\":\"notifications/initialized\"}]"),
                        "");
    finish(console, 1, "exited", 0, "done");
    work(fixture);
    const char *answer = hear(fixture);
    assert_says(answer, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},{");
    assert_says(answer, "\"id\":\"c\",\"result\":{\"content\"");
    assert_says(answer, "]\n");
}

/* As some runtimes write: line ends of another system, blank lines, a letter cut in two. */
static void odd_streams_are_read(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] =
        "\r\n\n  \n" REQUEST("7", "tools/call", "{\"name\":\"\xc3\xa9\"}") "\r";
    struct strbuf all = STRBUF_INIT;
    say(fixture, INITIALIZE("\"2025-11-25\""));
    for (size_t i = 0; i + 1 < sizeof(text); i++) {
        assert_int_equal(write(fixture->fd, &text[i], 1), 1);
        work(fixture);
        strbuf_addstr(&all, hear(fixture));
    }
    strbuf_addstr(&all, say(fixture, ""));
    assert_says(strbuf_str(&all), "\"id\":7,\"error\":{\"code\":-32602,\"message\":\"unknown tool "
                                  "\xc3\xa9\"");
    strbuf_free(&all);
}

static void bad_calls_are_told_apart(void **state)
{
    say(*state, INITIALIZE("\"2025-11-25\""));
    assert_says(say(*state, REQUEST("1", "tools/call", "{\"name\":\"rm\"}")),
                "\"id\":1,\"error\":{\"code\":-32602,\"message\":\"unknown tool rm\"");
    assert_says(say(*state, CALL("2", "7", "")), "\"id\":2,\"error\":{\"code\":-32602");
    /* What the model got wrong, the model must read. */
    assert_says(say(*state, CALL("3", "{}", "")), "command: expected a script");
    assert_says(say(*state, CALL("4", "{\"command\":[]}", "")), "\"isError\":true");
}

static void without_a_console_the_model_reads_how_to_start_one(void **state)
{
    say(*state, INITIALIZE("\"2025-11-25\""));
    const char *answer = say(*state, CALL("5", "{\"command\":\"ls\"}", ""));
    assert_says(answer, "\"id\":5,\"result\":{");
    assert_says(answer, "no Assent console is running for you: start one");
    assert_says(answer, "\"isError\":true");
}

/* ---- calls --------------------------------------------------------------------------------- */

static void a_call_goes_to_the_console_and_comes_back(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    assert_string_equal(
        say(fixture, CALL("\"a\"", "{\"command\":[\"ls\",\"-l\"],\"tty\":true}", "")), "");
    assert_string_equal(console->start_params, "{\"argv\":[\"ls\",\"-l\"],\"cwd\":\"/w/ab\","
                                               "\"tty\":true,\"stream\":false}");
    assert_says(console->initialized, "\"session\":\"Codex\"");
    assert_says(console->initialized, "\"own_session\":true");
    finish(console, 1, "exited", 0, "out\n");
    work(fixture);
    const char *answer = hear(fixture);
    assert_says(answer,
                "\"id\":\"a\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"out\\n\"}]");
    assert_says(answer, "\"structuredContent\":{\"output\":\"out\\n\",\"outcome\":\"exited\"");
    assert_says(answer, "\"truncated\":false");
    assert_null(strstr(answer, "null"));
    assert_says(answer, "\"isError\":false");

    say(fixture, CALL("6", "{\"command\":\"false\",\"cwd\":\"/\"}", ""));
    assert_says(console->start_params, "{\"script\":\"false\",\"cwd\":\"/\",");
    finish(console, 2, "exited", 1, "");
    work(fixture);
    answer = hear(fixture);
    assert_says(answer, "\"text\":\"[exit code 1]\\n\"");
    assert_says(answer, "\"isError\":false");
    assert_int_equal(console->connections, 1);
}

static void a_refusal_is_an_error_with_the_operators_words(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"ls\"}", ""));
    json_t *result = json_pack("{s:s,s:i,s:{s:s,s:s},s:{s:s,s:b}}", "outcome", "refused",
                               "exit_code", 77, "decision", "source", "user", "message", "use make",
                               "output", "aggregated", "tried\n", "truncated", 0);
    jsonrpc_notify(console->peer, "call/finished",
                   json_pack("{s:i,s:o}", "call", 1, "result", result));
    work(fixture);
    const char *answer = hear(fixture);
    assert_says(answer, "\"text\":\"tried\\n[refused by the operator: use make]\\n\"");
    /* Some agents show their model only this. */
    assert_says(answer, "\"structuredContent\":{\"output\":\"tried\\n\","
                        "\"note\":\"[refused by the operator: use make]\"");
    assert_says(answer, "\"isError\":true");
}

/* Few programs show why they were not connected. */
static void a_host_that_was_not_reached_is_told(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"curl\"}", ""));
    json_t *result =
        json_pack("{s:s,s:i,s:[{s:s,s:s}],s:{s:s,s:b}}", "outcome", "exited", "exit_code", 56,
                  "unconnected", "to", "https://x:443", "why", "Name or service not known",
                  "output", "aggregated", "502\n", "truncated", 0);
    jsonrpc_notify(console->peer, "call/finished",
                   json_pack("{s:i,s:o}", "call", 1, "result", result));
    work(fixture);
    assert_says(hear(fixture), "[https://x:443 was allowed, but could not be reached: "
                               "Name or service not known]");
}

/* It asked to leave the sandbox: what came of it is not what would have come of it outside. */
static void that_it_was_kept_inside_is_told(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"ls\"}", ""));
    json_t *result = json_pack("{s:s,s:i,s:{s:s,s:s},s:{s:s,s:b}}", "outcome", "exited",
                               "exit_code", 0, "decision", "kind", "approved_sandboxed", "source",
                               "user", "output", "aggregated", "tried\n", "truncated", 0);
    jsonrpc_notify(console->peer, "call/finished",
                   json_pack("{s:i,s:o}", "call", 1, "result", result));
    work(fixture);
    const char *answer = hear(fixture);
    assert_says(answer, "\"note\":\"[the operator let it run once, in the sandbox and not outside "
                        "it]\"");
    assert_says(answer, "\"kind\":\"approved_sandboxed\"");
    assert_says(answer, "\"isError\":false");
}

/* Its agent would go on as if it had pushed. */
static void that_its_push_failed_is_told(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"git push | tail -3\"}", ""));
    json_t *result =
        json_pack("{s:s,s:i,s:s,s:{s:s,s:b}}", "outcome", "exited", "exit_code", 0, "push_stopped",
                  "/b/x.git", "output", "aggregated", "To /b/x.git\n", "truncated", 0);
    jsonrpc_notify(console->peer, "call/finished",
                   json_pack("{s:i,s:o}", "call", 1, "result", result));
    work(fixture);
    const char *answer = hear(fixture);
    assert_says(answer, "\"note\":\"[nothing says that its push went through");
    assert_says(answer, "does not let it write: /b/x.git]\"");
}

#define APPROVE(id, tool, input)                                                                   \
    REQUEST(id, "tools/call",                                                                      \
            "{\"name\":\"approve\",\"arguments\":{\"tool_name\":\"" tool "\",\"input\":" input     \
            ",\"tool_use_id\":\"toolu_1\"}}")

static void approve_asks_and_hands_on_the_answer(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, APPROVE("1", "Bash", "{\"command\":\"make\",\"description\":\"build\"}"));
    assert_string_equal(console->start_params,
                        "{\"agent_tool\":\"Bash\",\"cwd\":\"/w/ab\",\"script\":\"make\","
                        "\"justification\":\"build\"}");
    tell_answer(console, 1, "allowed", "approved", NULL);
    work(fixture);
    assert_says(hear(fixture),
                "{\\\"behavior\\\":\\\"allow\\\",\\\"updatedInput\\\":{\\\"command\\\":"
                "\\\"make\\\",\\\"description\\\":\\\"build\\\"}}");

    say(fixture, APPROVE("2", "Write", "{\"file_path\":\"/x\"}"));
    assert_says(console->start_params, "\"agent_input\":{\"file_path\":\"/x\"}");
    tell_answer(console, 2, "refused", "denied", "not there");
    work(fixture);
    assert_says(hear(fixture), "{\\\"behavior\\\":\\\"deny\\\",\\\"message\\\":\\\"refused by "
                               "the operator: not there\\\"}");

    say(fixture, APPROVE("3", "Bash", "{\"command\":\"make\"}"));
    tell_answer(console, 3, "refused", "abort", NULL);
    work(fixture);
    assert_says(hear(fixture), "\\\"interrupt\\\":true");
}

/* Whatever is not a clear yes is a no. */
static void approve_denies_when_it_cannot_ask(void **state)
{
    struct fixture *fixture = *state;
    say(fixture, INITIALIZE("\"2025-11-25\""));
    assert_says(say(fixture, APPROVE("1", "Bash", "{\"command\":\"ls\"}")),
                "{\\\"behavior\\\":\\\"deny\\\",\\\"message\\\":\\\"no Assent console");
    assert_says(say(fixture, APPROVE("2", "", "{}")), "\\\"deny\\\"");
    assert_says(say(fixture, APPROVE("3", "Bash", "[]")), "\\\"deny\\\"");
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, APPROVE("4", "Bash", "{\"command\":\"ls\"}"));
    assert_int_equal(console->started, 1);
    stop_console(console);
    work(fixture);
    assert_says(hear(fixture), "\\\"deny\\\"");
}

static void our_own_tools_are_not_asked_about_twice(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    assert_says(say(fixture, APPROVE("1", "mcp__assent__shell", "{\"command\":\"ls\"}")),
                "\\\"behavior\\\":\\\"allow\\\"");
    assert_int_equal(console->started, 0);
    say(fixture, APPROVE("2", "mcp__assent2__shell", "{\"command\":\"ls\"}"));
    assert_int_equal(console->started, 1);
}

static void progress_comes_with_the_token_and_the_clock(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\"}", TOKEN("\"t-1\"")));
    say(fixture, CALL("2", "{\"command\":\"b\"}", TOKEN("2")));
    say(fixture, CALL("3", "{\"command\":\"c\"}", ""));
    tell_state(console, 1, "asking", 2);
    work(fixture);
    assert_string_equal(hear(fixture),
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
                        "\"progressToken\":\"t-1\",\"progress\":1,"
                        "\"message\":\"waiting for the operator, 2 before it\"}}\n");
    pass(fixture, 9000);
    assert_string_equal(hear(fixture), "");
    pass(fixture, 1000);
    const char *progress = hear(fixture);
    assert_says(progress, "\"progressToken\":\"t-1\",\"progress\":2");
    assert_says(progress, "\"progressToken\":2,\"progress\":1");
    pass(fixture, 10000);
    assert_says(hear(fixture), "\"progressToken\":2,\"progress\":2");
    finish(console, 1, "exited", 0, "");
    finish(console, 2, "exited", 0, "");
    finish(console, 3, "exited", 0, "");
    work(fixture);
    assert_null(strstr(hear(fixture), "progress"));
    pass(fixture, 60000);
    assert_string_equal(hear(fixture), "");
}

#define POLL(id, arguments)                                                                        \
    REQUEST(id, "tools/call", "{\"name\":\"write_stdin\",\"arguments\":" arguments "}")

static void print_output(struct console *console, int call, const char *base64)
{
    jsonrpc_notify(console->peer, "call/output",
                   json_pack("{s:i,s:s,s:s}", "call", call, "stream", "stdout", "data", base64));
    work(console->fixture);
}

static void a_call_that_yields_goes_on(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\",\"stdin\":true,\"yield_ms\":1000}", ""));
    assert_says(console->start_params, "\"stdin\":true,\"stream\":true}");
    tell_state(console, 1, "running", 0);
    print_output(console, 1, "b25lCg=="); /* one */
    hear(fixture);
    pass(fixture, 1000);
    const char *answer = hear(fixture);
    assert_says(answer, "\"text\":\"one\\n[still running: poll with write_stdin, call 1]\\n\"");
    assert_says(answer, "\"outcome\":\"running\",\"call\":1");
    assert_says(answer, "\"isError\":false");
    assert_int_equal(console->cancelled, 0);

    /* It is asked for the rest, with input; one request at a time. */
    assert_string_equal(say(fixture, POLL("2", "{\"call\":1,\"input\":\"x\\n\"}")), "");
    /* The console is asked whether it may be sent. */
    assert_says(console->start_params, "\"agent_tool\":\"write_stdin\"");
    assert_says(console->start_params, "\"input_for\":1");
    assert_null(console->fed);
    tell_answer(console, 2, "allowed", "approved", NULL);
    work(fixture);
    assert_says(console->fed, "\"data\":\"eAo=\"");
    assert_says(say(fixture, POLL("3", "{\"call\":1}")), "another request waits");
    print_output(console, 1, "AHR3bwo="); /* NUL, two: nothing behind a NUL is lost */
    finish(console, 1, "exited", 0, "one\ntwo\n");
    work(fixture);
    answer = hear(fixture);
    assert_says(answer, "\"id\":2");
    assert_says(answer, "\"text\":\"\uFFFDtwo\\n\"");
    assert_says(say(fixture, POLL("4", "{\"call\":1}")), "expected the number of a call");
    assert_says(say(fixture, POLL("5", "{}")), "expected the number of a call");
}

static void input_that_is_refused_is_not_sent(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\",\"stdin\":true,\"yield_ms\":10}", ""));
    pass(fixture, 10);
    hear(fixture);
    say(fixture, POLL("2", "{\"call\":1,\"input\":\"x\"}"));
    tell_answer(console, 2, "refused", "denied", "not that");
    work(fixture);
    assert_says(hear(fixture), "refused by the operator: not that");
    assert_null(console->fed);
    /* The call is still there. */
    assert_string_equal(say(fixture, POLL("3", "{\"call\":1}")), "");
    finish(console, 1, "exited", 0, "");
    work(fixture);
    assert_says(hear(fixture), "\"id\":3");
}

/* What ended meanwhile is kept for whoever asks; a poll that is cancelled ends nothing. */
static void the_end_is_kept_until_it_is_asked_for(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\",\"yield_ms\":10}", ""));
    tell_state(console, 1, "asking", 0);
    work(fixture);
    hear(fixture);
    pass(fixture, 10);
    assert_says(hear(fixture), "\"outcome\":\"waiting\"");
    say(fixture, POLL("2", "{\"call\":1}"));
    assert_string_equal(say(fixture, CANCEL("2", "AbortError")), "");
    assert_int_equal(console->cancelled, 0);
    print_output(console, 1, "b25lCg==");
    finish(console, 1, "exited", 3, "one\n");
    work(fixture);
    assert_string_equal(hear(fixture), "");
    const char *answer = say(fixture, POLL("3", "{\"call\":1}"));
    assert_says(answer, "\"text\":\"one\\n[exit code 3]\\n\"");
}

/* Who does not ask for progress gives up after 60 s, as the SDKs do; who does waits. */
static void without_progress_nobody_waits_long(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, REQUEST("0", "initialize",
                         "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{"
                         "\"name\":\"another-client\",\"version\":\"1\"}}"));
    say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    say(fixture, CALL("2", "{\"command\":\"b\"}", TOKEN("7")));
    tell_state(console, 1, "asking", 0);
    work(fixture);
    hear(fixture);
    pass(fixture, 49000);
    assert_null(strstr(hear(fixture), "\"id\":1"));
    pass(fixture, 1000);
    assert_says(hear(fixture), "still waiting for the operator: poll with write_stdin, call 1");
    pass(fixture, 3600 * 1000);
    assert_null(strstr(hear(fixture), "\"id\":2"));
}

/* Codex gives up after 300 s: before that it is told how to go on, and asking the same again is the
 * same call. */
static void a_clients_limit_is_heeded(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    tell_state(console, 1, "asking", 0);
    work(fixture);
    hear(fixture);
    pass(fixture, 269000);
    assert_string_equal(hear(fixture), "");
    pass(fixture, 1000);
    assert_says(hear(fixture), "still waiting for the operator: poll with write_stdin, call 1");
    say(fixture, CALL("2", "{\"command\":\"a\"}", ""));
    assert_int_equal(console->started, 1);
    finish(console, 1, "exited", 0, "done\n");
    work(fixture);
    assert_says(hear(fixture), "\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
                               "\"done\\n\"}]");
}

static void a_cancelled_call_is_cancelled_and_not_answered(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    assert_string_equal(say(fixture, CANCEL("1", "AbortError: The operation was aborted.")), "");
    assert_int_equal(console->cancelled, 1);
    finish(console, 1, "cancelled", 137, "");
    work(fixture);
    assert_string_equal(hear(fixture), "");
    /* Some clients cancel what was answered, and what never was. */
    say(fixture, CANCEL("1", "again"));
    say(fixture, CANCEL("77", "never was"));
    assert_int_equal(console->cancelled, 1);
    assert_says(say(fixture, REQUEST("2", "ping", "{}")), "\"id\":2,\"result\":{}");
}

static void a_repeat_after_a_time_out_joins_the_first(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\",\"tty\":true}", ""));
    say(fixture, CANCEL("1", "McpError: MCP error -32001: Request timed out"));
    say(fixture, CALL("2", "{\"tty\":true,\"command\":\"a\"}", TOKEN("5")));
    assert_int_equal(console->started, 1);
    assert_int_equal(console->cancelled, 0);
    pass(fixture, 60000);
    assert_int_equal(console->cancelled, 0);
    finish(console, 1, "exited", 0, "once");
    work(fixture);
    assert_says(hear(fixture), "\"id\":2,\"result\":{");

    /* Not a call with other arguments, and not for ever. */
    say(fixture, CALL("3", "{\"command\":\"a\"}", ""));
    say(fixture, CANCEL("3", "request timeout"));
    say(fixture, CALL("4", "{\"command\":\"b\"}", ""));
    assert_int_equal(console->started, 3);
    pass(fixture, 15000);
    assert_int_equal(console->cancelled, 1);
    say(fixture, CALL("5", "{\"command\":\"a\"}", ""));
    assert_int_equal(console->started, 4);
}

/* ---- consoles come and go -------------------------------------------------------------------- */

static void a_lost_console_is_told_and_found_again(void **state)
{
    struct fixture *fixture = *state;
    start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    stop_console(&fixture->consoles[0]);
    work(fixture);
    const char *answer = hear(fixture);
    assert_says(answer, "\"id\":1,\"result\":{");
    assert_says(answer, "the console is gone");
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, CALL("2", "{\"command\":\"a\"}", ""));
    finish(console, 1, "exited", 0, "back");
    work(fixture);
    assert_says(hear(fixture), "back");
}

static void the_console_with_the_closest_root_is_taken(void **state)
{
    struct fixture *fixture = *state;
    start_console(fixture, 0, "/");
    struct console *closest = start_console(fixture, 1, "/w");
    start_console(fixture, 2, "/w/a");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    assert_int_equal(closest->started, 1);
}

/* It listens where consoles do, and is told nothing: no command, no session, no capability. */
static void what_does_not_prove_itself_gets_no_command(void **state)
{
    struct fixture *fixture = *state;
    struct console *impostor = start_console(fixture, 0, "/w/ab");
    impostor->impostor = true;
    say(fixture, INITIALIZE("\"2025-11-25\""));
    const char *answer = say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    assert_says(answer, "/assent/1.sock does not prove to be your console");
    assert_says(answer, "\"isError\":true");
    assert_non_null(impostor->challenge);
    assert_null(impostor->initialized);

    /* Nor does it stand in the way of one that does. */
    struct console *real = start_console(fixture, 1, "/w");
    say(fixture, CALL("2", "{\"command\":\"a\"}", ""));
    assert_int_equal(real->started, 1);
    assert_int_equal(impostor->started, 0);
    assert_null(impostor->initialized);
    assert_string_not_equal(impostor->challenge, real->challenge);
}

static void a_place_that_commands_can_write_to_is_not_trusted(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, fixture->directory);
    mcp_free(&fixture->mcp);
    fd_close(&fixture->fd);
    start_server(fixture, fixture->directory);
    say(fixture, INITIALIZE("\"2025-11-25\""));
    const char *answer = say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    assert_says(answer, "lies in the working directory");
    assert_int_equal(console->started, 0);
}

static void of_equal_consoles_none_is_taken(void **state)
{
    struct fixture *fixture = *state;
    start_console(fixture, 0, "/w");
    start_console(fixture, 1, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    const char *answer = say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    assert_says(answer, "set ASSENT_SOCKET to one of");
    assert_says(answer, "/assent/1.sock");
    assert_says(answer, "/assent/2.sock");
}

static void a_console_that_says_nothing_is_not_waited_for(void **state)
{
    struct fixture *fixture = *state;
    struct console *answering = start_console(fixture, 0, "/w");
    struct console *stopped = start_console(fixture, 1, "/w/ab");
    loop_io_set(stopped->accepting, 0);
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    assert_int_equal(answering->started, 0);
    pass(fixture, 2000);
    assert_int_equal(answering->started, 1);
    stop_console(answering);
    work(fixture);
    hear(fixture);
    say(fixture, CALL("2", "{\"command\":\"a\"}", ""));
    pass(fixture, 30000);
    assert_says(hear(fixture), "the console does not answer");
}

static void the_end_of_input_ends_the_server(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    shutdown(fixture->fd, SHUT_WR);
    work(fixture);
    assert_false(fixture->ended);
    finish(console, 1, "exited", 0, "last");
    work(fixture);
    assert_says(hear(fixture), "last");
    assert_true(fixture->ended);
}

static void the_end_of_input_waits_only_so_long(void **state)
{
    struct fixture *fixture = *state;
    start_console(fixture, 0, "/w");
    say(fixture, INITIALIZE("\"2025-11-25\""));
    say(fixture, CALL("1", "{\"command\":\"a\"}", ""));
    shutdown(fixture->fd, SHUT_WR);
    work(fixture);
    pass(fixture, 999);
    assert_false(fixture->ended);
    pass(fixture, 1);
    assert_true(fixture->ended);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(the_revision_is_the_clients_where_we_know_it),
        WITH_SERVER(everything_is_answered_before_initialize),
        WITH_SERVER(the_tool_is_listed_with_its_schemas),
        WITH_SERVER(what_was_not_offered_is_no_method),
        WITH_SERVER(there_is_one_page_of_tools),
        WITH_SERVER(batches_of_an_older_revision_are_answered),
        WITH_SERVER(odd_streams_are_read),
        WITH_SERVER(bad_calls_are_told_apart),
        WITH_SERVER(without_a_console_the_model_reads_how_to_start_one),
        WITH_SERVER(a_call_goes_to_the_console_and_comes_back),
        WITH_SERVER(a_refusal_is_an_error_with_the_operators_words),
        WITH_SERVER(a_host_that_was_not_reached_is_told),
        WITH_SERVER(that_it_was_kept_inside_is_told),
        WITH_SERVER(that_its_push_failed_is_told),
        WITH_SERVER(approve_asks_and_hands_on_the_answer),
        WITH_SERVER(approve_denies_when_it_cannot_ask),
        WITH_SERVER(our_own_tools_are_not_asked_about_twice),
        WITH_SERVER(progress_comes_with_the_token_and_the_clock),
        WITH_SERVER(a_call_that_yields_goes_on),
        WITH_SERVER(input_that_is_refused_is_not_sent),
        WITH_SERVER(the_end_is_kept_until_it_is_asked_for),
        WITH_SERVER(without_progress_nobody_waits_long),
        WITH_SERVER(a_clients_limit_is_heeded),
        WITH_SERVER(a_cancelled_call_is_cancelled_and_not_answered),
        WITH_SERVER(a_repeat_after_a_time_out_joins_the_first),
        WITH_SERVER(a_lost_console_is_told_and_found_again),
        WITH_SERVER(the_console_with_the_closest_root_is_taken),
        WITH_SERVER(what_does_not_prove_itself_gets_no_command),
        WITH_SERVER(a_place_that_commands_can_write_to_is_not_trusted),
        WITH_SERVER(of_equal_consoles_none_is_taken),
        WITH_SERVER(a_console_that_says_nothing_is_not_waited_for),
        WITH_SERVER(the_end_of_input_ends_the_server),
        WITH_SERVER(the_end_of_input_waits_only_so_long),
    };
    return cmocka_run_group_tests_name("mcp", tests, NULL, NULL);
}
