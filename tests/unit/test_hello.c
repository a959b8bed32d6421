/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/hello.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"

static void add_number(struct strbuf *out, size_t value, unsigned bytes)
{
    while (bytes-- > 0)
        strbuf_addch(out, (char)(value >> (8 * bytes)));
}

static void add_block(struct strbuf *out, const struct strbuf *block, unsigned bytes)
{
    add_number(out, block->length, bytes);
    strbuf_add(out, block->data, block->length);
}

static void add_name(struct strbuf *extensions, const char *name)
{
    struct strbuf entry = STRBUF_INIT, list = STRBUF_INIT;
    add_number(&entry, 0, 1);
    add_number(&entry, strlen(name), 2);
    strbuf_addstr(&entry, name);
    add_block(&list, &entry, 2);
    add_number(extensions, 0, 2);
    add_block(extensions, &list, 2);
    strbuf_free(&entry);
    strbuf_free(&list);
}

/* A client's first message, its records at most `record` bytes long. */
static struct strbuf make_hello(const struct strbuf *extensions, size_t record)
{
    struct strbuf body = STRBUF_INIT, message = STRBUF_INIT, out = STRBUF_INIT;
    add_number(&body, 0x0303, 2);
    for (int i = 0; i < 32; i++)
        strbuf_addch(&body, (char)i);
    add_number(&body, 0, 1);      /* session */
    add_number(&body, 2, 2);      /* cipher suites */
    add_number(&body, 0x1301, 2); /* TLS_AES_128_GCM_SHA256 */
    add_number(&body, 0x0100, 2); /* compression: none */
    if (extensions != NULL)
        add_block(&body, extensions, 2);
    add_number(&message, 1, 1);
    add_block(&message, &body, 3);
    for (size_t at = 0; at < message.length; at += record) {
        size_t size = message.length - at < record ? message.length - at : record;
        add_number(&out, 0x160301, 3);
        add_number(&out, size, 2);
        strbuf_add(&out, message.data + at, size);
    }
    strbuf_free(&body);
    strbuf_free(&message);
    return out;
}

static void the_name_is_found(void **state)
{
    (void)state;
    struct strbuf extensions = STRBUF_INIT;
    char name[256];
    add_number(&extensions, 0x002b0003, 4);
    add_number(&extensions, 0x020304, 3);
    add_name(&extensions, "Example.org");
    static const size_t records[] = {16384, 7, 1};
    for (size_t i = 0; i < 3; i++) {
        struct strbuf hello = make_hello(&extensions, records[i]);
        for (size_t part = 0; part < hello.length; part++)
            assert_int_equal(hello_parse(hello.data, part, name), HELLO_MORE);
        assert_int_equal(hello_parse(hello.data, hello.length, name), HELLO_NAME);
        assert_string_equal(name, "Example.org");
        strbuf_free(&hello);
    }
    strbuf_free(&extensions);
}

static void what_is_no_clear_name_is_refused(void **state)
{
    (void)state;
    struct strbuf extensions = STRBUF_INIT;
    char name[256];
    struct strbuf hello = make_hello(NULL, 16384);
    assert_int_equal(hello_parse(hello.data, hello.length, name), HELLO_NO_NAME);
    strbuf_free(&hello);
    add_name(&extensions, "a.example");
    add_name(&extensions, "b.example"); /* twice */
    hello = make_hello(&extensions, 16384);
    assert_int_equal(hello_parse(hello.data, hello.length, name), HELLO_BAD);
    strbuf_free(&hello);
    strbuf_reset(&extensions);
    add_name(&extensions, "");
    hello = make_hello(&extensions, 16384);
    assert_int_equal(hello_parse(hello.data, hello.length, name), HELLO_BAD);
    strbuf_free(&hello);
    strbuf_free(&extensions);
}

static void other_bytes(void **state)
{
    (void)state;
    char name[256];
    static char large[HELLO_MAX + 100];
    assert_int_equal(hello_parse("", 0, name), HELLO_MORE);
    assert_int_equal(hello_parse("SSH-2.0", 7, name), HELLO_NONE);
    assert_int_equal(hello_parse("\x16GET", 4, name), HELLO_NONE);
    assert_int_equal(hello_parse("\x16\3\1\0\0", 5, name), HELLO_BAD);
    assert_int_equal(hello_parse("\x16\3\1\0\4\2\0\0\0", 9, name), HELLO_BAD);
    assert_int_equal(hello_parse("\x16\3\1\0\4\1\0\0\0", 9, name), HELLO_BAD);
    for (size_t at = 0; at + 5 < sizeof large; at += 5 + 16384) /* says that it is larger */
        memcpy(large + at, "\x16\3\1\x40\0", 5);
    memcpy(large + 5, "\1\xff\xff\xff", 4);
    assert_int_equal(hello_parse(large, sizeof large, name), HELLO_BAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_is_found),
        cmocka_unit_test(what_is_no_clear_name_is_refused),
        cmocka_unit_test(other_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
