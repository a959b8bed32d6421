/* SPDX-License-Identifier: MIT */
/* The proxy behind our own: how it is named, whom it serves, what it is told and what it says. */
#include "config.h"

#include "network/next_hop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "proxy_fixture.h"

static struct network_target target_of(const char *host, uint16_t port)
{
    struct network_target target = {.protocol = PROTOCOL_HTTPS, .port = port};
    assert_int_equal(host_parse(host, strlen(host), &target.host, NULL), 0);
    return target;
}

static void addresses_are_read(void **state)
{
    static const struct {
        const char *url, *name;
    } table[] = {
        {"http://proxy.example:3128", "proxy.example:3128"},
        {"HTTP://Proxy.Example", "proxy.example:80"},
        {"proxy.example:8080/", "proxy.example:8080"},
        {"http://me:p%40ss@proxy.example:3128/", "proxy.example:3128"},
        {"http://[::1]:3128", "[::1]:3128"},
        {"https://proxy.example", NULL},
        {"socks5://proxy.example", NULL},
        {"http://proxy.example:0", NULL},
        {"http://proxy.example:70000", NULL},
        {"http://proxy.example:x", NULL},
        {"http://", NULL},
        {"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        struct error error = ERROR_INIT;
        struct next_hop *hop = next_hop_new(table[i].url, NULL, &error);
        if ((hop == NULL) != (table[i].name == NULL))
            fail_msg("%s: %s", table[i].url, error.message);
        if (hop != NULL)
            assert_string_equal(next_hop_name(hop), table[i].name);
        else
            assert_string_not_equal(error.message, "");
        next_hop_free(&hop);
    }
}

static const char *look(const char *name)
{
    if (strcmp(name, "https_proxy") == 0)
        return "http://small.example:1";
    if (strcmp(name, "HTTPS_PROXY") == 0)
        return "";
    return strcmp(name, "no_proxy") == 0 ? "inner.example" : NULL;
}

static const char *look_nowhere(const char *name)
{
    (void)name;
    return NULL;
}

static void the_environment_names_one(void **state)
{
    struct error error = ERROR_INIT;
    struct next_hop *hop = next_hop_from(look, &error);
    const struct network_target inner = target_of("a.inner.example", 443);
    (void)state;
    assert_non_null(hop);
    assert_string_equal(next_hop_name(hop), "small.example:1");
    assert_false(next_hop_serves(hop, &inner));
    next_hop_free(&hop);
    assert_null(next_hop_from(look_nowhere, &error));
    assert_string_equal(error.message, "");
}

static void exceptions_hold(void **state)
{
    static const struct {
        const char *except, *host;
        bool served;
    } table[] = {
        {"", "example.org", true},
        {"", "localhost", false},
        {"", "a.localhost", false},
        {"", "127.3.2.1", false},
        {"", "0x7f.1", false},
        {"", "::1", false},
        {"", "10.1.2.3", true},
        {"*", "example.org", false},
        {"other.example, Example.ORG", "example.org", false},
        {"example.org", "www.example.org", false},
        {".example.org", "www.example.org", false},
        {"*.example.org", "www.example.org", false},
        {"example.org", "notexample.org", true},
        {"example.org:443", "example.org", false},
        {"example.org:80", "example.org", true},
        {"10.0.0.0/8", "10.1.2.3", false},
        {"10.0.0.0/8", "11.1.2.3", true},
        {"10.1.2.2/31", "10.1.2.3", false},
        {"10.1.2.0/31", "10.1.2.3", true},
        {"10.1.2.3", "10.1.2.3", false},
        {"10.1.2.0/", "10.1.2.3", true},
        {"10.0.0.0/99", "10.1.2.3", true},
        {"fd00::/8", "fd00::7", false},
        {"fd00::7", "fd00::7", false},
        {"10.0.0.0/8", "ten.example", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        struct next_hop *hop = next_hop_new("http://proxy.example", table[i].except, NULL);
        const struct network_target target = target_of(table[i].host, 443);
        if (next_hop_serves(hop, &target) != table[i].served)
            fail_msg("\"%s\": %s", table[i].except, table[i].host);
        next_hop_free(&hop);
    }
}

static void answers_are_read(void **state)
{
    static const struct {
        const char *text;
        enum next_hop_answer said;
        int status;
    } table[] = {
        {"", NEXT_HOP_MORE, 0},
        {"HTTP/1.1 200 OK\r\n", NEXT_HOP_MORE, 0},
        {"HTTP/1.1 200 OK\r\nVia: x\r\n\r\nSSH-2.0", NEXT_HOP_OPEN, 200},
        {"HTTP/1.0 200\r\n\r\n", NEXT_HOP_OPEN, 200},
        {"HTTP/1.1 407 No\r\n\r\n", NEXT_HOP_CLOSED, 407},
        {"HTTP/1.1 302 x\r\nLocation: y\r\n\r\n", NEXT_HOP_CLOSED, 302},
        {"HTTP/1.1200 OK\r\n\r\n", NEXT_HOP_CLOSED, 0},
        {"HTTP/2 200\r\n\r\n", NEXT_HOP_CLOSED, 0},
        {"SSH-2.0-x\r\n", NEXT_HOP_CLOSED, 0},
        {"HTTP/1.\r\n\r\n", NEXT_HOP_CLOSED, 0},
    };
    static char endless[NEXT_HOP_ANSWER_MAX];
    size_t used;
    int status;
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        const char *text = table[i].text;
        if (next_hop_read(text, strlen(text), &used, &status) != table[i].said)
            fail_msg("%s", text);
        if (table[i].said != NEXT_HOP_MORE && table[i].status != 0)
            assert_int_equal(status, table[i].status);
        if (table[i].said == NEXT_HOP_OPEN)
            assert_int_equal(used, strstr(text, "\r\n\r\n") + 4 - text);
    }
    memset(endless, 'x', sizeof endless);
    memcpy(endless, "HTTP/1.1 200 ", 13);
    assert_int_equal(next_hop_read(endless, sizeof endless, &used, &status), NEXT_HOP_CLOSED);
}

/* ---- with the proxy in front of it ----------------------------------------------------------- */

#define ASKED "CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\n"
#define SECRET "Proxy-Authorization: Basic bWU6cEBzcw==\r\n"

static void a_tunnel_goes_through_it(void **state)
{
    struct proxy_fixture *fixture = *state;
    proxy_fixture_use_hop(fixture, "me:p%40ss@");
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client, "CONNECT far.example:%d HTTP/1.1\r\n\r\n", 443);
    int hop = proxy_fixture_accept(fixture);
    proxy_fixture_expect_text(fixture, hop, ASKED SECRET "\r\n");
    assert_int_equal(proxy_fixture_lookups(), 0);
    assert_int_equal(fixture->asked, 1);
    /* In pieces, and what follows at once is the server's. */
    proxy_fixture_put_text(hop, "HTTP/1.1 200 OK\r\nVi%s", "a: x\r\n\r");
    proxy_fixture_put_text(hop, "\nSSH-2.0-server%s", "\r\n");
    proxy_fixture_expect_text(fixture, client, PROXY_FIXTURE_ESTABLISHED "SSH-2.0-server\r\n");
    proxy_fixture_put(client, "SSH-2.0-client\r\n", 16);
    proxy_fixture_expect_text(fixture, hop, "SSH-2.0-client\r\n");
    close(hop);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
    assert_int_equal(fixture->report.outcome, PROXY_PASSED);
    assert_null(fixture->report.address);
}

static void a_plain_request_goes_through_it(void **state)
{
    struct proxy_fixture *fixture = *state;
    proxy_fixture_use_hop(fixture, "me:p%40ss@");
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client, "GET http://far.example/a?b HTTP/1.1\r\n%s\r\n",
                           "Proxy-Authorization: Basic eDp5\r\n");
    int hop = proxy_fixture_accept(fixture);
    proxy_fixture_expect_text(fixture, hop,
                              "GET http://far.example:80/a?b HTTP/1.1\r\n" SECRET
                              "Host: far.example\r\nConnection: close\r\n\r\n");
    proxy_fixture_put_text(hop, "HTTP/1.1 204 No\r\n%s", "\r\n");
    close(hop);
    char *answer = proxy_fixture_read_rest(fixture, client);
    assert_string_equal(answer, "HTTP/1.1 204 No\r\n\r\n");
    free(answer);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
}

static void what_it_refuses_is_told(void **state)
{
    static const struct {
        const char *answer, *told;
    } table[] = {
        {"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n", "wants a name and a password"},
        {"HTTP/1.1 403 No\r\n\r\n", "does not let it through (403)"},
        {"220 smtp\r\n", "no answer that can be read"},
    };
    struct proxy_fixture *fixture = *state;
    proxy_fixture_use_hop(fixture, "me:p%40ss@");
    for (unsigned i = 0; i < COUNT(table); i++) {
        int client = proxy_fixture_connect(fixture);
        proxy_fixture_put_text(client, "CONNECT far.example:%d HTTP/1.1\r\n\r\n", 443);
        int hop = proxy_fixture_accept(fixture);
        proxy_fixture_expect_text(fixture, hop, ASKED SECRET "\r\n");
        proxy_fixture_put(hop, table[i].answer, strlen(table[i].answer));
        char *got = proxy_fixture_read_rest(fixture, client);
        assert_non_null(strstr(got, "HTTP/1.1 502 "));
        assert_non_null(strstr(got, table[i].told));
        assert_null(strstr(got, "p@ss"));
        assert_null(strstr(got, "bWU6"));
        free(got);
        close(hop);
        close(client);
        proxy_fixture_step_until(fixture, &fixture->ended, i + 1);
        assert_int_equal(fixture->report.outcome, PROXY_FAILED);
    }
}

static void this_machine_is_reached_without_it(void **state)
{
    struct proxy_fixture *fixture = *state;
    int server;
    proxy_fixture_use_hop(fixture, "");
    int client = proxy_fixture_open_tunnel(fixture, &server);
    close(server);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
}

int main(void)
{
#define WITH_PROXY(test)                                                                           \
    cmocka_unit_test_setup_teardown(test, proxy_fixture_set_up, proxy_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read), cmocka_unit_test(the_environment_names_one),
        cmocka_unit_test(exceptions_hold),    cmocka_unit_test(answers_are_read),
        WITH_PROXY(a_tunnel_goes_through_it), WITH_PROXY(a_plain_request_goes_through_it),
        WITH_PROXY(what_it_refuses_is_told),  WITH_PROXY(this_machine_is_reached_without_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
