/* SPDX-License-Identifier: MIT */
/* view_calls: the list of calls, oldest first, the newest kept in view. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/operator_agent.h"
#include "ui/restored_view.h"
#include "ui/standing.h"
#include "ui/view.h"

/* Widths of a row's parts, in columns. */
#define ID_COLUMNS 6
#define AGENT_COLUMNS 12 /* at most, or so many where no command needs them: */
#define AGENT_COLUMNS_WIDE 28
#define AGENT_COLUMNS_MIN 64 /* of a list that says who asked */
#define STANDING_COLUMNS_MIN 11
#define STANDING_COLUMNS_WIDE 19
#define WIDE_COLUMNS 80 /* from here on it has that many */

/* Of the list, for calls: its heading takes one. */
static size_t shown_rows(const struct console *console)
{
    int rows = console->layout.list.rows;

    return rows > 1 ? (size_t)rows - 1 : 0;
}

static size_t index_of(const struct console *console, uint64_t id)
{
    size_t count = orchestrator_call_count(console->setup.orchestrator);

    for (size_t i = 0; i < count; i++)
        if (orchestrator_call_at(console->setup.orchestrator, i)->id == id)
            return i;
    return count;
}

/* Below the last row of the list, as it stands. */
static size_t newer_calls(const struct console *console, size_t count)
{
    size_t end = console->list_first + shown_rows(console);

    return end < count ? count - end : 0;
}

static void draw_heading(struct console *console, struct rect row)
{
    size_t waiting = console_waiting(console);
    size_t count = orchestrator_call_count(console->setup.orchestrator);
    size_t newer = newer_calls(console, count);
    cleanup_free char *counts = NULL;
    char key[24];
    int column;

    render_rule(console->theme, row, THEME_BORDER);
    column = render_string(console->theme, row, 1, THEME_BORDER, " ");
    column = render_string(console->theme, row, column, THEME_HEADING, _("Calls"));
    render_string(console->theme, row, column, THEME_BORDER, " ");
    if (waiting > 0 && newer > 0)
        counts = xasprintf(P_(" %zu newer below, %zu request waits ",
                              " %zu newer below, %zu requests wait ", waiting),
                           newer, waiting);
    else if (waiting > 0)
        counts = xasprintf(P_(" %zu request waits ", " %zu requests wait ", waiting), waiting);
    else if (newer > 0)
        counts = xasprintf(_(" %zu newer below, %s: newest "), newer,
                           keymap_key(&console->keymap, ACTION_LINE_CANCEL, key));
    else if (console->selected_by_hand && index_of(console, console->selected) + 1 < count)
        counts = xasprintf(_(" %zu, %s: newest "), count,
                           keymap_key(&console->keymap, ACTION_LINE_CANCEL, key));
    else
        counts = xasprintf(" %zu ", count);
    row.columns--;
    render_right(console->theme, row, waiting > 0 ? THEME_ASKING : THEME_DIM, counts);
}

/* Columns of the rows' parts behind the command, the same for all rows that are shown. */
struct columns {
    int agent, standing; /* 0: it has none */
};

static int width_of(const char *text)
{
    return (int)text_width(text, strlen(text));
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* What the command and the state of a row share: all but its number, its agent and the gaps. */
static int shared_columns(const struct columns *columns, struct rect row)
{
    return row.columns - ID_COLUMNS - 4 - (columns->agent > 0 ? columns->agent + 1 : 0);
}

/* Of the state in one row. A command that would be cut takes what its own state, shorter than
 * others', leaves of the column; a long state takes what a short command leaves. */
static int standing_columns(const struct columns *columns, struct rect row, const char *command,
                            const char *words)
{
    int own = width_of(words), all = columns->standing;

    return clamp(shared_columns(columns, row) - width_of(command), own < all ? own : all,
                 own < all ? all : own);
}

static void draw_call(struct console *console, struct rect row, const struct call *call,
                      const struct columns *columns)
{
    const struct theme *theme = console->theme;
    bool selected = call->id == console->selected;
    struct call_standing standing = standing_of(console, call);
    enum theme_element text = selected ? THEME_SELECTED : THEME_TEXT;
    enum theme_element quiet = selected ? THEME_SELECTED : THEME_DIM;
    cleanup_free char *whole = call_text_line(call, (size_t)row.columns);
    int column = ID_COLUMNS + 2;
    int state = row.columns - 1 - standing_columns(columns, row, whole, standing.words);
    int right = columns->agent > 0 ? state - 1 - columns->agent : state;
    char id[24];
    cleanup_free char *line = NULL;
    cleanup_free char *agent = NULL;

    render_fill(theme, row, text);
    snprintf(id, sizeof(id), "c%" PRIu64, call->id);
    render_cut(theme, row, 1, ID_COLUMNS - 1, quiet, id);
    render_string(theme, row, ID_COLUMNS, selected ? THEME_SELECTED : standing.element,
                  theme_glyph(theme, standing.glyph));
    line = call_text_line(call, (size_t)(right - 1 > column ? right - 1 - column : 1));
    render_cut(theme, row, column, right - 1 - column, text, line);
    if (columns->agent > 0) {
        agent = operator_agent_label(console->setup.orchestrator, call, (size_t)columns->agent);
        render_cut(theme, row, right, columns->agent, quiet, agent);
    }
    render_cut(theme, row, state, row.columns - state, selected ? THEME_SELECTED : standing.element,
               standing.words);
    free(standing.words);
}

static void widen(int *columns, const char *text)
{
    int width = width_of(text);

    *columns = width > *columns ? width : *columns;
}

/* States are whole: a command is what is cut, but not to nothing. */
static void measure(const struct console *console, struct rect rect, struct columns *columns)
{
    size_t count = orchestrator_call_count(console->setup.orchestrator);
    int command = 0;

    *columns = (struct columns){.standing = rect.columns >= WIDE_COLUMNS ? STANDING_COLUMNS_WIDE
                                                                         : STANDING_COLUMNS_MIN};
    for (size_t i = 0; i + 1 < (size_t)rect.rows && console->list_first + i < count; i++) {
        const struct call *call =
            orchestrator_call_at(console->setup.orchestrator, console->list_first + i);
        struct call_standing standing = standing_of(console, call);

        cleanup_free char *line = call_text_line(call, (size_t)rect.columns);

        widen(&columns->standing, standing.words);
        widen(&command, line);
        free(standing.words);
        if (rect.columns >= AGENT_COLUMNS_MIN) {
            cleanup_free char *agent =
                operator_agent_label(console->setup.orchestrator, call, AGENT_COLUMNS_WIDE);

            widen(&columns->agent, agent);
        }
    }
    if (columns->standing > rect.columns / 2)
        columns->standing = rect.columns / 2;
    if (columns->agent > AGENT_COLUMNS)
        columns->agent =
            clamp(shared_columns(columns, rect) + columns->agent - command - columns->standing,
                  AGENT_COLUMNS, columns->agent);
}

/* Scrolls so that the marked call is in view, and no row is wasted. */
static void scroll_to_selected(struct console *console, size_t rows)
{
    size_t count = orchestrator_call_count(console->setup.orchestrator);
    size_t selected = index_of(console, console->selected);

    if (selected == count && count > 0)
        selected = count - 1;
    if (console->list_first > selected)
        console->list_first = selected;
    if (selected >= console->list_first + rows)
        console->list_first = selected - rows + 1;
    if (console->list_first + rows > count)
        console->list_first = count > rows ? count - rows : 0;
}

static void draw_nothing_yet(struct console *console, struct rect rect)
{
    struct rect row = rect_row(rect, 1);
    cleanup_free char *words = restored_view_nothing_yet(console->calls_before);

    render_cut(console->theme, row, 2, row.columns - 3, THEME_DIM, words);
}

void view_calls_draw(struct console *console)
{
    struct rect rect = console->layout.list;
    size_t count = orchestrator_call_count(console->setup.orchestrator);
    struct columns columns;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_TEXT);
    scroll_to_selected(console, shown_rows(console));
    draw_heading(console, rect_row(rect, 0));
    if (count == 0)
        draw_nothing_yet(console, rect);
    measure(console, rect, &columns);
    for (size_t i = 0; i + 1 < (size_t)rect.rows && console->list_first + i < count; i++)
        draw_call(console, rect_row(rect, (int)i + 1),
                  orchestrator_call_at(console->setup.orchestrator, console->list_first + i),
                  &columns);
    render_vertical(console->theme, console->layout.divider, THEME_BORDER);
}

uint64_t view_calls_at(const struct console *console, int row, int column)
{
    struct rect rect = console->layout.list;
    size_t index = console->list_first + (size_t)(row - rect.row - 1);

    if (!rect_holds(rect, row, column) || row == rect.row ||
        index >= orchestrator_call_count(console->setup.orchestrator))
        return 0;
    return orchestrator_call_at(console->setup.orchestrator, index)->id;
}

void view_calls_follow(struct console *console)
{
    size_t count = orchestrator_call_count(console->setup.orchestrator);

    if (!console->selected_by_hand || count == 0)
        return;
    console->selected = orchestrator_call_at(console->setup.orchestrator, count - 1)->id;
    console->selected_by_hand = false;
    console_dirty(console, DIRTY_LAYOUT);
}

void view_calls_select(struct console *console, uint64_t call)
{
    size_t at = index_of(console, call);
    size_t count = orchestrator_call_count(console->setup.orchestrator);

    if (at == count)
        return;
    console->selected = console->picked = call;
    console->selected_by_hand = at + 1 < count;
    console_dirty(console, DIRTY_LAYOUT);
}

void view_calls_move(struct console *console, int direction)
{
    size_t count = orchestrator_call_count(console->setup.orchestrator);
    size_t at = index_of(console, console->selected);

    if (count == 0)
        return;
    at = at == count ? count - 1 : (at + count + (size_t)direction) % count;
    view_calls_select(console, orchestrator_call_at(console->setup.orchestrator, at)->id);
}
