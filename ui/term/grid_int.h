/* SPDX-License-Identifier: MIT */
/* grid_int: how a grid is made, for the files grid*.c alone. */
#ifndef ASSENT_UI_TERM_GRID_INT_H
#define ASSENT_UI_TERM_GRID_INT_H

#include "ui/term/cell.h"
#include "ui/term/grid.h"
#include "ui/term/history.h"

/* Cells from `used` on are blank and their memory says nothing: clearing a row costs nothing.
 * Within `used`, a left half (width 2) and a right half (width 0) always come in pairs. */
struct grid_row {
    struct grid_cell *cells; /* as many as the grid has columns */
    int used;
    bool wrapped;
    struct grid_span dirty;
};

/* The rows are a ring that begins at `top`: scrolling the whole screen moves no row. */
struct grid_screen {
    struct grid_row *rows; /* NULL: never used (the alternate screen only) */
    int top;
};

struct grid {
    int rows, columns;
    struct grid_screen main, alternate;
    struct grid_screen *screen; /* the one that is shown */
    bool all_dirty;             /* besides the rows' own spans */
    unsigned generation;
    struct history *history;
    struct clusters clusters;
    uint32_t clusters_limit; /* when to collect those that no cell uses any more */
};

static inline void grid_row_touch(struct grid_row *row, int from, int to)
{
    bool clean = grid_span_empty(row->dirty);
    row->dirty.from = clean || from < row->dirty.from ? from : row->dirty.from;
    row->dirty.to = clean || to > row->dirty.to ? to : row->dirty.to;
}

struct grid_row *grid_screen_row(const struct grid *grid, const struct grid_screen *screen,
                                 int row);
void grid_screen_init(struct grid_screen *screen, int rows, int columns);
void grid_screen_free(struct grid_screen *screen, int rows);

static inline struct grid_row *grid_row(const struct grid *grid, int row)
{
    int place = grid->screen->top + row;
    return &grid->screen->rows[place < grid->rows ? place : place - grid->rows];
}

#endif
