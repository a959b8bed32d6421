/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/colour.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define DIRECT 0x1000000

static void the_palette_stays_where_there_is_one(void **state)
{
    (void)state;
    for (int i = -1; i < 256; i++)
        assert_int_equal(colour_from_palette(i, 256), i);
    for (int i = -1; i < 16; i++)
        assert_int_equal(colour_from_palette(i, 16), i);
}

static void few_colours_get_the_nearest(void **state)
{
    (void)state;
    assert_int_equal(colour_from_palette(9, 8), 1);    /* bright red */
    assert_int_equal(colour_from_palette(196, 8), 1);  /* red of the cube */
    assert_int_equal(colour_from_palette(46, 8), 2);   /* green */
    assert_int_equal(colour_from_palette(231, 8), 7);  /* white */
    assert_int_equal(colour_from_palette(232, 8), 0);  /* nearly black */
    assert_int_equal(colour_from_palette(255, 16), 7); /* nearly white */
    for (int i = 0; i < 256; i++)
        assert_in_range(colour_from_palette(i, 8), 0, 7);
}

static void direct_terminals_get_values(void **state)
{
    (void)state;
    assert_int_equal(colour_from_palette(-1, DIRECT), -1);
    assert_int_equal(colour_from_palette(3, DIRECT), 3);
    assert_int_equal(colour_from_palette(16, DIRECT), 0);
    assert_int_equal(colour_from_palette(109, DIRECT), 0x87afaf);
    assert_int_equal(colour_from_palette(240, DIRECT), 0x585858);
    assert_int_equal(colour_from_rgb(0x123456, DIRECT), 0x123456);
    assert_int_equal(colour_from_rgb(5, DIRECT), 0);
}

static void values_become_the_nearest_of_the_palette(void **state)
{
    (void)state;
    assert_int_equal(colour_from_rgb(0xff0000, 256), 196);
    assert_int_equal(colour_from_rgb(0x87afaf, 256), 109);
    assert_int_equal(colour_from_rgb(0x585858, 256), 240);
    assert_int_equal(colour_from_rgb(0x000000, 256), 16);
    assert_int_equal(colour_from_rgb(0xffffff, 256), 231);
    for (uint32_t rgb = 0; rgb < 0x1000000; rgb += 4099)
        assert_in_range(colour_from_rgb(rgb, 256), 16, 255);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_palette_stays_where_there_is_one),
        cmocka_unit_test(few_colours_get_the_nearest),
        cmocka_unit_test(direct_terminals_get_values),
        cmocka_unit_test(values_become_the_nearest_of_the_palette),
    };

    return cmocka_run_group_tests_name("colour", tests, NULL, NULL);
}
