/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/pane_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

#define ROWS_MAX 64    /* of a line that edges have broken; the rest counts as another */
#define MATCHES_MAX 64 /* of a line, for the nearest */

int pane_place_compare(struct pane_place a, struct pane_place b)
{
    if (a.line != b.line)
        return a.line < b.line ? -1 : 1;
    return a.column < b.column ? -1 : a.column > b.column;
}

static int64_t end_line(const struct grid *grid)
{
    return grid_top_line(grid) + grid_rows(grid);
}

int64_t pane_text_line_start(const struct grid *grid, int64_t line)
{
    for (int i = 0; i < ROWS_MAX && line > grid_first_line(grid); i++, line--)
        if (!grid_line_wrapped(grid, line - 1))
            break;
    return line;
}

/* A line in bytes, and where each of them stands. */
struct line_text {
    struct strbuf bytes;
    struct pane_place *places;
    size_t capacity;
    int64_t next; /* the line behind it */
};

static void add_glyph(struct line_text *text, const struct grid_glyph *glyph, int64_t line)
{
    size_t before = text->bytes.length;

    if (glyph->count == 0)
        strbuf_addch(&text->bytes, ' ');
    for (int i = 0; i < glyph->count; i++) {
        char encoded[4];

        strbuf_add(&text->bytes, encoded, text_encode(glyph->codepoints[i], encoded));
    }
    if (text->bytes.length > text->capacity) {
        text->capacity = text->bytes.length * 2;
        text->places = xreallocarray(text->places, text->capacity, sizeof(*text->places));
    }
    for (size_t i = before; i < text->bytes.length; i++)
        text->places[i] = (struct pane_place){line, glyph->column};
}

static void read_line(struct line_text *text, const struct grid *grid, int64_t line)
{
    bool wrapped = true;

    strbuf_reset(&text->bytes);
    for (int rows = 0; wrapped && rows < ROWS_MAX && line < end_line(grid); rows++, line++) {
        struct grid_reader reader;
        struct grid_glyph glyph;

        grid_reader_init(&reader, grid, line);
        while (grid_reader_next(&reader, &glyph))
            add_glyph(text, &glyph, line);
        wrapped = grid_line_wrapped(grid, line);
    }
    text->next = line;
}

static void line_text_clear(struct line_text *text)
{
    strbuf_free(&text->bytes);
    free(text->places);
}

static size_t find_matches(const struct line_text *text, const char *wanted,
                           struct pane_span *spans, size_t limit)
{
    size_t length = strlen(wanted), count = 0, at = 0;
    const char *match;

    while (count < limit && (match = text_search(strbuf_str(&text->bytes) + at,
                                                 text->bytes.length - at, wanted)) != NULL) {
        at = (size_t)(match - text->bytes.data);
        spans[count++] = (struct pane_span){text->places[at], text->places[at + length - 1]};
        at += length;
    }
    return count;
}

size_t pane_text_matches(const struct grid *grid, const char *text, int64_t line,
                         struct pane_span *spans, size_t limit, int64_t *next)
{
    struct line_text whole = {.bytes = STRBUF_INIT};
    size_t count;

    read_line(&whole, grid, line);
    count = find_matches(&whole, text, spans, limit);
    *next = whole.next;
    line_text_clear(&whole);
    return count;
}

struct search {
    const struct grid *grid;
    const char *text;
    struct pane_place from;
    bool before;
    struct pane_span nearest, farthest;     /* beyond `from`, and for the way round the end */
    size_t nearest_number, farthest_number; /* among all, from 1; 0: there is none */
    size_t count;
};

static void note_match(struct search *search, const struct pane_span *span)
{
    int order = pane_place_compare(span->first, search->from);

    search->count++;
    /* They come in order: the last one before, the first one behind. */
    if (search->before ? order < 0 : order > 0 && search->nearest_number == 0) {
        search->nearest = *span;
        search->nearest_number = search->count;
    }
    if (search->before || search->farthest_number == 0) {
        search->farthest = *span;
        search->farthest_number = search->count;
    }
}

bool pane_text_find(const struct grid *grid, const char *text, struct pane_place from,
                    int direction, struct pane_span *found, struct search_hit *hit)
{
    struct search search = {.grid = grid, .text = text, .from = from, .before = direction < 0};
    struct line_text line = {.bytes = STRBUF_INIT};
    struct pane_span spans[MATCHES_MAX];

    for (int64_t at = grid_first_line(grid); at < end_line(grid); at = line.next) {
        size_t count;

        read_line(&line, grid, at);
        count = find_matches(&line, text, spans, MATCHES_MAX);
        for (size_t i = 0; i < count; i++)
            note_match(&search, &spans[i]);
    }
    line_text_clear(&line);
    hit->count = search.count;
    hit->round = search.nearest_number == 0;
    hit->number = hit->round ? search.farthest_number : search.nearest_number;
    *found = hit->round ? search.farthest : search.nearest;
    return search.count > 0;
}
