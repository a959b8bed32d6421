/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"

#define BOX_ROWS 5

struct message {
    struct overlay base;
    const char *title, *keys;
    char *about; /* how long the answer holds; or NULL; owned */
    struct line_editor *editor;
    bool secret, guarded;
    const char *note; /* a key was dropped: why; or NULL */
    bool soon;        /* that is until the guard is over */
    int64_t painted_ms,
        dropped_ms; /* since when it is on the screen; the last dropped key; or -1 */
    void (*done)(struct overlay *below, struct console *console, const char *message);
};

/* A star for each character; returns the cursor's column. */
static int stars(const struct line_editor *editor, int columns, struct strbuf *out)
{
    const char *text = line_editor_text(editor);
    size_t cursor = line_editor_cursor(editor);
    int before = 0, all = 0;

    for (size_t i = 0; text[i] != '\0'; i++) {
        bool first = ((unsigned char)text[i] & 0xc0) != 0x80;

        all += first;
        before += first && i < cursor;
    }
    for (int i = 0; i < all && i < columns - 1; i++)
        strbuf_addch(out, '*');
    return before < columns - 1 ? before : columns - 1;
}

static bool guard_is_up(const struct message *message, const struct console *console)
{
    int64_t now = loop_now_ms(console->setup.loop);
    int64_t guard = console->setup.guard_ms;

    return message->guarded && (message->painted_ms < 0 || now - message->painted_ms < guard ||
                                (message->dropped_ms >= 0 && now - message->dropped_ms < guard));
}

/* It was meant for something else, and the next ones are, too. */
static void drop_key(struct message *message, struct console *console)
{
    bool soon = guard_is_up(message, console);

    message->dropped_ms = loop_now_ms(console->setup.loop);
    message->soon = soon;
    if (soon)
        loop_timer_start(console->guard_timer, console->setup.guard_ms);
    message->note = soon ? _("That key came too soon, and was dropped: let go, read, then press.")
                         : console_burst_text_words();
    console_dirty(console, DIRTY_OVERLAY);
}

static void message_painted(struct overlay *overlay, struct console *console, int64_t now_ms)
{
    struct message *message = (struct message *)overlay;

    (void)console;
    if (message->painted_ms < 0)
        message->painted_ms = now_ms;
}

/* The frame with what stands in it. Returns the row for the words. */
static struct rect draw_box(const struct message *message, const struct console *console,
                            struct rect box)
{
    cleanup_free char *title = xasprintf(" %s: %s ", console->mark, message->title);
    struct rect row = rect_row(rect_inner(box, 1, 2), 1);

    render_fill(console->theme, box, THEME_OVERLAY_TEXT);
    if (box.rows < BOX_ROWS) { /* the title, and below it the words */
        if (box.rows > 1)
            render_cut(console->theme, rect_row(box, 0), 0, box.columns, THEME_OVERLAY_TITLE,
                       title);
        return rect_row(box, box.rows > 1 ? 1 : 0);
    }
    render_frame(console->theme, box, THEME_OVERLAY_BORDER);
    render_cut(console->theme, rect_row(box, 0), 2, box.columns - 4, THEME_OVERLAY_TITLE, title);
    render_cut(console->theme, rect_row(box, 4), 2, box.columns - 4, THEME_OVERLAY_DIM,
               message->keys);
    if (message->note != NULL || message->about != NULL)
        render_cut(console->theme, rect_row(rect_inner(box, 1, 2), 0), 0, row.columns,
                   message->note != NULL ? THEME_WARNING : THEME_OVERLAY_DIM,
                   message->note != NULL ? message->note : message->about);
    return row;
}

static void message_draw(struct overlay *overlay, struct console *console, struct rect area)
{
    struct message *message = (struct message *)overlay;
    struct rect box = overlay_place(area, BOX_ROWS, overlay_request_columns(area));
    struct rect row;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    int cursor;

    if (message->soon && !guard_is_up(message, console))
        message->note = NULL;
    row = draw_box(message, console, box);
    cursor = message->secret ? stars(message->editor, row.columns, &text)
                             : line_editor_view(message->editor, row.columns, &text);
    render_string(console->theme, row, 0, THEME_OVERLAY_TEXT, strbuf_str(&text));
    screen_cursor(console->screen, row.row, row.column + cursor);
}

static void message_key(struct overlay *overlay, struct console *console,
                        const struct input_event *event)
{
    struct message *message = (struct message *)overlay;
    enum action action = keymap_find(&console->keymap, KEYMAP_LINE, event->key, event->modifiers);

    if (console_burst_refuses(console, action) ||
        (action != ACTION_LINE_CANCEL && guard_is_up(message, console))) {
        drop_key(message, console);
        return;
    }
    message->note = NULL;
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

    if (guard_is_up(message, console)) {
        drop_key(message, console);
        return;
    }
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
    free(message->about);
    free(message);
}

static const struct overlay_class message_class = {
    .draw = message_draw,
    .key = message_key,
    .paste = message_paste,
    .painted = message_painted,
    .where = message_where,
    .free = message_free,
    .small = true,
};

/* It allows: what it answers must be in view. */
static const struct overlay_class answer_class = {
    .draw = message_draw,
    .key = message_key,
    .paste = message_paste,
    .painted = message_painted,
    .where = message_where,
    .free = message_free,
};

static struct message *open_line(struct console *console, const char *title, const char *keys,
                                 void (*done)(struct overlay *below, struct console *console,
                                              const char *message))
{
    struct message *message = XNEW(struct message);

    message->base.class = &message_class;
    message->title = title;
    message->keys = keys;
    message->editor = line_editor_new();
    message->painted_ms = message->dropped_ms = -1;
    message->done = done;
    overlay_push(console, &message->base);
    return message;
}

/* "Not now" would be told to the agent, and what it asks later be refused unasked. */
static char *about_denial(uint64_t call, size_t count)
{
    return count > 1
               ? xasprintf(_("Each holds for this session; :forget c%" PRIu64
                             " and so on let them ask again."),
                           call)
               : xasprintf(_("It holds for this session; :forget c%" PRIu64 " lets it ask again."),
                           call);
}

void overlay_message_deny(struct console *console, uint64_t call, size_t count, const char *written,
                          void (*done)(struct overlay *below, struct console *console,
                                       const char *message))
{
    struct message *message =
        open_line(console, count > 1 ? _("Tell the agents why") : _("Tell the agent why"),
                  _(" Enter denies with this message  Esc goes back "), done);

    message->about = about_denial(call, count);
    if (written != NULL)
        line_editor_set(message->editor, written);
}

const char *overlay_message_denial(const struct console *console)
{
    const struct message *message = (const struct message *)console->overlay;
    bool any = message != NULL && message->base.class == &message_class;

    return any && *line_editor_text(message->editor) != '\0' ? line_editor_text(message->editor)
                                                             : NULL;
}

void overlay_message_answer(struct console *console, bool secret,
                            void (*done)(struct overlay *below, struct console *console,
                                         const char *message))
{
    struct message *message =
        open_line(console, _("Your answer"), _(" Enter gives this answer  Esc goes back "), done);

    message->base.class = &answer_class;
    message->guarded = true;
    message->secret = secret;
}
