/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/document_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* Of what goes on in a row that is too long: behind the time of the record's. */
#define ROW_INDENT 10

void document_lines_clear(struct document_lines *lines, const struct document *document)
{
    for (size_t i = 0; lines->places != NULL && i < document->count; i++)
        wrap_clear(&lines->places[i].wrap);
    free(lines->places);
    *lines = (struct document_lines){0};
}

int document_lines_heading(const struct document_block *block)
{
    return block->heading != NULL ? 1 : 0;
}

int document_lines_indent(const struct document_block *block, const struct wrap_line *line)
{
    return block->kind == DOCUMENT_ROWS && line->continued ? ROW_INDENT : 0;
}

enum wrap_mode document_lines_mode(const struct document_block *block)
{
    switch (block->kind) {
    case DOCUMENT_TABLE:
        return WRAP_EXACT;
    case DOCUMENT_UNTRUSTED:
    case DOCUMENT_PATCH:
        return WRAP_BLANKS;
    default:
        return WRAP_WORDS;
    }
}

void document_lines_arrange(struct document_lines *lines, const struct document *document,
                            int columns)
{
    int line = 0;

    if (lines->columns == columns)
        return;
    document_lines_clear(lines, document);
    lines->places = xcalloc(document->count + 1, sizeof(*lines->places));
    lines->columns = columns;
    for (size_t i = 0; i < document->count; i++) {
        const struct document_block *block = &document->blocks[i];
        struct document_place *place = &lines->places[i];
        bool rows = block->kind == DOCUMENT_ROWS;

        wrap_init_hanging(&place->wrap, block->text, (size_t)(columns - 2), rows ? ROW_INDENT : 0,
                          document_lines_mode(block));
        place->top = line;
        line += document_lines_heading(block) + (int)place->wrap.count;
        if (i + 1 < document->count && document->blocks[i + 1].heading != NULL)
            line++;
    }
    lines->count = line;
}

/* ---- looking for -------------------------------------------------------------------------- */

struct search {
    const char *text;
    int from;
    bool before;
    int last;              /* that was noted */
    int nearest, farthest; /* beyond `from`, and for the way round the end; -1: none yet */
    size_t nearest_number, farthest_number, count;
};

/* They come in order: the last one before, the first one behind. */
static void note_line(struct search *search, int line)
{
    search->count += line != search->last;
    search->last = line;
    if (search->before ? line < search->from : line > search->from && search->nearest < 0) {
        search->nearest = line;
        search->nearest_number = search->count;
    }
    if (search->before || search->farthest < 0) {
        search->farthest = line;
        search->farthest_number = search->count;
    }
}

static void search_block(struct search *search, const struct document_block *block,
                         const struct document_place *place)
{
    const char *end = block->text + strlen(block->text), *match = block->text;
    const struct wrap *wrap = &place->wrap;
    size_t line = 0;

    if (block->heading != NULL &&
        text_search(block->heading, strlen(block->heading), search->text) != NULL)
        note_line(search, place->top);
    for (; (match = text_search(match, (size_t)(end - match), search->text)) != NULL; match++) {
        while (line + 1 < wrap->count &&
               wrap->lines[line + 1].start <= (size_t)(match - block->text))
            line++;
        note_line(search, place->top + document_lines_heading(block) + (int)line);
    }
}

int document_lines_find(const struct document_lines *lines, const struct document *document,
                        const char *text, int from, int direction, struct search_hit *hit)
{
    struct search search = {.text = text,
                            .from = from,
                            .before = direction < 0,
                            .last = -1,
                            .nearest = -1,
                            .farthest = -1};

    for (size_t i = 0; i < document->count; i++)
        search_block(&search, &document->blocks[i], &lines->places[i]);
    hit->count = search.count;
    hit->round = search.nearest < 0;
    hit->number = hit->round ? search.farthest_number : search.nearest_number;
    return hit->round ? search.farthest : search.nearest;
}
