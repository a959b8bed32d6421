/* SPDX-License-Identifier: MIT */
/*
 * layout: where everything goes. Pure: sizes in, rectangles out.
 *
 *   80 to 119 columns                         120 columns and more
 *   ┌ calls ───────────────┐                  ┌ calls ─┬ pane ────────┐
 *   ├ pane ────────────────┤                  │        ├ pane ────────┤
 *   ├ pane ────────────────┤                  │        ├ pane ────────┤
 *   ├ trail ───────────────┤                  ├────────┴ trail ───────┤
 *   ├ prompt line ─────────┤                  ├ prompt line ──────────┤
 *   └ status line ─────────┘                  └ status line ──────────┘
 *
 * The status line is the row that never belongs to a pane, zoomed or not. A zoomed pane that does
 * not have the keyboard leaves the two rows above it to prompt line and trail. Nothing lies over
 * anything else.
 */
#ifndef ASSENT_UI_LAYOUT_H
#define ASSENT_UI_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/rect.h"

#define LAYOUT_ROWS_MIN 24
#define LAYOUT_COLUMNS_MIN 80
/* A zoomed pane works in less, as long as it is alone. */
#define LAYOUT_ZOOM_ROWS_MIN 3
#define LAYOUT_ZOOM_COLUMNS_MIN 20

#define LAYOUT_PANES_MAX 8

struct layout_wish {
    int rows, columns;
    size_t calls;    /* rows that the list could use */
    size_t sessions; /* rows that the list of sessions could use; shown beside the panes only */
    size_t panes;    /* panes that could be shown */
    bool zoomed;     /* one pane has the whole screen but the status line */
    bool typing;     /* its program has the keyboard */
    bool covered;    /* something of the console's own is shown over it, and must be read */
    int told;        /* rows that the trail needs for now, as far as a third of the height goes */
};

struct layout {
    bool too_small; /* nothing but a message fits */
    bool zoomed;
    struct rect list;     /* its first row is the heading; empty when zoomed */
    struct rect sessions; /* below the list; its first row is the heading; empty when narrow */
    struct rect divider;  /* column between list and panes, empty when they are stacked */
    size_t pane_count;    /* panes that fit */
    struct rect panes[LAYOUT_PANES_MAX]; /* the first row of each is its title */
    struct rect blank;                   /* where panes would be, when there is none */
    struct rect trail;
    struct rect prompt;
    struct rect status;
};

void layout_compute(const struct layout_wish *wish, struct layout *layout);

#endif
