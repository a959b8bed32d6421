/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The vectors of RFC 4648, section 10, and bytes that use the last two characters. */
static const struct {
    const char *bytes;
    const char *text;
} vectors[] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
    {"\xfb\xff\xbf", "+/+/"},
};

static void test_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++) {
        cleanup_strbuf struct strbuf text = STRBUF_INIT;
        cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
        base64_encode(&text, vectors[i].bytes, strlen(vectors[i].bytes));
        assert_string_equal(strbuf_str(&text), vectors[i].text);
        assert_int_equal(base64_decode(&bytes, strbuf_str(&text), text.length), 0);
        assert_string_equal(strbuf_str(&bytes), vectors[i].bytes);
    }
}

static void test_every_byte_comes_back(void **state)
{
    (void)state;
    unsigned char all[256];
    for (size_t i = 0; i < sizeof(all); i++)
        all[i] = (unsigned char)i;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
    base64_encode(&text, all, sizeof(all));
    assert_int_equal(base64_decode(&bytes, text.data, text.length), 0);
    assert_int_equal(bytes.length, sizeof(all));
    assert_memory_equal(bytes.data, all, sizeof(all));
}

static void test_what_is_not_base64(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "Z", "Zg", "Zg=", "Zh==", "Zm9=", "====", "Zg= =", "Zg==Zm9v", "Zm9v\nZm", "Zm\xc3\xa4"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
        strbuf_addstr(&bytes, "before");
        assert_int_equal(base64_decode(&bytes, wrong[i], strlen(wrong[i])), -1);
        assert_string_equal(strbuf_str(&bytes), "before");
        assert_int_equal(bytes.length, 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_every_byte_comes_back),
        cmocka_unit_test(test_what_is_not_base64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
