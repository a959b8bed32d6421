/* SPDX-License-Identifier: MIT */
/* jsonrpc and what it stands on: lines out of bytes, ids out of broken text, base64. */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "agents/framing.h"
#include "agents/jsonrpc.h"
#include "agents/salvage.h"
#include "base/alloc.h"
#include "base/base64.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/loop.h"

#define LINE_LIMIT 4096
#define HIGH_WATER 8192

/* ---- base64 -------------------------------------------------------------------------------- */

static void base64_goes_both_ways(void **state)
{
    (void)state;
    /* The vectors of RFC 4648 section 10. */
    static const char *const vectors[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    };
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
        cleanup_strbuf struct strbuf text = STRBUF_INIT;
        cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
        base64_encode(&text, vectors[i][0], strlen(vectors[i][0]));
        assert_string_equal(strbuf_str(&text), vectors[i][1]);
        assert_int_equal(base64_decode(&bytes, strbuf_str(&text), text.length), 0);
        assert_string_equal(strbuf_str(&bytes), vectors[i][0]);
    }
}

static void base64_refuses_what_is_not_canonical(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zm9v!A==", "Zg==Zg==", "-_-_", "Zg=v"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
        strbuf_addstr(&bytes, "kept");
        assert_int_equal(base64_decode(&bytes, bad[i], strlen(bad[i])), -1);
        assert_string_equal(strbuf_str(&bytes), "kept");
    }
}

/* ---- framing ------------------------------------------------------------------------------- */

/* Feeds the text in pieces of `piece` bytes; writes what came out: "line|" or "line~" when it was
 * too long. */
static char *frame(const char *text, size_t length, size_t piece, size_t limit)
{
    struct framing framing;
    struct strbuf out = STRBUF_INIT;
    framing_init(&framing, limit);
    for (size_t at = 0; at < length;) {
        size_t end = at + piece < length ? at + piece : length;
        size_t taken;
        enum framing_result result = framing_take(&framing, text + at, end - at, &taken);
        assert_true(taken > 0);
        at += taken;
        if (result == FRAMING_MORE)
            continue;
        strbuf_add(&out, strbuf_str(&framing.line), framing.line.length);
        strbuf_addch(&out, result == FRAMING_LINE ? '|' : '~');
    }
    framing_clear(&framing);
    return strbuf_steal(&out);
}

static void lines_come_out_whole_however_they_arrive(void **state)
{
    (void)state;
    static const char text[] = "one\n\ntwelve34\nlonger than eight\nafter\ncut";
    for (size_t piece = 1; piece < sizeof(text); piece++) {
        cleanup_free char *lines = frame(text, strlen(text), piece, 8);
        assert_string_equal(lines, "one||twelve34|longer t~after|");
    }
}

/* ---- ids of broken messages ---------------------------------------------------------------- */

static void an_id_is_found_in_broken_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *id; /* id NULL: none may be found */
    } cases[] = {
        {"{\"id\":7,\"method\":\"\xff\"}", "7"},
        {"{\"method\":\"a\\\"b\",\"params\":{\"id\":1,\"x\":[{\"id\":2}]},\"id\" : \"x7\",",
         "\"x7\""},
        {"{\"x\":\"\\ud800\",\"id\":-3}", "-3"},
        {"{\"params\":{\"id\":1}", NULL},
        {"{\"id\":12", NULL},
        {"{\"id\":\"cut", NULL},
        {"{\"id\":1.5,", NULL},
        {"{\"id\":null,", NULL},
        {"{\"id\":[1],", NULL},
        {"[{\"id\":1}]", NULL},
        {"{\"x\":\"id\"}", NULL},
        {"{\"id\":99999999999999999999,", NULL},
        {"{\"id\":\"\xff\",", NULL},
        {"{}", NULL},
        {"{\"\\", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cleanup_json json_t *id = salvage_id(cases[i].text, strlen(cases[i].text));
        if (cases[i].id == NULL) {
            assert_null(id);
            continue;
        }
        cleanup_free char *text = json_line(id);
        assert_string_equal(text, cases[i].id);
    }
}

/* ---- a peer and the test at the other end of a socket --------------------------------------- */

struct fixture {
    struct loop *loop;
    struct jsonrpc *peer;
    int fd; /* our end */
    struct strbuf received;
    struct jsonrpc_request *held; /* the request of method "hold" */
    unsigned notifications, drained;
    int closed; /* -1: not yet, else the number */
    char *answered;
};

static void on_request(void *argument, struct jsonrpc_request *request, const char *method,
                       const json_t *params)
{
    struct fixture *fixture = argument;
    if (strcmp(method, "echo") == 0)
        jsonrpc_reply(&request, json_deep_copy(params));
    else if (strcmp(method, "hold") == 0)
        fixture->held = request;
    else if (strcmp(method, "big") == 0)
        jsonrpc_reply(&request, json_sprintf("%*s", 3000, ""));
    else if (strcmp(method, "die") == 0)
        jsonrpc_free(&fixture->peer);
    else
        jsonrpc_fail(&request, JSONRPC_METHOD_NOT_FOUND, "%s: no such method", method);
}

static void on_notification(void *argument, const char *method, const json_t *params)
{
    struct fixture *fixture = argument;
    (void)params;
    assert_string_equal(method, "hello");
    fixture->notifications++;
}

static void on_drained(void *argument)
{
    ((struct fixture *)argument)->drained++;
}

static void on_closed(void *argument, int number)
{
    struct fixture *fixture = argument;
    assert_int_equal(fixture->closed, -1);
    fixture->closed = number;
}

static const struct jsonrpc_events events = {
    .request = on_request,
    .notification = on_notification,
    .drained = on_drained,
    .closed = on_closed,
};

static int set_up(void **state)
{
    struct fixture *fixture = XNEW(struct fixture);
    struct jsonrpc_setup setup = {.line_limit = LINE_LIMIT, .high_water = HIGH_WATER};
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    fixture->loop = loop_new(NULL);
    fixture->fd = ends[0];
    fd_set_nonblock(fixture->fd, true);
    fixture->peer = jsonrpc_new(fixture->loop, ends[1], ends[1], &setup, &events, fixture);
    fixture->closed = -1;
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    jsonrpc_free(&fixture->peer);
    fd_close(&fixture->fd);
    loop_free(&fixture->loop);
    strbuf_free(&fixture->received);
    free(fixture->answered);
    free(fixture);
    return 0;
}

static void receive(struct fixture *fixture)
{
    char bytes[8192];
    ssize_t count;
    while ((count = read(fixture->fd, bytes, sizeof(bytes))) > 0)
        strbuf_add(&fixture->received, bytes, (size_t)count);
}

/* Sends and lets the peer work until it has nothing left to do. */
static void say(struct fixture *fixture, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(fixture->fd, bytes, length);
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        } else {
            assert_int_equal(errno, EAGAIN);
        }
        loop_step(fixture->loop, 0);
    }
    for (int turn = 0; turn < 50; turn++)
        loop_step(fixture->loop, 0);
}

/* What the peer answers to the text, without the line end of the last line. */
static const char *ask(struct fixture *fixture, const char *text)
{
    strbuf_reset(&fixture->received);
    say(fixture, text, strlen(text));
    receive(fixture);
    size_t length = fixture->received.length;
    if (length > 0 && fixture->received.data[length - 1] == '\n')
        fixture->received.data[length - 1] = '\0';
    return strbuf_str(&fixture->received);
}

#define REPLY(id, result) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":" result "}"
#define FAULT(id, code, text)                                                                      \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":" code ",\"message\":\"" text "\"}}"

static void requests_are_answered_to_their_id(void **state)
{
    struct fixture *fixture = *state;
    static const char *const ids[] = {"0",     "-1",   "9223372036854775807",
                                      "\"x\"", "\"\"", "\"\\u0001 7\""};
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        cleanup_free char *request = xasprintf(
            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"echo\",\"params\":{\"a\":1}}\n", ids[i]);
        cleanup_free char *expected =
            xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"a\":1}}", ids[i]);
        assert_string_equal(ask(fixture, request), expected);
    }
    assert_string_equal(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\r\n"),
                        REPLY("1", "{}"));
    assert_string_equal(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"nope\"}\n"),
                        FAULT("2", "-32601", "nope: no such method"));
    assert_string_equal(ask(fixture, "\n \r\n{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}\n"), "");
    assert_int_equal(fixture->notifications, 1);
}

static void bad_messages_are_answered_and_end_nothing(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        const char *line, *answer;
    } cases[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":7}",
         FAULT("5", "-32600", "method: expected a string")},
        {"{\"jsonrpc\":\"2.0\",\"id\":5}", FAULT("5", "-32600", "method: expected a string")},
        {"{\"jsonrpc\":\"1.0\",\"id\":5,\"method\":\"echo\"}",
         FAULT("5", "-32600", "jsonrpc: expected \\\"2.0\\\"")},
        {"{\"id\":5,\"method\":\"echo\"}", FAULT("5", "-32600", "jsonrpc: expected \\\"2.0\\\"")},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"echo\"}",
         FAULT("null", "-32600", "id: expected a string or a whole number")},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"echo\"}",
         FAULT("null", "-32600", "id: expected a string or a whole number")},
        {"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"echo\",\"params\":[1]}",
         FAULT("5", "-32602", "params: expected an object")},
        {"7", FAULT("null", "-32600", "expected a request object")},
        {"{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}", ""},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"hello\",\"params\":3}", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cleanup_free char *line = xasprintf("%s\n", cases[i].line);
        assert_string_equal(ask(fixture, line), cases[i].answer);
    }
    assert_int_equal(fixture->notifications, 0);
}

static void unreadable_text_is_answered_to_its_id(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        const char *line, *beginning;
    } cases[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":\"u\",\"method\":\"echo\",\"params\":{\"a\":\"\xff\xfe\"}}",
         "{\"jsonrpc\":\"2.0\",\"id\":\"u\",\"error\":{\"code\":-32700,"},
        {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"echo\",\"params\":{\"a\":\"\\ud83d\"}}",
         "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32700,"},
        {"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"echo\",\"params\":{\"a\":\"\\u0000\"}}",
         "{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32700,"},
        {"{\"jsonrpc\":\"2.0\",\"id\":5,\"id\":6,\"method\":\"echo\"}",
         "{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32700,"},
        {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"echo\"",
         "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32700,"},
        {"hello?", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cleanup_free char *line = xasprintf("%s\n", cases[i].line);
        const char *answer = ask(fixture, line);
        assert_memory_equal(answer, cases[i].beginning, strlen(cases[i].beginning));
    }
    cleanup_free char *nested = xasprintf("{\"id\":8,\"x\":%0*d}\n", 200, 0);
    memset(strchr(nested, '0'), '[', 200);
    assert_non_null(strstr(ask(fixture, nested), "\"id\":8,\"error\":{\"code\":-32700"));
}

static void a_line_over_the_limit_is_answered_and_skipped(void **state)
{
    struct fixture *fixture = *state;
    cleanup_free char *text = xasprintf(
        "{\"id\":\"long\",\"x\":\"%*s\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"echo\"}\n",
        3 * LINE_LIMIT, "");
    assert_string_equal(
        ask(fixture, text),
        FAULT("\"long\"", "-32600", "message is longer than 4096 bytes") "\n" REPLY("2", "{}"));
}

static void a_batch_is_answered_as_one(void **state)
{
    struct fixture *fixture = *state;
    assert_string_equal(ask(fixture, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"},7,"
                                     "{\"jsonrpc\":\"2.0\",\"method\":\"hello\"},"
                                     "{\"jsonrpc\":\"2.0\",\"id\":\"h\",\"method\":\"hold\"}]\n"),
                        "");
    assert_int_equal(fixture->notifications, 1);
    assert_non_null(fixture->held);
    jsonrpc_reply(&fixture->held, json_true());
    assert_null(fixture->held);
    assert_string_equal(
        ask(fixture, ""),
        "[" REPLY("1", "{}") "," FAULT("null", "-32600",
                                       "expected a request object") "," REPLY("\"h\"", "true") "]");
    assert_string_equal(ask(fixture, "[]\n"),
                        FAULT("null", "-32600", "a batch has 1 to 256 elements"));
    assert_string_equal(ask(fixture, "[{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}]\n"), "");
}

static void a_reader_who_does_not_read_is_not_read_from(void **state)
{
    struct fixture *fixture = *state;
    static const char request[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"big\"}\n";
    size_t sent = 0;
    /* Small socket buffers would make it quick, large ones must not make it endless. */
    for (int idle = 0; idle < 50 && sent < (size_t)64 * 1024 * 1024;) {
        ssize_t count = write(fixture->fd, request, sizeof(request) - 1);
        idle = count == (ssize_t)sizeof(request) - 1 ? 0 : idle + 1;
        assert_true(count == (ssize_t)sizeof(request) - 1 || (count < 0 && errno == EAGAIN));
        sent += count > 0 ? (size_t)count : 0;
        loop_step(fixture->loop, 0);
    }
    assert_true(jsonrpc_full(fixture->peer));
    assert_true(jsonrpc_queued(fixture->peer) < HIGH_WATER + 8192);

    size_t answers = 0, expected = sent / (sizeof(request) - 1);
    for (int turn = 0; turn < 200000 && answers < expected; turn++) {
        receive(fixture);
        for (size_t i = 0; i < fixture->received.length; i++)
            answers += fixture->received.data[i] == '\n';
        strbuf_reset(&fixture->received);
        loop_step(fixture->loop, 0);
    }
    assert_int_equal(answers, expected);
    assert_true(fixture->drained > 0);
}

static void the_end_is_told_once_after_the_last_message(void **state)
{
    struct fixture *fixture = *state;
    static const char last[] = "{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}"; /* no line end */
    assert_int_equal(write(fixture->fd, last, strlen(last)), strlen(last));
    shutdown(fixture->fd, SHUT_WR);
    for (int turn = 0; turn < 10; turn++)
        loop_step(fixture->loop, 0);
    assert_int_equal(fixture->notifications, 1);
    assert_int_equal(fixture->closed, 0);
    jsonrpc_notify(fixture->peer, "bye", json_object());
    assert_string_equal(ask(fixture, ""), "{\"jsonrpc\":\"2.0\",\"method\":\"bye\",\"params\":{}}");
}

/* The line is the one that a string of the base64 in the object would have made. */
static void bytes_are_sent_as_base64(void **state)
{
    struct fixture *fixture = *state;
    json_t *params = json_object();
    json_object_set_new(params, "call", json_integer(7));
    jsonrpc_notify_bytes(fixture->peer, "output", params, "data", "\0\"\xFF\n", 4);
    assert_string_equal(ask(fixture, ""), "{\"jsonrpc\":\"2.0\",\"method\":\"output\","
                                          "\"params\":{\"call\":7,\"data\":\"ACL/Cg==\"}}");
    jsonrpc_notify_bytes(fixture->peer, "output", json_object(), "data", "", 0);
    assert_string_equal(ask(fixture, ""), "{\"jsonrpc\":\"2.0\",\"method\":\"output\","
                                          "\"params\":{\"data\":\"\"}}");
}

static void a_vanished_reader_is_an_error_not_a_signal(void **state)
{
    struct fixture *fixture = *state;
    fd_close(&fixture->fd);
    jsonrpc_pause(fixture->peer, true);
    jsonrpc_notify(fixture->peer, "bye", json_object());
    for (int turn = 0; turn < 10; turn++)
        loop_step(fixture->loop, 0);
    assert_int_equal(fixture->closed, EPIPE);
}

static void on_complaint(void *argument, const json_t *error)
{
    struct fixture *fixture = argument;
    fixture->answered = fixture->closed == -1 ? json_line(error) : NULL;
}

/* One that was too late, say: the answer to that is there, but nobody reads any more. */
static void why_it_was_hung_up_is_heard(void **state)
{
    static const char why[] = FAULT("null", "-32000", "no initialize came") "\n";
    struct jsonrpc_events hearing = events;
    struct jsonrpc_setup setup = {.line_limit = LINE_LIMIT, .high_water = HIGH_WATER};
    struct fixture *fixture = *state;
    int ends[2];
    hearing.complaint = on_complaint;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    jsonrpc_free(&fixture->peer);
    fixture->peer = jsonrpc_new(fixture->loop, ends[1], ends[1], &setup, &hearing, fixture);
    assert_int_equal(write(ends[0], why, strlen(why)), strlen(why));
    fd_close(&ends[0]);
    jsonrpc_notify(fixture->peer, "initialize", json_object());
    jsonrpc_flush(fixture->peer);
    for (int turn = 0; turn < 10; turn++)
        loop_step(fixture->loop, 0);
    assert_non_null(fixture->answered);
    assert_string_equal(fixture->answered, "{\"code\":-32000,\"message\":\"no initialize came\"}");
    assert_int_equal(fixture->closed, EPIPE);
}

static void a_peer_may_be_freed_from_its_own_callback(void **state)
{
    struct fixture *fixture = *state;
    ask(fixture, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"},"
                 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"die\"},"
                 "{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}]\n"
                 "{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}\n");
    assert_null(fixture->peer);
    assert_int_equal(fixture->notifications, 0);
    assert_int_equal(fixture->closed, -1);
}

static void on_answer(void *argument, const json_t *result, const json_t *error)
{
    struct fixture *fixture = argument;
    free(fixture->answered);
    fixture->answered = json_line(error != NULL ? error : result);
}

static void our_calls_get_their_answers(void **state)
{
    struct fixture *fixture = *state;
    jsonrpc_call(fixture->peer, "a", json_object(), on_answer, fixture);
    assert_string_equal(ask(fixture, ""),
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{}}");
    ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":3}\n");
    assert_null(fixture->answered);
    ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[3]}\n");
    assert_string_equal(fixture->answered, "[3]");
    jsonrpc_call(fixture->peer, "b", json_object(), on_answer, fixture);
    ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":1}}\n");
    assert_string_equal(fixture->answered, "{\"code\":1}");
    jsonrpc_call(fixture->peer, "never answered", json_object(), on_answer, fixture);
}

#define WITH_PEER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_goes_both_ways),
        cmocka_unit_test(base64_refuses_what_is_not_canonical),
        cmocka_unit_test(lines_come_out_whole_however_they_arrive),
        cmocka_unit_test(an_id_is_found_in_broken_text),
        WITH_PEER(requests_are_answered_to_their_id),
        WITH_PEER(bad_messages_are_answered_and_end_nothing),
        WITH_PEER(unreadable_text_is_answered_to_its_id),
        WITH_PEER(a_line_over_the_limit_is_answered_and_skipped),
        WITH_PEER(a_batch_is_answered_as_one),
        WITH_PEER(a_reader_who_does_not_read_is_not_read_from),
        WITH_PEER(the_end_is_told_once_after_the_last_message),
        WITH_PEER(bytes_are_sent_as_base64),
        WITH_PEER(a_vanished_reader_is_an_error_not_a_signal),
        WITH_PEER(why_it_was_hung_up_is_heard),
        WITH_PEER(a_peer_may_be_freed_from_its_own_callback),
        WITH_PEER(our_calls_get_their_answers),
    };
    return cmocka_run_group_tests_name("jsonrpc", tests, NULL, NULL);
}
