/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void is_a_string_when_empty(void **state)
{
    (void)state;
    struct strbuf buffer = STRBUF_INIT;
    assert_string_equal(strbuf_str(&buffer), "");
    strbuf_reset(&buffer);
    strbuf_consume(&buffer, 5);
    strbuf_free(&buffer);
    char *string = strbuf_steal(&buffer);
    assert_string_equal(string, "");
    free(string);
    strbuf_add(&buffer, NULL, 0);
    assert_string_equal(strbuf_str(&buffer), "");
    strbuf_free(&buffer);
}

static void keeps_every_byte(void **state)
{
    (void)state;
    struct strbuf buffer = STRBUF_INIT;
    strbuf_add(&buffer, "a\0b", 3);
    assert_int_equal(buffer.length, 3);
    assert_memory_equal(buffer.data, "a\0b", 4);
    strbuf_addch(&buffer, 'c');
    strbuf_addstr(&buffer, "");
    strbuf_addstr(&buffer, "def");
    assert_int_equal(buffer.length, 7);
    assert_memory_equal(buffer.data, "a\0bcdef", 8);
    strbuf_free(&buffer);
}

static void grows_through_every_size(void **state)
{
    (void)state;
    struct strbuf buffer = STRBUF_INIT;
    for (size_t i = 0; i < 10000; i++) {
        strbuf_addch(&buffer, (char)('a' + i % 26));
        assert_true(buffer.capacity > buffer.length);
        assert_int_equal(buffer.data[buffer.length], '\0');
    }
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(buffer.data[i], 'a' + i % 26);
    strbuf_free(&buffer);
}

static void formats_what_does_not_fit_at_first(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 1, 62, 63, 64, 65, 4096};
    char word[4097];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memset(word, 'w', lengths[i]);
        word[lengths[i]] = '\0';
        struct strbuf buffer = STRBUF_INIT;
        strbuf_addf(&buffer, "%s", word);
        strbuf_addf(&buffer, "-%d", 42);
        assert_int_equal(buffer.length, lengths[i] + 3);
        assert_memory_equal(buffer.data, word, lengths[i]);
        assert_string_equal(buffer.data + lengths[i], "-42");
        strbuf_free(&buffer);
    }
}

static void consumes_from_the_front(void **state)
{
    (void)state;
    struct strbuf buffer = STRBUF_INIT;
    strbuf_addstr(&buffer, "abcdef");
    strbuf_consume(&buffer, 0);
    strbuf_consume(&buffer, 2);
    assert_string_equal(strbuf_str(&buffer), "cdef");
    strbuf_consume(&buffer, 100);
    assert_string_equal(strbuf_str(&buffer), "");
    assert_int_equal(buffer.length, 0);
    strbuf_free(&buffer);
}

static void steal_empties(void **state)
{
    (void)state;
    struct strbuf buffer = STRBUF_INIT;
    strbuf_addstr(&buffer, "mine");
    char *string = strbuf_steal(&buffer);
    assert_string_equal(string, "mine");
    assert_null(buffer.data);
    assert_int_equal(buffer.capacity, 0);
    free(string);
}

static void reset_keeps_memory(void **state)
{
    (void)state;
    struct strbuf buffer = STRBUF_INIT;
    strbuf_addstr(&buffer, "something");
    char *before = buffer.data;
    strbuf_reset(&buffer);
    assert_string_equal(strbuf_str(&buffer), "");
    strbuf_addstr(&buffer, "else");
    assert_ptr_equal(buffer.data, before);
    strbuf_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_a_string_when_empty),
        cmocka_unit_test(keeps_every_byte),
        cmocka_unit_test(grows_through_every_size),
        cmocka_unit_test(formats_what_does_not_fit_at_first),
        cmocka_unit_test(consumes_from_the_front),
        cmocka_unit_test(steal_empties),
        cmocka_unit_test(reset_keeps_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
