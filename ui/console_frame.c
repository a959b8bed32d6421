/* SPDX-License-Identifier: MIT */
/* console_frame: a frame: what has changed is drawn, and once it is on the terminal those who wait
 * for that are told. */
#include "config.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/view.h"
#include "ui/wrap.h"

#define MOUSE_CLICKS 1000 /* the private mode that reports buttons and the wheel */

/* A text in as many rows as it takes and there are; returns the row behind it. */
static int draw_text(const struct console *console, int at, enum theme_element element,
                     const char *text)
{
    struct rect rect = {0, 0, console->rows, console->columns};
    struct wrap lines;

    wrap_init(&lines, text, rect.columns > 2 ? (size_t)rect.columns : 2, WRAP_WORDS);
    for (size_t i = 0; i < lines.count && at < rect.rows; i++, at++)
        render_text(console->theme, rect_row(rect, at), 0, element, text + lines.lines[i].start,
                    lines.lines[i].length);
    wrap_clear(&lines);
    return at;
}

static char *waiting_text(const struct console *console)
{
    size_t waiting = console_waiting(console);
    char key[24];

    keymap_key(&console->keymap, console->keyboard_in_pane ? ACTION_LEAVE_PANE : ACTION_ANSWER,
               key);
    return xasprintf(P_("%zu request waits: %s", "%zu requests wait: %s", waiting), waiting, key);
}

static char *leave_text(const struct console *console)
{
    cleanup_free char *keys = keymap_keys(&console->keymap, ACTION_QUIT);
    cleanup_free char *warning = console->quit_confirm ? console_quit_warning(console, true) : NULL;

    return warning != NULL ? steal_pointer(&warning) : xasprintf(_("To leave: %s"), keys);
}

/* What is needed stands first: there may be no room for the rest. */
static void draw_too_small(struct console *console)
{
    cleanup_free char *size = xasprintf(_("Needs %dx%d: %dx%d is too small"), LAYOUT_COLUMNS_MIN,
                                        LAYOUT_ROWS_MIN, console->columns, console->rows);
    cleanup_free char *wait = waiting_text(console);
    cleanup_free char *leave = leave_text(console);
    int at = draw_text(console, 0, THEME_WARNING, size);

    if (console_waiting(console) > 0)
        at = draw_text(console, at, THEME_ASKING, wait);
    draw_text(console, at, console->quit_confirm ? THEME_WARNING : THEME_DIM, leave);
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

/* Where what it lies over is drawn: a box that is whole, above what must be read there. */
static struct rect area_below(const struct console *console, const struct overlay *overlay,
                              struct rect area)
{
    struct rect trail = console->layout.trail;

    if (overlay->class->tells && !rect_empty(trail) && area.row + area.rows > trail.row)
        area.rows = trail.row - area.row;
    return area;
}

/* What a request's own question lies over is drawn with it. */
static void draw_overlays(struct console *console, struct overlay *overlay, struct rect area)
{
    if (overlay->below != NULL && !overlay->class->alone)
        draw_overlays(console, overlay->below, area_below(console, overlay, area));
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
        draw_too_small(console);
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
