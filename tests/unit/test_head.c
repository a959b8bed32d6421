/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/head.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "network/body.h"

#define GET "GET http://example.org/a?b HTTP/1.1\r\n"

static void targets(void **state)
{
    (void)state;
    static const struct {
        const char *line, *url; /* NULL: refused */
    } table[] = {
        {"CONNECT example.org:443 HTTP/1.1", "https://example.org:443"},
        {"CONNECT EXAMPLE.org.:8443 HTTP/1.1", "https://example.org:8443"},
        {"CONNECT [::1]:443 HTTP/1.1", "https://[::1]:443"},
        {"CONNECT 2130706433:80 HTTP/1.0", "https://127.0.0.1:80"},
        {"GET http://example.org/ HTTP/1.1", "http://example.org:80"},
        {"GET HTTP://example.org:8080 HTTP/1.1", "http://example.org:8080"},
        {"POST http://[::1]:81/x HTTP/1.1", "http://[::1]:81"},
        {"GET http://example.org?q HTTP/1.1", "http://example.org:80"},
        {"CONNECT example.org HTTP/1.1", NULL},
        {"CONNECT example.org:0 HTTP/1.1", NULL},
        {"CONNECT example.org:65536 HTTP/1.1", NULL},
        {"CONNECT example.org:4a HTTP/1.1", NULL},
        {"CONNECT example.org:443 HTTP/1.2", NULL},
        {"CONNECT  example.org:443 HTTP/1.1", NULL},
        {"CONNECT example.org:443", NULL},
        {"CONNECT a@example.org:443 HTTP/1.1", NULL},
        {"GET / HTTP/1.1", NULL},
        {"GET https://example.org/ HTTP/1.1", NULL},
        {"GET http://u:p@example.org/ HTTP/1.1", NULL},
        {"GET http://example.org\\@evil.example/ HTTP/1.1", NULL},
        {"GET http:///x HTTP/1.1", NULL},
        {"G(T http://example.org/ HTTP/1.1", NULL},
        {"PRI * HTTP/2.0", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[512];
        struct head head;
        snprintf(text, sizeof text, "%s\r\nHost: other.example\r\n\r\n", table[i].line);
        enum head_result result = head_parse(text, strlen(text), &head);
        if (table[i].url == NULL) {
            if (result != HEAD_BAD || head.status < 400 || head.problem[0] == '\0')
                fail_msg("taken: %s", table[i].line);
            continue;
        }
        if (result != HEAD_DONE)
            fail_msg("%s: %s", table[i].line, head.problem);
        assert_int_equal(head.length, strlen(text));
        char *url = target_url(&head.target);
        assert_string_equal(url, table[i].url);
        free(url);
        head_clear(&head);
    }
}

static void the_server_gets_what_is_for_it(void **state)
{
    (void)state;
    static const char text[] = GET "Host: evil.example\r\n"
                                   "Proxy-Authorization: Basic eDp5\r\n"
                                   "Proxy-Connection: keep-alive\r\n"
                                   "Connection: keep-alive\r\n"
                                   "Upgrade: h2c\r\n"
                                   "Accept:  */* \r\n\r\nrest";
    struct head head;
    assert_int_equal(head_parse(text, sizeof text - 1, &head), HEAD_DONE);
    assert_string_equal(strbuf_str(&head.text), "GET /a?b HTTP/1.1\r\nHost: example.org\r\n"
                                                "Accept: */*\r\nConnection: close\r\n\r\n");
    assert_int_equal(head.length, sizeof text - 1 - 4);
    head_clear(&head);
}

static void smuggled_requests_are_refused(void **state)
{
    (void)state;
    static const char *const table[] = {
        "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: 5, 5\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length:\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Host: a.example\r\nHost: b.example\r\n",
        "Accept : x\r\n",
        "Accept: x\r\n folded: y\r\n",
        "Accept: x\n",
        "Accept: x\rY: z\r\n",
        ": x\r\n",
        "no colon\r\n",
        "Accept: \x01\r\n",
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[512];
        struct head head;
        snprintf(text, sizeof text, GET "%s\r\n", table[i]);
        if (head_parse(text, strlen(text), &head) != HEAD_BAD)
            fail_msg("taken: %s", table[i]);
    }
}

static void heads_come_in_pieces_and_are_bounded(void **state)
{
    (void)state;
    static const char text[] = GET "Accept: x\r\n\r\n";
    struct head head;
    for (size_t i = 0; i < sizeof text - 1; i++)
        assert_int_equal(head_parse(text, i, &head), HEAD_MORE);
    static char large[HEAD_MAX + 1];
    memset(large, 'a', sizeof large);
    assert_int_equal(head_parse(large, HEAD_LINE_MAX + 1, &head), HEAD_BAD);
    assert_int_equal(head.status, 414);
    memcpy(large, GET "A: ", sizeof GET + 2);
    assert_int_equal(head_parse(large, HEAD_MAX - 1, &head), HEAD_MORE);
    assert_int_equal(head_parse(large, HEAD_MAX, &head), HEAD_BAD);
    assert_int_equal(head.status, 431);
    struct strbuf many = STRBUF_INIT;
    strbuf_addstr(&many, GET);
    for (int i = 0; i <= HEAD_HEADERS_MAX; i++)
        strbuf_addstr(&many, "A: b\r\n");
    strbuf_addstr(&many, "\r\n");
    assert_int_equal(head_parse(many.data, many.length, &head), HEAD_BAD);
    strbuf_free(&many);
}

static void a_body_ends_where_it_says(void **state)
{
    (void)state;
    static const struct {
        const char *header, *bytes;
        size_t taken;
        bool done, bad;
    } table[] = {
        {"", "GET /", 0, true, false},
        {"Content-Length: 0\r\n", "x", 0, true, false},
        {"Content-Length: 3\r\n", "abcGET", 3, true, false},
        {"Content-Length: 3\r\n", "ab", 2, false, false},
        {"Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\nGET", 13, true, false},
        {"Transfer-Encoding: chunked\r\n", "A\r\n0123456789\r\n0\r\nT: x\r\n\r\nG", 26, true,
         false},
        {"Transfer-Encoding: chunked\r\n", "3\r\nab", 5, false, false},
        {"Transfer-Encoding: chunked\r\n", "3;x=y\r\nabc", 2, false, true},
        {"Transfer-Encoding: chunked\r\n", "\r\n", 1, false, true},
        {"Transfer-Encoding: chunked\r\n", "3\nabc", 2, false, true},
        {"Transfer-Encoding: chunked\r\n", "-3\r\n", 1, false, true},
        {"Transfer-Encoding: chunked\r\n", "3\r\nabcd", 7, false, true},
        {"Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n", 16, false, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[256];
        struct head head;
        struct body body;
        snprintf(text, sizeof text, GET "%s\r\n", table[i].header);
        assert_int_equal(head_parse(text, strlen(text), &head), HEAD_DONE);
        body_start(&body, &head);
        head_clear(&head);
        size_t length = strlen(table[i].bytes), taken = 0;
        while (taken < length && !body.done && !body.bad) /* byte by byte, as it may come */
            taken += body_take(&body, table[i].bytes + taken, 1);
        if (taken != table[i].taken || body.done != table[i].done || body.bad != table[i].bad)
            fail_msg("%s: %zu %d %d", table[i].bytes, taken, body.done, body.bad);
    }
}

static void a_tunnel_shows_its_host(void **state)
{
    (void)state;
    char *host;
    static const char text[] = "GET / HTTP/1.1\r\nAccept: x\r\nHost: a.example:80\r\n\r\n";
    for (size_t i = 0; i < sizeof text - 1; i++)
        assert_int_equal(head_peek_host(text, i, &host), HEAD_MORE);
    assert_int_equal(head_peek_host(text, sizeof text - 1, &host), HEAD_DONE);
    assert_string_equal(host, "a.example:80");
    free(host);
    static const char *const chains[] = {
        "CONNECT evil.example:443 HTTP/1.1\r\n\r\n",
        "CONNECT evil.example:443 HTTP/1.1\r\nHost: example.org\r\n\r\n",
        "\r\n\nGET http://evil.example:443?x HTTP/1.1\r\nHost: example.org\r\n\r\n",
    };
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(head_peek_host(chains[i], strlen(chains[i]), &host), HEAD_DONE);
        assert_string_equal(host, "evil.example:443");
        free(host);
    }
    assert_int_equal(head_peek_host("\r\n", 2, &host), HEAD_MORE);
    assert_int_equal(head_peek_host("SSH-2.0-x\r\n", 11, &host), HEAD_BAD);
    assert_int_equal(head_peek_host("\x16\x03\x01", 3, &host), HEAD_BAD);
    assert_int_equal(head_peek_host("GET / HTTP/1.1\r\n\r\n", 18, &host), HEAD_DONE);
    assert_string_equal(host, "");
    free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets),
        cmocka_unit_test(the_server_gets_what_is_for_it),
        cmocka_unit_test(smuggled_requests_are_refused),
        cmocka_unit_test(heads_come_in_pieces_and_are_bounded),
        cmocka_unit_test(a_body_ends_where_it_says),
        cmocka_unit_test(a_tunnel_shows_its_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
