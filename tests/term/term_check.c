/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/term/term_check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

static void must(bool holds, const char *what, int64_t line, int column)
{
    if (holds)
        return;
    fprintf(stderr, "term_check: %s (line %lld, column %d)\n", what, (long long)line, column);
    abort();
}

static void check_glyph(const struct grid_glyph *glyph, int64_t line)
{
    must(glyph->width == 1 || glyph->width == 2, "width", line, glyph->column);
    must(glyph->count >= 0 && glyph->count <= GRID_CLUSTER_MAX, "count", line, glyph->column);
    must(glyph->width == 1 || glyph->count > 0, "wide and empty", line, glyph->column);
    for (int i = 0; i < glyph->count; i++) {
        uint32_t codepoint = glyph->codepoints[i];
        must(codepoint >= 0x20 && (codepoint < 0x7f || codepoint >= 0xa0), "control in a cell",
             line, glyph->column);
        must(codepoint < 0x110000 && (codepoint < 0xd800 || codepoint > 0xdfff), "no character",
             line, glyph->column);
        must(codepoint < 0x202a || codepoint > 0x202e, "bidi control", line, glyph->column);
        int width = text_codepoint_width(codepoint);
        must(i > 0 ? width == 0 : width == glyph->width, "width of a character", line,
             glyph->column);
    }
    uint32_t kind = GRID_COLOUR_KIND(glyph->style.foreground);
    must(kind == GRID_COLOUR_DEFAULT || kind == GRID_COLOUR_INDEXED || kind == GRID_COLOUR_RGB,
         "colour", line, glyph->column);
}

static void check_line(const struct grid *grid, int64_t line)
{
    struct grid_reader reader;
    struct grid_glyph glyph;
    int column = 0;
    grid_reader_init(&reader, grid, line);
    while (grid_reader_next(&reader, &glyph)) {
        must(glyph.column == column, "columns in order", line, glyph.column);
        check_glyph(&glyph, line);
        column += glyph.width;
    }
    must(column == grid_line_used(grid, line), "used columns", line, column);
    must(column <= grid_columns(grid), "line fits", line, column);
}

void term_check(const struct vt *vt)
{
    const struct grid *grid = vt_grid(vt);
    struct vt_cursor cursor = vt_cursor(vt);
    must(cursor.row >= 0 && cursor.row < grid_rows(grid), "cursor's row", -1, cursor.row);
    must(cursor.column >= 0 && cursor.column < grid_columns(grid), "cursor's column", -1,
         cursor.column);
    int64_t end = grid_top_line(grid) + grid_rows(grid);
    for (int64_t line = grid_first_line(grid); line < end; line++)
        check_line(grid, line);
}
