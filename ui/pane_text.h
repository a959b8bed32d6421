/* SPDX-License-Identifier: MIT */
/* pane_text: places in what a pane has shown, and where a text stands in it. */
#ifndef ASSENT_UI_PANE_TEXT_H
#define ASSENT_UI_PANE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/search_hit.h"
#include "ui/term/grid.h"

struct pane_place {
    int64_t line; /* of the grid */
    int column;
};

/* From the first to the last character, both included. */
struct pane_span {
    struct pane_place first, last;
};

/* <0, 0, >0 as a stands before, at or behind b. */
int pane_place_compare(struct pane_place a, struct pane_place b);

/* The nearest match of `text` (not empty) that begins before (direction < 0) or behind (> 0)
 * `from`; round the end when there is none. *hit says which of all it is. Small letters stand for
 * capitals too, unless the text has a capital; matches go on over edges that broke a line. False
 * when there is none at all. */
bool pane_text_find(const struct grid *grid, const char *text, struct pane_place from,
                    int direction, struct pane_span *found, struct search_hit *hit);

/* The matches that begin in a line that has not gone on from the one before, up to `limit`; returns
 * how many. *next gets the line behind it. */
size_t pane_text_matches(const struct grid *grid, const char *text, int64_t line,
                         struct pane_span *spans, size_t limit, int64_t *next);
/* Where the line that shows there begins: before the edges that broke it. */
int64_t pane_text_line_start(const struct grid *grid, int64_t line);

#endif
