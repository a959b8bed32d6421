/* SPDX-License-Identifier: MIT */
/*
 * Wrapping anew. All lines, the scrollback's and the main screen's, go through one place where
 * rows that belong together are joined and broken at the new width; the result goes to the
 * scrollback, and its last lines are taken back from there to be the new screen.
 */
#include "config.h"

#include "base/alloc.h"
#include "ui/term/grid_edit.h"
#include "ui/term/grid_int.h"

/* A place in the text, followed from the old lines to the new ones. */
struct place {
    int64_t line;
    int column;
    bool found; /* line and column are the new ones */
};

struct reflow {
    struct grid *grid;
    struct history *out;
    int columns;             /* new */
    struct grid_cell *cells; /* the new row that is being filled */
    int used;
    struct place cursor;
    struct place top;  /* the first cell of the old screen */
    uint32_t clusters; /* that the old screens use */
};

static void finish_row(struct reflow *reflow, bool wrapped)
{
    history_push(reflow->out, reflow->cells, reflow->used, wrapped, &reflow->grid->clusters);
    reflow->used = 0;
    /* The row's clusters are text now. */
    reflow->grid->clusters.count = reflow->clusters;
}

static void write_glyph(struct grid *grid, struct grid_cell *cell, const struct grid_glyph *glyph)
{
    cell[0] = (struct grid_cell){.text = glyph->count ? glyph->codepoints[0] : 0,
                                 .foreground = glyph->style.foreground,
                                 .background = glyph->style.background,
                                 .attributes = glyph->style.attributes,
                                 .width = (uint8_t)glyph->width};
    if (glyph->width == 2) {
        cell[1] = cell[0];
        cell[1].text = 0;
        cell[1].width = 0;
    }
    if (glyph->count > 1)
        cell->text = CELL_CLUSTER | clusters_add(&grid->clusters, glyph->codepoints, glyph->count);
}

/* The place is at this character, which comes next. */
static void pass_glyph(const struct reflow *reflow, struct place *place, int64_t line,
                       const struct grid_glyph *glyph)
{
    if (place->found || place->line != line || place->column >= glyph->column + glyph->width)
        return;
    *place = (struct place){history_end(reflow->out), reflow->used, true};
}

/* The place is behind the last character of the line, which ended at column `end`. */
static void pass_end(const struct reflow *reflow, struct place *place, int64_t line, int end)
{
    if (place->found || place->line != line)
        return;
    int column = reflow->used + place->column - end;
    if (column >= reflow->columns && place->column > end)
        column = reflow->columns - 1;
    *place = (struct place){history_end(reflow->out), column, true};
}

static void reflow_line(struct reflow *reflow, int64_t line)
{
    struct grid_reader reader;
    struct grid_glyph glyph;
    grid_reader_init(&reader, reflow->grid, line);
    while (grid_reader_next(&reader, &glyph)) {
        if (reflow->used + glyph.width > reflow->columns)
            finish_row(reflow, true);
        pass_glyph(reflow, &reflow->top, line, &glyph);
        pass_glyph(reflow, &reflow->cursor, line, &glyph);
        write_glyph(reflow->grid, &reflow->cells[reflow->used], &glyph);
        reflow->used += glyph.width;
    }
    pass_end(reflow, &reflow->top, line, reader.column);
    pass_end(reflow, &reflow->cursor, line, reader.column);
    if (!grid_line_wrapped(reflow->grid, line))
        finish_row(reflow, false);
}

/* How many rows of the main screen are in use: to the last one with content or the cursor. */
static int content_height(const struct grid *grid, int cursor_row)
{
    int row = grid->rows - 1;
    while (row > cursor_row && grid_screen_row(grid, &grid->main, row)->used == 0)
        row--;
    return row + 1;
}

/* Puts all lines into a history, in rows of the new width. Without a new width that is the
 * grid's own history, which then only gets the rows of the screen. */
static struct history *gather_lines(struct reflow *reflow, int rows, int height)
{
    struct grid *grid = reflow->grid;
    int64_t top = grid_top_line(grid);
    bool rewrap = reflow->columns != grid->columns;
    int room = history_limit(grid->history) + height + rows;
    reflow->out = rewrap ? history_new(room) : grid->history;
    if (!rewrap)
        history_set_limit(grid->history, room);
    if (!rewrap) {
        for (int row = 0; row < height; row++) {
            const struct grid_row *line = grid_screen_row(grid, &grid->main, row);
            history_push(grid->history, line->cells, line->used, line->wrapped, &grid->clusters);
        }
        reflow->top.found = reflow->cursor.found = true;
        return reflow->out;
    }
    reflow->cells = xcalloc((size_t)reflow->columns + 1, sizeof *reflow->cells);
    for (int64_t line = grid_first_line(grid); line < top + height; line++)
        reflow_line(reflow, line);
    if (reflow->used > 0)
        finish_row(reflow, false);
    free(reflow->cells);
    return reflow->out;
}

/* The line that becomes the first row of the screen: the old one, unless the text does not fit
 * below it or a full screen has got more rows. */
static int64_t choose_top(const struct history *lines, int64_t old_top, int rows, bool full)
{
    int64_t fitting = history_end(lines) - rows;
    int64_t top = full || fitting > old_top ? fitting : old_top;
    return top < history_first(lines) ? history_first(lines) : top;
}

static void load_screen(struct grid *grid, struct grid_screen *screen, int64_t top)
{
    int count = (int)(history_end(grid->history) - top);
    for (int i = 0; i < count; i++) {
        const struct history_line *line = history_line(grid->history, top + i);
        struct grid_row *row = &screen->rows[i];
        struct grid_reader reader;
        struct grid_glyph glyph;
        history_reader_init(&reader, line);
        while (history_next(&reader, &glyph))
            write_glyph(grid, &row->cells[glyph.column], &glyph);
        row->used = line->used;
        row->wrapped = line->wrapped;
    }
    for (int i = 0; i < count; i++)
        history_pop(grid->history);
}

static void resize_main(struct grid *grid, int rows, int columns, struct grid_position *cursor)
{
    int64_t old_top = grid_top_line(grid);
    int limit = history_limit(grid->history);
    int height = content_height(grid, cursor->row);
    struct reflow reflow = {
        .grid = grid,
        .columns = columns,
        .cursor = {old_top + cursor->row, cursor->column, false},
        .top = {old_top, 0, false},
        .clusters = grid->clusters.count,
    };
    struct history *lines = gather_lines(&reflow, rows, height);
    if (lines != grid->history)
        history_free(&grid->history);
    grid->history = lines;
    int64_t top = choose_top(lines, reflow.top.line, rows, height == grid->rows);
    struct grid_screen screen;
    grid_screen_init(&screen, rows, columns);
    load_screen(grid, &screen, top);
    history_set_limit(lines, limit);
    grid_screen_free(&grid->main, grid->rows);
    grid->main = screen;
    cursor->row = reflow.cursor.line > top ? (int)(reflow.cursor.line - top) : 0;
    cursor->column = reflow.cursor.column;
}

static void resize_alternate(struct grid *grid, int rows, int columns)
{
    struct grid_screen screen;
    grid_screen_init(&screen, rows, columns);
    for (int i = 0; i < rows && i < grid->rows; i++) {
        const struct grid_row *from = grid_screen_row(grid, &grid->alternate, i);
        struct grid_row *to = &screen.rows[i];
        to->used = from->used < columns ? from->used : columns;
        for (int column = 0; column < to->used; column++)
            to->cells[column] = from->cells[column];
        if (to->used < from->used && from->cells[to->used].width == 0)
            to->used--;
    }
    grid_screen_free(&grid->alternate, grid->rows);
    grid->alternate = screen;
}

void grid_resize(struct grid *grid, int rows, int columns, struct grid_position *cursor)
{
    if (rows == grid->rows && columns == grid->columns)
        return;
    bool alternate = grid_alternate(grid);
    grid->screen = &grid->main;
    resize_main(grid, rows, columns, cursor);
    if (alternate)
        resize_alternate(grid, rows, columns);
    else
        grid_screen_free(&grid->alternate, grid->rows);
    grid->screen = alternate ? &grid->alternate : &grid->main;
    grid->rows = rows;
    grid->columns = columns;
    grid->all_dirty = true;
    grid->generation++;
}
