/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/error.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void says_what_failed(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    assert_int_equal(error_set(&error, 0, "port %d: not a port", 99999), -1);
    assert_string_equal(error.message, "port 99999: not a port");
    assert_int_equal(error.number, 0);
    assert_int_equal(error_errno(&error, ENOENT, "cannot open %s", "x"), -1);
    assert_string_equal(error.message, "cannot open x: No such file or directory");
    assert_int_equal(error.number, ENOENT);
    assert_int_equal(error_prefix(&error, "rules %d", 3), -1);
    assert_string_equal(error.message, "rules 3: cannot open x: No such file or directory");
    assert_int_equal(error.number, ENOENT);
}

static void nobody_needs_to_listen(void **state)
{
    (void)state;
    assert_int_equal(error_set(NULL, 1, "x"), -1);
    assert_int_equal(error_errno(NULL, 1, "x"), -1);
    assert_int_equal(error_prefix(NULL, "x"), -1);
}

/* Messages of every length around the limit, of characters of two and three bytes. */
static void long_messages_are_cut_between_characters(void **state)
{
    (void)state;
    char text[2 * ERROR_MESSAGE_MAX];
    for (size_t padding = 0; padding < 7; padding++) {
        memset(text, 'x', padding);
        size_t used = padding;
        while (used < sizeof text - 6) {
            memcpy(text + used, "\u20ac\u00e4", 5);
            used += 5;
        }
        text[used] = '\0';
        struct error error = ERROR_INIT;
        error_set(&error, 0, "%s", text);
        assert_true(strlen(error.message) >= ERROR_MESSAGE_MAX - 5);
        assert_true(text_valid_utf8(error.message, strlen(error.message)));
        error_errno(&error, ENOENT, "%s", text);
        assert_true(text_valid_utf8(error.message, strlen(error.message)));
        error_prefix(&error, "%s", text);
        assert_true(text_valid_utf8(error.message, strlen(error.message)));
        error_prefix(&error, "before");
        assert_memory_equal(error.message, "before: ", 8);
        assert_true(text_valid_utf8(error.message, strlen(error.message)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_failed),
        cmocka_unit_test(nobody_needs_to_listen),
        cmocka_unit_test(long_messages_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
