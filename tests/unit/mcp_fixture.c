/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp_fixture.h"

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

#include "agents/rendezvous.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "kept.h"

/* Turns after which everything that can happen has happened; nothing here waits for time. */
#define TURNS 60

/* ---- the console --------------------------------------------------------------------------- */

static json_t *introduce(struct console *console, const json_t *params)
{
    struct secret key = console->fixture->key;
    char proof[SHA256_HEX_SIZE];
    free(console->challenge);
    console->challenge = xstrdup(json_string_value(json_object_get(params, "challenge")));
    key.bytes[0] ^= console->impostor;
    proof_make(&key, console->challenge, getpid(), proof);
    return json_pack("{s:{s:s},s:s}", "console", "root", console->root, "proof", proof);
}

static void console_request(void *argument, struct jsonrpc_request *request, const char *method,
                            const json_t *params)
{
    struct console *console = argument;
    if (strcmp(method, "console/info") == 0) {
        jsonrpc_reply(&request, introduce(console, params));
    } else if (strcmp(method, "initialize") == 0) {
        free(console->initialized);
        console->initialized = json_line(params);
        jsonrpc_reply(&request, json_pack("{s:i}", "protocol", 1));
    } else if (strcmp(method, "call/start") == 0) {
        free(console->start_params);
        console->start_params = json_line(params);
        jsonrpc_reply(&request, json_pack("{s:I}", "call", (json_int_t)++console->started));
    } else if (strcmp(method, "call/stdin") == 0) {
        free(console->fed);
        console->fed = json_line(params);
        jsonrpc_reply(&request, json_object());
    } else if (strcmp(method, "call/decide") == 0) {
        free(console->decided);
        console->decided = json_line(params);
        jsonrpc_reply(&request, json_object());
    } else {
        assert_string_equal(method, "call/cancel");
        console->cancelled++;
        jsonrpc_reply(&request, json_object());
    }
}

static void console_closed(void *argument, int number)
{
    (void)number;
    jsonrpc_free(&((struct console *)argument)->peer);
}

static const struct jsonrpc_events console_events = {.request = console_request,
                                                     .closed = console_closed};

static void console_accept(int listener, unsigned events, void *argument)
{
    struct console *console = argument;
    (void)events;
    int fd = accept(listener, NULL, NULL);
    assert_true(fd >= 0);
    console->connections++;
    jsonrpc_free(&console->peer);
    console->peer = jsonrpc_new(console->fixture->loop, fd, fd, NULL, &console_events, console);
}

struct console *start_console(struct fixture *fixture, int index, const char *root)
{
    struct error error = ERROR_INIT;
    struct console *console = &fixture->consoles[index];
    console->fixture = fixture;
    snprintf(console->name, sizeof(console->name), "%d.sock", index + 1);
    snprintf(console->root, sizeof(console->root), "%s", root);
    console->listener = rendezvous_listen(fixture->sockets, console->name, &error);
    assert_true(console->listener >= 0);
    console->accepting = loop_io_new(fixture->loop, console->listener, console_accept, console);
    loop_io_set(console->accepting, LOOP_READ);
    return console;
}

void stop_console(struct console *console)
{
    if (console->fixture == NULL)
        return;
    jsonrpc_free(&console->peer);
    loop_io_free(&console->accepting);
    rendezvous_remove(console->fixture->sockets, console->name, console->listener);
    fd_close(&console->listener);
    free(console->challenge);
    free(console->initialized);
    free(console->start_params);
    free(console->fed);
    free(console->decided);
    memset(console, 0, sizeof(*console));
}

void tell_state(struct console *console, int call, const char *state, int waiting)
{
    jsonrpc_notify(console->peer, "call/state",
                   json_pack("{s:i,s:s,s:i}", "call", call, "state", state, "waiting", waiting));
}

void finish(struct console *console, int call, const char *outcome, int code, const char *output)
{
    json_t *result = json_pack(
        "{s:s,s:i,s:n,s:b,s:i,s:s,s:{s:s,s:s,s:n},s:n,s:n,s:i,s:{s:s,s:n,s:s,s:b}}", "outcome",
        outcome, "exit_code", code, "signal", "timed_out", 0, "duration_ms", 5, "sandbox", "none",
        "decision", "kind", "approved", "source", "config", "message", "denied", "failure",
        "attempts", 1, "output", "stdout", output, "stderr", "aggregated", output, "truncated", 0);
    assert_non_null(result);
    jsonrpc_notify(console->peer, "call/finished",
                   json_pack("{s:i,s:o}", "call", call, "result", result));
}

void tell_answer(struct console *console, int call, const char *outcome, const char *kind,
                 const char *message)
{
    json_t *result = json_pack("{s:s,s:{s:s,s:s,s:s?},s:n}", "outcome", outcome, "decision", "kind",
                               kind, "source", "user", "message", message, "failure");
    jsonrpc_notify(console->peer, "call/finished",
                   json_pack("{s:i,s:o}", "call", call, "result", result));
}

/* ---- the agent ----------------------------------------------------------------------------- */

static void on_ended(void *argument)
{
    ((struct fixture *)argument)->ended = true;
}

void work(struct fixture *fixture)
{
    for (int turn = 0; turn < TURNS; turn++)
        loop_step(fixture->loop, 0);
}

void pass(struct fixture *fixture, int64_t ms)
{
    fixture->clock.now_ms += ms;
    work(fixture);
}

const char *hear(struct fixture *fixture)
{
    char bytes[16384];
    ssize_t count;
    strbuf_reset(&fixture->received);
    while ((count = read(fixture->fd, bytes, sizeof(bytes))) > 0)
        strbuf_add(&fixture->received, bytes, (size_t)count);
    kept_add(true, strbuf_str(&fixture->received), fixture->received.length);
    return strbuf_str(&fixture->received);
}

const char *say(struct fixture *fixture, const char *line)
{
    size_t length = strlen(line);
    kept_add(false, line, length);
    kept_add(false, "\n", 1);
    assert_int_equal(write(fixture->fd, line, length), length);
    assert_int_equal(write(fixture->fd, "\n", 1), 1);
    work(fixture);
    return hear(fixture);
}

void start_server(struct fixture *fixture, const char *cwd)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    fixture->fd = ends[0];
    fd_set_nonblock(fixture->fd, true);
    struct mcp_setup setup = {.loop = fixture->loop,
                              .read_fd = ends[1],
                              .write_fd = ends[1],
                              .cwd = cwd,
                              .ended = on_ended,
                              .argument = fixture};
    kept_begin();
    fixture->mcp = mcp_new(&setup);
}

int set_up(void **state)
{
    struct fixture *fixture = XNEW(struct fixture);
    struct error error = ERROR_INIT;
    snprintf(fixture->directory, sizeof(fixture->directory), "/tmp/assent-test-XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    setenv("XDG_RUNTIME_DIR", fixture->directory, 1);
    setenv("XDG_STATE_HOME", fixture->directory, 1);
    setenv("XDG_CONFIG_HOME", fixture->directory, 1);
    char sockets[128];
    snprintf(sockets, sizeof(sockets), "%s/assent", fixture->directory);
    fixture->sockets = rendezvous_open(sockets, true, &error);
    assert_true(fixture->sockets >= 0);
    assert_int_equal(proof_key_read(sockets, true, &fixture->key, &error), 0);
    clock_fake_init(&fixture->clock, 1000);
    fixture->loop = loop_new(&fixture->clock.clock);
    start_server(fixture, "/w/ab");
    *state = fixture;
    return 0;
}

int tear_down(void **state)
{
    struct fixture *fixture = *state;
    mcp_free(&fixture->mcp);
    for (int i = 0; i < CONSOLES; i++)
        stop_console(&fixture->consoles[i]);
    assert_int_equal(unlinkat(fixture->sockets, "console.key", 0), 0);
    fd_close(&fixture->fd);
    fd_close(&fixture->sockets);
    loop_free(&fixture->loop);
    strbuf_free(&fixture->received);
    cleanup_free char *sockets = xasprintf("%s/assent", fixture->directory);
    assert_int_equal(rmdir(sockets), 0);
    assert_int_equal(rmdir(fixture->directory), 0);
    free(fixture);
    return 0;
}

void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("expected %s in: %s", part, text);
}
