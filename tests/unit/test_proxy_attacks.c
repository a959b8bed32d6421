/* SPDX-License-Identifier: MIT */
/* Ways round the operator's decision that clients of the proxy try: each is asked about as what it
 * is, or refused. */
#include "config.h"

#include "network/proxy.h"

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
#include "base/strbuf.h"
#include "proxy_fixture.h"

/* An address however it is written is asked about as what it leads to. */
static void odd_forms_are_what_they_are(void **state)
{
    static const struct {
        const char *written, *url;
        enum address_class class;
    } table[] = {
        {"127.0.0.1", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"0x7f.1", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"0x7f000001", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"2130706433", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"017700000001", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"0177.0.0.1", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"127.1", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"127.0.0.1.", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"0", "https://0.0.0.0:443", ADDRESS_LOOPBACK},
        {"[::1]", "https://[::1]:443", ADDRESS_LOOPBACK},
        {"[::]", "https://[::]:443", ADDRESS_LOOPBACK},
        {"[::ffff:127.0.0.1]", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"[::ffff:7f00:1]", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
        {"[64:ff9b::7f00:1]", "https://[64:ff9b::7f00:1]:443", ADDRESS_LOOPBACK},
        {"LOCALHOST", "https://localhost:443", ADDRESS_LOOPBACK},
        {"localhost.", "https://localhost:443", ADDRESS_LOOPBACK},
        {"a.localhost", "https://a.localhost:443", ADDRESS_LOOPBACK},
        {"169.254.169.254", "https://169.254.169.254:443", ADDRESS_METADATA},
        {"2852039166", "https://169.254.169.254:443", ADDRESS_METADATA},
        {"0xa9fea9fe", "https://169.254.169.254:443", ADDRESS_METADATA},
        {"[::ffff:a9fe:a9fe]", "https://169.254.169.254:443", ADDRESS_METADATA},
        {"10.1", "https://10.0.0.1:443", ADDRESS_PRIVATE},
        {"[fd00::1]", "https://[fd00::1]:443", ADDRESS_PRIVATE},
        {"[fe80::1]", "https://[fe80::1]:443", ADDRESS_LINK_LOCAL},
        {"\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1", "https://127.0.0.1:443", ADDRESS_LOOPBACK},
    };
    struct proxy_fixture *fixture = *state;
    fixture->verdict[0] = fixture->verdict[1] = PROXY_DENY;
    for (unsigned i = 0; i < COUNT(table); i++) {
        int client = proxy_fixture_connect(fixture);
        proxy_fixture_put_text(client, "CONNECT %s:443 HTTP/1.1\r\n\r\n", table[i].written);
        free(proxy_fixture_read_rest(fixture, client));
        close(client);
        proxy_fixture_step_until(fixture, &fixture->ended, i + 1);
        if (fixture->asked != i + 1 || strcmp(fixture->url, table[i].url) != 0)
            fail_msg("%s is asked about as %s", table[i].written, fixture->url);
        assert_int_equal(fixture->class, table[i].class);
    }
}

/* Inside a tunnel to a host that was granted. */
static void a_chain_of_proxies_is_cut(void **state)
{
    static const char *const chains[] = {
        "CONNECT evil.example:443 HTTP/1.1\r\n\r\n",
        "CONNECT evil.example:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "GET / HTTP/1.1\r\nX: y\r\nhost:evil.example:8080\r\n\r\n",
    };
    struct proxy_fixture *fixture = *state;
    for (unsigned i = 0; i < COUNT(chains); i++) {
        int server;
        int client = proxy_fixture_open_tunnel(fixture, &server);
        for (const char *at = chains[i]; *at != '\0'; at++) /* byte by byte, too */
            proxy_fixture_put(client, at, 1);
        char *got = proxy_fixture_read_rest(fixture, server);
        assert_string_equal(got, "");
        free(got);
        close(server);
        close(client);
        proxy_fixture_step_until(fixture, &fixture->ended, i + 1);
        assert_int_equal(fixture->report.outcome, PROXY_OTHER_NAME);
    }
}

/* A second request behind the first, in each way that a proxy and a server could read differently.
 */
static void a_smuggled_request_does_not_pass(void **state)
{
    static const char second[] = "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    static const struct {
        const char *headers, *body;
        bool passes; /* the first */
    } table[] = {
        {"Content-Length: 3\r\n", "abc", true},
        {"Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n", true},
        {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n", false},
        {"Content-Length: 0\r\nContent-Length: 40\r\n", "", false},
        {"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n", "0\r\n\r\n", false},
        {"Transfer-Encoding : chunked\r\n", "0\r\n\r\n", false},
        {"Transfer-Encoding:\x0b"
         "chunked\r\n",
         "0\r\n\r\n", false},
        {"Transfer-Encoding: chunked\r\n", "3;x\n\r\nabc\r\n0\r\n\r\n", false},
        {"Content-Length: 0x3\r\n", "abc", false},
    };
    struct proxy_fixture *fixture = *state;
    for (unsigned i = 0; i < COUNT(table); i++) {
        int client = proxy_fixture_connect(fixture);
        proxy_fixture_put_text(client, "POST http://127.0.0.1:%u/ HTTP/1.1\r\n%s\r\n%s%s",
                               fixture->server_port, table[i].headers, table[i].body, second);
        if (table[i].passes) {
            int server = proxy_fixture_accept(fixture);
            proxy_fixture_put_text(server, "HTTP/1.1 200 OK\r\n%s", "\r\n");
            for (int step = 0; step < 20; step++) /* time for what must not come */
                loop_step(fixture->loop, 1);
            shutdown(client, SHUT_WR);
            char *got = proxy_fixture_read_rest(fixture, server);
            assert_non_null(strstr(got, "POST / HTTP/1.1\r\n"));
            assert_null(strstr(got, "evil.example"));
            free(got);
            close(server);
        }
        free(proxy_fixture_read_rest(fixture, client));
        close(client);
        proxy_fixture_step_until(fixture, &fixture->ended, i + 1);
    }
    assert_true(fixture->asked <= COUNT(table)); /* never about the second */
    assert_null(strstr(fixture->url, "evil"));
}

/* Each of these is answered, and nothing is connected. */
static void tricks_of_socks_are_refused(void **state)
{
#define BYTES(text) text, sizeof(text) - 1
    static const struct {
        const char *bytes;
        size_t length;
    } table[] = {
        {BYTES("\4\1\0\120\177\0\0\1\0")},                  /* SOCKS 4 */
        {BYTES("\4\1\0\120\0\0\0\1\0evil.example\0")},      /* SOCKS 4a */
        {BYTES("\5\1\2\1\1a\1b")},                          /* with a password only */
        {BYTES("\5\1\0\5\2\0\1\177\0\0\1\0\120")},          /* BIND */
        {BYTES("\5\1\0\5\3\0\1\0\0\0\0\0\0")},              /* UDP */
        {BYTES("\5\1\0\5\1\0\3\0\0\120")},                  /* no name */
        {BYTES("\5\1\0\5\1\0\3\016ok.example\0.ev\0\120")}, /* a NUL in it */
        {BYTES("\5\1\0\5\1\0\3\3a b\0\120")},
        {BYTES("\5\1\0\5\1\0\3\4a\r\nb\0\120")},
        {BYTES("\5\1\0\5\1\0\1\177\0\0\1\0\0")},   /* port 0 */
        {BYTES("\5\1\0\5\1\0\5\177\0\0\1\0\120")}, /* a kind of address that there is not */
    };
    struct proxy_fixture *fixture = *state;
    for (unsigned i = 0; i < COUNT(table); i++) {
        int client = proxy_fixture_connect(fixture);
        proxy_fixture_put(client, table[i].bytes, table[i].length);
        free(proxy_fixture_read_rest(fixture, client));
        close(client);
        proxy_fixture_step_until(fixture, &fixture->ended, i + 1);
        assert_int_not_equal(fixture->report.outcome, PROXY_PASSED);
    }
    assert_int_equal(fixture->asked, 0);
}

/* A host is a question of its own at each port and by each protocol. */
static void other_ports_are_other_questions(void **state)
{
    static const struct {
        const char *request, *url;
    } table[] = {
        {"CONNECT a.example:443 HTTP/1.1\r\n\r\n", "https://a.example:443"},
        {"CONNECT a.example:22 HTTP/1.1\r\n\r\n", "https://a.example:22"},
        {"GET http://a.example/ HTTP/1.1\r\n\r\n", "http://a.example:80"},
        {"GET http://a.example:443/ HTTP/1.1\r\n\r\n", "http://a.example:443"},
    };
    struct proxy_fixture *fixture = *state;
    fixture->verdict[0] = fixture->verdict[1] = PROXY_DENY;
    for (unsigned i = 0; i < COUNT(table); i++) {
        int client = proxy_fixture_connect(fixture);
        proxy_fixture_put(client, table[i].request, strlen(table[i].request));
        free(proxy_fixture_read_rest(fixture, client));
        close(client);
        proxy_fixture_step_until(fixture, &fixture->ended, i + 1);
        assert_string_equal(fixture->url, table[i].url);
    }
    assert_int_equal(proxy_fixture_lookups(), 0);
}

/* A granted name never leads inside, whatever else it leads to: its other addresses are not even
 * tried. */
static void of_mixed_addresses_only_public_ones_are_tried(void **state)
{
    struct proxy_fixture *fixture = *state;
    fixture->verdict[1] = PROXY_DENY;
    int client = proxy_fixture_connect(fixture);
    proxy_fixture_put_text(client, "CONNECT mixed.example:443 HTTP/1.1\r\n\r\n");
    int server = proxy_fixture_accept(fixture);
    proxy_fixture_expect_text(fixture, client, PROXY_FIXTURE_ESTABLISHED);
    assert_int_equal(fixture->asked, 1);
    assert_string_equal(proxy_fixture_attempts(), "127.0.0.1 93.184.215.15 93.184.215.14 ");
    close(server);
    close(client);
    proxy_fixture_step_until(fixture, &fixture->ended, 1);
    assert_int_equal(fixture->report.outcome, PROXY_PASSED);
}

int main(void)
{
#define WITH_PROXY(test)                                                                           \
    cmocka_unit_test_setup_teardown(test, proxy_fixture_set_up, proxy_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        WITH_PROXY(odd_forms_are_what_they_are),
        WITH_PROXY(a_chain_of_proxies_is_cut),
        WITH_PROXY(a_smuggled_request_does_not_pass),
        WITH_PROXY(tricks_of_socks_are_refused),
        WITH_PROXY(other_ports_are_other_questions),
        WITH_PROXY(of_mixed_addresses_only_public_ones_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
