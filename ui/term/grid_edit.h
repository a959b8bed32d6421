/* SPDX-License-Identifier: MIT */
/*
 * grid_edit: the functions by which `vt` changes a grid.
 *
 * Rows and columns count from 0, ranges are [from, to). Whatever the numbers are, nothing outside
 * the screen is touched. `style` of an erasing function is what the blanks look like; only its
 * background counts (background colour erase). A function that leaves one half of a wide
 * character empties the other half.
 */
#ifndef ASSENT_UI_TERM_GRID_EDIT_H
#define ASSENT_UI_TERM_GRID_EDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/term/grid.h"

struct grid_area {
    int top, bottom; /* rows [top, bottom) */
    int left, right; /* columns [left, right) */
};

struct grid *grid_new(int rows, int columns, int scrollback);
void grid_free(struct grid **grid);

/* Writes `count` printable ASCII characters from (row, column) on; they must fit into the row. */
void grid_put_ascii(struct grid *grid, int row, int column, const char *bytes, int count,
                    const struct grid_style *style);
/* Writes one character of `width` columns (1 or 2), which must fit. */
void grid_put(struct grid *grid, int row, int column, uint32_t codepoint, int width,
              const struct grid_style *style);
/* Adds a combining mark to the character that covers the cell; none there, or too many marks: the
 * mark is dropped. */
void grid_add_mark(struct grid *grid, int row, int column, uint32_t codepoint);
/* The row goes on in the next one. Erasing its end takes this back. */
void grid_set_wrapped(struct grid *grid, int row);

/* `selective`: cells with GRID_PROTECTED stay. */
void grid_erase(struct grid *grid, struct grid_area area, const struct grid_style *style,
                bool selective);
/* Moves the rows [top, bottom) up by `count` (down if negative) and blanks those that come free.
 * Rows that leave the main screen at its top edge go to the scrollback. */
void grid_scroll(struct grid *grid, int top, int bottom, int count, const struct grid_style *style);
/* Moves the columns of an area to the left by `count` (to the right if negative). */
void grid_shift(struct grid *grid, struct grid_area area, int count,
                const struct grid_style *style);

/* Shows the alternate screen, blank, or the main one again as it was. */
void grid_set_alternate(struct grid *grid, bool on);
void grid_clear_scrollback(struct grid *grid);
void grid_clear_dirty(struct grid *grid);
void grid_touch(struct grid *grid); /* all rows are dirty */

struct grid_position {
    int row, column;
};
/* Changes the size: the main screen and its scrollback are wrapped anew, the alternate screen is
 * cut or filled up at its right and bottom edge. `cursor` is a position on the main screen (also
 * while the alternate one is shown) and moves with its text. */
void grid_resize(struct grid *grid, int rows, int columns, struct grid_position *cursor);

#endif
