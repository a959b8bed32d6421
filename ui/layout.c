/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/layout.h"

#include <string.h>

#define SIDE_COLUMNS_MIN 120 /* from here on the list stands beside the panes */
#define PANE_ROWS_MIN 6      /* a title and a few lines */
#define PANE_COLUMNS_MIN 60
#define LIST_COLUMNS_MAX 90

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static void zoomed_layout(const struct layout_wish *wish, struct layout *layout)
{
    int rows = wish->covered ? LAYOUT_ROWS_MIN : LAYOUT_ZOOM_ROWS_MIN;
    int columns = wish->covered ? LAYOUT_COLUMNS_MIN : LAYOUT_ZOOM_COLUMNS_MIN;

    layout->zoomed = true;
    layout->too_small = wish->rows < rows || wish->columns < columns;
    layout->pane_count = 1;
    layout->panes[0] = (struct rect){0, 0, wish->rows - 1, wish->columns};
    if (wish->typing || layout->too_small)
        return;
    layout->prompt = (struct rect){wish->rows - 2, 0, 1, wish->columns};
    if (wish->rows > LAYOUT_ZOOM_ROWS_MIN)
        layout->trail = (struct rect){wish->rows - 3, 0, 1, wish->columns};
    layout->panes[0].rows -= layout->prompt.rows + layout->trail.rows;
}

/* Of a list beside panes: a third of the width, and on a wide screen also what two panes beside one
 * another leave, because commands are long. */
static int list_width(int columns)
{
    int width = clamp(columns / 3, 40, 60);
    int left = columns - 2 * (PANE_COLUMNS_MIN + 1) - 1; /* with the lines between them */

    return left > width ? clamp(left, width, LIST_COLUMNS_MAX) : width;
}

/* The list takes what it needs, up to a third of the height; or a column at the left. Returns
 * what is left for panes. */
static struct rect place_list(const struct layout_wish *wish, struct rect body,
                              struct layout *layout)
{
    int wanted = clamp((int)wish->calls, 1, 1000) + 1; /* and its heading */

    if (wish->columns >= SIDE_COLUMNS_MIN) {
        int width = list_width(wish->columns);
        int sessions = clamp((int)wish->sessions + 1, 2, body.rows / 4);

        layout->list = (struct rect){body.row, body.column, body.rows - sessions, width};
        layout->sessions =
            (struct rect){body.row + body.rows - sessions, body.column, sessions, width};
        layout->divider = (struct rect){body.row, body.column + width, body.rows, 1};
        return (struct rect){body.row, body.column + width + 1, body.rows,
                             body.columns - width - 1};
    }
    wanted = clamp(wanted, 4, body.rows / 3);
    layout->list = (struct rect){body.row, body.column, wanted, body.columns};
    return (struct rect){body.row + wanted, body.column, body.rows - wanted, body.columns};
}

/* As even as it goes, the first ones a row larger. */
static void tile(struct rect area, size_t wanted, struct layout *layout)
{
    int columns = area.columns >= 2 * PANE_COLUMNS_MIN + 1 && wanted > 3 ? 2 : 1;
    int fitting = columns * (area.rows / PANE_ROWS_MIN);
    int count = clamp((int)wanted, 0, clamp(fitting, 1, LAYOUT_PANES_MAX));
    int lines = columns > 0 ? (count + columns - 1) / columns : 0;

    layout->pane_count = (size_t)count;
    for (int i = 0; i < count; i++) {
        int line = i / columns;
        int in_line = line == lines - 1 ? count - line * columns : columns;
        int top = area.rows * line / lines;
        int bottom = area.rows * (line + 1) / lines;
        int left = area.columns * (i % columns) / in_line;
        int right = area.columns * (i % columns + 1) / in_line;

        /* One column between neighbours stays free for a line. */
        if (right < area.columns)
            right--;
        layout->panes[i] =
            (struct rect){area.row + top, area.column + left, bottom - top, right - left};
    }
}

void layout_compute(const struct layout_wish *wish, struct layout *layout)
{
    struct rect body;
    int trail;

    memset(layout, 0, sizeof(*layout));
    layout->status = (struct rect){wish->rows - 1, 0, 1, wish->columns};
    if (wish->zoomed) {
        zoomed_layout(wish, layout);
        return;
    }
    layout->too_small = wish->rows < LAYOUT_ROWS_MIN || wish->columns < LAYOUT_COLUMNS_MIN;
    if (layout->too_small)
        return;
    trail = clamp((wish->rows - 16) / 8, 2, 5); /* one long line fits into two */
    trail = clamp(wish->told, trail, wish->rows / 3);
    layout->prompt = (struct rect){wish->rows - 2, 0, 1, wish->columns};
    layout->trail = (struct rect){wish->rows - 2 - trail, 0, trail, wish->columns};
    body = (struct rect){0, 0, wish->rows - 2 - trail, wish->columns};
    body = place_list(wish, body, layout);
    if (wish->panes == 0)
        layout->blank = body;
    else
        tile(body, wish->panes, layout);
}
