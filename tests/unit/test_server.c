/* SPDX-License-Identifier: MIT */
/* server: what a client gets to see of its commands, of the operator and of slow readers. */
#include "config.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agents/call_result.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/json.h"
#include "server_fixture.h"

/* ---- commands
 * ------------------------------------------------------------------------------------ */

static void a_command_runs_and_its_result_comes_back(void **state)
{
    struct peer *peer = initialized(*state, "");
    started(peer, "echo out; echo err >&2; exit 3", ",\"split_streams\":true");
    cleanup_free char *out = hear(peer, "call/output");
    assert_non_null(strstr(out, "\"stream\":\"stdout\",\"data\":\"b3V0Cg==\""));
    expect(peer, "\"stream\":\"stderr\",\"data\":\"ZXJyCg==\"");
    cleanup_free char *end = hear(peer, "call/finished");
    static const char *const parts[] = {
        "\"call\":1",
        "\"outcome\":\"exited\"",
        "\"exit_code\":3",
        "\"signal\":null",
        "\"attempts\":1",
        "\"timed_out\":false",
        "\"stdout\":\"out\\n\"",
        "\"denied\":null",
        "\"stderr\":\"err\\n\"",
        "\"source\":\"config\"",
        "\"failure\":null",
    };
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strstr(end, parts[i]) == NULL)
            fail_msg("expected %s in %s", parts[i], end);
    peer_free(&peer);
}

static void a_signal_is_a_result_too(void **state)
{
    struct peer *peer = initialized(*state, "");
    started(peer, "kill -USR1 $$", "");
    cleanup_free char *end = hear(peer, "call/finished");
    assert_non_null(strstr(end, "\"outcome\":\"signaled\",\"exit_code\":138,\"signal\":10"));
    peer_free(&peer);
}

static void arguments_may_be_any_bytes(void **state)
{
    struct peer *peer = initialized(*state, "");
    /* printf %s \xff, in base64. */
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"call/start\",\"params\":{\"argv_b64\":["
              "\"cHJpbnRm\",\"JXM=\",\"/w==\"],\"cwd\":\"/\"}}");
    expect(peer, "\"data\":\"/w==\"");
    cleanup_free char *end = hear(peer, "call/finished");
    assert_non_null(strstr(end, "\"stdout\":\"\xef\xbf\xbd\""));
    peer_free(&peer);
}

static void input_goes_to_the_command_and_ends(void **state)
{
    struct peer *peer = initialized(*state, "");
    started(peer, "wc -c", ",\"stdin\":true");
    /* 3 MB: more than pipes hold, so that the command's speed is ours. */
    cleanup_strbuf struct strbuf bytes = STRBUF_INIT, text = STRBUF_INIT;
    for (int i = 0; i < 30000; i++)
        strbuf_addstr(&bytes, "a hundred bytes of input, again and again: the quick brown fox, "
                              "the lazy dog, and what else they\n"
                              "do");
    size_t half = bytes.length / 2;
    base64_encode(&text, bytes.data, half);
    cleanup_free char *first =
        xasprintf("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"call/stdin\",\"params\":{\"call\":1,"
                  "\"data\":\"%s\"}}",
                  strbuf_str(&text));
    strbuf_reset(&text);
    base64_encode(&text, bytes.data + half, bytes.length - half);
    cleanup_free char *second =
        xasprintf("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"call/stdin\",\"params\":{\"call\":1,"
                  "\"data\":\"%s\",\"eof\":true}}",
                  strbuf_str(&text));
    say(peer, first);
    expect(peer, "\"id\":8,\"result\":{\"queued\":");
    say(peer, second);
    cleanup_free char *end = hear(peer, "call/finished");
    cleanup_free char *counted = xasprintf("\"stdout\":\"%zu\\n\"", bytes.length);
    assert_non_null(strstr(end, counted));
    peer_free(&peer);
}

static void without_stdin_a_command_reads_nothing(void **state)
{
    struct peer *peer = initialized(*state, "");
    uint64_t call = started(peer, "cat; sleep 5", "");
    assert_int_equal(call, 1);
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"call/stdin\",\"params\":{\"call\":1,"
              "\"data\":\"YQ==\"}}");
    expect(peer, "\"id\":8,\"error\":{\"code\":-32000");
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"call/cancel\",\"params\":{\"call\":1}}");
    expect(peer, "\"outcome\":\"cancelled\"");
    peer_free(&peer);
}

/* What stopped a call is told to its agent, and of a second try that the first one ran. */
static void what_the_operator_stopped_is_told_as_it_was(void **state)
{
    struct call *call = XNEW(struct call);
    (void)state;
    call->cancelled = true;
    call->cancelled_by = CANCELLED_BY_OPERATOR;
    call->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    for (unsigned attempts = 0; attempts < 2; attempts++) {
        call->attempt_count = attempts;
        cleanup_json json_t *result = call_result_new(call);
        const char *failure = json_string_value(json_object_get(result, "failure"));
        assert_string_equal(
            failure, attempts == 0
                         ? "stopped by the operator"
                         : "it ran in the sandbox, and its second try was stopped by the operator");
    }
    /* One that was stopped as it ran has had no second try. */
    call->decision.kind = REVIEW_APPROVED;
    call->attempts[0].result.cancelled = true;
    cleanup_json json_t *result = call_result_new(call);
    assert_string_equal(json_string_value(json_object_get(result, "failure")),
                        "stopped by the operator");
    free(call);
}

/* An agent must not take for done what the operator's change was to do, and did not: only what has
 * run is told. */
static void what_the_operator_made_of_it_is_told_once_it_ran(void **state)
{
    static char make[] = "make", a[] = "a", b[] = "b", c[] = "c";
    static char make_a[] = "make a", make_b[] = "make b";
    static char *asked[] = {make, a, NULL}, *changed[] = {make, b, NULL},
                *again[] = {make, c, NULL};
    static const struct {
        char **first, **last; /* what ran at first, and the last change */
        unsigned attempts;
        bool at_retry;
        const char *told; /* its second word, or NULL */
        bool second_try;
    } table[] = {
        {NULL, changed, 0, false, NULL, false},   {changed, changed, 1, false, "b", false},
        {changed, changed, 2, false, "b", false}, {asked, changed, 1, true, NULL, false},
        {asked, changed, 2, true, "b", true},     {changed, again, 1, true, "b", false},
        {changed, again, 2, true, "c", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        struct call *call = XNEW(struct call);
        struct command_spec spec = {.argv = table[i].last};
        call->spec = &spec;
        call->asked_command = make_a;
        call->attempt_count = table[i].attempts;
        if (table[i].at_retry) {
            call->attempts[0].command = table[i].first == asked ? make_a : make_b;
            call->attempts[0].argv = table[i].first;
        }
        cleanup_json json_t *result = call_result_new(call);
        json_t *edited = json_object_get(result, "edited");
        const char *told = json_string_value(json_array_get(json_object_get(edited, "argv"), 1));
        if (table[i].told == NULL) {
            assert_true(json_is_null(edited));
        } else {
            assert_string_equal(told, table[i].told);
            assert_int_equal(json_is_true(json_object_get(edited, "second_try")),
                             table[i].second_try);
            bool other = table[i].second_try && table[i].first != asked;
            assert_int_equal(json_is_string(json_object_get(edited, "first_try")), other);
        }
        free(call);
    }
}

static void a_terminal_has_the_size_it_is_given(void **state)
{
    struct peer *peer = initialized(*state, "");
    started(peer, "stty size; read -r x; stty size; test -t 1 && echo tty",
            ",\"tty\":true,\"rows\":31,\"columns\":97");
    /* "31 97\r\n" */
    expect(peer, "\"stream\":\"terminal\",\"data\":\"MzEgOTcNCg==\"");
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"call/resize\",\"params\":{\"call\":1,"
              "\"rows\":40,\"columns\":111}}");
    expect(peer, "\"id\":8,\"result\"");
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"call/stdin\",\"params\":{\"call\":1,"
              "\"data\":\"Cg==\"}}");
    cleanup_free char *end = hear(peer, "call/finished");
    assert_non_null(strstr(end, "40 111"));
    assert_non_null(strstr(end, "tty"));
    peer_free(&peer);
}

static void a_signal_reaches_the_command(void **state)
{
    struct peer *peer = initialized(*state, "");
    started(peer, "trap 'echo caught; exit 4' INT; echo ready; while :; do sleep 0.05; done", "");
    expect(peer, "call/output");
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"call/signal\",\"params\":{\"call\":1,"
              "\"signal\":\"INT\"}}");
    cleanup_free char *end = hear(peer, "call/finished");
    assert_non_null(strstr(end, "caught"));
    assert_non_null(strstr(end, "\"exit_code\":4"));
    peer_free(&peer);
}

/* ---- the operator
 * -------------------------------------------------------------------------------- */

static void the_client_hears_what_the_operator_says(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, "");
    struct peer *other = initialized(fixture, "");
    started(other, "first", "");
    wait_until(fixture, &fixture->asked, 1);
    uint64_t first = fixture->prompt;
    started(peer, "echo x", "");
    wait_until(fixture, &fixture->asked, 2);
    cleanup_free char *waiting = hear(peer, "\"state\":\"asking\"");
    assert_non_null(strstr(waiting, "\"waiting\":1"));
    uint64_t second = fixture->prompt;
    fixture->prompt = first;
    decide(fixture, REVIEW_DENIED, "use make \xe2\x80\x9cplease\xe2\x80\x9d");
    cleanup_free char *denied = hear(other, "call/finished");
    assert_non_null(strstr(denied, "\"outcome\":\"refused\",\"exit_code\":77"));
    assert_non_null(strstr(denied, "use make \xe2\x80\x9cplease\xe2\x80\x9d"));
    assert_non_null(strstr(denied, "\"source\":\"user\""));
    expect(peer, "\"state\":\"asking\",\"waiting\":0");
    fixture->prompt = second;
    decide(fixture, REVIEW_APPROVED, NULL);
    expect(peer, "\"state\":\"running\"");
    cleanup_free char *end = hear(peer, "call/finished");
    assert_non_null(strstr(end, "\"exit_code\":0"));
    peer_free(&peer);
    peer_free(&other);
}

static void a_client_that_leaves_takes_its_question_along(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, "");
    started(peer, "echo x", "");
    wait_until(fixture, &fixture->asked, 1);
    peer_free(&peer);
    wait_until(fixture, &fixture->finished, 1);
    assert_int_equal(orchestrator_waiting_count(fixture->orchestrator), 0);
    struct error error = ERROR_INIT;
    assert_int_equal(orchestrator_decide(fixture->orchestrator, fixture->prompt, fixture->revision,
                                         REVIEW_APPROVED, NULL, &error),
                     -1);
}

static void a_client_that_leaves_takes_its_command_along(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, "");
    started(peer, "echo $$; exec sleep 1000", "");
    cleanup_free char *line = hear(peer, "call/output");
    cleanup_json json_t *message = json_loads(line, 0, NULL);
    cleanup_strbuf struct strbuf pid = STRBUF_INIT;
    const char *data =
        json_string_value(json_object_get(json_object_get(message, "params"), "data"));
    assert_int_equal(base64_decode(&pid, data, strlen(data)), 0);
    assert_int_equal(kill((pid_t)atoi(strbuf_str(&pid)), 0), 0);
    peer_free(&peer);
    wait_until(fixture, &fixture->finished, 1);
    assert_int_equal(kill((pid_t)atoi(strbuf_str(&pid)), 0), -1);
    assert_int_equal(server_connection_count(fixture->server), 0);
}

/* ---- slow readers
 * -------------------------------------------------------------------------------- */

static void a_reader_who_does_not_read_holds_up_only_itself(void **state)
{
    struct fixture *fixture = *state;
    struct peer *slow = initialized(fixture, "");
    struct peer *quick = initialized(fixture, "");
    /* 20 MB, of which the spool keeps 1 MiB: only back-pressure can save the rest. */
    started(slow, "yes 0123456789012345678 | head -c 20000000", "");
    started(quick, "echo quick", "");
    expect(quick, "call/finished");
    assert_int_equal(fixture->finished, 1);

    size_t total = 0;
    int64_t end = now_ms() + DEADLINE_MS;
    for (bool over = false; !over;) {
        assert_true(now_ms() < end);
        cleanup_free char *line = hear(slow, "call/");
        cleanup_json json_t *message = json_loads(line, 0, NULL);
        const json_t *params = json_object_get(message, "params");
        const json_t *data = json_object_get(params, "data");
        assert_null(json_object_get(params, "skipped"));
        cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
        if (data != NULL)
            assert_int_equal(
                base64_decode(&bytes, json_string_value(data), json_string_length(data)), 0);
        total += bytes.length;
        over = strstr(line, "call/finished") != NULL;
    }
    assert_int_equal(total, 20000000);
    peer_free(&slow);
    peer_free(&quick);
}

/* More than is queued for a client: the rest comes when it reads. */
static void results_wait_for_their_reader(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, "");
    for (int i = 0; i < 60; i++)
        start(peer, "head -c 20000 /dev/zero | tr '\\0' x", ",\"stream\":false");
    wait_until(fixture, &fixture->finished, 60);
    for (int i = 0; i < 60; i++) {
        cleanup_free char *end = hear(peer, "call/finished");
        assert_non_null(strstr(end, "xxx"));
    }
    peer_free(&peer);
}

static void output_that_nobody_wants_is_not_sent(void **state)
{
    struct peer *peer = initialized(*state, "");
    started(peer, "echo one; echo two", ",\"stream\":false");
    cleanup_free char *next = hear(peer, "call/");
    while (strstr(next, "call/state") != NULL) {
        free(next);
        next = hear(peer, "call/");
    }
    assert_non_null(strstr(next, "call/finished"));
    assert_non_null(strstr(next, "\"stdout\":\"one\\ntwo\\n\""));
    peer_free(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_REQUEST(a_command_runs_and_its_result_comes_back),
        ON_REQUEST(a_signal_is_a_result_too),
        ON_REQUEST(arguments_may_be_any_bytes),
        ON_REQUEST(input_goes_to_the_command_and_ends),
        ON_REQUEST(without_stdin_a_command_reads_nothing),
        cmocka_unit_test(what_the_operator_stopped_is_told_as_it_was),
        cmocka_unit_test(what_the_operator_made_of_it_is_told_once_it_ran),
        ON_REQUEST(a_terminal_has_the_size_it_is_given),
        ON_REQUEST(a_signal_reaches_the_command),
        UNTRUSTED(the_client_hears_what_the_operator_says),
        UNTRUSTED(a_client_that_leaves_takes_its_question_along),
        ON_REQUEST(a_client_that_leaves_takes_its_command_along),
        ON_REQUEST(a_reader_who_does_not_read_holds_up_only_itself),
        ON_REQUEST(results_wait_for_their_reader),
        ON_REQUEST(output_that_nobody_wants_is_not_sent),
    };
    return cmocka_run_group_tests_name("server", tests, NULL, NULL);
}
