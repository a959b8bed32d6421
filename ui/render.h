/* SPDX-License-Identifier: MIT */
/*
 * render: the only place that writes cells of the screen. Everything is clipped to the rectangle
 * that it is given, so that no text and no pane can leave its place.
 */
#ifndef ASSENT_UI_RENDER_H
#define ASSENT_UI_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/rect.h"
#include "ui/term/grid.h"
#include "ui/theme.h"

/* Blanks the rectangle in the element's colours. */
void render_fill(const struct theme *theme, struct rect rect, enum theme_element element);

/* Writes text, well-formed and free of controls (our own, or made safe by text_escape()), from
 * `column` of the rectangle's first row on. Returns the column behind the last character. */
int render_text(const struct theme *theme, struct rect rect, int column, enum theme_element element,
                const char *text, size_t length);
/* The same for a whole string. */
int render_string(const struct theme *theme, struct rect rect, int column,
                  enum theme_element element, const char *string);
/* Ends at the rectangle's right edge; cut at its start when it is too long. Returns the column
 * where it starts. */
int render_right(const struct theme *theme, struct rect rect, enum theme_element element,
                 const char *string);
/* Text of at most `columns`, cut with an ellipsis. Returns the column behind it. */
int render_cut(const struct theme *theme, struct rect rect, int column, int columns,
               enum theme_element element, const char *string);

/* Lines along the first row or first column of the rectangle, and a frame around it. */
void render_rule(const struct theme *theme, struct rect rect, enum theme_element element);
void render_vertical(const struct theme *theme, struct rect rect, enum theme_element element);
void render_frame(const struct theme *theme, struct rect rect, enum theme_element element);

/* Gives the characters that stand in the rectangle's first row the element's looks. */
void render_paint(const struct theme *theme, struct rect rect, enum theme_element element);

/* Draws the columns `span` of line `line` of a grid into the rectangle's first row, where the
 * grid's first column is the rectangle's; what lies outside the grid is blank. No character may
 * stand across the span's ends, other than the rectangle's right edge. `reverse`: the program
 * exchanged its default colours. `beside`: letters that are written from right to left are marks.
 */
void render_grid_line(const struct theme *theme, struct rect rect, const struct grid *grid,
                      int64_t line, struct grid_span span, bool reverse, bool beside);

#endif
