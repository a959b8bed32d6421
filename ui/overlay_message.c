/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_message.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"

struct message {
    struct overlay base;
    const char *title, *keys;
    struct line_editor *editor;
    void (*done)(struct overlay *below, struct console *console, const char *message);
};

static void message_draw(struct overlay *overlay, struct console *console, struct rect area)
{
    struct message *message = (struct message *)overlay;
    struct rect box = overlay_place(area, 5, area.columns < 90 ? area.columns - 8 : 80);
    struct rect row = rect_row(rect_inner(box, 1, 2), 1);
    cleanup_free char *title = NULL;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    int cursor;

    title = xasprintf(" %s: %s ", console->mark, message->title);
    render_fill(console->theme, box, THEME_OVERLAY_TEXT);
    render_frame(console->theme, box, THEME_OVERLAY_BORDER);
    render_cut(console->theme, rect_row(box, 0), 2, box.columns - 4, THEME_OVERLAY_TITLE, title);
    render_cut(console->theme, rect_row(box, 4), 2, box.columns - 4, THEME_OVERLAY_DIM,
               message->keys);
    cursor = line_editor_view(message->editor, row.columns, &text);
    render_string(console->theme, row, 0, THEME_OVERLAY_TEXT, strbuf_str(&text));
    screen_cursor(console->screen, row.row, row.column + cursor);
}

static void message_key(struct overlay *overlay, struct console *console,
                        const struct input_event *event)
{
    struct message *message = (struct message *)overlay;
    enum action action = keymap_find(&console->keymap, KEYMAP_LINE, event->key, event->modifiers);

    console_dirty(console, DIRTY_OVERLAY);
    if (action == ACTION_LINE_ACCEPT) {
        void (*done)(struct overlay *, struct console *, const char *) = message->done;
        struct overlay *below = overlay->below;
        cleanup_free char *text = xstrdup(line_editor_text(message->editor));

        overlay_pop(console);
        done(below, console, *text != '\0' ? text : NULL);
    } else if (action == ACTION_LINE_CANCEL) {
        overlay_pop(console);
    } else {
        line_editor_key(message->editor, event->key, event->modifiers);
    }
}

static void message_paste(struct overlay *overlay, struct console *console, const char *bytes,
                          size_t length)
{
    struct message *message = (struct message *)overlay;

    line_editor_insert(message->editor, bytes, length);
    console_dirty(console, DIRTY_OVERLAY);
}

static void message_where(struct overlay *overlay, struct console *console, char *out, size_t size)
{
    (void)overlay;
    (void)console;
    snprintf(out, size, "%s", _("your message"));
}

static void message_free(struct overlay *overlay)
{
    struct message *message = (struct message *)overlay;

    line_editor_free(&message->editor);
    free(message);
}

static const struct overlay_class message_class = {
    .draw = message_draw,
    .key = message_key,
    .paste = message_paste,
    .where = message_where,
    .free = message_free,
};

void overlay_message_open(struct console *console, const char *title, const char *keys,
                          void (*done)(struct overlay *below, struct console *console,
                                       const char *message))
{
    struct message *message = XNEW(struct message);

    message->base.class = &message_class;
    message->title = title;
    message->keys = keys;
    message->editor = line_editor_new();
    message->done = done;
    overlay_push(console, &message->base);
}
