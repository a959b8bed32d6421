/* SPDX-License-Identifier: MIT */
/* What tests/term can't say: memory, limits, line numbers, many sizes. */
#include "config.h"

#include "ui/term/grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "ui/term/grid_edit.h"

static const struct grid_style plain;

static uint32_t random_state = 1;

static int chance(int limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (uint32_t)limit);
}

/* Writes a line at the bottom and scrolls it up. */
static void add_line(struct grid *grid, const char *text, const struct grid_style *style)
{
    int row = grid_rows(grid) - 1;
    grid_put_ascii(grid, row, 0, text, (int)strlen(text), style);
    grid_scroll(grid, 0, grid_rows(grid), 1, &plain);
}

static char *line_text(const struct grid *grid, int64_t line)
{
    struct strbuf out = STRBUF_INIT;
    grid_text(grid, line, 0, line, 9999, &out);
    return strbuf_steal(&out);
}

static void assert_line(const struct grid *grid, int64_t line, const char *wanted)
{
    char *text = line_text(grid, line);
    assert_string_equal(text, wanted);
    free(text);
}

static void ten_thousand_lines_are_kept(void **state)
{
    (void)state;
    struct grid *grid = grid_new(24, 80, 10000);
    char text[32];
    for (int i = 0; i < 12000; i++) {
        snprintf(text, sizeof text, "line %d", i);
        add_line(grid, text, &plain);
    }
    int64_t first = grid_first_line(grid), top = grid_top_line(grid);
    assert_int_equal(top - first, 10000);
    /* the bottom row is empty again: the last line is 23 rows down, the others are above */
    for (int i = 0; i < 10000; i++) {
        snprintf(text, sizeof text, "line %d", 12000 - 23 - 10000 + i);
        assert_line(grid, first + i, text);
    }
    grid_free(&grid);
    assert_null(grid);
}

static void two_thousand_lines_take_less_than_400_kilobytes(void **state)
{
    (void)state;
    static const int widths[] = {44, 80};
    for (size_t i = 0; i < 2; i++) {
        int columns = widths[i];
        char text[128];
        struct grid *grid = grid_new(24, columns, 2000);
        memset(text, 'x', sizeof text);
        text[columns] = '\0';
        for (int line = 0; line < 3000; line++) {
            const struct grid_style colour = {.foreground = GRID_COLOUR_INDEXED | 1};
            add_line(grid, text, line % 2 ? &plain : &colour);
        }
        assert_int_equal(grid_top_line(grid) - grid_first_line(grid), 2000);
        assert_true(grid_memory(grid) < 400 * 1000);
        grid_free(&grid);
    }
}

static void absurd_lines_are_dropped_before_they_take_all_memory(void **state)
{
    (void)state;
    enum { COLUMNS = 1000 };
    struct grid *grid = grid_new(2, COLUMNS, 1000);
    for (int line = 0; line < 1000; line++) {
        for (int column = 0; column < COLUMNS; column++) {
            uint32_t value = (uint32_t)(column * 7 + line) & 0xffffff;
            struct grid_style style = {GRID_COLOUR_RGB | value, GRID_COLOUR_RGB | ~value >> 8,
                                       GRID_BOLD};
            grid_put(grid, 1, column, 0x10000 + (uint32_t)column, 1, &style);
            for (int mark = 0; mark < 6; mark++)
                grid_add_mark(grid, 1, column, 0x300);
        }
        grid_scroll(grid, 0, 2, 1, &plain);
    }
    assert_true(grid_memory(grid) < 5 * 1000 * 1000);
    assert_true(grid_top_line(grid) - grid_first_line(grid) > 50);
    grid_free(&grid);
}

static void marks_that_were_overwritten_take_no_memory(void **state)
{
    (void)state;
    struct grid *grid = grid_new(10, 20, 0);
    for (int i = 0; i < 100000; i++) {
        grid_put(grid, 5, i % 20, 'e', 1, &plain);
        grid_add_mark(grid, 5, i % 20, 0x301);
    }
    assert_true(grid_memory(grid) < 64 * 1024);
    struct grid_glyph glyph;
    grid_cell_at(grid, 5, 7, &glyph);
    assert_int_equal(glyph.count, 2);
    assert_int_equal(glyph.codepoints[0], 'e');
    assert_int_equal(glyph.codepoints[1], 0x301);
    grid_free(&grid);
}

static void a_line_keeps_its_number_while_text_scrolls(void **state)
{
    (void)state;
    struct grid *grid = grid_new(5, 20, 50);
    add_line(grid, "first", &plain);
    int64_t line = grid_top_line(grid) + 3;
    unsigned generation = grid_generation(grid);
    assert_line(grid, line, "first");
    for (int i = 0; i < 40; i++) {
        add_line(grid, "more", &plain);
        assert_line(grid, line, "first");
    }
    for (int i = 0; i < 40; i++)
        add_line(grid, "more", &plain);
    assert_true(grid_first_line(grid) > line);
    assert_line(grid, line, "");
    assert_int_equal(grid_line_used(grid, line), 0);
    assert_int_equal(grid_generation(grid), generation);
    struct grid_position cursor = {0, 0};
    grid_resize(grid, 6, 20, &cursor);
    assert_int_not_equal(grid_generation(grid), generation);
    grid_free(&grid);
}

static void lines_are_counted_without_a_scrollback_too(void **state)
{
    (void)state;
    struct grid *grid = grid_new(5, 20, 0);
    int64_t top = grid_top_line(grid);
    add_line(grid, "one", &plain);
    add_line(grid, "two", &plain);
    assert_int_equal(grid_top_line(grid), top + 2);
    assert_int_equal(grid_first_line(grid), top + 2);
    grid_free(&grid);
}

static void lines_that_are_not_there_are_empty(void **state)
{
    (void)state;
    struct grid *grid = grid_new(5, 20, 50);
    static const int64_t lines[] = {INT64_MIN, -1, 5, 1000, INT64_MAX - 10};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct grid_reader reader;
        struct grid_glyph glyph;
        grid_reader_init(&reader, grid, lines[i]);
        assert_false(grid_reader_next(&reader, &glyph));
        assert_int_equal(grid_line_used(grid, lines[i]), 0);
        assert_false(grid_line_wrapped(grid, lines[i]));
    }
    struct strbuf out = STRBUF_INIT;
    grid_text(grid, INT64_MIN, -5, INT64_MAX, 99, &out);
    assert_string_equal(strbuf_str(&out), "\n\n\n\n");
    strbuf_free(&out);
    grid_free(&grid);
}

/* Random lines of words, some of them wrapped over rows, some with wide characters and marks. */
static void fill_randomly(struct grid *grid, int lines)
{
    for (int i = 0; i < lines; i++) {
        int column = 0;
        for (int left = chance(200); left > 0; left--) {
            int kind = chance(20);
            int width = kind == 0 ? 2 : 1;
            struct grid_style style = {.foreground =
                                           chance(4) ? 0 : GRID_COLOUR_INDEXED | (uint32_t)kind};
            if (column + width > grid_columns(grid)) {
                grid_set_wrapped(grid, grid_rows(grid) - 1);
                grid_scroll(grid, 0, grid_rows(grid), 1, &plain);
                column = 0;
            }
            uint32_t codepoint = kind == 0 ? 0x4e2d : (uint32_t)('a' + chance(26));
            grid_put(grid, grid_rows(grid) - 1, column, codepoint, width, &style);
            if (kind == 1)
                grid_add_mark(grid, grid_rows(grid) - 1, column, 0x301);
            column += width;
        }
        grid_scroll(grid, 0, grid_rows(grid), 1, &plain);
    }
}

static char *whole_text(const struct grid *grid)
{
    struct strbuf out = STRBUF_INIT;
    grid_text(grid, grid_first_line(grid), 0, INT64_MAX, 9999, &out);
    while (out.length > 0 && out.data[out.length - 1] == '\n')
        out.data[--out.length] = '\0';
    return strbuf_steal(&out);
}

static void no_text_is_lost_in_any_change_of_size(void **state)
{
    (void)state;
    struct grid *grid = grid_new(24, 80, 100000);
    fill_randomly(grid, 300);
    char *before = whole_text(grid);
    assert_true(strlen(before) > 10000);
    for (int i = 0; i < 60; i++) {
        struct grid_position cursor = {grid_rows(grid) - 1, 0};
        grid_resize(grid, 1 + chance(60), 2 + chance(120), &cursor);
        assert_in_range(cursor.row, 0, grid_rows(grid) - 1);
        assert_in_range(cursor.column, 0, grid_columns(grid));
        char *after = whole_text(grid);
        assert_string_equal(after, before);
        free(after);
    }
    free(before);
    grid_free(&grid);
}

static void nothing_outside_the_screen_is_touched(void **state)
{
    (void)state;
    struct grid *grid = grid_new(3, 4, 10);
    for (int row = 0; row < 3; row++)
        grid_put_ascii(grid, row, 0, "abcd", 4, &plain);
    static const struct grid_area areas[] = {{-5, 0, 0, 4}, {3, 9, 0, 4}, {0, 3, 4, 99},
                                             {0, 3, -9, 0}, {2, 1, 0, 4}, {0, 3, 3, 1}};
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
        grid_erase(grid, areas[i], &plain, false);
        grid_shift(grid, areas[i], 3, &plain);
        grid_scroll(grid, areas[i].top, areas[i].top, 2, &plain);
    }
    grid_scroll(grid, -3, 0, 5, &plain);
    grid_scroll(grid, 3, 8, -5, &plain);
    for (int row = 0; row < 3; row++)
        assert_line(grid, row, "abcd");
    grid_scroll(grid, -100, 100, -1000, &plain);
    grid_shift(grid, (struct grid_area){-1, 99, -1, 99}, -1000, &plain);
    for (int row = 0; row < 3; row++)
        assert_line(grid, row, "");
    grid_free(&grid);
}

/* ---- what changed -------------------------------------------------------------------------- */

enum { DRAWN_ROWS = 4, DRAWN_COLUMNS = 12 };

/* A screen that is kept like the grid by drawing no more than what is said to have changed. */
struct drawn {
    struct grid_glyph cells[DRAWN_ROWS][DRAWN_COLUMNS]; /* width 0: a right half */
};

static void draw_span(struct drawn *drawn, const struct grid *grid, int row, struct grid_span span)
{
    struct grid_glyph *cells = drawn->cells[row], glyph;
    struct grid_reader reader;
    assert_true(span.from >= 0 && span.to <= DRAWN_COLUMNS);
    assert_int_not_equal(cells[span.from].width, 0);
    assert_true(span.to == DRAWN_COLUMNS || cells[span.to].width != 0);
    for (int column = span.from; column < span.to; column++)
        cells[column] = (struct grid_glyph){.column = column, .width = 1};
    grid_reader_init(&reader, grid, grid_top_line(grid) + row);
    grid_reader_skip(&reader, span.from);
    while (reader.column < span.to && grid_reader_next(&reader, &glyph)) {
        assert_true(glyph.column >= span.from && glyph.column + glyph.width <= span.to);
        cells[glyph.column] = glyph;
        if (glyph.width == 2)
            cells[glyph.column + 1].width = 0;
    }
}

static void draw_what_changed(struct drawn *drawn, struct grid *grid)
{
    for (int row = 0; row < DRAWN_ROWS; row++) {
        struct grid_span span = grid_row_dirty(grid, row);
        if (!grid_span_empty(span))
            draw_span(drawn, grid, row, span);
    }
    grid_clear_dirty(grid);
    assert_false(grid_any_dirty(grid));
}

static void assert_drawn(const struct drawn *drawn, const struct grid *grid)
{
    for (int row = 0; row < DRAWN_ROWS; row++)
        for (int column = 0; column < DRAWN_COLUMNS; column++) {
            const struct grid_glyph *seen = &drawn->cells[row][column];
            struct grid_glyph glyph;
            grid_cell_at(grid, row, column, &glyph);
            if (glyph.column != column) {
                assert_int_equal(seen->width, 0);
                continue;
            }
            assert_int_equal(seen->width, glyph.width);
            assert_int_equal(seen->count, glyph.count);
            assert_memory_equal(seen->codepoints, glyph.codepoints,
                                (size_t)glyph.count * sizeof *glyph.codepoints);
            assert_int_equal(seen->style.foreground, glyph.style.foreground);
            assert_int_equal(seen->style.background, glyph.style.background);
            assert_int_equal(seen->style.attributes, glyph.style.attributes);
        }
}

static void change_randomly(struct grid *grid)
{
    int row = chance(DRAWN_ROWS), column = chance(DRAWN_COLUMNS), left = DRAWN_COLUMNS - column;
    int width = left > 1 ? 1 + chance(2) : 1;
    struct grid_style style = {.background = chance(3) ? 0 : GRID_COLOUR_INDEXED | 4,
                               .attributes = chance(4) ? 0 : GRID_PROTECTED};
    struct grid_area area = {row, row + 1 + chance(2), column, column + 1 + chance(left)};
    switch (chance(9)) {
    case 0:
        grid_put_ascii(grid, row, column, "abcdefghijkl", 1 + chance(left), &style);
        break;
    case 1:
        grid_erase(grid, area, &style, chance(2));
        break;
    case 2:
        grid_shift(grid, area, chance(7) - 3, &style);
        break;
    case 3:
        grid_scroll(grid, area.top, area.bottom, chance(5) - 2, &style);
        break;
    case 4:
        grid_add_mark(grid, row, column, 0x301);
        break;
    case 5:
        if (!chance(20))
            grid_set_alternate(grid, !grid_alternate(grid));
        break;
    default:
        grid_put(grid, row, column, width == 2 ? 0x4e2d : 0xe9, width, &style);
    }
}

static void what_is_not_said_to_have_changed_has_not(void **state)
{
    (void)state;
    struct grid *grid = grid_new(DRAWN_ROWS, DRAWN_COLUMNS, 10);
    struct drawn drawn;
    memset(&drawn, 0, sizeof drawn);
    for (int i = 0; i < DRAWN_ROWS * DRAWN_COLUMNS; i++)
        drawn.cells[i / DRAWN_COLUMNS][i % DRAWN_COLUMNS].width = 1;
    for (int round = 0; round < 20000; round++) {
        for (int changes = 1 + chance(4); changes > 0; changes--)
            change_randomly(grid);
        draw_what_changed(&drawn, grid);
        assert_drawn(&drawn, grid);
    }
    grid_free(&grid);
}

static void one_character_is_one_changed_column(void **state)
{
    (void)state;
    struct grid *grid = grid_new(3, 80, 10);
    grid_clear_dirty(grid);
    grid_put_ascii(grid, 1, 40, "x", 1, &plain);
    assert_true(grid_span_empty(grid_row_dirty(grid, 0)));
    assert_int_equal(grid_row_dirty(grid, 1).from, 40);
    assert_int_equal(grid_row_dirty(grid, 1).to, 41);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_lines_are_kept),
        cmocka_unit_test(two_thousand_lines_take_less_than_400_kilobytes),
        cmocka_unit_test(absurd_lines_are_dropped_before_they_take_all_memory),
        cmocka_unit_test(marks_that_were_overwritten_take_no_memory),
        cmocka_unit_test(a_line_keeps_its_number_while_text_scrolls),
        cmocka_unit_test(lines_are_counted_without_a_scrollback_too),
        cmocka_unit_test(lines_that_are_not_there_are_empty),
        cmocka_unit_test(no_text_is_lost_in_any_change_of_size),
        cmocka_unit_test(nothing_outside_the_screen_is_touched),
        cmocka_unit_test(what_is_not_said_to_have_changed_has_not),
        cmocka_unit_test(one_character_is_one_changed_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
