/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "proxy_fixture.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"

static unsigned lookups; /* in threads; only read once they are done */
/* Where the proxy has connected to, each followed by a space; connections to TEST_PUBLIC go to this
 * port of ours. */
static char attempts[500];
static uint16_t public_port;
#define TEST_PUBLIC "93.184.215.14"
#define TEST_UNREACHABLE "93.184.215.15"

/* In place of the C library's: no test may reach out. */
int connect(int fd, const struct sockaddr *address, socklen_t size)
{
    struct sockaddr_in in;
    char text[INET_ADDRSTRLEN] = "";
    if (address->sa_family == AF_INET) {
        memcpy(&in, address, sizeof in);
        inet_ntop(AF_INET, &in.sin_addr, text, sizeof text);
        snprintf(attempts + strlen(attempts), sizeof attempts - strlen(attempts), "%s ", text);
        if (strcmp(text, TEST_UNREACHABLE) == 0) {
            errno = EHOSTUNREACH;
            return -1;
        }
        if (strcmp(text, TEST_PUBLIC) == 0) {
            in.sin_port = htons(public_port);
            in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            address = (const struct sockaddr *)&in;
        }
    }
    return (int)syscall(SYS_connect, fd, address, size);
}

static void add_address(struct resolver_answer *answer, const char *text)
{
    struct network_host address;
    assert_int_equal(host_parse(text, strlen(text), &address, NULL), 0);
    answer->addresses[answer->count++] = address.address;
}

static void fake_lookup(const char *host, struct resolver_answer *answer)
{
    if (strcmp(host, "here.example") == 0)
        add_address(answer, lookups++ == 0 ? "127.0.0.1" : "192.0.2.1");
    if (strcmp(host, "inside.example") == 0) {
        add_address(answer, "10.0.0.1");
        add_address(answer, "169.254.169.254");
        add_address(answer, "127.0.0.1");
    }
    if (strcmp(host, "mixed.example") == 0) {
        add_address(answer, "10.0.0.1");
        add_address(answer, TEST_UNREACHABLE);
        add_address(answer, "127.0.0.1");
        add_address(answer, TEST_PUBLIC);
        add_address(answer, "169.254.169.254");
    }
}

static int listen_anywhere(uint16_t *port)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof in;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&in, size), 0);
    assert_int_equal(listen(fd, 16), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &size), 0);
    *port = ntohs(in.sin_port);
    return fd;
}

static enum proxy_verdict on_ask(void *argument, struct passage *connection,
                                 const struct proxy_question *question, char **message)
{
    struct proxy_fixture *fixture = argument;
    char *url = target_url(question->target);
    snprintf(fixture->url, sizeof fixture->url, "%s", url);
    free(url);
    fixture->class = question->class;
    fixture->address_count = question->address_count;
    fixture->waiting = connection;
    enum proxy_verdict verdict = fixture->verdict[fixture->asked > 0];
    fixture->asked++;
    if (verdict == PROXY_DENY)
        *message = xstrdup("nobody may go there");
    return verdict;
}

static void on_withdrawn(void *argument, struct passage *connection)
{
    struct proxy_fixture *fixture = argument;
    assert_ptr_equal(connection, fixture->waiting);
    fixture->withdrawn++;
}

static void on_ended(void *argument, const struct proxy_report *report)
{
    struct proxy_fixture *fixture = argument;
    fixture->ended++;
    fixture->report = *report;
    snprintf(fixture->detail, sizeof fixture->detail, "%s", report->detail);
}

static const struct proxy_events events = {on_ask, on_withdrawn, on_ended};

static void start(struct proxy_fixture *fixture)
{
    const struct proxy_setup made = {.loop = fixture->loop,
                                     .resolver = fixture->resolver,
                                     .hop = fixture->hop,
                                     .listener = listen_anywhere(&fixture->proxy_port),
                                     .events = &events,
                                     .argument = fixture};
    fixture->proxy = proxy_new(&made);
}

void proxy_fixture_use_hop(struct proxy_fixture *fixture, const char *credentials)
{
    cleanup_free char *url = xasprintf("http://%s127.0.0.1:%u", credentials, fixture->server_port);
    proxy_free(&fixture->proxy);
    fixture->hop = next_hop_new(url, "direct.example", NULL);
    assert_non_null(fixture->hop);
    start(fixture);
}

unsigned proxy_fixture_lookups(void)
{
    return lookups;
}

const char *proxy_fixture_attempts(void)
{
    return attempts;
}

int proxy_fixture_set_up(void **state)
{
    struct proxy_fixture *fixture = XNEW(struct proxy_fixture);
    lookups = 0;
    fixture->loop = loop_new(NULL);
    fixture->resolver = resolver_new(fixture->loop, fake_lookup);
    fixture->verdict[0] = fixture->verdict[1] = PROXY_ALLOW;
    fixture->server = listen_anywhere(&fixture->server_port);
    public_port = fixture->server_port;
    attempts[0] = '\0';
    start(fixture);
    *state = fixture;
    return 0;
}

int proxy_fixture_tear_down(void **state)
{
    struct proxy_fixture *fixture = *state;
    proxy_free(&fixture->proxy);
    next_hop_free(&fixture->hop);
    resolver_free(&fixture->resolver);
    loop_free(&fixture->loop);
    close(fixture->server);
    free(fixture);
    return 0;
}

/* ---- clients and servers --------------------------------------------------------------------- */

int proxy_fixture_connect(const struct proxy_fixture *fixture)
{
    struct sockaddr_in in = {.sin_family = AF_INET,
                             .sin_port = htons(fixture->proxy_port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&in, sizeof in), 0);
    assert_int_equal(fd_set_nonblock(fd, true), 0);
    return fd;
}

void proxy_fixture_put(int fd, const char *bytes, size_t length)
{
    assert_int_equal(send(fd, bytes, length, MSG_NOSIGNAL), length);
}

void proxy_fixture_put_text(int fd, const char *format, ...)
{
    va_list arguments;
    char text[512];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    proxy_fixture_put(fd, text, strlen(text));
}

void proxy_fixture_expect(const struct proxy_fixture *fixture, int fd, const char *text,
                          size_t length)
{
    struct strbuf got = STRBUF_INIT;
    for (int step = 0; step < PROXY_FIXTURE_STEPS && got.length < length; step++) {
        char bytes[4096];
        loop_step(fixture->loop, 10);
        ssize_t count = recv(fd, bytes, sizeof bytes, 0);
        if (count == 0)
            break;
        if (count > 0)
            strbuf_add(&got, bytes, (size_t)count);
    }
    assert_string_equal(strbuf_str(&got), text);
    strbuf_free(&got);
}

void proxy_fixture_expect_text(const struct proxy_fixture *fixture, int fd, const char *text)
{
    proxy_fixture_expect(fixture, fd, text, strlen(text));
}

char *proxy_fixture_read_rest(const struct proxy_fixture *fixture, int fd)
{
    struct strbuf got = STRBUF_INIT;
    for (int step = 0; step < PROXY_FIXTURE_STEPS; step++) {
        char bytes[4096];
        loop_step(fixture->loop, 10);
        ssize_t count = recv(fd, bytes, sizeof bytes, 0);
        if (count > 0)
            strbuf_add(&got, bytes, (size_t)count);
        else if (count == 0 || errno != EAGAIN)
            return got.length > 0 ? strbuf_steal(&got) : xstrdup("");
    }
    fail_msg("the connection does not end");
    return NULL;
}

int proxy_fixture_accept(const struct proxy_fixture *fixture)
{
    int fd = -1;
    for (int step = 0; step < PROXY_FIXTURE_STEPS && fd < 0; step++) {
        loop_step(fixture->loop, 10);
        fd = accept4(fixture->server, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    }
    assert_true(fd >= 0);
    return fd;
}

void proxy_fixture_step_until(const struct proxy_fixture *fixture, const unsigned *counter,
                              unsigned value)
{
    for (int step = 0; step < PROXY_FIXTURE_STEPS && *counter < value; step++)
        loop_step(fixture->loop, 10);
    assert_int_equal(*counter, value);
}

int proxy_fixture_open_tunnel(struct proxy_fixture *fixture, int *server)
{
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client, "CONNECT 127.0.0.1:%u HTTP/1.1\r\n\r\n", fixture->server_port);
    *server = proxy_fixture_accept(fixture);
    proxy_fixture_expect_text(fixture, client, PROXY_FIXTURE_ESTABLISHED);
    return client;
}
