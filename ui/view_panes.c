/* SPDX-License-Identifier: MIT */
/* view_panes: the terminals of the calls. The selected call's is always shown, then that of the
 * command that the console was started with while it runs, those of other calls that run, and those
 * that have finished last; they stand in the order in which calls came. */
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
#include "ui/standing.h"
#include "ui/view.h"

#define AGENT_COLUMNS 20 /* at least, and of a wide title a part: */
#define AGENT_PART 4
#define AGENT_COLUMNS_MIN 60 /* of a pane that says who asked */

#define NUMBER_COLUMNS 9    /* with the blanks around it */
#define SEPARATOR_COLUMNS 3 /* a dot between blanks */

/* Finished calls whose panes stay on the screen beside the running ones. */
#define FINISHED_SHOWN 2

static struct call *call_of(const struct console *console, const struct pane *pane)
{
    return orchestrator_find_call(console->setup.orchestrator, pane->call);
}

static bool is_running(const struct console *console, const struct pane *pane)
{
    const struct call *call = call_of(console, pane);

    return call != NULL && call->state != CALL_FINISHED;
}

/* The pane's place in the queue for the screen, the smallest first. */
static int64_t rank(const struct console *console, const struct pane *pane)
{
    if (pane->call == console->selected)
        return 0;
    if (is_running(console, pane))
        return pane->call == console->setup.command_call ? 1 : INT64_MAX / 2 - (int64_t)pane->call;
    return INT64_MAX - pane->ended;
}

/* Marks which panes to show, at most `limit`; returns how many. */
static size_t choose(const struct console *console, size_t limit, bool *shown)
{
    const struct pane_set *set = &console->panes;
    size_t count = 0, finished = 0;

    while (count < limit) {
        size_t best = set->count;

        for (size_t i = 0; i < set->count; i++)
            if (!shown[i] && (best == set->count ||
                              rank(console, set->panes[i]) < rank(console, set->panes[best])))
                best = i;
        if (best == set->count)
            break;
        if (rank(console, set->panes[best]) > INT64_MAX / 2 && ++finished > FINISHED_SHOWN)
            break;
        shown[best] = true;
        count++;
    }
    return count;
}

size_t view_panes_wanted(const struct console *console)
{
    bool *shown = xcalloc(console->panes.count + 1, sizeof(bool));
    size_t count = choose(console, LAYOUT_PANES_MAX, shown);

    free(shown);
    return count;
}

void view_panes_size(const struct console *console, int *rows, int *columns)
{
    const struct layout_wish wish = {
        .rows = console->rows,
        .columns = console->columns,
        .calls = orchestrator_call_count(console->setup.orchestrator) + 1,
        .sessions = orchestrator_session_count(console->setup.orchestrator),
        .panes = view_panes_wanted(console) + 1,
        .zoomed = console->setup.zoom && console->panes.count == 0,
        .typing = console->setup.command_keyboard,
    };
    bool title = !wish.zoomed || !wish.typing; /* as has_title() will say */
    struct layout layout;

    layout_compute(&wish, &layout);
    *rows = layout.pane_count > 0 ? layout.panes[0].rows - (title ? 1 : 0) : 24;
    *columns = layout.pane_count > 0 ? layout.panes[0].columns : 80;
}

/* The program learns of its size once it runs, and whenever it changes. */
static void tell_size(struct console *console, struct pane *pane)
{
    struct call *call = call_of(console, pane);
    int rows = grid_rows(vt_grid(pane->vt)), columns = grid_columns(vt_grid(pane->vt));

    if (call == NULL || !pane->tty || call->state != CALL_RUNNING ||
        (pane->told_rows == rows && pane->told_columns == columns))
        return;
    pane->told_rows = rows;
    pane->told_columns = columns;
    orchestrator_resize(console->setup.orchestrator, call, rows, columns);
}

static bool draws_zoomed(const struct console *console, const struct pane *pane)
{
    const struct call *call = call_of(console, pane);

    return console->zoomed && call != NULL && call->spec->tty && is_running(console, pane);
}

/* A program that draws on a zoomed pane has the whole screen while it has the keyboard. */
static bool has_title(const struct console *console, const struct pane *pane)
{
    if (!console->zoomed)
        return true;
    return console->rows >= LAYOUT_ROWS_MIN &&
           !(console->keyboard_in_pane && draws_zoomed(console, pane));
}

/* The rows of its terminal: those that are shown. But a program that has been given the whole
 * screen keeps it, so that it need not draw anew whenever the prompt line is used for a moment. */
static int terminal_rows(const struct console *console, const struct pane *pane, struct rect text)
{
    const struct grid *grid = vt_grid(pane->vt);
    int whole = console->rows - console->layout.status.rows;

    return draws_zoomed(console, pane) && grid_rows(grid) == whole &&
                   grid_columns(grid) == console->columns
               ? whole
               : text.rows;
}

/* The text is below the title row. */
static void place(struct console *console, struct pane *pane, struct rect rect)
{
    if (has_title(console, pane)) {
        rect.row++;
        rect.rows--;
    }
    pane_place(pane, rect, terminal_rows(console, pane, rect));
    if (!rect_empty(rect))
        tell_size(console, pane);
}

void view_panes_place(struct console *console)
{
    struct pane_set *set = &console->panes;
    bool *shown = xcalloc(set->count + 1, sizeof(bool));
    size_t next = 0;

    if (!console->layout.too_small)
        choose(console, console->layout.pane_count, shown);
    for (size_t i = 0; i < set->count; i++) {
        if (shown[i])
            place(console, set->panes[i], console->layout.panes[next++]);
        else
            pane_place(set->panes[i], (struct rect){0, 0, 0, 0}, 0);
    }
    free(shown);
}

static bool fits_beside(const char *text, const char *rest, int columns)
{
    return (int)(text_width(text, strlen(text)) + text_width(rest, strlen(rest))) <= columns;
}

/* "workspace-write (network asks for each host)" as far as there is room for it beside the rest of
 * a title, whose other half is the command's: fewer words say so; then it goes without the network,
 * then not at all. */
static void shorten_under(char **text, bool asks, int columns, const char *rest)
{
    char *under = *text;
    char *network = strstr(under, " (");

    if (fits_beside(under, rest, columns))
        return;
    if (asks && network != NULL) {
        *text = xasprintf("%.*s (%s)", (int)(network - under), under, _("network asks"));
        free(under);
        under = *text;
        network = strstr(under, " (");
    }
    if (network != NULL && !fits_beside(under, rest, columns))
        *network = '\0';
    if (!fits_beside(under, rest, columns))
        *under = '\0';
}

/* Half of the title, or what a short command leaves of it. */
static int room_beside(const struct theme *theme, const struct pane *pane, const struct call *call)
{
    int columns = pane->text.columns;
    cleanup_free char *line = call_text_row(call, (size_t)columns, theme);
    int left = columns - (int)text_width(line, strlen(line)) - NUMBER_COLUMNS;

    return (left > columns / 2 ? left : columns / 2) - SEPARATOR_COLUMNS;
}

/* Who asked. */
static char *asker(const struct console *console, const struct pane *pane, const struct call *call)
{
    cleanup_free char *agent = NULL;
    int part = pane->text.columns / AGENT_PART;

    if (pane->text.columns < AGENT_COLUMNS_MIN)
        return xstrdup("");
    agent = operator_agent_label(console->setup.orchestrator, call,
                                 part > AGENT_COLUMNS ? (size_t)part : AGENT_COLUMNS);
    return xasprintf("%s %s ", agent, theme_glyph(console->theme, GLYPH_DOT));
}

/* How it ended or that it runs, and what that has to do with a stop of its agent: once it has ended
 * that is why it did, and not how things stand. */
static char *standing_words(const struct console *console, const struct call *call,
                            const char *waited)
{
    const char *dot = theme_glyph(console->theme, GLYPH_DOT);
    cleanup_free char *words = standing_of(console, call).words;

    if (call->state != CALL_FINISHED)
        return orchestrator_is_stopped(call) ? xasprintf(_("agent stopped %s %s"), dot, words)
                                             : steal_pointer(&words);
    if (call->agent_stopped && call->decision.source != DECIDED_BY_STOP) /* which says it itself */
        return xasprintf(_("%s%s %s with its agent"), words, waited, dot);
    return xasprintf("%s%s", words, waited);
}

/* … and who asked. How long it waited for the operator is said where there is room for it, also
 * instead of who asked, which the list says as well. */
static char *asker_and_standing(const struct console *console, const struct pane *pane,
                                const struct call *call)
{
    cleanup_free char *who = asker(console, pane, call);
    cleanup_free char *waited = call_text_waited(call);
    cleanup_free char *words = standing_words(console, call, waited);

    int room = room_beside(console->theme, pane, call);

    if (*waited == '\0' || fits_beside(who, words, room))
        return xasprintf("%s%s ", who, words);
    if (fits_beside("", words, room))
        return xasprintf("%s ", words);
    free(words);
    words = standing_words(console, call, "");
    return xasprintf("%s%s ", who, words);
}

/* Who asked, how it ended or that it runs, and under what: the same on a zoomed pane and on one
 * beside others, less of it from the end where there is less room; and how far back the pane has
 * been scrolled. */
static char *title_right(const struct console *console, const struct pane *pane,
                         const struct call *call)
{
    const char *dot = theme_glyph(console->theme, GLYPH_DOT);
    int64_t behind = pane_lines_behind(pane);
    cleanup_free char *under = call_text_under(call);
    cleanup_free char *first = asker_and_standing(console, pane, call);

    if (behind > 0)
        return xasprintf(_("%" PRId64 " lines back, %s goes on "), behind, "PgDn");
    if (call->state == CALL_FINISHED)
        return steal_pointer(&first);
    shorten_under(&under, call->context->sandbox->network_asks,
                  room_beside(console->theme, pane, call), first);
    return *under != '\0' ? xasprintf("%s%s %s ", first, dot, under) : steal_pointer(&first);
}

/* Above the text. */
static void draw_title(struct console *console, const struct pane *pane)
{
    const struct theme *theme = console->theme;
    struct rect row = {pane->text.row - 1, pane->text.column, 1, pane->text.columns};
    const struct call *call = call_of(console, pane);
    bool selected = pane->call == console->selected;
    enum theme_element element = selected && console->keyboard_in_pane ? THEME_PANE_TITLE_KEYBOARD
                                 : selected                            ? THEME_PANE_TITLE_SELECTED
                                                                       : THEME_PANE_TITLE;
    cleanup_free char *right = NULL;
    cleanup_free char *line = NULL;
    char id[24];
    int column, end;

    if (call == NULL || !has_title(console, pane))
        return;
    render_fill(theme, row, element);
    right = title_right(console, pane, call);
    end = render_right(theme, row, element, right);
    snprintf(id, sizeof(id), "c%" PRIu64 "  ", call->id);
    column = render_cut(theme, row, 1, end - 2, element, id);
    if (end - column < 3)
        return;
    line = call_text_row_ends(call, (size_t)(end - column - 2), theme);
    render_cut(theme, row, column, end - column - 2, element, line);
}

static void draw_divider(struct console *console, const struct pane *pane)
{
    struct rect edge = {pane->text.row - 1, pane->text.column + pane->text.columns,
                        pane->text.rows + 1, 1};

    if (!rect_empty(pane->text) && edge.column < console->columns)
        render_vertical(console->theme, edge, THEME_BORDER);
}

/* As DECSCUSR counts them; a block that blinks is what nobody has asked for. */
static int cursor_style(const struct vt_cursor *cursor)
{
    static const int styles[] = {
        [VT_CURSOR_BLOCK] = 0, [VT_CURSOR_UNDERLINE] = 3, [VT_CURSOR_BAR] = 5};

    if (cursor->blinking)
        return styles[cursor->shape];
    return cursor->shape == VT_CURSOR_BLOCK ? 2 : styles[cursor->shape] + 1;
}

/* The cursor of the program, where it is on the screen. */
static void place_cursor(struct console *console, const struct pane *pane)
{
    struct vt_cursor cursor = vt_cursor(pane->vt);

    int64_t row = grid_top_line(vt_grid(pane->vt)) + cursor.row - pane_top_line(pane);

    if (cursor.visible && pane_lines_behind(pane) == 0 && row >= 0 && row < pane->text.rows &&
        cursor.column < pane->text.columns) {
        screen_cursor(console->screen, pane->text.row + (int)row,
                      pane->text.column + cursor.column);
        screen_cursor_style(console->screen, cursor_style(&cursor));
    } else {
        screen_cursor(console->screen, -1, 0);
    }
}

/* What stands where a command that has ended without a word has left nothing: else that looks as if
 * its output were still to come. Ours, and not in the terminal of the pane. */
static void draw_silence(const struct console *console, struct pane *pane)
{
    const struct call *call = call_of(console, pane);
    const struct run_result *result;
    cleanup_free char *text = NULL;

    if (!pane->silent || call == NULL || call->state != CALL_FINISHED || call->attempt_count == 0)
        return;
    result = &call->attempts[call->attempt_count - 1].result;
    text = result->outcome == RUN_EXITED ? xasprintf(_("no output, exit status %d"), result->code)
                                         : xstrdup(_("no output"));
    pane->words = true;
    render_cut(console->theme, rect_row(pane->text, 0), 0, pane->text.columns, THEME_DIM, text);
}

static void draw_blank(struct console *console)
{
    struct rect rect = console->layout.blank;
    struct rect row;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_TEXT);
    row = rect_row(rect, rect.rows / 2);
    render_cut(console->theme, row, 2, row.columns - 3, THEME_DIM,
               _("Commands appear here when they run. Type one below, or let an agent ask."));
}

void view_panes_draw(struct console *console, bool all)
{
    int64_t now = loop_now_ms(console->setup.loop);
    bool beside = console->overlay != NULL && !console->overlay->class->in_pane;
    bool held = false;

    if (all)
        draw_blank(console);
    for (size_t i = 0; i < console->panes.count; i++) {
        struct pane *pane = console->panes.panes[i];

        if (rect_empty(pane->text))
            continue;
        if (all)
            draw_title(console, pane);
        if (all && !console->zoomed)
            draw_divider(console, pane);
        pane_stand_beside(pane, beside);
        if (pane_dirty(pane) && !pane_draw(pane, console->theme, now))
            held = true;
        draw_silence(console, pane);
        if (pane->call == console->selected && console->keyboard_in_pane)
            place_cursor(console, pane);
    }
    if (held)
        loop_timer_start(console->hold_timer, PANE_HOLD_MS);
}
