/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "server_fixture.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "sandbox/policy.h"
#include "sandbox/select.h"

/* ---- the console
 * --------------------------------------------------------------------------------- */

static void on_finished(void *argument, const struct call *call)
{
    (void)call;
    ((struct fixture *)argument)->finished++;
}

static void on_asked(void *argument, const struct call *call)
{
    struct fixture *fixture = argument;
    fixture->asked++;
    fixture->prompt = call->prompt->id;
    fixture->revision = call->prompt->revision;
}

static void on_notice(void *argument, enum notice_level level, const char *text)
{
    struct fixture *fixture = argument;
    (void)level;
    snprintf(fixture->notice, sizeof(fixture->notice), "%s", text);
    fixture->notices++;
}

static void on_session(void *argument, const struct session *session)
{
    (void)session;
    ((struct fixture *)argument)->sessions++;
}

static const struct observer test_observer = {.name = "test",
                                              .session_started = on_session,
                                              .asked = on_asked,
                                              .finished = on_finished,
                                              .notice = on_notice};

static void start_orchestrator(struct fixture *fixture)
{
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "HOME=/", NULL};
    /* Tests run in the top build directory. */
    cleanup_free char *helper = realpath("assent-sandbox", NULL);
    assert_non_null(helper);
    /* Nothing is confined here, so nothing need be possible. */
    const struct sandbox_capability capability = {.platform = select_platform()};
    struct orchestrator_setup setup = {
        .loop = fixture->loop,
        .helper_path = helper,
        .base_environment = environment,
        .output_cap = (size_t)1024 * 1024,
        .grace_ms = 500,
        .capability = &capability,
        .max_open_calls = 1000,
        .max_open_prompts = 1000,
        .max_finished_calls = 10,
    };
    fixture->orchestrator = orchestrator_new(&setup);
    orchestrator_add_observer(fixture->orchestrator, &test_observer, fixture);
}

static void start_context(struct fixture *fixture, enum approval_policy_kind policy)
{
    struct approval_policy approval = {.kind = policy};
    struct sandbox_policy *sandbox = sandbox_policy_new_danger_full_access();
    fixture->context = turn_context_new(&approval, sandbox, SANDBOX_AUTO, fixture->directory);
    sandbox_policy_free(&sandbox);
}

static void start_server(struct fixture *fixture, const struct server_limits *limits)
{
    static const char *const deciding[] = {"other=client", "decider=client", NULL};
    struct error error = ERROR_INIT;
    struct server_setup setup = {.loop = fixture->loop,
                                 .deciding = deciding,
                                 .orchestrator = fixture->orchestrator,
                                 .context = fixture->context,
                                 .key_directory = fixture->directory,
                                 .session_per_program = true};
    if (limits != NULL)
        setup.limits = *limits;
    fixture->server = server_new(&setup, &error);
    if (fixture->server == NULL)
        fail_msg("%s", error.message);
}

static struct fixture *new_fixture(enum approval_policy_kind policy,
                                   const struct server_limits *limits)
{
    struct fixture *fixture = XNEW(struct fixture);
    snprintf(fixture->directory, sizeof(fixture->directory), "/tmp/assent-test-XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    setenv("XDG_RUNTIME_DIR", fixture->directory, 1);
    fixture->loop = loop_new(NULL);
    start_orchestrator(fixture);
    start_context(fixture, policy);
    start_server(fixture, limits);
    return fixture;
}

int set_up(void **state)
{
    *state = new_fixture(APPROVAL_ON_REQUEST, NULL);
    return 0;
}

int set_up_untrusted(void **state)
{
    *state = new_fixture(APPROVAL_UNTRUSTED, NULL);
    return 0;
}

int set_up_limited(void **state)
{
    static const struct server_limits limits = {.line_bytes = 4096,
                                                .connections = 20,
                                                .running = 4,
                                                .open = 4,
                                                .queued = 6,
                                                .connection_calls = 4};
    *state = new_fixture(APPROVAL_ON_REQUEST, &limits);
    return 0;
}

int set_up_crowded(void **state)
{
    static const struct server_limits limits = {.running = 4, .open = 10, .bytes = 400000};
    *state = new_fixture(APPROVAL_ON_REQUEST, &limits);
    return 0;
}

int tear_down(void **state)
{
    struct fixture *fixture = *state;
    cleanup_free char *path = xstrdup(server_path(fixture->server));
    server_free(&fixture->server);
    assert_int_equal(access(path, F_OK), -1);
    orchestrator_remove_observer(fixture->orchestrator, fixture);
    orchestrator_free(&fixture->orchestrator);
    turn_context_unref(&fixture->context);
    loop_free(&fixture->loop);
    cleanup_free char *directory = xasprintf("%s/assent", fixture->directory);
    rmdir(directory);
    cleanup_free char *key = xasprintf("%s/console.key", fixture->directory);
    assert_int_equal(unlink(key), 0);
    assert_int_equal(rmdir(fixture->directory), 0);
    free(fixture);
    return 0;
}

/* ---- clients
 * ------------------------------------------------------------------------------------- */

int64_t now_ms(void)
{
    return clock_monotonic_ms(NULL);
}

int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
        fd_close(&fd);
    return fd;
}

struct peer *peer_new(struct fixture *fixture)
{
    struct peer *peer = XNEW(struct peer);
    peer->fixture = fixture;
    peer->fd = connect_to(server_path(fixture->server));
    assert_true(peer->fd >= 0);
    fd_set_nonblock(peer->fd, true);
    return peer;
}

void peer_free(struct peer **peer)
{
    fd_close(&(*peer)->fd);
    strbuf_free(&(*peer)->received);
    free(*peer);
    *peer = NULL;
}

static void peer_read(struct peer *peer)
{
    char bytes[65536];
    ssize_t count;
    while ((count = read(peer->fd, bytes, sizeof(bytes))) > 0)
        strbuf_add(&peer->received, bytes, (size_t)count);
    peer->closed |= count == 0 || (count < 0 && errno != EAGAIN);
}

void say_bytes(struct peer *peer, const char *bytes, size_t length)
{
    int64_t end = now_ms() + DEADLINE_MS;
    while (length > 0) {
        ssize_t count = send(peer->fd, bytes, length, MSG_NOSIGNAL);
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
            continue;
        }
        if (errno != EAGAIN)
            return; /* the server hung up: the test looks for its reason */
        assert_true(now_ms() < end);
        loop_step(peer->fixture->loop, 1);
    }
}

void say(struct peer *peer, const char *line)
{
    say_bytes(peer, line, strlen(line));
    say_bytes(peer, "\n", 1);
}

char *hear(struct peer *peer, const char *part)
{
    int64_t end = now_ms() + DEADLINE_MS;
    for (;;) {
        peer_read(peer);
        char *line = peer->received.data;
        char *newline;
        while (line != NULL && (newline = strchr(line, '\n')) != NULL) {
            *newline = '\0';
            bool found = strstr(line, part) != NULL;
            char *copy = found ? xstrdup(line) : NULL;
            strbuf_consume(&peer->received, (size_t)(newline + 1 - peer->received.data));
            if (found)
                return copy;
            line = peer->received.data;
        }
        if (now_ms() > end)
            fail_msg("no line with %s", part);
        loop_step(peer->fixture->loop, 10);
    }
}

void expect(struct peer *peer, const char *part)
{
    free(hear(peer, part));
}

void wait_until(struct fixture *fixture, const unsigned *counter, unsigned value)
{
    int64_t end = now_ms() + DEADLINE_MS;
    while (*counter < value) {
        assert_true(now_ms() < end);
        loop_step(fixture->loop, 10);
    }
}

struct peer *initialized(struct fixture *fixture, const char *more)
{
    struct peer *peer = peer_new(fixture);
    cleanup_free char *line = xasprintf(INITIALIZE, more);
    say(peer, line);
    expect(peer, "\"id\":\"i\",\"result\"");
    return peer;
}

int start(struct peer *peer, const char *script, const char *more)
{
    cleanup_json json_t *text = json_string(script);
    cleanup_free char *quoted = json_line(text);
    cleanup_free char *line = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"call/start\","
                                        "\"params\":{\"script\":%s,\"cwd\":\"/\"%s}}",
                                        ++peer->id, quoted, more);
    say(peer, line);
    return peer->id;
}

uint64_t started(struct peer *peer, const char *script, const char *more)
{
    cleanup_free char *answer_to = xasprintf("\"id\":%d,\"result\"", start(peer, script, more));
    cleanup_free char *line = hear(peer, answer_to);
    cleanup_json json_t *answer = json_loads(line, 0, NULL);
    const json_t *result = json_object_get(answer, "result");
    return (uint64_t)json_integer_value(json_object_get(result, "call"));
}

void decide(struct fixture *fixture, enum review_kind kind, const char *message)
{
    struct error error = ERROR_INIT;
    assert_int_equal(orchestrator_decide(fixture->orchestrator, fixture->prompt, fixture->revision,
                                         kind, message, &error),
                     0);
}
