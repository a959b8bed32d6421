/* SPDX-License-Identifier: MIT */
/*
 * grid: what a terminal shows, and what has scrolled off it.
 *
 * Two screens of rows x columns cells (main and alternate) and, above the main one, a scrollback
 * of lines in a compact form. The grid knows nothing of bytes or escape sequences: `vt` calls the
 * functions of grid_edit.h to change it, everybody else reads it with the functions below.
 *
 * Lines have numbers that stay the same while text scrolls: grid_first_line() is the oldest line
 * of the scrollback that is still there, grid_top_line() is the first row of the screen, and
 * grid_top_line() + row is the line of screen row `row`. Numbers grow as text scrolls off; a
 * change of size numbers the lines anew (grid_generation() tells). The alternate screen has no
 * scrollback of its own: while it is on, the lines from grid_top_line() on are its rows and those
 * before are the main screen's scrollback.
 */
#ifndef ASSENT_UI_TERM_GRID_H
#define ASSENT_UI_TERM_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* A colour is the terminal's default, one of the 256 of the palette, or 24-bit RGB. */
enum grid_colour_kind {
    GRID_COLOUR_DEFAULT = 0,
    GRID_COLOUR_INDEXED = 0x01000000, /* | 0..255 */
    GRID_COLOUR_RGB = 0x02000000,     /* | 0xRRGGBB */
};
#define GRID_COLOUR_KIND(colour) ((colour)&0xff000000u)
#define GRID_COLOUR_VALUE(colour) ((colour)&0x00ffffffu)

enum grid_attribute {
    GRID_BOLD = 1 << 0,
    GRID_DIM = 1 << 1,
    GRID_ITALIC = 1 << 2,
    GRID_UNDERLINE = 1 << 3,        /* any kind of underline; the two below say which */
    GRID_UNDERLINE_DOUBLE = 1 << 4, /* set together with GRID_UNDERLINE */
    GRID_UNDERLINE_CURLY = 1 << 5,  /* set together with GRID_UNDERLINE; also dotted and dashed */
    GRID_BLINK = 1 << 6,
    GRID_REVERSE = 1 << 7,
    GRID_CONCEAL = 1 << 8,
    GRID_STRIKE = 1 << 9,
    GRID_OVERLINE = 1 << 10,
    GRID_PROTECTED = 1 << 11, /* DECSCA: selective erase leaves it; nothing to draw */
};

struct grid_style {
    uint32_t foreground; /* enum grid_colour_kind | value */
    uint32_t background;
    uint16_t attributes; /* enum grid_attribute */
};

/* Code points of one cell: a base character and its combining marks; more are dropped. ncursesw
 * takes no more than five (CCHARW_MAX). */
#define GRID_CLUSTER_MAX 5

/* One character where it stands. */
struct grid_glyph {
    int column;                            /* of its left half, from 0 */
    int width;                             /* 1 or 2 columns */
    int count;                             /* code points, 0 for an empty cell, else 1 or more */
    uint32_t codepoints[GRID_CLUSTER_MAX]; /* never controls (below U+0020, U+007F to U+009F) */
    struct grid_style style;
};

struct grid;

int grid_rows(const struct grid *grid);
int grid_columns(const struct grid *grid);
bool grid_alternate(const struct grid *grid); /* the alternate screen is on */

int64_t grid_first_line(const struct grid *grid);
int64_t grid_top_line(const struct grid *grid);
/* Changes whenever lines get new numbers. */
unsigned grid_generation(const struct grid *grid);

/* Columns of a line that have content; what follows is blank in the default style. 0 for a line
 * that is not there. */
int grid_line_used(const struct grid *grid, int64_t line);
/* The line goes on in the next one: it was broken by the right edge, not by a newline. */
bool grid_line_wrapped(const struct grid *grid, int64_t line);

/* Reads a line from left to right:
 *
 *     struct grid_reader reader;
 *     struct grid_glyph glyph;
 *     grid_reader_init(&reader, grid, line);
 *     while (grid_reader_next(&reader, &glyph))
 *         …
 *
 * gives each character of the line's used columns, once, empty cells too (count 0), in the order
 * of columns and without gaps. A line that is not there gives nothing. Valid until the grid
 * changes. */
struct grid_reader {
    const struct grid *grid;
    const struct grid_cell *cells; /* a row of a screen, or NULL */
    const uint8_t *bytes, *end;    /* a line of the scrollback */
    struct grid_style style;
    int run; /* bytes left under `style` in the scrollback's form */
    int column, used;
};
void grid_reader_init(struct grid_reader *reader, const struct grid *grid, int64_t line);
/* Passes over the characters before that column, which no character stands across. */
void grid_reader_skip(struct grid_reader *reader, int column);
bool grid_reader_next(struct grid_reader *reader, struct grid_glyph *glyph);

/* The character that covers a cell of the screen (its left half, if the cell is a right half).
 * Outside the used columns: an empty cell. `row` and `column` must be on the screen. */
void grid_cell_at(const struct grid *grid, int row, int column, struct grid_glyph *glyph);

/* Columns [from, to). */
struct grid_span {
    int from, to;
};
static inline bool grid_span_empty(struct grid_span span)
{
    return span.from >= span.to;
}

/* What of a screen row changed since that was last cleared with vt_clear_dirty(): outside of the
 * span nothing did. No character, neither of now nor of then, stands across its ends. */
struct grid_span grid_row_dirty(const struct grid *grid, int row);
bool grid_any_dirty(const struct grid *grid);

/* Appends text as UTF-8 from (first_line, first_column) to (last_line, last_column), both
 * included, for copying and searching: wrapped lines are joined, other lines end in "\n" (not the
 * last one), blanks at the end of lines are left out, empty cells are spaces. Lines that are not
 * there are skipped. */
void grid_text(const struct grid *grid, int64_t first_line, int first_column, int64_t last_line,
               int last_column, struct strbuf *out);

/* Bytes of memory that the grid holds. */
size_t grid_memory(const struct grid *grid);
/* Of these, what the scrollback takes. */
size_t grid_scrollback_memory(const struct grid *grid);

#endif
