/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/strset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void a_string_is_new_once(void **state)
{
    struct strset set = {0};
    char text[16];
    (void)state;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 1000; i++) {
            snprintf(text, sizeof(text), "%d", i * 7919 % 1000);
            assert_int_equal(strset_add(&set, text, strlen(text)), round == 0);
        }
    strset_clear(&set);
    assert_true(strset_add(&set, "7", 1));
    strset_clear(&set);
}

static void only_the_first_bytes_count(void **state)
{
    struct strset set = {0};
    (void)state;
    assert_true(strset_add(&set, "/a/b", 2));
    assert_false(strset_add(&set, "/a/c", 2));
    assert_false(strset_has(&set, "/a/b"));
    assert_true(strset_add(&set, "/a/b", 4));
    assert_true(strset_has(&set, "/a/b"));
    assert_true(strset_add(&set, "", 0));
    assert_false(strset_add(&set, "x", 0));
    strset_clear(&set);
}

static void one_that_is_removed_is_new_again(void **state)
{
    struct strset set = {0};
    (void)state;
    assert_true(strset_add(&set, "a", 1));
    assert_true(strset_add(&set, "b", 1));
    strset_remove(&set, "a");
    strset_remove(&set, "c");
    assert_false(strset_has(&set, "a"));
    assert_true(strset_has(&set, "b"));
    assert_true(strset_add(&set, "a", 1));
    strset_clear(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_is_new_once),
        cmocka_unit_test(only_the_first_bytes_count),
        cmocka_unit_test(one_that_is_removed_is_new_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
