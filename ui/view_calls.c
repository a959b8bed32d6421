/* SPDX-License-Identifier: MIT */
/* view_calls: the list of calls, oldest first; the newest, and what has not ended, kept in view. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/call_list.h"
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
#define WIDE_COLUMNS 80         /* from here on it has that many */
#define COMMAND_COLUMNS 22      /* no other part takes these from a command that needs them */
#define COMMAND_COLUMNS_GOOD 40 /* nor these a name that says nothing */

/* Of the list, for calls: its heading takes one. */
static size_t shown_rows(const struct console *console)
{
    int rows = console->layout.list.rows;

    return rows > 1 ? (size_t)rows - 1 : 0;
}

/* With its rows in view. */
static void list_init(struct call_list *list, const struct console *console,
                      struct call_scroll *scroll)
{
    call_list_init(list, console->setup.orchestrator, console->selected);
    call_list_show(list, shown_rows(console), console->selected, scroll);
}

static int width_of(const char *text)
{
    return (int)text_width(text, strlen(text));
}

/* Has the operator gone away from the newest, and does the key lead back there? Over a request it
 * is that one's. */
static bool leads_back(const struct console *console, const struct call_list *list)
{
    return console->overlay == NULL && console->selected_by_hand &&
           call_list_find(list, console->selected) + 1 < list->count;
}

/* How many wait, and, where there is room, how to come back to them. */
static char *waiting_words(const struct console *console, const struct call_list *list, int columns)
{
    size_t waiting = console_waiting(console), newer = call_list_below(list);
    char key[24];
    cleanup_free char *back =
        xasprintf(_(" %s: newest "), keymap_key(&console->keymap, ACTION_LINE_CANCEL, key));
    cleanup_free char *words =
        newer > 0 ? xasprintf(P_(" %zu newer below, %zu request waits ",
                                 " %zu newer below, %zu requests wait ", waiting),
                              newer, waiting)
                  : xasprintf(P_(" %zu request waits ", " %zu requests wait ", waiting), waiting);

    return leads_back(console, list) && width_of(words) + width_of(back) <= columns
               ? xasprintf("%s%s", words, back)
               : steal_pointer(&words);
}

static void draw_heading(struct console *console, struct rect row, const struct call_list *list)
{
    size_t waiting = console_waiting(console);
    size_t newer = call_list_below(list);
    cleanup_free char *counts = NULL;
    char key[24];
    int column;

    render_rule(console->theme, row, THEME_BORDER);
    column = render_string(console->theme, row, 1, THEME_BORDER, " ");
    column = render_string(console->theme, row, column, THEME_HEADING, _("Calls"));
    render_string(console->theme, row, column, THEME_BORDER, " ");
    if (waiting > 0)
        counts = waiting_words(console, list, row.columns - column - 1);
    else if (newer > 0)
        counts = xasprintf(_(" %zu newer below, %s: newest "), newer,
                           keymap_key(&console->keymap, ACTION_LINE_CANCEL, key));
    else if (console->selected_by_hand && call_list_find(list, console->selected) + 1 < list->count)
        counts = xasprintf(_(" %zu, %s: newest "), list->count,
                           keymap_key(&console->keymap, ACTION_LINE_CANCEL, key));
    else
        counts = xasprintf(" %zu ", list->count);
    row.columns--;
    render_right(console->theme, row, waiting > 0 ? THEME_ASKING : THEME_DIM, counts);
}

/* Columns of the rows' parts behind the command, the same for all rows that are shown. */
struct columns {
    int agent, standing; /* 0: it has none */
    bool asker;          /* how a request stands says who asks: no other part does */
};

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* What the command and the state of a row share: all but its number, its agent and the gaps. */
static int shared_columns(const struct columns *columns, struct rect row)
{
    return row.columns - ID_COLUMNS - 4 - (columns->agent > 0 ? columns->agent + 1 : 0);
}

/* "×6 https://pypi.org:443": how often it was asked for. One that is cut keeps its end, too, where
 * file names are. */
static char *command_text(const struct theme *theme, const struct call_row *row, int columns)
{
    cleanup_free char *times = row->times > 1
                                   ? xasprintf("%s%u ", theme_glyph(theme, GLYPH_TIMES), row->times)
                                   : xstrdup("");
    int left = columns - width_of(times);
    cleanup_free char *line = call_text_row_ends(row->call, (size_t)(left > 1 ? left : 1), theme);

    return xasprintf("%s%s", times, line);
}

/* How it stands, in this list. */
static struct call_standing row_standing(const struct console *console, const struct call *call,
                                         bool asker)
{
    struct call_standing standing = standing_of(console, call);

    if (asker && call->state == CALL_ASKING) {
        cleanup_free char *words = standing.words;
        cleanup_free char *agent =
            operator_agent_label(console->setup.orchestrator, call, AGENT_COLUMNS);

        standing.words =
            xasprintf("%s %s %s", agent, theme_glyph(console->theme, GLYPH_DOT), words);
    }
    return standing;
}

/* Of "HIGH · exit 1 · 0.3 s" the last goes whole where there is no room for it, and so on: the sign
 * before the command says how it ended. */
static void shorten_ended(const struct call *call, char *words, int columns)
{
    static const char *const gaps[] = {" \u00b7 ", ", "};

    if (call->attempt_count == 0 || call->state != CALL_FINISHED)
        return;
    while (width_of(words) > columns) {
        char *last = NULL;

        for (size_t i = 0; i < COUNT(gaps); i++)
            for (char *at = strstr(words, gaps[i]); at != NULL; at = strstr(at + 1, gaps[i]))
                last = last == NULL || at > last ? at : last;
        if (last == NULL)
            return;
        *last = '\0';
    }
}

static void draw_call(struct console *console, struct rect row, const struct call_row *shown,
                      const struct columns *columns)
{
    const struct theme *theme = console->theme;
    const struct call *call = shown->call;
    bool selected = call->id == console->selected;
    struct call_standing standing = row_standing(console, call, columns->asker);
    enum theme_element text = selected ? THEME_SELECTED : THEME_TEXT;
    enum theme_element quiet = selected ? THEME_SELECTED : THEME_DIM;
    int column = ID_COLUMNS + 2;
    int state = row.columns - 1 - columns->standing;
    int right = columns->agent > 0 ? state - 1 - columns->agent : state;
    cleanup_free char *line = command_text(theme, shown, right - 1 - column);
    char id[24];

    render_fill(theme, row, text);
    snprintf(id, sizeof(id), "c%" PRIu64, call->id);
    render_cut(theme, row, 1, ID_COLUMNS - 1, quiet, id);
    render_string(theme, row, ID_COLUMNS, selected ? THEME_SELECTED : standing.element,
                  theme_glyph(theme, standing.glyph));
    render_cut(theme, row, column, right - 1 - column, text, line);
    if (columns->agent > 0) {
        cleanup_free char *agent =
            operator_agent_label(console->setup.orchestrator, call, (size_t)columns->agent);

        render_cut(theme, row, right, columns->agent, quiet, agent);
    }
    shorten_ended(call, standing.words, row.columns - state);
    render_cut(theme, row, state, row.columns - state, selected ? THEME_SELECTED : standing.element,
               standing.words);
    free(standing.words);
}

static void widen(int *columns, const char *text)
{
    int width = width_of(text);

    *columns = width > *columns ? width : *columns;
}

/* Do the rows in view come from more than one? */
static bool are_of_several(const struct console *console, const struct call_list *list)
{
    cleanup_free char *first = NULL;
    bool several = false;

    for (size_t i = 0; i < list->shown_count && !several; i++) {
        const struct call *call = list->rows[list->shown[i]].call;
        cleanup_free char *agent =
            operator_agent_label(console->setup.orchestrator, call, AGENT_COLUMNS_WIDE);

        if (first == NULL)
            first = steal_pointer(&agent);
        else
            several = strcmp(first, agent) != 0;
    }
    return several;
}

/* Where the widest command is cut to little, the name of the only agent goes first, then the ends
 * of states, whose signs say most of them, until both share evenly. Names have more where no
 * command needs it. */
static void share_out(struct columns *columns, struct rect rect, int command, bool several)
{
    int agent = columns->agent, shared;

    if (agent > AGENT_COLUMNS)
        columns->agent = clamp(shared_columns(columns, rect) + agent - command - columns->standing,
                               AGENT_COLUMNS, agent);
    if (!several &&
        shared_columns(columns, rect) - columns->standing < clamp(command, 0, COMMAND_COLUMNS_GOOD))
        columns->agent = 0;
    shared = shared_columns(columns, rect);
    command = clamp(command, 0, clamp(shared / 2, COMMAND_COLUMNS, shared));
    columns->standing = clamp(columns->standing, 0, shared - command);
}

/* The same for all rows, so that each part is found by its column. */
static void measure(const struct console *console, struct rect rect, const struct call_list *list,
                    struct columns *columns)
{
    bool several = are_of_several(console, list), named = rect.columns >= AGENT_COLUMNS_MIN;
    int command = 0;

    *columns = (struct columns){.standing = rect.columns >= WIDE_COLUMNS ? STANDING_COLUMNS_WIDE
                                                                         : STANDING_COLUMNS_MIN,
                                .asker = several && !named};
    for (size_t i = 0; i < list->shown_count; i++) {
        const struct call_row *row = &list->rows[list->shown[i]];
        struct call_standing standing = row_standing(console, row->call, columns->asker);
        cleanup_free char *line = command_text(console->theme, row, rect.columns);

        widen(&columns->standing, standing.words);
        widen(&command, line);
        free(standing.words);
        if (named) {
            cleanup_free char *agent =
                operator_agent_label(console->setup.orchestrator, row->call, AGENT_COLUMNS_WIDE);

            widen(&columns->agent, agent);
        }
    }
    share_out(columns, rect, command, several);
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
    struct call_list list;
    struct columns columns;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_TEXT);
    list_init(&list, console, &console->list_scroll);
    draw_heading(console, rect_row(rect, 0), &list);
    if (list.count == 0)
        draw_nothing_yet(console, rect);
    measure(console, rect, &list, &columns);
    for (size_t i = 0; i < list.shown_count; i++)
        draw_call(console, rect_row(rect, (int)i + 1), &list.rows[list.shown[i]], &columns);
    render_vertical(console->theme, console->layout.divider, THEME_BORDER);
    call_list_clear(&list);
}

size_t view_calls_wanted(const struct console *console)
{
    struct call_list list;
    size_t count;

    call_list_init(&list, console->setup.orchestrator, console->selected);
    count = list.count;
    call_list_clear(&list);
    return count;
}

uint64_t view_calls_at(const struct console *console, int row, int column)
{
    struct rect rect = console->layout.list;
    size_t index = (size_t)(row - rect.row - 1);
    struct call_scroll scroll = console->list_scroll;
    struct call_list list;
    uint64_t call = 0;

    if (!rect_holds(rect, row, column) || row == rect.row)
        return 0;
    list_init(&list, console, &scroll);
    if (index < list.shown_count)
        call = list.rows[list.shown[index]].call->id;
    call_list_clear(&list);
    return call;
}

static uint64_t newest_call(const struct console *console)
{
    size_t count = orchestrator_call_count(console->setup.orchestrator);

    return count > 0 ? orchestrator_call_at(console->setup.orchestrator, count - 1)->id : 0;
}

void view_calls_follow(struct console *console)
{
    uint64_t newest = newest_call(console);

    if (!console->selected_by_hand || newest == 0)
        return;
    console->selected = newest;
    console->selected_by_hand = false;
    console_dirty(console, DIRTY_LAYOUT);
}

void view_calls_select(struct console *console, uint64_t call)
{
    if (orchestrator_find_call(console->setup.orchestrator, call) == NULL)
        return;
    console->selected = console->picked = call;
    console->selected_by_hand = call != newest_call(console);
    console_dirty(console, DIRTY_LAYOUT);
}

void view_calls_move(struct console *console, int direction)
{
    struct call_list list;
    size_t at;

    call_list_init(&list, console->setup.orchestrator, console->selected);
    at = call_list_find(&list, console->selected);
    if (list.count > 0) {
        at = at == list.count ? list.count - 1 : (at + list.count + (size_t)direction) % list.count;
        view_calls_select(console, list.rows[at].call->id);
    }
    call_list_clear(&list);
}
