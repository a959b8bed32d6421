/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/socks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void greetings(void **state)
{
    (void)state;
    size_t used;
    char answer[2];
    assert_int_equal(socks_parse_greeting("\5\2\2\0x", 5, &used, answer), SOCKS_DONE);
    assert_int_equal(used, 4);
    assert_memory_equal(answer, "\5\0", 2);
    assert_int_equal(socks_parse_greeting("\5\2\2", 3, &used, answer), SOCKS_MORE);
    assert_int_equal(socks_parse_greeting("\5\1\2", 3, &used, answer), SOCKS_BAD);
    assert_memory_equal(answer, "\5\xff", 2);
    assert_int_equal(socks_parse_greeting("\5\0", 2, &used, answer), SOCKS_BAD);
    assert_int_equal(socks_parse_greeting("\4\1", 2, &used, answer), SOCKS_BAD);
}

static void requests(void **state)
{
    (void)state;
#define BYTES(text) text, sizeof(text) - 1
    static const struct {
        const char *bytes;
        size_t length;
        enum socks_result result;
        enum socks_reply reply;
        const char *url;
    } table[] = {
        {BYTES("\5\1\0\3\013example.org\1\273"), SOCKS_DONE, SOCKS_SUCCEEDED,
         "socks5-tcp://example.org:443"},
        {BYTES("\5\1\0\1\177\0\0\1\0\120"), SOCKS_DONE, SOCKS_SUCCEEDED,
         "socks5-tcp://127.0.0.1:80"},
        {BYTES("\5\1\0\4\0\0\0\0\0\0\0\0\0\0\377\377\177\0\0\1\0\120"), SOCKS_DONE, SOCKS_SUCCEEDED,
         "socks5-tcp://127.0.0.1:80"},
        {BYTES("\5\1\0\3\0060x7f.1\0\120"), SOCKS_DONE, SOCKS_SUCCEEDED,
         "socks5-tcp://127.0.0.1:80"},
        {BYTES("\5\2\0\1\1\1\1\1\0\120"), SOCKS_BAD, SOCKS_COMMAND_NOT_SUPPORTED, NULL},
        {BYTES("\5\3\0\1\1\1\1\1\0\120"), SOCKS_BAD, SOCKS_COMMAND_NOT_SUPPORTED, NULL},
        {BYTES("\5\1\0\2\1\1\1\1\0\120"), SOCKS_BAD, SOCKS_ADDRESS_NOT_SUPPORTED, NULL},
        {BYTES("\5\1\0\3\0\0\120"), SOCKS_BAD, SOCKS_ADDRESS_NOT_SUPPORTED, NULL},
        {BYTES("\5\1\0\3\3a\0b\0\120"), SOCKS_BAD, SOCKS_ADDRESS_NOT_SUPPORTED, NULL},
        {BYTES("\5\1\0\1\1\1\1\1\0\0"), SOCKS_BAD, SOCKS_ADDRESS_NOT_SUPPORTED, NULL},
        {BYTES("\5\1\1\1\1\1\1\1\0\120"), SOCKS_BAD, SOCKS_FAILED, NULL},
        {BYTES("\4\1\0\1\1\1\1\1\0\120"), SOCKS_BAD, SOCKS_FAILED, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct network_target target;
        enum socks_reply reply;
        size_t used;
        assert_int_equal(
            socks_parse_request(table[i].bytes, table[i].length, &used, &target, &reply),
            table[i].result);
        assert_int_equal(reply, table[i].reply);
        if (table[i].url == NULL)
            continue;
        assert_int_equal(used, table[i].length);
        char *url = target_url(&target);
        assert_string_equal(url, table[i].url);
        free(url);
        for (size_t part = 0; part < table[i].length; part++)
            assert_int_equal(socks_parse_request(table[i].bytes, part, &used, &target, &reply),
                             SOCKS_MORE);
    }
}

static void replies(void **state)
{
    (void)state;
    char bytes[SOCKS_REPLY_SIZE];
    socks_format_reply(SOCKS_NOT_ALLOWED, bytes);
    assert_memory_equal(bytes, "\5\2\0\1\0\0\0\0\0\0", SOCKS_REPLY_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greetings),
        cmocka_unit_test(requests),
        cmocka_unit_test(replies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
