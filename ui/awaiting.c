/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/awaiting.h"

#include <string.h>

#include "approval/orchestrator.h"
#include "base/strbuf.h"
#include "ui/console_int.h"

/* So long a program is quiet before it is asked what it does, and so long that goes on. */
#define QUIET_MS 1000
#define LOOKS_MS ((int64_t)10 * QUIET_MS)
/* What an echo does not wait for is done so long after it. */
#define ECHO_SHOWN_MS 200

/* A program that waits for keys and for more as well asks something if its line looks like it. */
static bool looks_like_question(const char *line, size_t length)
{
    return length > 0 && strchr("?:>])$#%", line[length - 1]) != NULL;
}

/* What stands before the cursor: a program that is about to go on leaves it at a line's begin. */
static bool has_asked(const struct pane *pane, enum foreground foreground)
{
    const struct grid *grid = vt_grid(pane->vt);
    struct vt_cursor cursor = vt_cursor(pane->vt);
    int64_t line = grid_top_line(grid) + cursor.row;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    if (grid_alternate(grid) || cursor.column == 0)
        return false;
    grid_text(grid, line, 0, line, cursor.column - 1, &text);
    while (text.length > 0 && text.data[text.length - 1] == ' ')
        text.data[--text.length] = '\0';
    return foreground == FOREGROUND_READS ? text.length > 0
                                          : looks_like_question(text.data, text.length);
}

static void mark(struct console *console, struct pane *pane, bool awaits)
{
    if (awaits == pane->awaits)
        return;
    pane->awaits = awaits;
    console_dirty(console, DIRTY_LAYOUT);
}

/* Whoever turns the echo off says something before and after it: a question, a line end. */
static void look_for_secret(struct console *console, struct pane *pane, const struct call *call)
{
    bool secret = pane->tty && orchestrator_hides_input(call);

    pane->unlooked = false;
    if (secret != pane->secret)
        console_dirty(console, DIRTY_LAYOUT);
    pane->secret = secret;
}

/* The timer runs for whoever was the first. */
static void look_later(struct console *console, struct pane *pane)
{
    bool due = false;

    for (size_t i = 0; i < console->panes.count; i++)
        due = due || console->panes.panes[i]->unlooked;
    pane->unlooked = true;
    if (!due)
        loop_timer_start(console->awaiting_timer, ECHO_SHOWN_MS);
}

void awaiting_output(struct console *console, struct pane *pane, const struct call *call)
{
    struct loop *loop = console->setup.loop;

    mark(console, pane, false);
    pane->wrote_ms = loop_now_ms(loop);
    if (!pane->tty || !loop_hurries(loop))
        look_for_secret(console, pane, call);
    else
        look_later(console, pane);
    if (pane->tty && !loop_timer_running(console->awaiting_timer))
        loop_timer_start(console->awaiting_timer, QUIET_MS);
}

/* Looks at one; for how long it need not be looked at again, 0: at all. */
static int64_t look(struct console *console, struct pane *pane, int64_t now_ms)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, pane->call);
    int64_t quiet = now_ms - pane->wrote_ms;

    if (call != NULL && pane->unlooked)
        look_for_secret(console, pane, call);
    if (!pane->tty || pane->silent || pane->ended != 0 || call == NULL ||
        call->state != CALL_RUNNING || quiet > LOOKS_MS)
        return 0;
    if (quiet < QUIET_MS)
        return QUIET_MS - quiet;
    enum foreground foreground = orchestrator_foreground(call);
    mark(console, pane, foreground != FOREGROUND_WORKS && has_asked(pane, foreground));
    return QUIET_MS;
}

void awaiting_look(void *argument)
{
    struct console *console = argument;
    int64_t now_ms = loop_now_ms(console->setup.loop), next = 0;

    for (size_t i = 0; i < console->panes.count; i++) {
        int64_t due = look(console, console->panes.panes[i], now_ms);

        next = next == 0 || (due != 0 && due < next) ? due : next;
    }
    if (next != 0)
        loop_timer_start(console->awaiting_timer, next);
}

bool awaiting_is(const struct pane *pane)
{
    return pane->ended == 0 && (pane->awaits || pane->secret);
}

size_t awaiting_count(const struct console *console, uint64_t *call)
{
    size_t count = 0;

    *call = 0;
    for (size_t i = 0; i < console->panes.count; i++) {
        const struct pane *pane = console->panes.panes[i];

        if (awaiting_is(pane))
            *call = count++ == 0 ? pane->call : *call;
    }
    return count;
}

uint64_t awaiting_next(const struct console *console)
{
    const struct call *selected = console_selected_call(console);
    const struct pane *pane = console_selected_pane(console);
    bool takes_keys = pane != NULL && selected != NULL && selected->state != CALL_FINISHED;
    uint64_t first;

    if (takes_keys && (awaiting_is(pane) || console->picked == selected->id))
        return 0;
    awaiting_count(console, &first);
    return first;
}
