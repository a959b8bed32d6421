/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/term/grid_edit.h"

#include <string.h>

#include "base/alloc.h"
#include "ui/term/grid_int.h"

static int limited(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static struct grid_area area_on_screen(const struct grid *grid, struct grid_area area)
{
    area.top = limited(area.top, 0, grid->rows);
    area.bottom = limited(area.bottom, area.top, grid->rows);
    area.left = limited(area.left, 0, grid->columns);
    area.right = limited(area.right, area.left, grid->columns);
    return area;
}

static struct grid_cell blank_cell(const struct grid_style *style)
{
    return (struct grid_cell){.background = style->background, .width = 1};
}

static void empty_cell(struct grid_cell *cell)
{
    cell->text = 0;
    cell->width = 1;
}

/* Makes the cells [0, to) say something. */
static void extend_row(struct grid_row *row, int to)
{
    for (; row->used < to; row->used++)
        row->cells[row->used] = (struct grid_cell){.width = 1};
}

/* Empties the half that stays of a wide character across the edge before `column`. */
static void split_at(struct grid_row *row, int column)
{
    if (column > 0 && column < row->used && row->cells[column].width == 0) {
        empty_cell(&row->cells[column - 1]);
        empty_cell(&row->cells[column]);
        grid_row_touch(row, column - 1, column + 1);
    }
}

/* Prepares [from, to) for being overwritten. */
static struct grid_cell *open_cells(struct grid_row *row, int from, int to)
{
    split_at(row, from);
    split_at(row, to);
    extend_row(row, from);
    if (row->used < to)
        row->used = to;
    grid_row_touch(row, from, to);
    return &row->cells[from];
}

void grid_put_ascii(struct grid *grid, int row, int column, const char *bytes, int count,
                    const struct grid_style *style)
{
    struct grid_cell *cell = open_cells(grid_row(grid, row), column, column + count);
    struct grid_cell next = {.foreground = style->foreground,
                             .background = style->background,
                             .attributes = style->attributes,
                             .width = 1};
    for (int i = 0; i < count; i++) {
        next.text = (uint8_t)bytes[i];
        cell[i] = next;
    }
}

void grid_put(struct grid *grid, int row, int column, uint32_t codepoint, int width,
              const struct grid_style *style)
{
    struct grid_cell *cell = open_cells(grid_row(grid, row), column, column + width);
    cell[0] = (struct grid_cell){.text = codepoint,
                                 .foreground = style->foreground,
                                 .background = style->background,
                                 .attributes = style->attributes,
                                 .width = (uint8_t)width};
    if (width == 2) {
        cell[1] = cell[0];
        cell[1].text = 0;
        cell[1].width = 0;
    }
}

/* ---- clusters -------------------------------------------------------------------------------- */

static void keep_used_clusters(struct grid *grid, const struct grid_screen *screen,
                               struct clusters *kept)
{
    for (int i = 0; screen->rows && i < grid->rows; i++) {
        struct grid_row *row = &screen->rows[i];
        for (int column = 0; column < row->used; column++) {
            struct grid_cell *cell = &row->cells[column];
            if (!(cell->text & CELL_CLUSTER))
                continue;
            const struct cluster *old = &grid->clusters.items[cell->text & ~CELL_CLUSTER];
            cell->text = CELL_CLUSTER | clusters_add(kept, old->codepoints, old->count);
        }
    }
}

static void collect_clusters(struct grid *grid)
{
    struct clusters kept = {0};
    keep_used_clusters(grid, &grid->main, &kept);
    keep_used_clusters(grid, &grid->alternate, &kept);
    clusters_free(&grid->clusters);
    grid->clusters = kept;
    grid->clusters_limit = kept.count < 512 ? 1024 : kept.count * 2;
}

void grid_add_mark(struct grid *grid, int row, int column, uint32_t codepoint)
{
    struct grid_row *line = grid_row(grid, row);
    if (column >= line->used)
        return;
    struct grid_cell *cell = &line->cells[column];
    if (cell->width == 0) {
        cell--;
        column--;
    }
    if (cell->text & CELL_CLUSTER) {
        struct cluster *cluster = &grid->clusters.items[cell->text & ~CELL_CLUSTER];
        if (cluster->count < GRID_CLUSTER_MAX)
            cluster->codepoints[cluster->count++] = codepoint;
    } else if (cell->text != 0) {
        if (grid->clusters.count >= grid->clusters_limit)
            collect_clusters(grid);
        uint32_t both[2] = {cell->text, codepoint};
        cell->text = CELL_CLUSTER | clusters_add(&grid->clusters, both, 2);
    }
    grid_row_touch(line, column, column + cell->width);
}

/* ---- erasing --------------------------------------------------------------------------------- */

void grid_set_wrapped(struct grid *grid, int row)
{
    grid_row(grid, row)->wrapped = true;
}

static void erase_cells(const struct grid *grid, struct grid_row *row, int from, int to,
                        const struct grid_style *style)
{
    if (to == grid->columns)
        row->wrapped = false;
    if (to >= row->used && style->background == 0) {
        split_at(row, from);
        if (row->used > from)
            row->used = from;
        grid_row_touch(row, from, to);
        return;
    }
    struct grid_cell *cell = open_cells(row, from, to);
    for (int i = 0; i < to - from; i++)
        cell[i] = blank_cell(style);
}

static void erase_unprotected(struct grid_row *row, int from, int to,
                              const struct grid_style *style)
{
    split_at(row, from);
    split_at(row, to);
    for (int column = from; column < to && column < row->used; column++) {
        if (!(row->cells[column].attributes & GRID_PROTECTED))
            row->cells[column] = blank_cell(style);
    }
    grid_row_touch(row, from, to);
}

void grid_erase(struct grid *grid, struct grid_area area, const struct grid_style *style,
                bool selective)
{
    area = area_on_screen(grid, area);
    if (area.left == area.right)
        return;
    for (int row = area.top; row < area.bottom; row++) {
        if (selective)
            erase_unprotected(grid_row(grid, row), area.left, area.right, style);
        else
            erase_cells(grid, grid_row(grid, row), area.left, area.right, style);
    }
}

/* ---- moving ---------------------------------------------------------------------------------- */

static void clear_row(const struct grid *grid, struct grid_row *row, const struct grid_style *style)
{
    row->used = 0;
    erase_cells(grid, row, 0, grid->columns, style);
}

/* Scrolls the whole screen up: the ring turns. */
static void turn_ring(struct grid *grid, int count, const struct grid_style *style)
{
    struct grid_screen *screen = grid->screen;
    for (int i = 0; i < count; i++) {
        struct grid_row *row = &screen->rows[screen->top];
        screen->top = screen->top + 1 < grid->rows ? screen->top + 1 : 0;
        clear_row(grid, row, style);
    }
    grid->all_dirty = true;
}

static void move_row(struct grid *grid, int to, int from)
{
    struct grid_row *a = grid_row(grid, to), *b = grid_row(grid, from);
    struct grid_row row = *a;
    *a = *b;
    *b = row;
    grid_row_touch(a, 0, grid->columns);
}

void grid_scroll(struct grid *grid, int top, int bottom, int count, const struct grid_style *style)
{
    struct grid_area area = area_on_screen(grid, (struct grid_area){top, bottom, 0, 0});
    top = area.top;
    bottom = area.bottom;
    count = limited(count, top - bottom, bottom - top);
    if (count > 0 && top == 0 && !grid_alternate(grid)) {
        for (int row = 0; row < count; row++) {
            const struct grid_row *gone = grid_row(grid, row);
            history_push(grid->history, gone->cells, gone->used, gone->wrapped, &grid->clusters);
        }
    }
    if (count > 0 && top == 0 && bottom == grid->rows) {
        turn_ring(grid, count, style);
        return;
    }
    for (int row = top; count > 0 && row < bottom - count; row++)
        move_row(grid, row, row + count);
    for (int row = bottom - 1; count < 0 && row >= top - count; row--)
        move_row(grid, row, row + count);
    int from = count > 0 ? bottom - count : top;
    int to = count > 0 ? bottom : top - count;
    for (int row = from; row < to; row++)
        clear_row(grid, grid_row(grid, row), style);
}

/* Empties halves of wide characters whose other half is not beside them. */
static void mend_row(struct grid_row *row)
{
    for (int column = 0; column < row->used; column++) {
        struct grid_cell *cell = &row->cells[column];
        bool pair = cell->width == 2 && column + 1 < row->used && cell[1].width == 0;
        if (pair)
            column++;
        else if (cell->width != 1)
            empty_cell(cell);
    }
}

static void shift_row(const struct grid *grid, struct grid_row *row, struct grid_area area,
                      int count, const struct grid_style *style)
{
    int width = area.right - area.left;
    int kept = width - (count > 0 ? count : -count);
    extend_row(row, grid->columns);
    struct grid_cell *cells = row->cells + area.left;
    if (count > 0)
        memmove(cells, cells + count, (size_t)kept * sizeof *cells);
    else
        memmove(cells - count, cells, (size_t)kept * sizeof *cells);
    struct grid_cell *blanks = count > 0 ? cells + kept : cells;
    for (int i = 0; i < width - kept; i++)
        blanks[i] = blank_cell(style);
    mend_row(row);
    row->wrapped = false;
    grid_row_touch(row, 0, grid->columns);
    if (count > 0 && area.right == grid->columns)
        erase_cells(grid, row, grid->columns - count, grid->columns, style);
}

void grid_shift(struct grid *grid, struct grid_area area, int count, const struct grid_style *style)
{
    area = area_on_screen(grid, area);
    count = limited(count, area.left - area.right, area.right - area.left);
    if (count == 0)
        return;
    for (int row = area.top; row < area.bottom; row++)
        shift_row(grid, grid_row(grid, row), area, count, style);
}

/* ---- screens --------------------------------------------------------------------------------- */

void grid_set_alternate(struct grid *grid, bool on)
{
    static const struct grid_style plain;
    if (on == grid_alternate(grid))
        return;
    if (on && !grid->alternate.rows)
        grid_screen_init(&grid->alternate, grid->rows, grid->columns);
    grid->screen = on ? &grid->alternate : &grid->main;
    for (int row = 0; on && row < grid->rows; row++)
        clear_row(grid, grid_row(grid, row), &plain);
    grid->all_dirty = true;
}

void grid_clear_scrollback(struct grid *grid)
{
    history_clear(grid->history);
    grid->generation++;
}

void grid_touch(struct grid *grid)
{
    grid->all_dirty = true;
}
