/* SPDX-License-Identifier: MIT */
/* rect: a part of the screen, in cells. */
#ifndef ASSENT_UI_RECT_H
#define ASSENT_UI_RECT_H

#include <stdbool.h>

struct rect {
    int row, column; /* of the upper left cell, from 0 */
    int rows, columns;
};

static inline bool rect_empty(struct rect rect)
{
    return rect.rows <= 0 || rect.columns <= 0;
}

static inline bool rect_holds(struct rect rect, int row, int column)
{
    return row >= rect.row && row < rect.row + rect.rows && column >= rect.column &&
           column < rect.column + rect.columns;
}

/* The rectangle without `margin_rows` at top and bottom and `margin_columns` at the sides. */
static inline struct rect rect_inner(struct rect rect, int margin_rows, int margin_columns)
{
    return (struct rect){rect.row + margin_rows, rect.column + margin_columns,
                         rect.rows - 2 * margin_rows, rect.columns - 2 * margin_columns};
}

/* One row of it, counted from its top. */
static inline struct rect rect_row(struct rect rect, int row)
{
    return (struct rect){rect.row + row, rect.column, 1, rect.columns};
}

#endif
