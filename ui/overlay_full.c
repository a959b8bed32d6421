/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_full.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/patch_text.h"
#include "ui/wrap.h"

/* Of what goes on in a row that is too long: behind the time of the record's. */
#define ROW_INDENT 10

/* A block of the text, broken for the width in `full`. */
struct place {
    struct wrap wrap;
    int top; /* line where it starts, its heading included */
};

struct full {
    struct overlay base;
    char *title;
    char *foot; /* NULL: what closes it, and where in the text it is */
    struct document text;
    struct place *places;           /* of its blocks */
    int columns;                    /* that `places` were made for, 0: not yet */
    int lines;                      /* of all blocks */
    int first;                      /* line shown at the top */
    int page;                       /* lines shown */
    void (*closed)(void *argument); /* or NULL */
    void *closed_argument;
};

static void clear_places(struct full *full)
{
    for (size_t i = 0; full->places != NULL && i < full->text.count; i++)
        wrap_clear(&full->places[i].wrap);
    free(full->places);
    full->places = NULL;
    full->columns = 0;
}

void overlay_full_set(struct overlay *overlay, struct document *text)
{
    struct full *full = (struct full *)overlay;

    clear_places(full);
    document_clear(&full->text);
    full->text = *text;
    *text = (struct document){0};
}

static void full_free(struct overlay *overlay)
{
    struct full *full = (struct full *)overlay;

    if (full->closed != NULL)
        full->closed(full->closed_argument);
    clear_places(full);
    document_clear(&full->text);
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

static int heading_lines(const struct document_block *block)
{
    return block->heading != NULL ? 1 : 0;
}

static bool is_prose(const struct document_block *block)
{
    return block->kind == DOCUMENT_WORDS || block->kind == DOCUMENT_QUOTED ||
           block->kind == DOCUMENT_ROWS;
}

/* Breaks all blocks for a width; a blank line before each heading. */
static void arrange(struct full *full, int columns)
{
    int line = 0;

    if (full->columns == columns)
        return;
    clear_places(full);
    full->places = xcalloc(full->text.count + 1, sizeof(*full->places));
    full->columns = columns;
    for (size_t i = 0; i < full->text.count; i++) {
        const struct document_block *block = &full->text.blocks[i];
        struct place *place = &full->places[i];
        bool rows = block->kind == DOCUMENT_ROWS;

        wrap_init(&place->wrap, block->text, (size_t)(columns - 2 - (rows ? ROW_INDENT : 0)),
                  is_prose(block) ? WRAP_WORDS : WRAP_EXACT);
        place->top = line;
        line += heading_lines(block) + (int)place->wrap.count;
        if (i + 1 < full->text.count && full->text.blocks[i + 1].heading != NULL)
            line++;
    }
    full->lines = line;
}

static void draw_block_line(const struct theme *theme, struct rect row,
                            const struct document_block *block, const struct wrap *wrap, int line)
{
    const struct wrap_line *wrapped;

    if (line < heading_lines(block)) {
        render_string(theme, row, 0, THEME_OVERLAY_LABEL, block->heading);
        return;
    }
    line -= heading_lines(block);
    if (line >= (int)wrap->count)
        return;
    wrapped = &wrap->lines[line];
    if (document_is_foreign(block))
        render_string(theme, row, 0, THEME_AGENT_WORDS, theme_glyph(theme, GLYPH_BAR));
    render_text(theme, row,
                2 + (block->kind == DOCUMENT_ROWS && wrapped->continued ? ROW_INDENT : 0),
                block->kind == DOCUMENT_PATCH ? patch_text_element(block->text, wrap, (size_t)line)
                                              : block->element,
                block->text + wrapped->start, wrapped->length);
}

static void draw_lines(struct full *full, const struct theme *theme, struct rect rect)
{
    size_t at = 0;

    for (int i = 0; i < rect.rows; i++) {
        int line = full->first + i;

        while (at + 1 < full->text.count && full->places[at + 1].top <= line)
            at++;
        if (at < full->text.count && line < full->lines)
            draw_block_line(theme, rect_row(rect, i), &full->text.blocks[at],
                            &full->places[at].wrap, line - full->places[at].top);
    }
}

static void draw_foot(const struct full *full, struct console *console, struct rect row)
{
    char close[24];
    cleanup_free char *left = NULL;
    cleanup_free char *right = NULL;
    int last = full->first + full->page < full->lines ? full->first + full->page : full->lines;
    cleanup_free char *waiting = overlay_waiting_text(console);

    if (full->foot != NULL) {
        render_cut(console->theme, row, 2, row.columns - 4, THEME_OVERLAY_DIM, full->foot);
        return;
    }
    left = xasprintf(full->base.refused ? _(" %s closes: that key is for the prompt ")
                                        : _(" %s closes "),
                     keymap_key(&console->keymap, ACTION_VIEW_CLOSE, close));
    render_string(console->theme, row, 2,
                  waiting != NULL || full->base.refused ? THEME_WARNING : THEME_OVERLAY_DIM,
                  waiting != NULL ? waiting : left);
    if (full->lines <= full->page || full->base.refused)
        return;
    right = xasprintf(_(" lines %d to %d of %d, PgUp PgDn Home End "), full->first + 1, last,
                      full->lines);
    row.columns -= 2;
    render_right(console->theme, row, THEME_OVERLAY_DIM, right);
}

static void full_draw(struct overlay *overlay, struct console *console, struct rect area)
{
    struct full *full = (struct full *)overlay;
    struct rect box = overlay_place(area, area.rows, area.columns >= 124 ? 120 : area.columns);
    struct rect inner = rect_inner(box, 1, 2);

    arrange(full, inner.columns);
    full->page = inner.rows;
    if (full->lines + 2 < box.rows) {
        box = overlay_place(area, full->lines + 2, box.columns);
        inner = rect_inner(box, 1, 2);
    }
    if (full->first > full->lines - full->page)
        full->first = full->lines - full->page;
    if (full->first < 0)
        full->first = 0;
    render_fill(console->theme, box, THEME_OVERLAY_TEXT);
    render_frame(console->theme, box, THEME_OVERLAY_BORDER);
    render_cut(console->theme, rect_row(box, 0), 2, box.columns - 4, THEME_OVERLAY_TITLE,
               full->title);
    draw_lines(full, console->theme, inner);
    draw_foot(full, console, rect_row(box, box.rows - 1));
    screen_cursor(console->screen, -1, 0);
}

static void full_key(struct overlay *overlay, struct console *console,
                     const struct input_event *event)
{
    struct full *full = (struct full *)overlay;

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
        full->first = full->lines;
        break;
    case ACTION_VIEW_CLOSE:
        overlay_pop(console);
        return;
    default:
        return;
    }
    console_dirty(console, DIRTY_OVERLAY);
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

    (void)console;
    (void)now_ms;
    for (size_t i = 0; full->places != NULL && i < full->text.count; i++) {
        const struct document_block *block = &full->text.blocks[i];
        const struct place *place = &full->places[i];
        int last = place->top + heading_lines(block) + (int)place->wrap.count - 1;

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
    .painted = full_painted,
    .where = full_where,
    .reading = ACTION_VIEW_CLOSE,
    .alone = true,
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

static const struct overlay_class waiting_class = {
    .draw = full_draw,
    .key = full_key,
    .mouse = full_mouse,
    .painted = full_painted,
    .where = full_where,
    .reading = ACTION_VIEW_CLOSE,
    .waits = true,
    .alone = true,
    .free = full_free,
};

void overlay_full_wait(struct overlay *overlay)
{
    overlay->class = &waiting_class;
}

/* ---- brief -------------------------------------------------------------------------------- */

static void brief_key(struct overlay *overlay, struct console *console,
                      const struct input_event *event)
{
    (void)event;
    overlay_close(console, overlay);
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
