/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_full.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/document_lines.h"
#include "ui/overlay_help.h"
#include "ui/patch_text.h"
#include "ui/quoted.h"

#define COLUMNS_BEFORE 76 /* that a text is broken for which has not been drawn yet */

struct full {
    struct overlay base;
    char *title;
    char *foot; /* NULL: what closes it, and where in the text it is */
    struct document text;
    struct document_lines lines;
    int first;                 /* line shown at the top */
    int page;                  /* lines shown */
    char *wanted;              /* what is looked for, or NULL */
    uint64_t ended;            /* the call whose request it was read over, and is gone; 0: none */
    int found;                 /* the line where it stands; -1: not looked for yet */
    struct line_editor *typed; /* while the operator writes that; else NULL */
    char *note;                /* what came of it, or NULL; owned */
    enum theme_element note_element;
    void (*closed)(void *argument); /* or NULL */
    void *closed_argument;
};

void overlay_full_set(struct overlay *overlay, struct document *text)
{
    struct full *full = (struct full *)overlay;

    document_lines_clear(&full->lines, &full->text);
    document_clear(&full->text);
    full->text = *text;
    full->found = -1;
    *text = (struct document){0};
}

static void full_free(struct overlay *overlay)
{
    struct full *full = (struct full *)overlay;

    if (full->closed != NULL)
        full->closed(full->closed_argument);
    document_lines_clear(&full->lines, &full->text);
    document_clear(&full->text);
    line_editor_free(&full->typed);
    free(full->wanted);
    free(full->note);
    free(full->title);
    free(full->foot);
    free(full);
}

void overlay_full_on_close(struct overlay *overlay, void (*closed)(void *argument), void *argument)
{
    struct full *full = (struct full *)overlay;

    full->closed = closed;
    full->closed_argument = argument;
}

void overlay_full_to_end(struct overlay *overlay)
{
    ((struct full *)overlay)->first = INT_MAX;
}

static const struct overlay_class full_class;

bool overlay_full_outlive(struct overlay *overlay, uint64_t call)
{
    struct full *full = (struct full *)overlay;

    if (overlay->class != &full_class)
        return false;
    for (size_t i = 0; i < full->text.count; i++)
        full->text.blocks[i].seen = NULL;
    full->ended = call;
    return true;
}

#define FRAME_COLUMNS 4 /* and the blanks within it */
#define BAR_COLUMNS 2

static int box_columns(int columns)
{
    return columns >= 124 ? 120 : columns;
}

size_t overlay_full_row_columns(const struct console *console)
{
    return (size_t)(box_columns(console->columns) - FRAME_COLUMNS - BAR_COLUMNS);
}

static void arrange(struct full *full, int columns)
{
    if (full->lines.columns != columns)
        full->found = -1; /* it has another number now */
    document_lines_arrange(&full->lines, &full->text, columns);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static int width_between(const char *text, size_t from, size_t to)
{
    return to > from ? (int)text_width(text + from, to - from) : 0;
}

/* The parts of matches that stand in that piece of the text, which begins at `column` of the row.
 */
static void paint_matches(const struct theme *theme, struct rect row, int column, const char *text,
                          size_t start, size_t length, const char *wanted,
                          enum theme_element element)
{
    size_t size = strlen(wanted), end = start + length;
    size_t at = start >= size ? start - size + 1 : 0;
    size_t stop = end + strnlen(text + end, size - 1);
    const char *match;

    while (at < end && (match = text_search(text + at, stop - at, wanted)) != NULL) {
        size_t first = (size_t)(match - text), last = first + size;
        struct rect part = row;

        at = last;
        first = first > start ? first : start;
        last = last < end ? last : end;
        part.column += column + width_between(text, start, first);
        part.columns = width_between(text, first, last);
        render_paint(theme, part, element);
    }
}

/* `line` counts from the block's first. */
static void draw_block_line(const struct theme *theme, struct rect row,
                            const struct document_block *block, const struct wrap *wrap, int line,
                            const char *wanted, enum theme_element found)
{
    const struct wrap_line *wrapped;
    int column;

    if (line < document_lines_heading(block)) {
        render_string(theme, row, 0, THEME_OVERLAY_LABEL, block->heading);
        if (wanted != NULL)
            paint_matches(theme, row, 0, block->heading, 0, strlen(block->heading), wanted, found);
        return;
    }
    line -= document_lines_heading(block);
    if (line >= (int)wrap->count)
        return;
    wrapped = &wrap->lines[line];
    column = QUOTED_COLUMNS + document_lines_indent(block, wrapped);
    if (document_lines_mode(block) == WRAP_BLANKS) {
        quoted_draw(theme, row, THEME_AGENT_WORDS,
                    block->kind == DOCUMENT_PATCH
                        ? patch_text_element(block->text, wrap, (size_t)line)
                        : block->element,
                    block->text, wrap, (size_t)line);
    } else {
        if (document_is_foreign(block))
            render_string(theme, row, 0, THEME_AGENT_WORDS, theme_glyph(theme, GLYPH_BAR));
        render_text(theme, row, column, block->element, block->text + wrapped->start,
                    wrapped->length);
    }
    if (wanted != NULL)
        paint_matches(theme, row, column, block->text, wrapped->start, wrapped->length, wanted,
                      found);
}

static void draw_lines(struct full *full, const struct theme *theme, struct rect rect)
{
    size_t at = 0;

    for (int i = 0; i < rect.rows; i++) {
        int line = full->first + i;

        while (at + 1 < full->text.count && full->lines.places[at + 1].top <= line)
            at++;
        if (at < full->text.count && line < full->lines.count)
            draw_block_line(theme, rect_row(rect, i), &full->text.blocks[at],
                            &full->lines.places[at].wrap, line - full->lines.places[at].top,
                            full->wanted,
                            line == full->found ? THEME_STATUS_KEYS : THEME_STATUS_WAITING);
    }
}

static void draw_typed(struct full *full, struct console *console, struct rect row)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    int column = render_string(console->theme, row, 0, THEME_PROMPT_SIGN, "/");
    int cursor = line_editor_view(full->typed, row.columns - column, &text);

    render_fill(console->theme,
                (struct rect){row.row, row.column + column, 1, row.columns - column},
                THEME_PROMPT_TEXT);
    render_string(console->theme, row, column, THEME_PROMPT_TEXT, strbuf_str(&text));
    screen_cursor(console->screen, row.row, row.column + column + cursor);
}

/* How to get out stands first; what came of a search is told behind it. */
static int draw_way_out(const struct full *full, struct console *console, struct rect row)
{
    char close[24];
    cleanup_free char *waiting = overlay_waiting_text(console);
    cleanup_free char *closes = xasprintf(
        full->base.refused ? _(" %s closes: that key is for the prompt ") : _(" %s closes "),
        keymap_key(&console->keymap, ACTION_VIEW_CLOSE, close));
    int column =
        render_string(console->theme, row, 0,
                      waiting != NULL || full->base.refused ? THEME_WARNING : THEME_OVERLAY_DIM,
                      waiting != NULL ? waiting : closes);

    if (full->ended != 0) {
        cleanup_free char *ended = xasprintf(_(" c%" PRIu64 " has ended "), full->ended);

        column =
            render_cut(console->theme, row, column, row.columns - column, THEME_WARNING, ended);
    }
    if (full->note != NULL) {
        cleanup_free char *note = xasprintf(" %s ", full->note);

        column =
            render_cut(console->theme, row, column, row.columns - column, full->note_element, note);
    }
    return column;
}

static int text_columns(const char *text)
{
    return (int)text_width(text, strlen(text));
}

/* Where in the text it is, and how to find something in it; the keys that scroll, which the help
 * lists, give way to that. */
static void draw_place(const struct full *full, const struct console *console, struct rect row)
{
    int last =
        full->first + full->page < full->lines.count ? full->first + full->page : full->lines.count;
    char search[24];
    cleanup_free char *place = xasprintf(_(" lines %d to %d of %d, PgUp PgDn Home End "),
                                         full->first + 1, last, full->lines.count);
    cleanup_free char *finds =
        xasprintf(_(" %s searches "), keymap_key(&console->keymap, ACTION_VIEW_SEARCH, search));

    if (text_columns(place) + text_columns(finds) > row.columns) {
        free(place);
        place = xasprintf(_(" lines %d to %d of %d "), full->first + 1, last, full->lines.count);
    }
    if (text_columns(place) > row.columns)
        return;
    render_right(console->theme, row, THEME_OVERLAY_DIM, place);
    row.columns -= text_columns(place);
    if (text_columns(finds) <= row.columns)
        render_right(console->theme, row, THEME_OVERLAY_DIM, finds);
}

static void draw_foot(struct full *full, struct console *console, struct rect row)
{
    int column;

    if (full->foot != NULL) {
        render_cut(console->theme, row, 0, row.columns, THEME_OVERLAY_DIM, full->foot);
        return;
    }
    if (full->typed != NULL) {
        draw_typed(full, console, row);
        return;
    }
    column = draw_way_out(full, console, row);
    if (full->lines.count <= full->page || full->base.refused)
        return;
    row.column += column;
    row.columns -= column;
    draw_place(full, console, row);
}

static void full_draw(struct overlay *overlay, struct console *console, struct rect area)
{
    struct full *full = (struct full *)overlay;
    struct rect box = overlay_place(area, area.rows, box_columns(area.columns));
    struct rect inner = rect_inner(box, 1, 2);

    arrange(full, inner.columns);
    full->page = inner.rows;
    if (full->lines.count + 2 < box.rows) {
        box = overlay_place(area, full->lines.count + 2, box.columns);
        inner = rect_inner(box, 1, 2);
    }
    if (full->first > full->lines.count - full->page)
        full->first = full->lines.count - full->page;
    if (full->first < 0)
        full->first = 0;
    render_fill(console->theme, box, THEME_OVERLAY_TEXT);
    render_frame(console->theme, box, THEME_OVERLAY_BORDER);
    render_cut(console->theme, rect_row(box, 0), 2, box.columns - 4, THEME_OVERLAY_TITLE,
               full->title);
    draw_lines(full, console->theme, inner);
    screen_cursor(console->screen, -1, 0);
    draw_foot(full, console, rect_inner(rect_row(box, box.rows - 1), 0, 2));
}

/* ---- looking for --------------------------------------------------------------------------- */

static void set_note(struct full *full, enum theme_element element, char *note)
{
    free(full->note);
    full->note = note;
    full->note_element = element;
}

static void look_for(struct full *full, int direction)
{
    int from = full->found >= 0 ? full->found : full->first - (direction > 0);
    struct search_hit hit;

    if (full->wanted == NULL) {
        set_note(full, THEME_WARNING, xstrdup(_("nothing is looked for yet: /")));
        return;
    }
    if (full->lines.columns == 0)
        arrange(full, COLUMNS_BEFORE);
    full->found =
        document_lines_find(&full->lines, &full->text, full->wanted, from, direction, &hit);
    if (full->found < 0) {
        set_note(full, THEME_WARNING, xstrdup(_("it is nowhere in this text")));
        return;
    }
    set_note(full, search_hit_element(&hit), search_hit_text(&hit));
    if (full->found < full->first || full->found >= full->first + full->page)
        full->first = full->found - full->page / 3;
}

static void look_for_text(struct full *full, const char *text)
{
    free(full->wanted);
    full->wanted = xstrdup(text);
    full->found = -1;
    look_for(full, 1);
}

void overlay_full_find(struct overlay *overlay, const char *text)
{
    look_for_text((struct full *)overlay, text);
}

static void typed_key(struct full *full, struct console *console, const struct input_event *event)
{
    switch (keymap_find(&console->keymap, KEYMAP_LINE, event->key, event->modifiers)) {
    case ACTION_LINE_ACCEPT:
        if (*line_editor_text(full->typed) != '\0')
            look_for_text(full, line_editor_text(full->typed));
        else
            look_for(full, 1);
        line_editor_free(&full->typed);
        break;
    case ACTION_LINE_CANCEL:
        line_editor_free(&full->typed);
        break;
    default:
        line_editor_key(full->typed, event->key, event->modifiers);
        break;
    }
}

static void full_paste(struct overlay *overlay, struct console *console, const char *bytes,
                       size_t length)
{
    struct full *full = (struct full *)overlay;

    if (full->typed != NULL)
        line_editor_insert(full->typed, bytes, length);
    console_dirty(console, DIRTY_OVERLAY);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* Enter is for what can be chosen, and a text is only read. */
static void say_nothing_to_choose(struct full *full)
{
    set_note(full, THEME_WARNING, xstrdup(_("there is nothing to choose here")));
}

static void full_key(struct overlay *overlay, struct console *console,
                     const struct input_event *event)
{
    struct full *full = (struct full *)overlay;

    console_dirty(console, DIRTY_OVERLAY);
    set_note(full, THEME_OVERLAY_DIM, NULL);
    if (full->typed != NULL) {
        typed_key(full, console, event);
        return;
    }
    switch (keymap_find(&console->keymap, KEYMAP_VIEW, event->key, event->modifiers)) {
    case ACTION_VIEW_UP:
        full->first--;
        break;
    case ACTION_VIEW_DOWN:
        full->first++;
        break;
    case ACTION_VIEW_PAGE_UP:
        full->first -= full->page - 1;
        break;
    case ACTION_VIEW_PAGE_DOWN:
        full->first += full->page - 1;
        break;
    case ACTION_VIEW_TOP:
        full->first = 0;
        break;
    case ACTION_VIEW_END:
        full->first = full->lines.count;
        break;
    case ACTION_VIEW_SEARCH:
        full->typed = line_editor_new();
        break;
    case ACTION_VIEW_NEXT:
        look_for(full, 1);
        break;
    case ACTION_VIEW_PREVIOUS:
        look_for(full, -1);
        break;
    case ACTION_VIEW_CLOSE:
        overlay_pop(console);
        break;
    default:
        if (event->key == INPUT_KEY_ENTER)
            say_nothing_to_choose(full);
        else if (overlay_closes_for_command(overlay, console, event))
            overlay_pop(console);
        break;
    }
}

#define WHEEL_LINES 3

static void full_mouse(struct overlay *overlay, struct console *console,
                       const struct input_mouse *mouse)
{
    struct full *full = (struct full *)overlay;

    if (mouse->button == MOUSE_WHEEL_UP)
        full->first -= WHEEL_LINES;
    else if (mouse->button == MOUSE_WHEEL_DOWN)
        full->first += WHEEL_LINES;
    console_dirty(console, DIRTY_OVERLAY);
}

static void full_painted(struct overlay *overlay, struct console *console, int64_t now_ms)
{
    struct full *full = (struct full *)overlay;

    (void)now_ms;
    if (console->layout.too_small)
        return; /* nothing of it counts as read */
    for (size_t i = 0; full->lines.places != NULL && i < full->text.count; i++) {
        const struct document_block *block = &full->text.blocks[i];
        const struct document_place *place = &full->lines.places[i];
        int last = place->top + document_lines_heading(block) + (int)place->wrap.count - 1;

        if (block->seen != NULL && last < full->first + full->page)
            *block->seen = true;
    }
}

static void full_where(struct overlay *overlay, struct console *console, char *out, size_t size)
{
    (void)overlay;
    (void)console;
    snprintf(out, size, "%s", _("this text"));
}

static const struct overlay_class full_class = {
    .draw = full_draw,
    .key = full_key,
    .mouse = full_mouse,
    .paste = full_paste,
    .painted = full_painted,
    .where = full_where,
    .reading = ACTION_VIEW_CLOSE,
    .alone = true,
    .small_above = true,
    .free = full_free,
};

struct overlay *overlay_full_new(const char *title, struct document *text)
{
    struct full *full = XNEW(struct full);

    full->base.class = &full_class;
    full->title = xasprintf(" %s ", title);
    overlay_full_set(&full->base, text);
    return &full->base;
}

/* ---- brief -------------------------------------------------------------------------------- */

/* Who asks for help has more than this to read. */
static void brief_key(struct overlay *overlay, struct console *console,
                      const struct input_event *event)
{
    bool helps =
        keymap_find(&console->keymap, KEYMAP_MAIN, event->key, event->modifiers) == ACTION_HELP ||
        (event->key == '?' && event->modifiers == 0);

    overlay_close(console, overlay);
    if (helps)
        overlay_help_show(console, KEYMAP_MAIN);
}

static void brief_mouse(struct overlay *overlay, struct console *console,
                        const struct input_mouse *mouse)
{
    if (mouse->button == MOUSE_LEFT)
        overlay_close(console, overlay);
}

static void brief_paste(struct overlay *overlay, struct console *console, const char *bytes,
                        size_t length)
{
    (void)bytes;
    (void)length;
    overlay_close(console, overlay);
}

static const struct overlay_class brief_class = {
    .draw = full_draw,
    .key = brief_key,
    .mouse = brief_mouse,
    .paste = brief_paste,
    .where = full_where,
    .gives_way = true,
    .alone = true,
    .free = full_free,
};

struct overlay *overlay_full_new_brief(const char *title, const char *foot, struct document *text)
{
    struct overlay *overlay = overlay_full_new(title, text);

    overlay->class = &brief_class;
    ((struct full *)overlay)->foot = xstrdup(foot);
    return overlay;
}
