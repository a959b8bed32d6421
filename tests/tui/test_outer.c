/* SPDX-License-Identifier: MIT */
/* The operator's terminal of the tests does what a terminal does, in whatever pieces it gets it. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "outer.h"

static void write_text(struct outer *outer, const char *text)
{
    outer_write(outer, text, strlen(text));
}

static void assert_row(const struct outer *outer, int row, const char *expected)
{
    cleanup_free char *text = outer_row(outer, row);

    assert_string_equal(text, expected);
}

/* The kernel tells nobody of it, so that nothing is drawn anew either. */
static void the_size_that_it_has_changes_nothing(void **state)
{
    struct outer *outer = outer_new(4, 10);

    (void)state;
    write_text(outer, "one\r\ntwo\r\nthree\r\nfour\x1b[2;3r\x1b[3;1H");
    outer_resize(outer, 4, 10);
    write_text(outer, "\n"); /* between the margins it scrolls */
    assert_row(outer, 0, "one");
    assert_row(outer, 1, "three");
    assert_row(outer, 2, "");
    assert_row(outer, 3, "four");
    outer_free(&outer);
}

/* Each byte by itself, with another size before it. */
static void write_resized(struct outer *outer, const char *text)
{
    for (int i = 0; text[i] != '\0'; i++) {
        outer_resize(outer, 4 + i % 2, 20);
        outer_write(outer, text + i, 1);
    }
}

static void a_size_breaks_nothing_off(void **state)
{
    struct outer *outer = outer_new(4, 20);
    struct outer_cell cell;

    (void)state;
    write_resized(outer, "\x1b[2;3H\x1b[38;5;130m\xc3\xa4\xe6\xbc\xa2\x1b[m\x1b(0q\x1b(Bq"
                         "\x1b]2;title\x1b\\\x1bP+q544e\x1b\\\x1b]11;?\a.\x1b[3b\x1b[?25h!");
    assert_row(outer, 0, "");
    assert_row(outer, 1, "  \xc3\xa4\xe6\xbc\xa2\xe2\x94\x80q....!");
    outer_cell(outer, 1, 2, &cell);
    assert_int_equal(cell.foreground, 130);
    outer_free(&outer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_size_that_it_has_changes_nothing),
        cmocka_unit_test(a_size_breaks_nothing_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
