/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/term/grid.h"

#include "base/alloc.h"
#include "base/text.h"
#include "ui/term/grid_edit.h"
#include "ui/term/grid_int.h"

/* ---- life ------------------------------------------------------------------------------------ */

void grid_screen_init(struct grid_screen *screen, int rows, int columns)
{
    screen->top = 0;
    screen->rows = xcalloc((size_t)rows, sizeof *screen->rows);
    for (int row = 0; row < rows; row++)
        screen->rows[row].cells = xcalloc((size_t)columns, sizeof(struct grid_cell));
}

void grid_screen_free(struct grid_screen *screen, int rows)
{
    for (int row = 0; screen->rows && row < rows; row++)
        free(screen->rows[row].cells);
    free(screen->rows);
    screen->rows = NULL;
}

struct grid_row *grid_screen_row(const struct grid *grid, const struct grid_screen *screen, int row)
{
    return &screen->rows[(screen->top + row) % grid->rows];
}

struct grid *grid_new(int rows, int columns, int scrollback)
{
    struct grid *grid = XNEW(struct grid);
    grid->rows = rows;
    grid->columns = columns;
    grid_screen_init(&grid->main, rows, columns);
    grid->screen = &grid->main;
    grid->all_dirty = true;
    grid->history = history_new(scrollback);
    grid->clusters_limit = 1024;
    return grid;
}

void grid_free(struct grid **grid)
{
    if (!*grid)
        return;
    grid_screen_free(&(*grid)->main, (*grid)->rows);
    grid_screen_free(&(*grid)->alternate, (*grid)->rows);
    history_free(&(*grid)->history);
    clusters_free(&(*grid)->clusters);
    free(*grid);
    *grid = NULL;
}

size_t grid_memory(const struct grid *grid)
{
    size_t row = sizeof(struct grid_row) + (size_t)grid->columns * sizeof(struct grid_cell);
    size_t screens = grid->alternate.rows ? 2 : 1;
    return sizeof *grid + screens * (size_t)grid->rows * row + history_memory(grid->history) +
           grid->clusters.capacity * sizeof *grid->clusters.items;
}

size_t grid_scrollback_memory(const struct grid *grid)
{
    return history_memory(grid->history);
}

/* ---- reading --------------------------------------------------------------------------------- */

int grid_rows(const struct grid *grid)
{
    return grid->rows;
}

int grid_columns(const struct grid *grid)
{
    return grid->columns;
}

bool grid_alternate(const struct grid *grid)
{
    return grid->screen == &grid->alternate;
}

int64_t grid_first_line(const struct grid *grid)
{
    return history_first(grid->history);
}

int64_t grid_top_line(const struct grid *grid)
{
    return history_end(grid->history);
}

unsigned grid_generation(const struct grid *grid)
{
    return grid->generation;
}

/* The screen row of a line, or NULL. */
static const struct grid_row *row_of_line(const struct grid *grid, int64_t line)
{
    int64_t row = line - grid_top_line(grid);
    return row >= 0 && row < grid->rows ? grid_row(grid, (int)row) : NULL;
}

int grid_line_used(const struct grid *grid, int64_t line)
{
    const struct grid_row *row = row_of_line(grid, line);
    if (row)
        return row->used;
    const struct history_line *old = history_line(grid->history, line);
    return old ? old->used : 0;
}

bool grid_line_wrapped(const struct grid *grid, int64_t line)
{
    const struct grid_row *row = row_of_line(grid, line);
    if (row)
        return row->wrapped;
    const struct history_line *old = history_line(grid->history, line);
    return old && old->wrapped;
}

static void read_cell(const struct grid *grid, const struct grid_cell *cell, int column,
                      struct grid_glyph *glyph)
{
    const uint32_t *codepoints;
    glyph->column = column;
    glyph->width = cell->width;
    glyph->count = cell_codepoints(cell, &grid->clusters, &codepoints);
    for (int i = 0; i < glyph->count; i++)
        glyph->codepoints[i] = codepoints[i];
    glyph->style.foreground = cell->foreground;
    glyph->style.background = cell->background;
    glyph->style.attributes = cell->attributes;
}

void grid_reader_init(struct grid_reader *reader, const struct grid *grid, int64_t line)
{
    *reader = (struct grid_reader){.grid = grid};
    const struct grid_row *row = row_of_line(grid, line);
    const struct history_line *old = history_line(grid->history, line);
    if (row) {
        reader->cells = row->cells;
        reader->used = row->used;
    } else if (old) {
        history_reader_init(reader, old);
    }
}

bool grid_reader_next(struct grid_reader *reader, struct grid_glyph *glyph)
{
    if (!reader->cells)
        return history_next(reader, glyph);
    if (reader->column >= reader->used)
        return false;
    read_cell(reader->grid, &reader->cells[reader->column], reader->column, glyph);
    reader->column += glyph->width;
    return true;
}

void grid_reader_skip(struct grid_reader *reader, int column)
{
    struct grid_glyph glyph;
    if (reader->cells)
        reader->column = column;
    else
        while (reader->column < column && history_next(reader, &glyph))
            continue;
}

void grid_cell_at(const struct grid *grid, int row, int column, struct grid_glyph *glyph)
{
    const struct grid_row *line = grid_row(grid, row);
    *glyph = (struct grid_glyph){.column = column, .width = 1};
    if (column >= line->used)
        return;
    if (line->cells[column].width == 0)
        column--;
    read_cell(grid, &line->cells[column], column, glyph);
}

struct grid_span grid_row_dirty(const struct grid *grid, int row)
{
    return grid->all_dirty ? (struct grid_span){0, grid->columns} : grid_row(grid, row)->dirty;
}

bool grid_any_dirty(const struct grid *grid)
{
    for (int row = 0; row < grid->rows; row++) {
        if (!grid_span_empty(grid_row_dirty(grid, row)))
            return true;
    }
    return false;
}

void grid_clear_dirty(struct grid *grid)
{
    grid->all_dirty = false;
    for (int row = 0; row < grid->rows; row++)
        grid_row(grid, row)->dirty = (struct grid_span){0, 0};
}

/* ---- text ------------------------------------------------------------------------------------ */

static void add_glyph(struct strbuf *out, const struct grid_glyph *glyph)
{
    char bytes[4];
    for (int i = 0; i < glyph->count; i++)
        strbuf_add(out, bytes, text_encode(glyph->codepoints[i], bytes));
}

static bool is_blank(const struct grid_glyph *glyph)
{
    return glyph->count == 0 || (glyph->count == 1 && glyph->codepoints[0] == ' ');
}

/* Columns [from, to] of one line; blanks are held back until something follows them. */
static void add_line(const struct grid *grid, int64_t line, int from, int to, size_t *blanks,
                     struct strbuf *out)
{
    struct grid_reader reader;
    struct grid_glyph glyph;
    grid_reader_init(&reader, grid, line);
    while (grid_reader_next(&reader, &glyph) && glyph.column <= to) {
        if (glyph.column + glyph.width <= from)
            continue;
        if (is_blank(&glyph)) {
            ++*blanks;
            continue;
        }
        for (; *blanks > 0; --*blanks)
            strbuf_addch(out, ' ');
        add_glyph(out, &glyph);
    }
}

void grid_text(const struct grid *grid, int64_t first_line, int first_column, int64_t last_line,
               int last_column, struct strbuf *out)
{
    int64_t end = grid_top_line(grid) + grid->rows;
    if (first_line < grid_first_line(grid)) {
        first_line = grid_first_line(grid);
        first_column = 0;
    }
    if (last_line >= end) {
        last_line = end - 1;
        last_column = grid->columns;
    }
    size_t blanks = 0;
    for (int64_t line = first_line; line <= last_line; line++) {
        int from = line == first_line ? first_column : 0;
        int to = line == last_line ? last_column : grid->columns;
        add_line(grid, line, from, to, &blanks, out);
        if (line < last_line && !grid_line_wrapped(grid, line)) {
            blanks = 0;
            strbuf_addch(out, '\n');
        }
    }
}
