/* SPDX-License-Identifier: MIT */
/* console_frame: a frame: what has changed is drawn, and once it is on the terminal those who wait
 * for that are told. */
#include "config.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/view.h"

#define MOUSE_CLICKS 1000 /* the private mode that reports buttons and the wheel */

static void draw_too_small(struct console *console, struct rect rect)
{
    size_t waiting = console_waiting(console);
    char key[24];
    cleanup_free char *size = NULL;
    cleanup_free char *wait = NULL;

    /* What is needed stands first: the rest may be cut. */
    size = xasprintf(_("Needs %dx%d: %dx%d is too small"), LAYOUT_COLUMNS_MIN, LAYOUT_ROWS_MIN,
                     console->columns, console->rows);
    render_cut(console->theme, rect_row(rect, 0), 0, rect.columns, THEME_WARNING, size);
    if (waiting > 0 && rect.rows > 1) {
        keymap_key(&console->keymap, console->keyboard_in_pane ? ACTION_LEAVE_PANE : ACTION_ANSWER,
                   key);
        wait =
            xasprintf(P_("%zu request waits: %s", "%zu requests wait: %s", waiting), waiting, key);
        render_cut(console->theme, rect_row(rect, 1), 0, rect.columns, THEME_ASKING, wait);
    }
    screen_cursor(console->screen, -1, 0);
}

/* The mouse is the selected program's while that has the keyboard, if it asked for it; the
 * terminal's own, to select text, while it did not. Else it is ours. */
static int mouse_mode(const struct console *console)
{
    const struct pane *pane = console_selected_pane(console);
    const struct call *call = console_selected_call(console);

    if (!console->keyboard_in_pane)
        return console->setup.mouse ? MOUSE_CLICKS : 0;
    if (pane == NULL || call == NULL || call->state != CALL_RUNNING)
        return 0;
    return pane_mouse_mode(pane);
}

/* What a request's own question lies over is drawn with it. */
static void draw_overlays(struct console *console, struct overlay *overlay, struct rect area)
{
    if (overlay->below != NULL && !overlay->class->alone)
        draw_overlays(console, overlay->below, area);
    overlay->class->draw(overlay, console, area);
}

/* Below the least size nothing is behind a request. */
static void draw_small(struct console *console)
{
    struct rect area = {0, 0, console->rows, console->columns};

    render_fill(console->theme, area, THEME_TEXT);
    if (overlay_fits(console))
        console->overlay->class->draw(console->overlay, console, area);
    else
        draw_too_small(console, area);
}

void console_draw(void *argument)
{
    struct console *console = argument;
    bool all = (console->dirty & DIRTY_LAYOUT) != 0;
    unsigned dirty = all ? ~0U : console->dirty;
    struct rect area = {0, 0, console->rows - 1, console->columns};

    if ((console->dirty & DIRTY_LAYOUT) != 0)
        erase();
    console->dirty = 0;
    screen_mouse(console->screen, mouse_mode(console));
    if (console->layout.too_small) {
        draw_small(console);
        return;
    }
    if ((dirty & DIRTY_CALLS) != 0) {
        view_calls_draw(console);
        view_sessions_draw(console);
    }
    view_panes_draw(console, (dirty & DIRTY_PANES) != 0);
    if (console->zoomed && !console->keyboard_in_pane)
        dirty |= DIRTY_TRAIL | DIRTY_PROMPT; /* they stand over the pane */
    if ((dirty & DIRTY_TRAIL) != 0)
        view_trail_draw(console);
    if ((dirty & (DIRTY_PROMPT | DIRTY_STATUS | DIRTY_OVERLAY)) != 0)
        view_prompt_draw(console);
    if ((dirty & (DIRTY_STATUS | DIRTY_OVERLAY)) != 0)
        view_status_draw(console);
    /* Whatever was drawn may lie under it; curses sends only what differs. */
    if (console->overlay != NULL)
        draw_overlays(console, console->overlay, area);
}

/* However often programs ask: a bell that never ends is not heard either. */
#define BELL_MS 250

static void ring(struct console *console, int64_t now_ms)
{
    if (console->bell && now_ms - console->bell_ms >= BELL_MS) {
        screen_bell(console->screen);
        console->bell_ms = now_ms;
    }
    console->bell = false;
}

void console_painted(void *argument, int64_t now_ms)
{
    struct console *console = argument;

    if (attention_update(&console->attention, console->screen, console_waiting(console)))
        console->bell = true;
    ring(console, now_ms);
    if (overlay_fits(console) && console->overlay->class->painted != NULL)
        console->overlay->class->painted(console->overlay, console, now_ms);
}
