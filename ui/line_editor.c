/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/line_editor.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "ui/input.h"

struct line_editor {
    struct strbuf text;
    size_t cursor; /* byte offset, at a character */
    size_t first;  /* byte offset of the first character shown */
    char *history[LINE_EDITOR_HISTORY];
    size_t history_count;
    size_t history_at; /* history_count: the line being typed */
    char *typed;       /* kept while a line of the history is shown */
};

struct line_editor *line_editor_new(void)
{
    return XNEW(struct line_editor);
}

void line_editor_free(struct line_editor **place)
{
    struct line_editor *editor = *place;

    if (editor == NULL)
        return;
    strbuf_free(&editor->text);
    for (size_t i = 0; i < editor->history_count; i++)
        free(editor->history[i]);
    free(editor->typed);
    free(editor);
    *place = NULL;
}

const char *line_editor_text(const struct line_editor *editor)
{
    return strbuf_str(&editor->text);
}

static size_t text_length(const struct line_editor *editor)
{
    return editor->text.length;
}

/* Offset of the character before `at`, with the marks that combine with it. */
static size_t character_before(const struct line_editor *editor, size_t at)
{
    const char *text = line_editor_text(editor);

    while (at > 0) {
        uint32_t codepoint;

        at--;
        if (((unsigned char)text[at] & 0xc0) == 0x80)
            continue;
        text_decode(text + at, text_length(editor) - at, &codepoint);
        if (codepoint < 0x300 || text_codepoint_width(codepoint) > 0)
            break;
    }
    return at;
}

static size_t character_after(const struct line_editor *editor, size_t at)
{
    const char *text = line_editor_text(editor);
    size_t length = text_length(editor);
    bool base = true;

    while (at < length) {
        uint32_t codepoint;
        size_t size = text_decode(text + at, length - at, &codepoint);

        if (!base && (codepoint < 0x300 || text_codepoint_width(codepoint) > 0))
            break;
        base = false;
        at += size;
    }
    return at;
}

static size_t word_before(const struct line_editor *editor, size_t at)
{
    const char *text = line_editor_text(editor);

    while (at > 0 && text[at - 1] == ' ')
        at--;
    while (at > 0 && text[at - 1] != ' ')
        at--;
    return at;
}

static size_t word_after(const struct line_editor *editor, size_t at)
{
    const char *text = line_editor_text(editor);

    while (at < text_length(editor) && text[at] == ' ')
        at++;
    while (at < text_length(editor) && text[at] != ' ')
        at++;
    return at;
}

/* Removes the bytes from `from` to `to` and puts the cursor there. */
static void erase_range(struct line_editor *editor, size_t from, size_t to)
{
    struct strbuf rest = STRBUF_INIT;

    if (from >= to)
        return;
    strbuf_add(&rest, editor->text.data, from);
    strbuf_add(&rest, editor->text.data + to, text_length(editor) - to);
    strbuf_free(&editor->text);
    editor->text = rest;
    editor->cursor = from;
}

static void insert_bytes(struct line_editor *editor, const char *bytes, size_t length)
{
    struct strbuf whole = STRBUF_INIT;

    strbuf_add(&whole, line_editor_text(editor), editor->cursor);
    strbuf_add(&whole, bytes, length);
    strbuf_addstr(&whole, line_editor_text(editor) + editor->cursor);
    strbuf_free(&editor->text);
    editor->text = whole;
    editor->cursor += length;
}

bool line_editor_insert(struct line_editor *editor, const char *bytes, size_t length)
{
    struct strbuf clean = STRBUF_INIT;
    size_t at = 0;
    bool fits;

    while (at < length && clean.length <= LINE_EDITOR_MAX) {
        char encoded[4];
        uint32_t codepoint;

        at += text_decode(bytes + at, length - at, &codepoint);
        if (codepoint == TEXT_INVALID || codepoint == 0)
            codepoint = 0xfffd;
        if (codepoint == '\r') { /* terminals send it for a line's end */
            if (at < length && bytes[at] == '\n')
                continue;
            codepoint = '\n';
        }
        strbuf_add(&clean, encoded, text_encode(codepoint, encoded));
    }
    fits = clean.length + text_length(editor) <= LINE_EDITOR_MAX;
    if (fits)
        insert_bytes(editor, strbuf_str(&clean), clean.length);
    strbuf_free(&clean);
    return fits;
}

size_t line_editor_cursor(const struct line_editor *editor)
{
    return editor->cursor;
}

void line_editor_set(struct line_editor *editor, const char *text)
{
    strbuf_reset(&editor->text);
    strbuf_addstr(&editor->text, text);
    editor->cursor = text_length(editor);
    editor->first = 0;
}

static void remember_line(struct line_editor *editor)
{
    const char *text = line_editor_text(editor);
    size_t count = editor->history_count;

    if (*text == '\0' || (count > 0 && strcmp(editor->history[count - 1], text) == 0))
        return;
    if (count == LINE_EDITOR_HISTORY) {
        free(editor->history[0]);
        memmove(editor->history, editor->history + 1, (count - 1) * sizeof(editor->history[0]));
        count--;
    }
    editor->history[count] = xstrdup(text);
    editor->history_count = count + 1;
}

void line_editor_clear(struct line_editor *editor, bool remember)
{
    if (remember)
        remember_line(editor);
    line_editor_set(editor, "");
    editor->history_at = editor->history_count;
    free(steal_pointer(&editor->typed));
}

void line_editor_history(struct line_editor *editor, int direction)
{
    size_t count = editor->history_count;
    size_t at = editor->history_at;

    if ((direction < 0 && at == 0) || (direction > 0 && at >= count))
        return;
    if (at == count) {
        free(editor->typed);
        editor->typed = xstrdup(line_editor_text(editor));
    }
    at = direction < 0 ? at - 1 : at + 1;
    editor->history_at = at;
    line_editor_set(editor, at < count ? editor->history[at] : editor->typed);
}

/* Control and Alt keys as in readline's and emacs' common part. */
static bool command_key(struct line_editor *editor, uint32_t key, unsigned modifiers)
{
    size_t cursor = editor->cursor;
    size_t length = text_length(editor);

    if (modifiers == INPUT_CTRL && key == 'a')
        editor->cursor = 0;
    else if (modifiers == INPUT_CTRL && key == 'e')
        editor->cursor = length;
    else if (modifiers == INPUT_CTRL && key == 'u')
        erase_range(editor, 0, cursor);
    else if (modifiers == INPUT_CTRL && key == 'k')
        erase_range(editor, cursor, length);
    else if (modifiers == INPUT_CTRL && key == 'w')
        erase_range(editor, word_before(editor, cursor), cursor);
    else if ((modifiers == INPUT_ALT && key == 'b') ||
             (modifiers == INPUT_CTRL && key == INPUT_KEY_LEFT))
        editor->cursor = word_before(editor, cursor);
    else if ((modifiers == INPUT_ALT && key == 'f') ||
             (modifiers == INPUT_CTRL && key == INPUT_KEY_RIGHT))
        editor->cursor = word_after(editor, cursor);
    else
        return false;
    return true;
}

bool line_editor_key(struct line_editor *editor, uint32_t key, unsigned modifiers)
{
    char encoded[4];

    if (modifiers != 0)
        return command_key(editor, key, modifiers);
    switch (key) {
    case INPUT_KEY_LEFT:
        editor->cursor = character_before(editor, editor->cursor);
        return true;
    case INPUT_KEY_RIGHT:
        editor->cursor = character_after(editor, editor->cursor);
        return true;
    case INPUT_KEY_HOME:
        editor->cursor = 0;
        return true;
    case INPUT_KEY_END:
        editor->cursor = text_length(editor);
        return true;
    case INPUT_KEY_BACKSPACE:
        erase_range(editor, character_before(editor, editor->cursor), editor->cursor);
        return true;
    case INPUT_KEY_DELETE:
        erase_range(editor, editor->cursor, character_after(editor, editor->cursor));
        return true;
    default:
        if (key >= 0x110000 || key < 0x20)
            return false;
        line_editor_insert(editor, encoded, text_encode(key, encoded));
        return true;
    }
}

/* Columns of the text from `from` to `to` once it is made safe. */
static size_t shown_width(const struct line_editor *editor, size_t from, size_t to)
{
    struct strbuf safe = STRBUF_INIT;
    size_t width;

    text_escape(&safe, line_editor_text(editor) + from, to - from, 0);
    width = text_width(strbuf_str(&safe), safe.length);
    strbuf_free(&safe);
    return width;
}

int line_editor_view(struct line_editor *editor, int columns, struct strbuf *out)
{
    size_t room = columns > 1 ? (size_t)columns - 1 : 1; /* the cursor needs a cell, too */
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;

    if (editor->first > editor->cursor)
        editor->first = editor->cursor;
    while (shown_width(editor, editor->first, editor->cursor) > room) {
        /* Far away: jump by bytes first (each is at most one column's worth of text or more). */
        size_t distance = editor->cursor - editor->first;

        editor->first = distance > 4 * room ? editor->cursor - 4 * room : editor->first;
        editor->first = character_after(editor, editor->first);
    }
    text_escape(&safe, line_editor_text(editor) + editor->first,
                text_length(editor) - editor->first, 0);
    strbuf_add(out, strbuf_str(&safe), text_fit(strbuf_str(&safe), safe.length, room));
    return (int)shown_width(editor, editor->first, editor->cursor);
}
