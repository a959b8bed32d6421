/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/strbuf.h"

static json_t *parse(const char *text)
{
    struct error error = ERROR_INIT;
    json_t *value = json_parse(text, strlen(text), &error);
    if (!value)
        fail_msg("%s: %s", text, error.message);
    return value;
}

static void check_refused(const char *text, size_t length, const char *reason)
{
    struct error error = ERROR_INIT;
    assert_null(json_parse(text, length, &error));
    if (!strstr(error.message, reason))
        fail_msg("\"%s\" instead of \"%s\"", error.message, reason);
}
#define REFUSED(text, reason) check_refused(text, sizeof(text) - 1, reason)

static void bad_text_is_refused(void **state)
{
    (void)state;
    REFUSED("", "JSON: ");
    REFUSED("{\"a\":1,\"a\":2}", "duplicate");
    REFUSED("{\"a\":1} x", "end of file");
    REFUSED("{\"a\":1", "JSON: line 1");
    REFUSED("\"a\\u0000b\"", "a NUL character (\\u0000) in a string");
    REFUSED("\"\xff\"", "unable to decode byte 0xff");
    REFUSED("\"\xed\xa0\x80\"", "unable to decode byte 0xed");
    REFUSED("\"\\ud800\"", "JSON: ");
    REFUSED("1e999", "JSON: ");
    REFUSED("123456789012345678901234567890", "JSON: ");
    REFUSED("\"a\nb\"", "JSON: ");
    REFUSED("{\"\x1b[2K\": tru}", "JSON: ");
    struct error error = ERROR_INIT;
    assert_null(json_parse("tru\x1b", 4, &error));
    assert_null(strchr(error.message, '\x1b')); /* nothing raw gets into a message */
}

static void depth_is_limited(void **state)
{
    (void)state;
    for (size_t depth = 63; depth < 67; depth++) {
        struct strbuf text = STRBUF_INIT;
        for (size_t i = 0; i < depth; i++)
            strbuf_addstr(&text, i % 2 ? "[" : "{\"a\":");
        strbuf_addstr(&text, "1");
        for (size_t i = depth; i-- > 0;)
            strbuf_addstr(&text, i % 2 ? "]" : "}");
        struct error error = ERROR_INIT;
        cleanup_json json_t *value = json_parse(text.data, text.length, &error);
        assert_int_equal(value != NULL, depth <= 64);
        strbuf_free(&text);
    }
    cleanup_json json_t *brackets =
        parse("\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
              "[[[[[[[[[[[[[\\\"[[[[[[[\"");
    assert_true(json_is_string(brackets)); /* in a string they do not nest */
    struct strbuf flood = STRBUF_INIT;
    for (size_t i = 0; i < 1 << 20; i++)
        strbuf_addch(&flood, '[');
    check_refused(flood.data, flood.length, "64 levels");
    strbuf_free(&flood);
}

static void strings(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    cleanup_json json_t *object = parse("{\"s\":\"hällo\",\"n\":1,\"null\":null}");
    const char *value = "before";
    assert_int_equal(json_get_string(object, "s", &value, &error), 0);
    assert_string_equal(value, "hällo");
    value = "before";
    assert_int_equal(json_get_string_optional(object, "absent", &value, &error), 0);
    assert_int_equal(json_get_string_optional(object, "null", &value, &error), 0);
    assert_string_equal(value, "before");
    assert_int_equal(json_get_string_optional(object, "n", &value, &error), -1);
    assert_string_equal(error.message, "n: expected a string");
    assert_int_equal(json_get_string(object, "absent", &value, &error), -1);
    assert_string_equal(error.message, "absent: missing (expected a string)");
    assert_int_equal(json_get_string(object, "null", &value, &error), -1);
    assert_string_equal(value, "before");
    json_object_set_new(object, "nul", json_stringn("a\0b", 3));
    assert_int_equal(json_get_string(object, "nul", &value, &error), -1);
    assert_non_null(strstr(error.message, "NUL"));
    cleanup_json json_t *array = json_array();
    assert_int_equal(json_get_string(array, "s", &value, &error), -1); /* not an object */
}

static void integers(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    cleanup_json json_t *object = parse("{\"n\":50,\"r\":1.5,\"s\":\"1\",\"t\":true}");
    int64_t value = -7;
    assert_int_equal(json_get_integer_optional(object, "absent", 1, 100, &value, &error), 0);
    assert_int_equal(value, -7);
    assert_int_equal(json_get_integer_optional(object, "n", 50, 50, &value, &error), 0);
    assert_int_equal(value, 50);
    assert_int_equal(json_get_integer_optional(object, "n", 51, 100, &value, &error), -1);
    assert_string_equal(error.message, "n: expected a whole number from 51 to 100");
    assert_int_equal(json_get_integer_optional(object, "n", 1, 49, &value, &error), -1);
    assert_int_equal(json_get_integer_optional(object, "r", 1, 49, &value, &error), -1);
    assert_int_equal(json_get_integer_optional(object, "s", 1, 49, &value, &error), -1);
    assert_int_equal(json_get_integer_optional(object, "t", 1, 49, &value, &error), -1);
    assert_int_equal(value, 50);
}

static void booleans(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    cleanup_json json_t *object = parse("{\"t\":true,\"f\":false,\"n\":1}");
    bool value = true;
    assert_int_equal(json_get_bool_optional(object, "f", &value, &error), 0);
    assert_false(value);
    assert_int_equal(json_get_bool_optional(object, "t", &value, &error), 0);
    assert_true(value);
    assert_int_equal(json_get_bool_optional(object, "absent", &value, &error), 0);
    assert_true(value);
    assert_int_equal(json_get_bool_optional(object, "n", &value, &error), -1);
    assert_string_equal(error.message, "n: expected true or false");
}

static void arrays_of_strings(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    cleanup_json json_t *object =
        parse("{\"a\":[\"x\",\"\",\"z\"],\"e\":[],\"bad\":[\"x\",3],\"s\":\"x\"}");
    char **value = NULL;
    assert_int_equal(json_get_strv_optional(object, "absent", 5, &value, &error), 0);
    assert_null(value);
    assert_int_equal(json_get_strv_optional(object, "a", 3, &value, &error), 0);
    assert_int_equal(strv_length((const char *const *)value), 3);
    assert_string_equal(value[2], "z");
    strv_free(&value);
    assert_int_equal(json_get_strv_optional(object, "e", 3, &value, &error), 0);
    assert_non_null(value);
    assert_null(value[0]);
    strv_free(&value);
    assert_int_equal(json_get_strv_optional(object, "a", 2, &value, &error), -1);
    assert_string_equal(error.message, "a: expected an array of at most 2 strings");
    assert_int_equal(json_get_strv_optional(object, "s", 2, &value, &error), -1);
    assert_int_equal(json_get_strv_optional(object, "bad", 2, &value, &error), -1);
    assert_string_equal(error.message, "bad[1]: expected a string");
    assert_null(value);
}

static void canonical_text_is_equal_for_equal_values(void **state)
{
    (void)state;
    cleanup_json json_t *one = parse("{ \"b\" : [1, {\"y\":2,\"x\":null}], \"a\":\"\\u00e4\\n\" }");
    cleanup_json json_t *two = parse("{\"a\":\"ä\\n\",\"b\":[1,{\"x\":null,\"y\":2}]}");
    cleanup_free char *first = json_canonical(one), *second = json_canonical(two);
    assert_string_equal(first, "{\"a\":\"ä\\n\",\"b\":[1,{\"x\":null,\"y\":2}]}");
    assert_string_equal(first, second);
    cleanup_free char *line = json_line(one);
    assert_string_equal(line, "{\"b\":[1,{\"y\":2,\"x\":null}],\"a\":\"ä\\n\"}");
    cleanup_json json_t *string = json_string("x\ny");
    cleanup_free char *alone = json_line(string);
    assert_string_equal(alone, "\"x\\ny\"");
}

static void check_lossy(const char *bytes, size_t length, const char *expected)
{
    cleanup_json json_t *string = json_string_lossy(bytes, length);
    assert_non_null(string);
    cleanup_free char *text = json_line(string);
    assert_string_equal(text, expected);
}

static void any_bytes_become_a_string(void **state)
{
    (void)state;
    check_lossy("", 0, "\"\"");
    check_lossy("ok ä", 5, "\"ok ä\"");
    check_lossy("a\0b", 3, "\"a\uFFFDb\"");
    check_lossy("a\xff\0\xc3", 4, "\"a\uFFFD\uFFFD\uFFFD\"");
    check_lossy("\xed\xa0\x80", 3, "\"\uFFFD\uFFFD\uFFFD\"");
    check_lossy("\x1b[0m\"\\", 6, "\"\\u001B[0m\\\"\\\\\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_text_is_refused),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(strings),
        cmocka_unit_test(integers),
        cmocka_unit_test(booleans),
        cmocka_unit_test(arrays_of_strings),
        cmocka_unit_test(canonical_text_is_equal_for_equal_values),
        cmocka_unit_test(any_bytes_become_a_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
