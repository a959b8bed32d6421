/* SPDX-License-Identifier: MIT */
/* picture: what a terminal shows at a moment, to be compared with another. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "soak.h"

#define TRAIL_ROWS 5 /* at most */
#define ROWS_BELOW 2 /* prompt and bottom row */

struct terminal_picture {
    int rows, columns;
    bool cursor;
    int cursor_row, cursor_column;
    struct outer_cell *cells;
    char **lines;
};

struct terminal_picture *terminal_picture(const struct terminal *terminal)
{
    struct terminal_picture *picture = XNEW(struct terminal_picture);

    picture->rows = terminal->rows;
    picture->columns = terminal->columns;
    picture->cursor = outer_cursor(terminal->outer, &picture->cursor_row, &picture->cursor_column);
    picture->cells = xcalloc((size_t)(terminal->rows * terminal->columns), sizeof(*picture->cells));
    picture->lines = xcalloc((size_t)terminal->rows, sizeof(*picture->lines));
    for (int row = 0; row < terminal->rows; row++) {
        picture->lines[row] = outer_row(terminal->outer, row);
        for (int column = 0; column < terminal->columns; column++)
            outer_cell(terminal->outer, row, column,
                       &picture->cells[row * terminal->columns + column]);
    }
    return picture;
}

void terminal_picture_free(struct terminal_picture **picture)
{
    for (int row = 0; *picture != NULL && row < (*picture)->rows; row++)
        free((*picture)->lines[row]);
    if (*picture != NULL) {
        free((*picture)->lines);
        free((*picture)->cells);
    }
    free(*picture);
    *picture = NULL;
}

void terminal_picture_settle(struct terminal_picture *picture,
                             const struct terminal_picture *before,
                             const struct terminal_picture *later)
{
    size_t count = (size_t)(picture->rows * picture->columns);

    for (size_t i = 0; i < count; i++)
        if (memcmp(&later->cells[i], &before->cells[i], sizeof(*later->cells)) == 0)
            picture->cells[i] = before->cells[i];
    picture->cursor = later->cursor;
    picture->cursor_row = later->cursor_row;
    picture->cursor_column = later->cursor_column;
}

static void add_look(struct strbuf *text, const char *when, const struct outer_cell *cell,
                     const char *line)
{
    strbuf_addf(text, "  %s \"%s\" (%d on %d, %x) in \"%s\"\n", when, cell->text, cell->foreground,
                cell->background, cell->attributes, line);
}

static const struct outer_cell *row_of(const struct terminal_picture *picture, int row)
{
    return &picture->cells[row * picture->columns];
}

/* These rows look the same, cell by cell. */
static bool rows_equal(const struct terminal_picture *one, int row,
                       const struct terminal_picture *two, int other)
{
    return memcmp(row_of(one, row), row_of(two, other),
                  (size_t)one->columns * sizeof(*one->cells)) == 0;
}

static bool cursors_equal(const struct terminal_picture *one, const struct terminal_picture *two)
{
    return one->cursor == two->cursor &&
           (!one->cursor ||
            (one->cursor_row == two->cursor_row && one->cursor_column == two->cursor_column));
}

/* The first cell that differs in this row is told, and how many do. */
static bool add_row(struct strbuf *text, const struct terminal_picture *one,
                    const struct terminal_picture *two, int row)
{
    int first = -1, count = 0;

    for (int column = 0; column < one->columns; column++) {
        if (memcmp(&row_of(one, row)[column], &row_of(two, row)[column], sizeof(*one->cells)) == 0)
            continue;
        count++;
        first = first < 0 ? column : first;
    }
    if (count == 0)
        return false;
    strbuf_addf(text, "row %d from column %d, %d of %d:\n", row, first, count, one->columns);
    add_look(text, "before", &row_of(one, row)[first], one->lines[row]);
    add_look(text, "after ", &row_of(two, row)[first], two->lines[row]);
    return true;
}

char *terminal_difference(const struct terminal_picture *one, const struct terminal_picture *two)
{
    struct strbuf text = STRBUF_INIT;
    unsigned rows = 0;

    if (one->rows != two->rows || one->columns != two->columns)
        return xstrdup("sizes differ\n");
    for (int row = 0; row < one->rows; row++)
        rows += add_row(&text, one, two, row);
    if (rows == 0 && !cursors_equal(one, two))
        strbuf_addf(&text, "the cursor: %d,%d and %d,%d\n", one->cursor_row, one->cursor_column,
                    two->cursor_row, two->cursor_column);
    return text.length > 0 ? strbuf_steal(&text) : NULL;
}

/* Of the trail's lines the second has fewer, in the same order, and no others. */
static bool trail_has_shrunk(const struct terminal_picture *one, const struct terminal_picture *two)
{
    int end = one->rows - ROWS_BELOW, at = end - TRAIL_ROWS, lost = 0;

    for (int row = at; row < end; row++)
        lost += (*one->lines[row] != '\0') - (*two->lines[row] != '\0');
    for (int row = at; row < end; row++) {
        if (*two->lines[row] == '\0')
            continue;
        while (at < end && !rows_equal(one, at, two, row))
            at++;
        if (at++ == end)
            return false;
    }
    return lost > 0;
}

bool terminal_line_ran_out(const struct terminal_picture *one, const struct terminal_picture *two)
{
    if (one->rows != two->rows || one->columns != two->columns || !cursors_equal(one, two))
        return false;
    for (int row = 0; row < one->rows; row++)
        if (!rows_equal(one, row, two, row) &&
            (row < one->rows - ROWS_BELOW - TRAIL_ROWS || row >= one->rows - ROWS_BELOW))
            return false;
    return trail_has_shrunk(one, two);
}
