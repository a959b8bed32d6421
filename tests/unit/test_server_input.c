/* SPDX-License-Identifier: MIT */
/* server: bad input and too much of it: who caused it is told, nobody else notices. */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/json.h"
#include "server_fixture.h"

/* ---- bad input
 * ----------------------------------------------------------------------------------- */

static void bad_requests_are_answered_with_what_was_wrong(void **state)
{
    struct peer *peer = initialized(*state, "");
    static const char *const cases[][3] = {
        {"nope", "{}", "-32601"},
        {"initialize", "{\"protocol\":1}", "already initialized"},
        {"call/start", "{}", "expected exactly one of argv"},
        {"call/start", "{\"argv\":[\"a\"],\"script\":\"b\",\"cwd\":\"/\"}", "exactly one of"},
        {"call/start", "{\"argv\":[],\"cwd\":\"/\"}", "argv: expected at least one"},
        {"call/start", "{\"argv\":\"ls\",\"cwd\":\"/\"}", "argv: expected an array"},
        {"call/start", "{\"argv\":[\"ls\",7],\"cwd\":\"/\"}", "argv[1]: expected a string"},
        {"call/start", "{\"argv\":[\"\"],\"cwd\":\"/\"}", "-32602"},
        {"call/start", "{\"argv_b64\":[\"YQBi\"],\"cwd\":\"/\"}", "NUL"},
        {"call/start", "{\"argv_b64\":[\"!\"],\"cwd\":\"/\"}", "not base64"},
        {"call/start", "{\"argv\":[\"ls\"]}", "cwd: missing"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"x/y\"}", "cwd: expected an absolute path"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"/\",\"env\":[]}", "env: expected an object"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"/\",\"env\":{\"A=B\":\"x\"}}", "env: a name"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"/\",\"env\":{\"A\":1}}", "env: A: expected"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"/\",\"timeout_ms\":0}",
         "timeout_ms: expected"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"/\",\"timeout_ms\":\"5\"}", "timeout_ms:"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"/\",\"tty\":1}",
         "tty: expected true or false"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"/\",\"rows\":-1}", "rows: expected"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"/\",\"sandbox_permissions\":\"all\"}",
         "sandbox_permissions: expected"},
        {"call/start", "{\"argv\":[\"ls\"],\"cwd\":\"/\",\"additional_permissions\":{}}",
         "additional_permissions: expected exactly when"},
        {"call/cancel", "{\"call\":99}", "call: expected the id of an open call"},
        {"call/stdin", "{}", "call: expected the id of an open call"},
        {"call/signal", "{\"call\":\"1\"}", "call: expected a whole number"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cleanup_free char *line =
            xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"%s\",\"params\":%s}", i,
                      cases[i][0], cases[i][1]);
        cleanup_free char *id = xasprintf("\"id\":%zu,\"error\"", i);
        say(peer, line);
        cleanup_free char *answer = hear(peer, id);
        if (strstr(answer, cases[i][2]) == NULL)
            fail_msg("expected %s in %s", cases[i][2], answer);
    }
    started(peer, "true", "");
    expect(peer, "call/finished");
    peer_free(&peer);
}

static void unreadable_text_is_answered_and_others_go_on(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, "");
    struct peer *other = initialized(fixture, "");
    static const char *const lines[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"call/start\",\"params\":{\"script\":"
        "\"\xff\xfe\",\"cwd\":\"/\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"call/start\",\"params\":{\"script\":"
        "\"\\udc00\",\"cwd\":\"/\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"call/start\",\"params\":{\"argv\":["
        "\"a\\u0000b\"],\"cwd\":\"/\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        say(peer, lines[i]);
        expect(peer, "\"id\":\"b\",\"error\":{\"code\":-32700");
        started(other, "true", "");
        expect(other, "call/finished");
    }
    say(peer, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},5]");
    expect(peer, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},{");
    peer_free(&peer);
    peer_free(&other);
}

static void a_line_over_the_limit_is_skipped(void **state)
{
    struct peer *peer = initialized(*state, "");
    cleanup_free char *script = xmalloc(100001);
    memset(script, '#', 100000);
    script[100000] = '\0';
    start(peer, script, "");
    expect(peer, "\"id\":1,\"error\":{\"code\":-32600,\"message\":\"message is longer than 4096");
    started(peer, "true", "");
    expect(peer, "call/finished");
    peer_free(&peer);
}

static void what_cannot_start_says_why(void **state)
{
    struct peer *peer = initialized(*state, "");
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"call/start\",\"params\":{\"argv\":["
              "\"/no/such/program\"],\"cwd\":\"/\"}}");
    cleanup_free char *missing = hear(peer, "call/finished");
    assert_non_null(strstr(missing, "\"outcome\":\"failed\",\"exit_code\":127"));
    assert_non_null(strstr(missing, "not found"));
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"call/start\",\"params\":{\"argv\":["
              "\"true\"],\"cwd\":\"/no/such/directory\"}}");
    cleanup_free char *nowhere = hear(peer, "/no/such/directory");
    assert_null(strstr(nowhere, "\"outcome\":\"exited\""));
    peer_free(&peer);
}

/* The tool request_permissions of an agent, for that path. */
static void ask_for_more(struct peer *peer, const char *writable, const char *answer)
{
    cleanup_free char *line = xasprintf(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"call/start\",\"params\":{\"agent_tool\":"
        "\"request_permissions\",\"agent_input\":{},\"cwd\":\"/\",\"widens\":true,"
        "\"sandbox_permissions\":\"with_additional_permissions\","
        "\"additional_permissions\":{\"writable\":[%s]}}}",
        writable);
    say(peer, line);
    expect(peer, answer);
}

/* Nobody is asked about it, and it leaves no call: the operator hears of it all the same. */
static void more_that_nobody_is_asked_about_is_told(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, "");
    ask_for_more(peer, "\"/\"", "writable: / holds the operator's own settings");
    assert_string_equal(fixture->notice, "\"test\" asked for more permissions, refused unasked: "
                                         "writable: / holds the operator's own settings");
    assert_int_equal(fixture->asked, 0);
    peer_free(&peer);
}

static void an_agent_cannot_flood_with_requests_for_more(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, ""), *other = initialized(fixture, "");
    ask_for_more(peer, "", "asks for nothing");
    for (int i = 0; i < 5; i++)
        ask_for_more(i % 2 == 0 ? peer : other, "\"/\"", "own settings");
    assert_int_equal(fixture->notices, 1);
    assert_non_null(strstr(fixture->notice, "asks for nothing"));
    fixture->server->unasked_ms -= 3600 * 1000; /* an hour later */
    ask_for_more(other, "\"/\"", "own settings");
    assert_int_equal(fixture->notices, 2);
    assert_non_null(strstr(fixture->notice, "own settings (and 5 such requests before it)"));
    peer_free(&peer);
    peer_free(&other);
}

static void long_arguments_are_refused_with_the_limit(void **state)
{
    struct peer *peer = initialized(*state, "");
    cleanup_free char *argument = xmalloc(131073);
    memset(argument, 'a', 131072);
    argument[131072] = '\0';
    cleanup_free char *line =
        xasprintf("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"call/start\",\"params\":{\"argv\":["
                  "\"true\",\"%s\"],\"cwd\":\"/\"}}",
                  argument);
    say(peer, line);
    cleanup_free char *answer = hear(peer, "\"id\":1,\"error\"");
    assert_non_null(strstr(answer, "at most 131071"));

    /* 1 MB in ten arguments is fine. */
    argument[100000] = '\0';
    cleanup_strbuf struct strbuf ten = STRBUF_INIT;
    for (int i = 0; i < 10; i++)
        strbuf_addf(&ten, ",\"%s\"", argument);
    cleanup_free char *many = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"call/start\","
                                        "\"params\":{\"argv\":[\"true\"%s],\"cwd\":\"/\"}}",
                                        strbuf_str(&ten));
    say(peer, many);
    cleanup_free char *end = hear(peer, "call/finished");
    assert_non_null(strstr(end, "\"exit_code\":0"));
    peer_free(&peer);
}

/* ---- limits
 * -------------------------------------------------------------------------------------- */

static void more_calls_wait_and_too_many_are_refused(void **state)
{
    struct fixture *fixture = *state;
    struct peer *first = initialized(fixture, "");
    struct peer *second = initialized(fixture, "");
    for (int i = 0; i < 4; i++)
        start(first, "read -r x", ",\"stdin\":true");
    expect(first, "\"id\":1,\"result\"");
    expect(first, "\"id\":2,\"result\"");
    start(first, "true", "");
    expect(first, "\"id\":5,\"error\":{\"code\":-32000,\"message\":\"a connection may have 4 open");
    /* Two run, two wait, and of one tree three may wait, whatever connection they come from. */
    start(second, "true", "");
    start(second, "true", "");
    expect(second,
           "\"id\":2,\"error\":{\"code\":-32000,\"message\":\"this client's processes hold 5 open "
           "calls, and the rest of the console's 10 is for others: try again when");
    for (int call = 1; call <= 4; call++) {
        cleanup_free char *line = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"call/"
                                            "cancel\",\"params\":{\"call\":%d}}",
                                            call);
        if (call > 2) {
            cleanup_free char *answer = xasprintf("\"id\":%d,\"result\"", call);
            expect(first, answer);
        }
        say(first, line);
    }
    expect(second, "call/finished");
    assert_int_equal(fixture->sessions, 1);
    peer_free(&first);
    peer_free(&second);
}

/* What the client is sent has nowhere to go. */
static void wait_until_full(struct fixture *fixture)
{
    int64_t end = now_ms() + DEADLINE_MS;
    const struct connection *connection = TAILQ_FIRST(&fixture->server->connections);
    while (!jsonrpc_full(connection->peer)) {
        assert_true(now_ms() < end);
        loop_step(fixture->loop, 10);
    }
}

/* A command that has ended is an open call until its client has taken the result: else one that
 * starts them and never reads would have as many results kept as it likes. */
static void results_that_nobody_reads_count_as_calls(void **state)
{
    struct fixture *fixture = *state;
    cleanup_free char *waits =
        xasprintf("until test -e %s/go; do sleep 0.01; done", fixture->directory);
    cleanup_free char *go = xasprintf("%s/go", fixture->directory);
    struct peer *silent = initialized(fixture, "");
    start(silent, "head -c 20000000 /dev/zero", "");
    for (int i = 0; i < 3; i++)
        start(silent, waits, ",\"stream\":false");
    wait_until_full(fixture);
    assert_int_equal(close(creat(go, 0600)), 0);
    wait_until(fixture, &fixture->finished, 3);
    assert_int_equal(unlink(go), 0);
    struct peer *other = initialized(fixture, "");
    start(other, "true", "");
    expect(other, "call/finished");
    start(other, "read -r x", ",\"stdin\":true");
    start(other, "true", "");
    expect(other,
           "\"id\":3,\"error\":{\"code\":-32000,\"message\":\"this client's processes hold 5 "
           "open calls");
    for (int i = 0; i < 4; i++)
        expect(silent, "call/finished");
    start(other, "true", "");
    expect(other, "call/finished");
    peer_free(&silent);
    peer_free(&other);
}

/* However few they are, what they hold is bounded. */
static void calls_hold_so_many_bytes_and_no_more(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, "");
    cleanup_free char *large = xasprintf("rm -rf x%095000d", 1);
    started(peer, large, "");
    started(peer, large, "");
    start(peer, large, "");
    expect(peer,
           "\"id\":3,\"error\":{\"code\":-32000,\"message\":\"this client's processes hold 19");
    started(peer, "rm -rf x", "");
    say(peer,
        "{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"call/cancel\",\"params\":{\"call\":1}}");
    expect(peer, "call/finished");
    started(peer, large, "");
    peer_free(&peer);
}

/* Sends 135,000 bytes of input. Are they taken at once? */
static bool feeds(struct peer *peer, uint64_t call)
{
    cleanup_free char *line =
        xasprintf("{\"jsonrpc\":\"2.0\",\"id\":\"f\",\"method\":\"call/stdin\",\"params\":{"
                  "\"call\":%d,\"data\":\"%0180000d\"}}",
                  (int)call, 0);
    say(peer, line);
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}");
    cleanup_free char *first = hear(peer, "\"id\":");
    bool taken = strstr(first, "\"id\":\"f\",\"result\"") != NULL;
    if (strstr(first, "\"id\":\"p\"") == NULL)
        expect(peer, "\"id\":\"p\"");
    return taken;
}

static void input_that_is_not_read_counts_too(void **state)
{
    struct peer *peer = initialized(*state, "");
    uint64_t first = started(peer, "sleep 1000", ",\"stdin\":true");
    uint64_t second = started(peer, "sleep 1000", ",\"stdin\":true");
    while (feeds(peer, first))
        continue;
    assert_false(feeds(peer, second));
    cleanup_free char *cancel = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"call/"
                                          "cancel\",\"params\":{\"call\":%d}}",
                                          (int)first);
    say(peer, cancel);
    expect(peer, "call/finished");
    assert_true(feeds(peer, second));
    peer_free(&peer);
}

/* What has come of a request that has not ended: 140,000 bytes. */
static void say_half(struct peer *peer)
{
    cleanup_free char *half = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":\"h\",\"method\":\"ping\","
                                        "\"params\":{\"x\":\"%0140000d",
                                        0);
    say_bytes(peer, half, strlen(half));
}

static void unfinished_requests_count_too(void **state)
{
    struct peer *first = initialized(*state, "");
    struct peer *second = initialized(*state, "");
    say_half(first);
    started(second, "true", ""); /* the first half has been read by now */
    say_half(second);
    expect(second, "\"id\":\"h\",\"error\":{\"code\":-32600,\"message\":\"this client's processes "
                   "hold 2");
    say(first, "\"}}");
    expect(first, "\"id\":\"h\",\"result\"");
    say(second, "the rest of it");
    say_half(second);
    say(second, "\"}}");
    expect(second, "\"id\":\"h\",\"result\"");
    peer_free(&first);
    peer_free(&second);
}

/* Many agents of one program may ask, and what is not asked about runs meanwhile. */
static void who_asks_the_operator_holds_nobody_up(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, "");
    for (int i = 0; i < 4; i++)
        started(peer, "rm -rf x", "");
    wait_until(fixture, &fixture->asked, 4);
    started(peer, "true", "");
    cleanup_free char *quick = hear(peer, "call/finished");
    assert_non_null(strstr(quick, "\"call\":5,"));
    started(peer, "rm -rf x", "");
    wait_until(fixture, &fixture->asked, 5);
    /* Now all places are taken, until one is answered. */
    start(peer, "true", "");
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}");
    cleanup_free char *taken = hear(peer, "\"id\":\"p\"");
    assert_non_null(strstr(taken, "\"id\":\"p\",\"result\":{}"));
    loop_step(fixture->loop, 50);
    assert_int_equal(orchestrator_call_count(fixture->orchestrator), 6);
    decide(fixture, REVIEW_DENIED, NULL);
    wait_until(fixture, &fixture->finished, 3);
    assert_int_equal(orchestrator_call_count(fixture->orchestrator), 7);
    peer_free(&peer);
}

static void one_tree_cannot_take_every_connection(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peers[16];
    for (int i = 0; i < 16; i++)
        peers[i] = initialized(fixture, "");
    struct peer *refused = peer_new(fixture);
    expect(refused,
           "\"id\":null,\"error\":{\"code\":-32000,\"message\":\"this client's processes hold 16 "
           "connections, and the rest of the console's 20 is for others");
    peer_free(&refused);
    peer_free(&peers[0]);
    while (server_connection_count(fixture->server) == 16)
        loop_step(fixture->loop, 10);
    peers[0] = initialized(fixture, "");
    for (int i = 0; i < 16; i++)
        peer_free(&peers[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_REQUEST(bad_requests_are_answered_with_what_was_wrong),
        ON_REQUEST(unreadable_text_is_answered_and_others_go_on),
        LIMITED(a_line_over_the_limit_is_skipped),
        ON_REQUEST(what_cannot_start_says_why),
        ON_REQUEST(more_that_nobody_is_asked_about_is_told),
        ON_REQUEST(an_agent_cannot_flood_with_requests_for_more),
        ON_REQUEST(long_arguments_are_refused_with_the_limit),
        LIMITED(more_calls_wait_and_too_many_are_refused),
        LIMITED(results_that_nobody_reads_count_as_calls),
        CROWDED(calls_hold_so_many_bytes_and_no_more),
        CROWDED(unfinished_requests_count_too),
        CROWDED(input_that_is_not_read_counts_too),
        CROWDED(who_asks_the_operator_holds_nobody_up),
        LIMITED(one_tree_cannot_take_every_connection),
    };
    signal(SIGPIPE, SIG_IGN); /* as the console does: a command may end before its input */
    return cmocka_run_group_tests_name("server_input", tests, NULL, NULL);
}
