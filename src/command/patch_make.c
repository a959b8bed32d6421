/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/patch_make.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"

#define CONTEXT 3

struct lines {
    const char **starts; /* one more than there are lines: the end */
    size_t count;
};

static struct lines split(const char *text, size_t length)
{
    struct lines lines = {NULL, 0};
    size_t room = 16;
    const char *end = text + length;
    lines.starts = xcalloc(room, sizeof(*lines.starts));
    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (lines.count + 2 > room)
            lines.starts = xreallocarray(lines.starts, room *= 2, sizeof(*lines.starts));
        lines.starts[lines.count++] = at;
        at = newline != NULL ? newline + 1 : end;
    }
    lines.starts[lines.count] = end;
    return lines;
}

static size_t line_length(const struct lines *lines, size_t at)
{
    return (size_t)(lines->starts[at + 1] - lines->starts[at]);
}

/* With their ends: a last line without one is another than one with it. */
static bool same(const struct lines *one, size_t at, const struct lines *other, size_t other_at)
{
    size_t length = line_length(one, at);
    return length == line_length(other, other_at) &&
           memcmp(one->starts[at], other->starts[other_at], length) == 0;
}

/* The patch's reader puts the line ends of the file behind each line. */
static void add_line(struct strbuf *out, char mark, const struct lines *lines, size_t at)
{
    size_t length = line_length(lines, at);
    if (length > 0 && lines->starts[at][length - 1] == '\n')
        length--;
    if (length > 0 && lines->starts[at][length - 1] == '\r')
        length--;
    strbuf_addch(out, mark);
    strbuf_add(out, lines->starts[at], length);
    strbuf_addch(out, '\n');
}

static bool ends_open(const struct lines *lines)
{
    return lines->count > 0 && lines->starts[lines->count][-1] != '\n';
}

static void add_change(struct strbuf *out, const struct lines *old, const struct lines *new)
{
    size_t shorter = old->count < new->count ? old->count : new->count;
    size_t head = 0, tail = 0;
    while (head < shorter && same(old, head, new, head))
        head++;
    while (tail < shorter - head && same(old, old->count - 1 - tail, new, new->count - 1 - tail))
        tail++;
    size_t from = head > CONTEXT ? head - CONTEXT : 0;
    size_t after = tail > CONTEXT ? CONTEXT : tail;
    for (size_t i = from; i < head; i++)
        add_line(out, ' ', old, i);
    for (size_t i = head; i < old->count - tail; i++)
        add_line(out, '-', old, i);
    for (size_t i = head; i < new->count - tail; i++)
        add_line(out, '+', new, i);
    for (size_t i = 0; i < after; i++)
        add_line(out, ' ', old, old->count - tail + i);
    if (after == tail && ends_open(new))
        strbuf_addstr(out, "\\ No newline at end of file\n");
    else if (after == tail)
        strbuf_addstr(out, "*** End of File\n");
}

char *patch_make(const char *path, const char *old, size_t old_length, const char *text,
                 size_t length)
{
    if (strchr(path, '\n') != NULL)
        return NULL;
    if (old != NULL && old_length == length && memcmp(old, text, length) == 0)
        return NULL;
    struct strbuf out = STRBUF_INIT;
    struct lines new = split(text, length);
    strbuf_addf(&out, "*** Begin Patch\n*** %s File: %s\n", old != NULL ? "Update" : "Add", path);
    if (old != NULL) {
        struct lines before = split(old, old_length);
        add_change(&out, &before, &new);
        free(before.starts);
    } else {
        for (size_t i = 0; i < new.count; i++)
            add_line(&out, '+', &new, i);
        if (ends_open(&new))
            strbuf_addstr(&out, "\\ No newline at end of file\n");
    }
    strbuf_addstr(&out, "*** End Patch\n");
    free(new.starts);
    return strbuf_steal(&out);
}
