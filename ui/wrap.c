/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/wrap.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

static void add_line(struct wrap *wrap, size_t start, size_t length, bool continued)
{
    /* Grows at powers of two. */
    if ((wrap->count & (wrap->count - 1)) == 0)
        wrap->lines = xreallocarray(wrap->lines, wrap->count == 0 ? 1 : wrap->count * 2,
                                    sizeof(*wrap->lines));
    wrap->lines[wrap->count++] = (struct wrap_line){start, length, continued};
}

static size_t word_width(const char *text, size_t length)
{
    const char *end = memchr(text, ' ', length);

    return text_width(text, end != NULL ? (size_t)(end - text) : length);
}

/* Of a word that no line has room for: behind a "/" where that fills the line by half, else at its
 * edge. */
static size_t break_word(const char *text, size_t start, size_t fitting)
{
    for (size_t at = fitting; at > start && at > fitting / 2; at--)
        if (text[at - 1] == '/')
            return at;
    return fitting;
}

/* Of a command: behind a blank in the last third, else at the edge. */
static size_t break_command(const char *text, size_t length, size_t columns, size_t fitting)
{
    size_t least = text_fit(text, length, columns - columns / 3);
    size_t blank = text_break_blank(text, length, least, fitting);

    return blank > 0 ? blank : fitting;
}

/* What there is room for. */
struct room {
    size_t columns, indent; /* of the lines that go on */
    enum wrap_mode mode;
};

/* Bytes of the text that go on this line of so many columns. */
static size_t take(const char *text, size_t length, size_t columns, const struct room *room)
{
    size_t fitting = text_fit(text, length, columns);
    size_t blank;

    if (length == 0)
        return 0;
    if (fitting == 0) /* a character wider than the line: never stand still */
        fitting = text_fit(text, length, 2);
    if (fitting == 0)
        fitting = 1;
    if (fitting >= length || room->mode == WRAP_EXACT)
        return fitting;
    if (room->mode == WRAP_BLANKS)
        return break_command(text, length, columns, fitting);
    blank = text_break(text, length, fitting);
    if (blank > fitting / 2 ||
        (blank > 0 && word_width(text + blank, length - blank) <= room->columns - room->indent))
        return blank;
    return break_word(text, blank, fitting);
}

static void wrap_paragraph(struct wrap *wrap, const char *text, size_t start, size_t end,
                           const struct room *room)
{
    bool continued = false, words = room->mode == WRAP_WORDS;

    do {
        size_t columns = continued ? room->columns - room->indent : room->columns;
        size_t used = take(text + start, end - start, columns, room);
        size_t length = used;

        while (words && length > 0 && text[start + length - 1] == ' ')
            length--;
        add_line(wrap, start, length, continued);
        start += used;
        while (words && start < end && text[start] == ' ')
            start++;
        continued = true;
    } while (start < end);
}

void wrap_init(struct wrap *wrap, const char *text, size_t columns, enum wrap_mode mode)
{
    wrap_init_hanging(wrap, text, columns, 0, mode);
}

void wrap_init_hanging(struct wrap *wrap, const char *text, size_t columns, size_t indent,
                       enum wrap_mode mode)
{
    const struct room room = {columns, indent, mode};
    size_t length = strlen(text);
    size_t start = 0;

    wrap->lines = NULL;
    wrap->count = 0;
    for (;;) {
        const char *newline = memchr(text + start, '\n', length - start);
        size_t end = newline != NULL ? (size_t)(newline - text) : length;

        wrap_paragraph(wrap, text, start, end, &room);
        if (newline == NULL)
            break;
        start = end + 1;
    }
}

void wrap_clear(struct wrap *wrap)
{
    free(wrap->lines);
    wrap->lines = NULL;
    wrap->count = 0;
}

bool wrap_is_torn(const struct wrap *wrap, const char *text, size_t line)
{
    const struct wrap_line *at = &wrap->lines[line];
    size_t end = at->start + at->length;

    return line + 1 < wrap->count && at[1].continued && at->length > 0 && text[end - 1] != ' ' &&
           text[end] != ' ';
}

void wrap_follow_reading(const struct wrap *wrap, size_t first, size_t count, size_t *read)
{
    size_t end = first + count < wrap->count ? first + count : wrap->count;
    size_t to = end < wrap->count ? wrap->lines[end].start : WRAP_READ_ALL;

    if (count > 0 && first < wrap->count && wrap->lines[first].start <= *read && to > *read)
        *read = to;
}

size_t wrap_unread(const struct wrap *wrap, size_t read)
{
    size_t line = 0;

    while (line < wrap->count && (read == WRAP_READ_ALL || wrap->lines[line].start < read))
        line++;
    return line;
}
