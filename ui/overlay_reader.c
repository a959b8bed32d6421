/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/details_view.h"
#include "ui/overlay_help.h"
#include "ui/pane_text.h"
#include "ui/view.h"

/* Terminals drop a longer one without a word. */
#define COPY_MAX ((size_t)70000)
#define MATCHES_SHOWN 64 /* of a line */

struct reader {
    struct overlay base;
    uint64_t call;
    bool followed;       /* the newest call was selected, not by hand */
    unsigned generation; /* of the pane's grid: its lines got other numbers when it differs */
    struct pane_place at;
    bool unmoved; /* it stands where it began, in the last line: a search has that line in it */
    bool selecting;
    struct pane_place anchor;  /* where the selection began */
    char *wanted;              /* what is looked for, or NULL */
    bool hit;                  /* that was found */
    struct line_editor *typed; /* while the operator writes that; else NULL */
    char *note;                /* what came of the last key, or NULL; owned */
    enum theme_element note_element;
};

static struct pane *pane_of(const struct reader *reader, const struct console *console)
{
    struct pane *pane = pane_set_find(&console->panes, reader->call);

    return pane != NULL && !rect_empty(pane->text) ? pane : NULL;
}

/* ---- moving ------------------------------------------------------------------------------- */

static int64_t last_line(const struct grid *grid)
{
    return grid_top_line(grid) + grid_rows(grid) - 1;
}

/* The last one with text; the first there is when none has any. */
static int64_t last_text_line(const struct grid *grid)
{
    int64_t line = last_line(grid);

    while (line > grid_first_line(grid) && grid_line_used(grid, line) == 0)
        line--;
    return line;
}

/* Onto something that is there, and into view. */
static void settle(struct reader *reader, struct console *console, struct pane *pane)
{
    const struct grid *grid = vt_grid(pane->vt);
    int64_t top = pane_top_line(pane);

    if (reader->at.line < grid_first_line(grid))
        reader->at.line = grid_first_line(grid);
    if (reader->at.line > last_line(grid))
        reader->at.line = last_line(grid);
    if (reader->at.column >= grid_columns(grid))
        reader->at.column = grid_columns(grid) - 1;
    if (reader->at.column < 0)
        reader->at.column = 0;
    if (reader->at.line < top)
        top = reader->at.line;
    if (reader->at.line >= top + pane->text.rows)
        top = reader->at.line - pane->text.rows + 1;
    pane_stand_at(pane, top);
    console_dirty(console, DIRTY_OVERLAY | DIRTY_PANES);
}

static void go_to_line_end(struct reader *reader, const struct grid *grid)
{
    int used = grid_line_used(grid, reader->at.line);

    reader->at.column = used > 0 ? used - 1 : 0;
}

static void set_note(struct reader *reader, enum theme_element element, char *note)
{
    free(reader->note);
    reader->note = note;
    reader->note_element = element;
}

/* ---- looking for -------------------------------------------------------------------------- */

/* What was looked for can be in what the pane has shown and does not keep. */
static void say_missed(struct reader *reader, const struct grid *grid)
{
    int64_t kept = last_text_line(grid) - grid_first_line(grid) + 1;

    set_note(
        reader, THEME_WARNING,
        grid_first_line(grid) == 0
            ? xstrdup(_("it is nowhere in what this pane has shown"))
            : xasprintf(P_("not in the last %" PRId64 " line, which is all that is kept",
                           "not in the last %" PRId64 " lines, which are all that is kept", kept),
                        kept));
}

static void look_for(struct reader *reader, const struct pane *pane, int direction)
{
    struct pane_place from = reader->at;
    struct pane_span found;
    struct search_hit hit;

    if (reader->unmoved && direction < 0)
        from.column = grid_columns(vt_grid(pane->vt));
    if (reader->wanted == NULL || *reader->wanted == '\0') {
        set_note(reader, THEME_WARNING, xstrdup(_("nothing is looked for yet: /")));
        return;
    }
    if (!pane_text_find(vt_grid(pane->vt), reader->wanted, from, direction, &found, &hit)) {
        say_missed(reader, vt_grid(pane->vt));
        reader->hit = false;
        return;
    }
    reader->hit = true;
    set_note(reader, search_hit_element(&hit), search_hit_text(&hit));
    reader->at = found.first;
    reader->unmoved = false;
}

static void typed_key(struct reader *reader, struct console *console, const struct pane *pane,
                      const struct input_event *event)
{
    switch (keymap_find(&console->keymap, KEYMAP_LINE, event->key, event->modifiers)) {
    case ACTION_LINE_ACCEPT:
        if (*line_editor_text(reader->typed) != '\0') {
            free(reader->wanted);
            reader->wanted = xstrdup(line_editor_text(reader->typed));
        }
        line_editor_free(&reader->typed);
        look_for(reader, pane, -1);
        break;
    case ACTION_LINE_CANCEL:
        line_editor_free(&reader->typed);
        break;
    default:
        line_editor_key(reader->typed, event->key, event->modifiers);
        break;
    }
}

/* ---- copying ------------------------------------------------------------------------------ */

/* From where to where is copied: the selection, else the line at the cursor. */
static struct pane_span selection(const struct reader *reader, const struct grid *grid)
{
    struct pane_span span = {reader->anchor, reader->at};

    if (reader->selecting) {
        if (pane_place_compare(reader->at, reader->anchor) < 0)
            span = (struct pane_span){reader->at, reader->anchor};
        return span;
    }
    span.first = (struct pane_place){pane_text_line_start(grid, reader->at.line), 0};
    span.last = (struct pane_place){reader->at.line, grid_columns(grid) - 1};
    while (grid_line_wrapped(grid, span.last.line) && span.last.line < last_line(grid))
        span.last.line++;
    return span;
}

/* The list of calls goes on following the newest, when it did before. */
static void follow_again(const struct reader *reader, struct console *console)
{
    if (!reader->followed || console->selected != reader->call)
        return;
    if (console->zoomed)
        console->selected_by_hand = false;
    else
        view_calls_follow(console);
}

static void leave(struct reader *reader, struct console *console)
{
    struct pane *pane = pane_of(reader, console);

    if (pane != NULL)
        pane_let_go(pane);
    follow_again(reader, console);
    overlay_close(console, &reader->base);
}

/* The reader stays: whoever goes on reading must not type into the prompt line. */
static void copy(struct reader *reader, struct console *console, const struct pane *pane)
{
    const struct grid *grid = vt_grid(pane->vt);
    struct pane_span span = selection(reader, grid);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    grid_text(grid, span.first.line, span.first.column, span.last.line, span.last.column, &text);
    if (text.length > COPY_MAX) {
        set_note(reader, THEME_WARNING,
                 xstrdup(_("too much for a terminal's clipboard: select less")));
        return;
    }
    if (text.length == 0) {
        set_note(reader, THEME_WARNING, xstrdup(_("there is no text there")));
        return;
    }
    screen_copy(console->screen, text.data, text.length);
    set_note(reader, THEME_OK,
             xasprintf(P_("%zu byte was handed to the terminal's clipboard",
                          "%zu bytes were handed to the terminal's clipboard", text.length),
                       text.length));
    reader->selecting = false;
}

/* ---- keys --------------------------------------------------------------------------------- */

static void select_or_not(struct reader *reader)
{
    reader->selecting = !reader->selecting;
    reader->anchor = reader->at;
}

/* False when the action is no motion. */
static bool moves(struct reader *reader, const struct pane *pane, enum action action)
{
    const struct grid *grid = vt_grid(pane->vt);
    int page = pane->text.rows > 1 ? pane->text.rows - 1 : 1;

    switch (action) {
    case ACTION_READER_UP:
        reader->at.line--;
        break;
    case ACTION_READER_DOWN:
        reader->at.line++;
        break;
    case ACTION_READER_LEFT:
        reader->at.column--;
        break;
    case ACTION_READER_RIGHT:
        reader->at.column++;
        break;
    case ACTION_READER_PAGE_UP:
        reader->at.line -= page;
        break;
    case ACTION_READER_PAGE_DOWN:
        reader->at.line += page;
        break;
    case ACTION_READER_LINE_START:
        reader->at.column = 0;
        break;
    case ACTION_READER_LINE_END:
        go_to_line_end(reader, grid);
        break;
    case ACTION_READER_TOP:
        reader->at = (struct pane_place){grid_first_line(grid), 0};
        break;
    case ACTION_READER_END:
        reader->at = (struct pane_place){last_line(grid), 0};
        break;
    case ACTION_READER_NEXT:
        look_for(reader, pane, -1);
        break;
    case ACTION_READER_PREVIOUS:
        look_for(reader, pane, 1);
        break;
    default:
        return false;
    }
    return true;
}

static void act(struct reader *reader, struct console *console, struct pane *pane,
                enum action action)
{
    if (moves(reader, pane, action)) {
        reader->unmoved = false;
        settle(reader, console, pane);
        return;
    }
    switch (action) {
    case ACTION_READER_SEARCH:
        reader->typed = line_editor_new();
        break;
    case ACTION_READER_SELECT:
        select_or_not(reader);
        break;
    case ACTION_READER_COPY:
        copy(reader, console, pane);
        break;
    case ACTION_READER_HELP:
        overlay_help_show(console, KEYMAP_READER);
        break;
    case ACTION_READER_CLOSE:
        leave(reader, console);
        break;
    default:
        break;
    }
}

static void reader_key(struct overlay *overlay, struct console *console,
                       const struct input_event *event)
{
    struct reader *reader = (struct reader *)overlay;
    struct pane *pane = pane_of(reader, console);
    enum action action;

    console_dirty(console, DIRTY_OVERLAY | DIRTY_PANES);
    if (pane == NULL || reader->generation != grid_generation(vt_grid(pane->vt))) {
        console_remark(console, THEME_DIM, "%s",
                       _("the pane has changed: what you were reading stands elsewhere now"));
        leave(reader, console);
        return;
    }
    pane->redraw = true;
    set_note(reader, THEME_DIM, NULL);
    if (reader->typed != NULL) {
        typed_key(reader, console, pane, event);
        settle(reader, console, pane);
        return;
    }
    action = keymap_find(&console->keymap, KEYMAP_READER, event->key, event->modifiers);
    if (action == ACTION_NONE && overlay_closes_for_command(overlay, console, event))
        action = ACTION_READER_CLOSE;
    act(reader, console, pane, action);
}

static void reader_paste(struct overlay *overlay, struct console *console, const char *bytes,
                         size_t length)
{
    struct reader *reader = (struct reader *)overlay;

    if (reader->typed != NULL)
        line_editor_insert(reader->typed, bytes, length);
    console_dirty(console, DIRTY_OVERLAY);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void paint_span(const struct console *console, const struct pane *pane,
                       const struct pane_span *span, enum theme_element element)
{
    int64_t top = pane_top_line(pane);

    for (int row = 0; row < pane->text.rows; row++) {
        struct rect part = rect_row(pane->text, row);
        int64_t line = top + row;
        int first = line == span->first.line ? span->first.column : 0;
        int last = line == span->last.line ? span->last.column : part.columns - 1;

        if (line < span->first.line || line > span->last.line)
            continue;
        part.column += first;
        part.columns = (last < part.columns ? last + 1 : part.columns) - first;
        render_paint(console->theme, part, element);
    }
}

static void paint_matches(const struct reader *reader, const struct console *console,
                          const struct pane *pane)
{
    const struct grid *grid = vt_grid(pane->vt);
    struct pane_span spans[MATCHES_SHOWN];
    int64_t line = pane_text_line_start(grid, pane_top_line(pane));
    int64_t end = pane_top_line(pane) + pane->text.rows;

    while (reader->wanted != NULL && line < end) {
        int64_t next;
        size_t count = pane_text_matches(grid, reader->wanted, line, spans, MATCHES_SHOWN, &next);

        for (size_t i = 0; i < count; i++)
            paint_span(console, pane, &spans[i],
                       pane_place_compare(spans[i].first, reader->at) == 0 ? THEME_STATUS_KEYS
                                                                           : THEME_STATUS_WAITING);
        if (next <= line)
            break;
        line = next;
    }
}

/* What a key does, if there is room for all of it. Takes `hint`. */
static bool add_hint(struct strbuf *text, int columns, char *hint)
{
    cleanup_free char *taken = hint;
    int width = (int)text_width(strbuf_str(text), text->length) +
                (int)text_width(taken, strlen(taken)) + (text->length > 0 ? 2 : 0);

    if (width <= columns)
        strbuf_addf(text, "%s%s", text->length > 0 ? "  " : "", taken);
    return width <= columns;
}

static void add_selection_hints(struct strbuf *text, const struct console *console, int columns,
                                bool selecting)
{
    char select[24], copy[24];

    keymap_key(&console->keymap, ACTION_READER_SELECT, select);
    keymap_key(&console->keymap, ACTION_READER_COPY, copy);
    if (selecting) {
        add_hint(text, columns, xasprintf(_("%s drops the selection"), select));
        add_hint(text, columns, xasprintf(_("%s copies it"), copy));
        return;
    }
    add_hint(text, columns, xasprintf(_("%s selects"), select));
    if (!add_hint(text, columns, xasprintf(_("%s copies the line"), copy)))
        add_hint(text, columns, xasprintf(_("%s copies"), copy));
}

/* Behind a match, that there are more is what is looked for. */
static char *hints(const struct reader *reader, const struct console *console, int columns)
{
    struct strbuf text = STRBUF_INIT;
    char key[24];

    if (reader->hit)
        add_hint(
            &text, columns,
            xasprintf(_("%s match before"), keymap_key(&console->keymap, ACTION_READER_NEXT, key)));
    add_hint(&text, columns,
             xasprintf(_("%s searches"), keymap_key(&console->keymap, ACTION_READER_SEARCH, key)));
    add_selection_hints(&text, console, columns, reader->selecting);
    return strbuf_steal(&text);
}

/* The prompt line has no use meanwhile. */
static void draw_line(struct reader *reader, struct console *console)
{
    struct rect row = console->layout.prompt;
    cleanup_free char *keys = NULL;
    cleanup_free char *waiting = overlay_waiting_text(console);
    cleanup_free char *closes = NULL;
    char key[24];
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    int column;

    if (rect_empty(row))
        return;
    render_fill(console->theme, row, THEME_PROMPT_TEXT);
    if (reader->typed != NULL) {
        column = render_string(console->theme, row, 1, THEME_PROMPT_SIGN, "/");
        int cursor = line_editor_view(reader->typed, row.columns - column - 1, &text);
        render_string(console->theme, row, column, THEME_PROMPT_TEXT, strbuf_str(&text));
        screen_cursor(console->screen, row.row, row.column + column + cursor);
        return;
    }
    /* How to get out stands first: it must not be cut. */
    closes = xasprintf(_(" %s closes "), keymap_key(&console->keymap, ACTION_READER_CLOSE, key));
    column = render_string(console->theme, row, waiting != NULL ? 1 : 0,
                           waiting != NULL ? THEME_STATUS_WAITING : THEME_DIM,
                           waiting != NULL ? waiting : closes) +
             1;
    if (reader->note != NULL)
        column = render_cut(console->theme, row, column, row.columns - column - 1,
                            reader->note_element, reader->note) +
                 2;
    keys = reader->base.refused ? xstrdup(_("That key is for the prompt."))
                                : hints(reader, console, row.columns - column - 1);
    render_cut(console->theme, row, column, row.columns - column - 1,
               reader->base.refused ? THEME_WARNING : THEME_DIM, keys);
}

static void reader_draw(struct overlay *overlay, struct console *console, struct rect area)
{
    struct reader *reader = (struct reader *)overlay;
    const struct pane *pane = pane_of(reader, console);

    (void)area;
    screen_cursor(console->screen, -1, 0);
    if (pane != NULL && reader->generation == grid_generation(vt_grid(pane->vt))) {
        struct pane_span span = selection(reader, vt_grid(pane->vt));
        int64_t row = reader->at.line - pane_top_line(pane);

        paint_matches(reader, console, pane);
        if (reader->selecting)
            paint_span(console, pane, &span, THEME_OPTION_SELECTED);
        if (row >= 0 && row < pane->text.rows && reader->at.column < pane->text.columns)
            screen_cursor(console->screen, pane->text.row + (int)row,
                          pane->text.column + reader->at.column);
    }
    draw_line(reader, console);
}

static void reader_where(struct overlay *overlay, struct console *console, char *out, size_t size)
{
    const struct reader *reader = (const struct reader *)overlay;

    (void)console;
    snprintf(out, size, _("reading c%" PRIu64), reader->call);
}

static void reader_free(struct overlay *overlay)
{
    struct reader *reader = (struct reader *)overlay;

    line_editor_free(&reader->typed);
    free(reader->wanted);
    free(reader->note);
    free(reader);
}

static const struct overlay_class reader_class = {
    .draw = reader_draw,
    .key = reader_key,
    .paste = reader_paste,
    .where = reader_where,
    .free = reader_free,
    .reading = ACTION_READER_CLOSE,
    .in_pane = true,
};

void overlay_reader_open(struct console *console, const char *search)
{
    const struct call *call = console_selected_call(console);
    struct pane *pane = console_selected_pane(console);
    struct reader *reader;

    if (pane == NULL && call != NULL) {
        details_show_paneless(console, call, search);
        return;
    }
    if (pane == NULL || rect_empty(pane->text)) {
        console_say_no_pane(console);
        return;
    }
    reader = XNEW(struct reader);
    reader->followed = !console->selected_by_hand;
    console->selected_by_hand = true; /* another call must not take the pane away */
    reader->base.class = &reader_class;
    reader->call = pane->call;
    reader->generation = grid_generation(vt_grid(pane->vt));
    /* Not below the output, where there is nothing to copy. */
    reader->at = (struct pane_place){last_text_line(vt_grid(pane->vt)), 0};
    reader->unmoved = pane_lines_behind(pane) == 0;
    if (!reader->unmoved)
        reader->at = (struct pane_place){pane_top_line(pane), 0};
    overlay_push(console, &reader->base);
    if (search != NULL && *search != '\0') {
        reader->wanted = xstrdup(search);
        look_for(reader, pane, -1);
    }
    settle(reader, console, pane);
}
