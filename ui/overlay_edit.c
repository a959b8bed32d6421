/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"
#include "ui/wrap.h"

#define TEXT_ROWS_MAX 20

struct edit {
    struct overlay base;
    struct line_editor *editor;
    int (*take)(struct overlay *below, struct console *console, const char *text,
                struct error *error);
    struct error error; /* why the text was not taken; empty: nothing to say */
    int first;          /* line of the text shown at the top */
};

/* The text as it is shown, broken into lines, and where the cursor is in it. */
struct shown {
    struct strbuf text;
    struct wrap wrap;
    int row, column;
};

static void find_cursor(struct shown *shown, size_t cursor)
{
    for (size_t i = 0; i < shown->wrap.count; i++) {
        const struct wrap_line *line = &shown->wrap.lines[i];

        if (line->start > cursor)
            break;
        shown->row = (int)i;
        shown->column = (int)text_width(strbuf_str(&shown->text) + line->start,
                                        cursor - line->start < line->length ? cursor - line->start
                                                                            : line->length);
    }
}

static void show_text(const struct edit *edit, size_t columns, struct shown *shown)
{
    const char *text = line_editor_text(edit->editor);
    cleanup_strbuf struct strbuf before = STRBUF_INIT;

    *shown = (struct shown){.text = STRBUF_INIT};
    text_escape(&shown->text, text, strlen(text), TEXT_KEEP_NEWLINES | TEXT_PLAIN_AGENT);
    text_escape(&before, text, line_editor_cursor(edit->editor),
                TEXT_KEEP_NEWLINES | TEXT_PLAIN_AGENT);
    wrap_init(&shown->wrap, strbuf_str(&shown->text), columns, WRAP_EXACT);
    find_cursor(shown, before.length);
}

static void shown_clear(struct shown *shown)
{
    wrap_clear(&shown->wrap);
    strbuf_free(&shown->text);
}

static void keep_cursor_in_view(struct edit *edit, const struct shown *shown, int rows)
{
    int last = (int)shown->wrap.count - rows;

    if (shown->row >= edit->first + rows)
        edit->first = shown->row - rows + 1;
    if (edit->first > last)
        edit->first = last > 0 ? last : 0;
    if (edit->first > shown->row)
        edit->first = shown->row;
}

static void draw_frame(const struct edit *edit, struct console *console, struct rect box)
{
    cleanup_free char *title = xasprintf(_(" %s: change the command "), console->mark);
    struct rect bottom = rect_row(box, box.rows - 1), note = rect_row(box, box.rows - 2);
    cleanup_free char *why = text_sentence(edit->error.message, strlen(edit->error.message), 200);

    render_fill(console->theme, box, THEME_OVERLAY_TEXT);
    render_frame(console->theme, box, THEME_OVERLAY_BORDER);
    render_cut(console->theme, rect_row(box, 0), 2, box.columns - 4, THEME_OVERLAY_TITLE, title);
    render_cut(console->theme, note, 2, box.columns - 4, THEME_WARNING, why);
    render_cut(console->theme, bottom, 2, box.columns - 4, THEME_OVERLAY_DIM,
               _(" Enter shows what comes of it; nothing runs yet  Esc goes back "));
}

static void edit_draw(struct overlay *overlay, struct console *console, struct rect area)
{
    struct edit *edit = (struct edit *)overlay;
    int columns = overlay_request_columns(area);
    int most = area.rows - 3 < TEXT_ROWS_MAX ? area.rows - 3 : TEXT_ROWS_MAX;
    struct rect box, inner;
    struct shown shown;
    int rows;

    /* One column is the cursor's when it stands behind the last character. */
    show_text(edit, columns > 7 ? (size_t)columns - 5 : 2, &shown);
    rows = (int)shown.wrap.count < most ? (int)shown.wrap.count : most;
    box = overlay_place(area, rows + 3, columns);
    inner = rect_inner(box, 1, 2);
    keep_cursor_in_view(edit, &shown, rows);
    draw_frame(edit, console, box);
    for (int i = 0; i < rows; i++) {
        const struct wrap_line *line = &shown.wrap.lines[edit->first + i];

        render_text(console->theme, rect_row(inner, i), 0, THEME_COMMAND,
                    strbuf_str(&shown.text) + line->start, line->length);
    }
    screen_cursor(console->screen, inner.row + shown.row - edit->first,
                  inner.column + shown.column);
    shown_clear(&shown);
}

static void take_text(struct edit *edit, struct console *console)
{
    cleanup_free char *text = xstrdup(line_editor_text(edit->editor));

    edit->error = (struct error)ERROR_INIT;
    if (edit->take(edit->base.below, console, text, &edit->error) == 0)
        overlay_pop(console);
}

static void edit_key(struct overlay *overlay, struct console *console,
                     const struct input_event *event)
{
    struct edit *edit = (struct edit *)overlay;

    enum action action = keymap_find(&console->keymap, KEYMAP_LINE, event->key, event->modifiers);

    console_dirty(console, DIRTY_LAYOUT); /* its box grows and shrinks */
    if (console_burst_refuses(console, action)) {
        error_set(&edit->error, 0, "%s", console_burst_text_words());
        return;
    }
    switch (action) {
    case ACTION_LINE_ACCEPT:
        take_text(edit, console);
        break;
    case ACTION_LINE_CANCEL:
        overlay_pop(console);
        break;
    default:
        edit->error = (struct error)ERROR_INIT;
        line_editor_key(edit->editor, event->key, event->modifiers);
        break;
    }
}

static void edit_paste(struct overlay *overlay, struct console *console, const char *bytes,
                       size_t length)
{
    line_editor_insert(((struct edit *)overlay)->editor, bytes, length);
    console_dirty(console, DIRTY_LAYOUT);
}

static void edit_where(struct overlay *overlay, struct console *console, char *out, size_t size)
{
    (void)overlay;
    (void)console;
    snprintf(out, size, "%s", _("the command"));
}

static void edit_free(struct overlay *overlay)
{
    struct edit *edit = (struct edit *)overlay;

    line_editor_free(&edit->editor);
    free(edit);
}

static const struct overlay_class edit_class = {
    .draw = edit_draw,
    .key = edit_key,
    .paste = edit_paste,
    .where = edit_where,
    .free = edit_free,
};

void overlay_edit_open(struct console *console, const char *text,
                       int (*take)(struct overlay *below, struct console *console, const char *text,
                                   struct error *error))
{
    struct edit *edit = XNEW(struct edit);

    edit->base.class = &edit_class;
    edit->editor = line_editor_new();
    edit->take = take;
    edit->error = (struct error)ERROR_INIT;
    line_editor_set(edit->editor, text);
    overlay_push(console, &edit->base);
}
