/* SPDX-License-Identifier: MIT */
/* The proxy between real sockets; only names are looked up by the test itself. */
#include "config.h"

#include "network/proxy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "proxy_fixture.h"

/* ---- tests ----------------------------------------------------------------------------------- */

static void a_tunnel_passes_bytes_and_ends(void **state)
{
    struct proxy_fixture *fixture = *state;
    int server;
    int client = proxy_fixture_open_tunnel(fixture, &server);
    proxy_fixture_put(client, "SSH-2.0-a\r\n", 11);
    proxy_fixture_expect_text(fixture, server, "SSH-2.0-a\r\n");
    proxy_fixture_put(server, "hello", 5);
    proxy_fixture_expect_text(fixture, client, "hello");
    shutdown(client, SHUT_WR); /* the other direction goes on */
    proxy_fixture_expect_text(fixture, server, "");
    proxy_fixture_put(server, "more", 4);
    proxy_fixture_expect_text(fixture, client, "more");
    close(server);
    free(proxy_fixture_read_rest(fixture, client));
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
    assert_int_equal(fixture->asked, 1);
    assert_int_equal(fixture->class, ADDRESS_LOOPBACK);
    assert_int_equal(fixture->report.outcome, PROXY_PASSED);
    assert_int_equal(fixture->report.sent, 11);
    assert_int_equal(fixture->report.received, 9);
    close(client);
}

static void much_passes_a_reader_that_is_slow(void **state)
{
    struct proxy_fixture *fixture = *state;
    static char block[1 << 20];
    int server;
    int client = proxy_fixture_open_tunnel(fixture, &server);
    size_t put_in = 0, got = 0;
    proxy_fixture_put(client, "x", 1);
    memset(block, 'b', sizeof block);
    /* Nobody reads: the sender is held up long before all is sent. */
    for (int step = 0; step < 50; step++) {
        ssize_t count = send(server, block, sizeof block, MSG_NOSIGNAL | MSG_DONTWAIT);
        put_in += count > 0 ? (size_t)count : 0;
        loop_step(fixture->loop, 1);
    }
    assert_true(put_in < (size_t)40 << 20);
    shutdown(server, SHUT_WR);
    for (int step = 0; step < PROXY_FIXTURE_STEPS && got < put_in; step++) {
        loop_step(fixture->loop, 1);
        for (ssize_t count; (count = recv(client, block, sizeof block, 0)) > 0;)
            got += (size_t)count;
    }
    assert_int_equal(got, put_in);
    close(client);
    close(server);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
    assert_int_equal(fixture->report.received, put_in);
}

static void what_is_denied_is_told(void **state)
{
    struct proxy_fixture *fixture = *state;
    fixture->verdict[0] = PROXY_DENY;
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client, "CONNECT Example.ORG.:%u HTTP/1.1\r\n\r\n", 443);
    char *answer = proxy_fixture_read_rest(fixture, client);
    assert_non_null(strstr(answer, "HTTP/1.1 403 Forbidden\r\n"));
    assert_non_null(strstr(answer, "https://example.org:443: nobody may go there"));
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
    assert_string_equal(fixture->url, "https://example.org:443");
    assert_int_equal(fixture->report.outcome, PROXY_DENIED);
    assert_int_equal(proxy_fixture_lookups(), 0); /* nobody was told the name */
    free(answer);
}

static void a_connection_waits_for_its_answer(void **state)
{
    struct proxy_fixture *fixture = *state;
    fixture->verdict[0] = PROXY_WAIT;
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client, "CONNECT 127.0.0.1:%u HTTP/1.1\r\n\r\n", fixture->server_port);
    proxy_fixture_step_until(fixture, &fixture->asked, 1);
    assert_int_equal(accept(fixture->server, NULL, NULL), -1);
    proxy_answer(fixture->waiting, true, NULL);
    int server = proxy_fixture_accept(fixture);
    proxy_fixture_expect_text(fixture, client, PROXY_FIXTURE_ESTABLISHED);
    close(server);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
}

static void who_leaves_withdraws_the_question(void **state)
{
    static const struct {
        const char *before, *behind; /* the host */
    } requests[] = {{"CONNECT ", ""}, {"GET http://", "/"}};
    struct proxy_fixture *fixture = *state;
    fixture->verdict[0] = fixture->verdict[1] = PROXY_WAIT;
    for (unsigned i = 0; i < COUNT(requests); i++) {
        int client = proxy_fixture_connect(fixture);
        proxy_fixture_put_text(client, "%s127.0.0.1:%u%s HTTP/1.1\r\n\r\n", requests[i].before,
                               fixture->server_port, requests[i].behind);
        proxy_fixture_step_until(fixture, &fixture->asked, i + 1);
        close(client);
        proxy_fixture_step_until(fixture, &fixture->withdrawn, i + 1);
        proxy_fixture_step_until(fixture, &fixture->ended, i + 1);
        assert_int_equal(fixture->report.outcome, PROXY_WITHDRAWN);
    }
}

static void a_name_that_leads_here_is_asked_again(void **state)
{
    struct proxy_fixture *fixture = *state;
    fixture->verdict[1] = PROXY_WAIT;
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client, "CONNECT here.example:%u HTTP/1.1\r\n\r\n",
                           fixture->server_port);
    proxy_fixture_step_until(fixture, &fixture->asked, 2);
    assert_int_equal(fixture->class, ADDRESS_LOOPBACK);
    assert_int_equal(fixture->address_count, 1);
    proxy_answer(fixture->waiting, true, NULL);
    int server =
        proxy_fixture_accept(fixture); /* what was asked about, whatever the name leads to now */
    assert_int_equal(proxy_fixture_lookups(), 1);
    close(server);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
}

/* Of several kinds of addresses the worst is what the operator is asked about. */
static void a_name_that_leads_inside_is_asked_as_its_worst_address(void **state)
{
    struct proxy_fixture *fixture = *state;
    fixture->verdict[1] = PROXY_DENY;
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client, "CONNECT inside.example:%u HTTP/1.1\r\n\r\n", 80);
    char *answer = proxy_fixture_read_rest(fixture, client);
    assert_non_null(strstr(answer, "HTTP/1.1 403 "));
    assert_int_equal(fixture->asked, 2);
    assert_int_equal(fixture->class, ADDRESS_METADATA);
    assert_int_equal(fixture->address_count, 3);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
    free(answer);
}

static void an_unknown_name_fails(void **state)
{
    struct proxy_fixture *fixture = *state;
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client, "CONNECT nowhere.example:%u HTTP/1.1\r\n\r\n", 443);
    char *answer = proxy_fixture_read_rest(fixture, client);
    assert_non_null(strstr(answer, "HTTP/1.1 502 "));
    assert_non_null(strstr(answer, "it has no address"));
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
    assert_int_equal(fixture->report.outcome, PROXY_FAILED);
    free(answer);
}

static void one_plain_request_passes(void **state)
{
    struct proxy_fixture *fixture = *state;
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client,
                           "POST http://127.0.0.1:%u/a HTTP/1.1\r\nHost: evil.example\r\n"
                           "Proxy-Authorization: Basic eDp5\r\nContent-Length: 3\r\n\r\nabc"
                           "GET http://127.0.0.1:%u/secret HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                           fixture->server_port, fixture->server_port);
    int server = proxy_fixture_accept(fixture);
    char head[256];
    snprintf(head, sizeof head,
             "POST /a HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nContent-Length: 3\r\n"
             "Connection: close\r\n\r\nabc",
             fixture->server_port);
    proxy_fixture_expect_text(fixture, server, head);
    proxy_fixture_put(client, "GET / HTTP/1.1\r\n\r\n", 18);
    proxy_fixture_put(server, "HTTP/1.1 204 No\r\n\r\n", 19);
    proxy_fixture_expect_text(fixture, client, "HTTP/1.1 204 No\r\n\r\n");
    char bytes[16];
    assert_int_equal(recv(server, bytes, sizeof bytes, 0), -1); /* nothing of the second */
    close(server);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
    assert_int_equal(fixture->report.outcome, PROXY_PASSED);
}

static void socks_connects_by_name_and_address(void **state)
{
    struct proxy_fixture *fixture = *state;
    unsigned char request[] = {5, 1, 0, 1, 127, 0, 0, 1, 0, 0};
    request[8] = (unsigned char)(fixture->server_port >> 8);
    request[9] = (unsigned char)fixture->server_port;
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put(client, "\5\1\0", 3);
    proxy_fixture_expect(fixture, client, "\5\0", 2);
    proxy_fixture_put(client, (const char *)request, sizeof request);
    int server = proxy_fixture_accept(fixture);
    proxy_fixture_expect(fixture, client, "\5\0\0\1\0\0\0\0\0\0", 10);
    proxy_fixture_put(client, "x", 1);
    proxy_fixture_expect_text(fixture, server, "x");
    close(server);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);

    fixture->verdict[1] = PROXY_DENY;
    client = proxy_fixture_connect(fixture);
    proxy_fixture_put(client, "\5\1\0\5\1\0\3\3a.b\0\120", 13);
    proxy_fixture_expect(fixture, client, "\5\0\5\2\0\1\0\0\0\0\0\0", 12);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 2);
    assert_string_equal(fixture->url, "socks5-tcp://a.b:80");
}

static void other_socks_commands_are_refused(void **state)
{
    struct proxy_fixture *fixture = *state;
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put(client, "\5\1\0\5\3\0\1\0\0\0\0\0\0", 13); /* UDP */
    proxy_fixture_expect(fixture, client, "\5\0\5\7\0\1\0\0\0\0\0\0", 12);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
    assert_int_equal(fixture->asked, 0);
}

/* A client's first message that names "w.example.n". */
static const unsigned char hello[] = {
    22, 3,  1, 0,  67, 1, 0,  0,   63, 3,   3,   0,  0,   0,   0,   0,   0,  0,
    0,  0,  0, 0,  0,  0, 0,  0,   0,  0,   0,   0,  0,   0,   0,   0,   0,  0,
    0,  0,  0, 0,  0,  0, 0,  0,   0,  2,   19,  1,  1,   0,   0,   20,  0,  0,
    0,  16, 0, 14, 0,  0, 11, 119, 46, 101, 120, 97, 109, 112, 108, 101, 46, 110};

static void another_name_in_the_tunnel_ends_it(void **state)
{
    struct proxy_fixture *fixture = *state;
    static const char request[] = "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    const struct {
        const char *bytes, *detail;
        size_t length;
    } table[] = {
        {(const char *)hello, "TLS names w.example.n", sizeof hello},
        {request, "the request names evil.example", sizeof request - 1},
    };
    for (unsigned i = 0; i < 2; i++) {
        int server;
        int client = proxy_fixture_open_tunnel(fixture, &server);
        proxy_fixture_put(client, table[i].bytes, table[i].length);
        char *got = proxy_fixture_read_rest(fixture, server);
        assert_string_equal(got, "");
        free(got);
        close(server);
        close(client);
        proxy_fixture_step_until(fixture, &fixture->ended, i + 1);
        assert_int_equal(fixture->report.outcome, PROXY_OTHER_NAME);
        assert_string_equal(fixture->detail, table[i].detail);
        assert_int_equal(fixture->report.sent, 0);
    }
}

static void the_granted_name_in_the_tunnel_passes(void **state)
{
    struct proxy_fixture *fixture = *state;
    int server;
    int client = proxy_fixture_open_tunnel(fixture, &server);
    static const char request[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    proxy_fixture_put(client, request, sizeof request - 1);
    proxy_fixture_expect_text(fixture, server, request);
    close(server);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
}

static void a_proxy_can_end_at_any_time(void **state)
{
    struct proxy_fixture *fixture = *state;
    int server;
    int client = proxy_fixture_open_tunnel(fixture, &server);
    fixture->verdict[1] = PROXY_WAIT;
    int other = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(other, "CONNECT a.example:%u HTTP/1.1\r\n\r\n", 443);
    proxy_fixture_step_until(fixture, &fixture->asked, 2);
    int third = proxy_fixture_connect(fixture);
    proxy_fixture_put(third, "CONN", 4);
    loop_step(fixture->loop, 10);
    proxy_free(&fixture->proxy);
    assert_int_equal(fixture->withdrawn, 1);
    assert_int_equal(fixture->ended, 3);
    close(client);
    close(server);
    close(other);
    close(third);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_tunnel_passes_bytes_and_ends, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(much_passes_a_reader_that_is_slow, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(what_is_denied_is_told, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_connection_waits_for_its_answer, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(who_leaves_withdraws_the_question, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_name_that_leads_here_is_asked_again, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_name_that_leads_inside_is_asked_as_its_worst_address,
                                        proxy_fixture_set_up, proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(an_unknown_name_fails, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(one_plain_request_passes, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(socks_connects_by_name_and_address, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(other_socks_commands_are_refused, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(another_name_in_the_tunnel_ends_it, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(the_granted_name_in_the_tunnel_passes, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_proxy_can_end_at_any_time, proxy_fixture_set_up,
                                        proxy_fixture_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
