/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"
#include "ui/overlay_approval.h"

#define REQUEST_COLUMNS_MAX 104 /* longer lines are hard to read */

void overlay_push(struct console *console, struct overlay *overlay)
{
    bool anew = console->zoomed || (overlay->class->alone && console->overlay != NULL);

    overlay->below = console->overlay;
    console->overlay = overlay;
    console_dirty(console, DIRTY_OVERLAY | DIRTY_STATUS | (anew ? DIRTY_LAYOUT : 0));
}

void overlay_pop(struct console *console)
{
    struct overlay *overlay = console->overlay;

    if (overlay == NULL)
        return;
    console->overlay = overlay->below;
    overlay->class->free(overlay);
    /* What it covered has to be drawn again. */
    console_dirty(console, DIRTY_LAYOUT);
}

bool overlay_open(const struct console *console, const struct overlay *overlay)
{
    for (const struct overlay *at = console->overlay; at != NULL; at = at->below)
        if (at == overlay)
            return true;
    return false;
}

static bool fits_small(const struct overlay *overlay)
{
    return overlay->class->small ||
           (overlay->class->small_above && overlay->below != NULL && overlay->below->class->small);
}

bool overlay_fits(const struct console *console)
{
    return console->overlay != NULL && (!console->layout.too_small || fits_small(console->overlay));
}

void overlay_close(struct console *console, struct overlay *overlay)
{
    if (!overlay_open(console, overlay))
        return;
    while (console->overlay != overlay)
        overlay_pop(console);
    overlay_pop(console);
}

void overlay_take_out(struct console *console, struct overlay *overlay)
{
    struct overlay *above = console->overlay;

    while (above->below != overlay)
        above = above->below;
    above->below = overlay->below;
    overlay->class->free(overlay);
    console_dirty(console, DIRTY_LAYOUT);
}

void overlay_close_all(struct console *console)
{
    while (console->overlay != NULL)
        overlay_pop(console);
}

static bool lets_line(const struct overlay *overlay)
{
    return overlay == NULL || overlay->class->lets_line || overlay->class->reading != ACTION_NONE;
}

bool overlay_closes_for_command(struct overlay *overlay, const struct console *console,
                                const struct input_event *event)
{
    if (!console_begins_command(event))
        return false;
    overlay->drops_line = overlay->refused =
        !lets_line(overlay->below) || *line_editor_text(console->prompt) != '\0';
    return !overlay->refused;
}

char *overlay_waiting_text(const struct console *console)
{
    size_t waiting = overlay_approval_is_covered(console) ? console_waiting(console) : 0;
    char close[24];

    if (waiting == 0)
        return NULL;
    keymap_key(&console->keymap, console->overlay->class->reading, close);
    return xasprintf(
        P_(" %s closes: %zu request waits ", " %s closes: %zu requests wait ", waiting), close,
        waiting);
}

int overlay_request_columns(struct rect area)
{
    return area.columns < REQUEST_COLUMNS_MAX + 8 ? area.columns : REQUEST_COLUMNS_MAX;
}

struct rect overlay_place(struct rect area, int rows, int columns)
{
    struct rect box = {area.row, area.column, rows < area.rows ? rows : area.rows,
                       columns < area.columns ? columns : area.columns};

    box.row += (area.rows - box.rows) / 2;
    box.column += (area.columns - box.columns) / 2;
    return box;
}
