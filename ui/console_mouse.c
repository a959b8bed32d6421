/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/console_mouse.h"

#include "ui/console_int.h"
#include "ui/halt.h"
#include "ui/view.h"

#define WHEEL_LINES 3

static void scroll_pane(struct console *console, struct pane *pane, int lines)
{
    pane_scroll(pane, lines);
    console_dirty(console, DIRTY_PANES);
}

/* A click selects a call, in the list or by its pane; the wheel scrolls the pane that it is over.
 */
static void over_views(struct console *console, const struct input_mouse *mouse)
{
    uint64_t call = view_calls_at(console, mouse->row, mouse->column);

    for (size_t i = 0; i < console->panes.count; i++) {
        struct pane *pane = console->panes.panes[i];

        if (rect_empty(pane->text) || !rect_holds(pane->text, mouse->row, mouse->column))
            continue;
        if (mouse->button == MOUSE_WHEEL_UP)
            scroll_pane(console, pane, WHEEL_LINES);
        else if (mouse->button == MOUSE_WHEEL_DOWN)
            scroll_pane(console, pane, -WHEEL_LINES);
        else
            call = pane->call;
        break;
    }
    if (call == 0 || mouse->button != MOUSE_LEFT)
        return;
    console->selected = console->picked = call;
    console->selected_by_hand = true;
    console_dirty(console, DIRTY_LAYOUT);
}

void console_mouse(struct console *console, const struct input_mouse *mouse)
{
    struct overlay *overlay = console->overlay;

    if (mouse->kind != INPUT_MOUSE_PRESS || console->layout.too_small)
        return;
    console->last_key_ms = loop_now_ms(console->setup.loop);
    vigil_present(console->vigil);
    halt_questions_over(console);
    if (overlay == NULL)
        over_views(console, mouse);
    else if (overlay->class->mouse != NULL)
        overlay->class->mouse(overlay, console, mouse);
}
