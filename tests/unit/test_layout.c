/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Counts how often each cell belongs to something; text of a pane and its title are one. */
static void cover(unsigned char *cells, int rows, int columns, struct rect rect)
{
    for (int i = 0; i < rect.rows; i++)
        for (int j = 0; j < rect.columns; j++) {
            int row = rect.row + i, column = rect.column + j;

            assert_in_range(row, 0, rows - 1);
            assert_in_range(column, 0, columns - 1);
            cells[row * columns + column]++;
        }
}

static void check_tiling(const struct layout_wish *wish)
{
    static unsigned char cells[200 * 400];
    struct layout layout;

    memset(cells, 0, sizeof(cells));
    layout_compute(wish, &layout);
    assert_false(layout.too_small);
    cover(cells, wish->rows, wish->columns, layout.list);
    cover(cells, wish->rows, wish->columns, layout.sessions);
    cover(cells, wish->rows, wish->columns, layout.divider);
    cover(cells, wish->rows, wish->columns, layout.blank);
    cover(cells, wish->rows, wish->columns, layout.trail);
    cover(cells, wish->rows, wish->columns, layout.prompt);
    cover(cells, wish->rows, wish->columns, layout.status);
    for (size_t i = 0; i < layout.pane_count; i++)
        cover(cells, wish->rows, wish->columns, layout.panes[i]);
    /* Nothing overlaps; only the column between neighbours belongs to nobody. */
    for (int i = 0; i < wish->rows * wish->columns; i++)
        assert_in_range(cells[i], 0, 1);
    assert_int_equal(layout.status.row, wish->rows - 1);
    assert_true(layout.pane_count <= wish->panes);
    assert_true(wish->panes == 0 || layout.pane_count > 0);
}

static void nothing_overlaps_at_any_size(void **state)
{
    (void)state;
    for (int rows = LAYOUT_ROWS_MIN; rows <= 100; rows += 7)
        for (int columns = LAYOUT_COLUMNS_MIN; columns <= 300; columns += 13)
            for (size_t panes = 0; panes <= LAYOUT_PANES_MAX; panes++)
                for (int told = 0; told <= 40; told += 4)
                    check_tiling(&(struct layout_wish){rows, columns, panes * 3, panes, panes,
                                                       false, false, false, told});
}

static void the_smallest_size_has_room_for_all(void **state)
{
    struct layout layout;

    (void)state;
    layout_compute(&(struct layout_wish){24, 80, 10, 2, 2, false, false, false, 0}, &layout);
    assert_false(layout.too_small);
    assert_int_equal(layout.pane_count, 2);
    assert_true(layout.list.rows >= 4);
    assert_true(layout.panes[0].rows >= 6 && layout.panes[1].rows >= 6);
    assert_int_equal(layout.panes[0].columns, 80);
}

static int list_columns(int columns)
{
    struct layout layout;

    layout_compute(&(struct layout_wish){50, columns, 10, 2, 4, false, false, false, 0}, &layout);
    if (columns >= 200) {
        assert_int_equal(layout.panes[0].row, layout.panes[1].row); /* two beside one another */
        assert_true(layout.panes[0].columns >= 60);
    }
    return layout.list.columns;
}

/* Commands are long: the list grows with the screen, but not without end. */
static void a_wide_screen_has_room_for_commands(void **state)
{
    (void)state;
    assert_int_equal(list_columns(80), 80);
    assert_int_equal(list_columns(120), 40);
    assert_int_equal(list_columns(160), 53);
    assert_int_equal(list_columns(200), 77);
    assert_int_equal(list_columns(240), 90);
    assert_int_equal(list_columns(400), 90);
}

static void smaller_says_so(void **state)
{
    struct layout layout;

    (void)state;
    layout_compute(&(struct layout_wish){23, 80, 0, 0, 0, false, false, false, 0}, &layout);
    assert_true(layout.too_small);
    layout_compute(&(struct layout_wish){24, 79, 0, 0, 0, false, false, false, 0}, &layout);
    assert_true(layout.too_small);
    for (int rows = 1; rows < 5; rows++)
        for (int columns = 1; columns < 30; columns++)
            layout_compute(&(struct layout_wish){rows, columns, 3, 2, 3, rows % 2 == 0,
                                                 rows % 3 == 0, false, 0},
                           &layout);
}

static void a_zoomed_pane_leaves_one_row(void **state)
{
    struct layout layout;

    (void)state;
    layout_compute(&(struct layout_wish){25, 80, 4, 1, 3, true, true, false, 0}, &layout);
    assert_false(layout.too_small);
    assert_int_equal(layout.pane_count, 1);
    assert_int_equal(layout.panes[0].rows, 24);
    assert_int_equal(layout.panes[0].columns, 80);
    assert_int_equal(layout.status.row, 24);
    assert_true(rect_empty(layout.list) && rect_empty(layout.prompt));
}

static void what_covers_a_zoomed_pane_needs_room(void **state)
{
    struct layout layout;
    struct layout_wish wish = {.rows = 23, .columns = 80, .panes = 1, .zoomed = true};

    (void)state;
    layout_compute(&wish, &layout);
    assert_false(layout.too_small);
    wish.covered = true;
    layout_compute(&wish, &layout);
    assert_true(layout.too_small);
    wish.rows = 24;
    layout_compute(&wish, &layout);
    assert_false(layout.too_small);
    wish.columns = 79;
    layout_compute(&wish, &layout);
    assert_true(layout.too_small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_overlaps_at_any_size),
        cmocka_unit_test(the_smallest_size_has_room_for_all),
        cmocka_unit_test(a_wide_screen_has_room_for_commands),
        cmocka_unit_test(smaller_says_so),
        cmocka_unit_test(a_zoomed_pane_leaves_one_row),
        cmocka_unit_test(what_covers_a_zoomed_pane_needs_room),
    };

    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
