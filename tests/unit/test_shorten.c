/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/shorten.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"

static void check(const char *text, size_t columns, size_t rows, size_t spare, const char *expected)
{
    cleanup_free char *shown = shorten_path(text, columns, rows, spare);

    if (expected == NULL)
        assert_null(shown);
    else
        assert_string_equal(shown != NULL ? shown : "NULL", expected);
}

#define TOLD "blocked: write /home/ann/shop/data/lib/file"

static void the_path_keeps_its_ends(void **state)
{
    (void)state;
    check(TOLD, 40, 1, 0, "blocked: write /home/ann/…/data/lib/file");
    check(TOLD, 40, 1, 4, "blocked: write /home/ann/…/lib/file");
    check(TOLD, 34, 1, 2, "blocked: write /home/…/lib/file");
    check(TOLD, 17, 2, 0, "blocked: write /home/…/lib/file");
}

/* What stands behind it has its place where the path is still long enough to tell something. */
static void what_is_behind_it_goes_first(void **state)
{
    (void)state;
    check(TOLD " (so it says)", 43, 2, 0, NULL); /* it fits as it is: nothing is shortened */
    check(TOLD " (so it says)", 50, 1, 0, "blocked: write /home/ann/…/lib/file (so it says)");
    check(TOLD " (so it says, in words of its own)", 40, 1, 2,
          "blocked: write /home/ann/…/lib/file (so it says, in words of its own)");
}

static void without_a_path_nothing_helps(void **state)
{
    (void)state;
    check("it is none of the commands that run unasked", 20, 1, 0, NULL);
    check("it says and/or, a short one, and goes on", 20, 1, 0, NULL);
    check("/", 20, 1, 0, NULL);
    check("", 20, 1, 0, NULL);
    check("the words before it have all of the room: /home/ann/shop/data/file", 40, 1, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_keeps_its_ends),
        cmocka_unit_test(what_is_behind_it_goes_first),
        cmocka_unit_test(without_a_path_nothing_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
