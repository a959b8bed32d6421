/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void beneath_is_by_whole_names(void **state)
{
    (void)state;
    assert_true(path_is_beneath("/a/b", "/a/b"));
    assert_true(path_is_beneath("/a/b/c", "/a/b"));
    assert_false(path_is_beneath("/a/bc", "/a/b"));
    assert_false(path_is_beneath("/a", "/a/b"));
}

static void everything_is_beneath_the_root(void **state)
{
    (void)state;
    assert_true(path_is_beneath("/", "/"));
    assert_true(path_is_beneath("/a", "/"));
    assert_false(path_is_beneath("a", "/"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beneath_is_by_whole_names),
        cmocka_unit_test(everything_is_beneath_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
