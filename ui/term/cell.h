/* SPDX-License-Identifier: MIT */
/* cell: one place of a screen, and the side table for places with combining marks. */
#ifndef ASSENT_UI_TERM_CELL_H
#define ASSENT_UI_TERM_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term/grid.h"

/* 16 bytes, so that a row of text is written at memory speed and compared by eye in a debugger. */
struct grid_cell {
    uint32_t text; /* a code point, 0 when empty, or CELL_CLUSTER | index in the side table */
    uint32_t foreground;
    uint32_t background;
    uint16_t attributes;
    uint8_t width; /* 1; 2 for the left half of a wide character, 0 for its right half */
};

#define CELL_CLUSTER 0x80000000u

struct cluster {
    int count;
    uint32_t codepoints[GRID_CLUSTER_MAX];
};

/* Each cluster belongs to one cell; cells that are overwritten leave theirs behind, and the grid
 * collects those when the table has grown to twice what was in use after the last time. */
struct clusters {
    struct cluster *items; /* NULL until the first one */
    uint32_t count, capacity;
};

/* Returns the index of a new cluster. `count` is 1 to GRID_CLUSTER_MAX. */
uint32_t clusters_add(struct clusters *clusters, const uint32_t *codepoints, int count);
void clusters_free(struct clusters *clusters);

/* The code points of a cell: how many (0 when empty), and where. */
static inline int cell_codepoints(const struct grid_cell *cell, const struct clusters *clusters,
                                  const uint32_t **codepoints)
{
    if (!(cell->text & CELL_CLUSTER)) {
        *codepoints = &cell->text;
        return cell->text != 0;
    }
    const struct cluster *cluster = &clusters->items[cell->text & ~CELL_CLUSTER];
    *codepoints = cluster->codepoints;
    return cluster->count;
}

static inline bool cell_same_style(const struct grid_cell *a, const struct grid_cell *b)
{
    return a->foreground == b->foreground && a->background == b->background &&
           a->attributes == b->attributes;
}

#endif
