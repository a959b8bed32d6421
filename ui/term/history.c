/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/term/history.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* Big enough that a line seldom ends a block early, small enough for many idle panes. */
#define BLOCK_SIZE (16 * 1024)
/* A style (13 bytes with its text's length) and a wide character with its marks for each cell. */
#define CELL_BYTES_MAX (13 + 2 + GRID_CLUSTER_MAX * 5)

enum { STYLE_FOREGROUND = 1, STYLE_BACKGROUND = 2, STYLE_ATTRIBUTES = 4 };
enum { MARK_EMPTY = 0, MARK_COMBINING = 1, MARK_WIDE = 2 };

struct block {
    struct block *previous, *next;
    size_t size, used; /* bytes */
    size_t lines;      /* that are still there and lie in this block */
    uint8_t bytes[];
};

struct history {
    int limit;
    int64_t first; /* number of the oldest line */
    int count;
    int ends;                   /* lines that do not go on in the next one: what the limit counts */
    struct history_line *lines; /* ring */
    int capacity, start;        /* of the ring */
    struct block *head, *tail;  /* oldest and newest */
    struct block *spare;        /* of BLOCK_SIZE, or NULL */
    size_t bytes;               /* of all blocks in the list */
    uint8_t *scratch;           /* where a line is put together */
    size_t scratch_size;
};

struct history *history_new(int limit)
{
    struct history *history = XNEW(struct history);
    history->limit = limit;
    return history;
}

int history_limit(const struct history *history)
{
    return history->limit;
}

int64_t history_first(const struct history *history)
{
    return history->first;
}

int64_t history_end(const struct history *history)
{
    return history->first + history->count;
}

size_t history_memory(const struct history *history)
{
    return sizeof *history + history->bytes + history->scratch_size +
           (history->spare ? BLOCK_SIZE : 0) + (size_t)history->capacity * sizeof *history->lines;
}

static struct history_line *line_at(const struct history *history, int index)
{
    int place = history->start + index;
    return &history->lines[place < history->capacity ? place : place - history->capacity];
}

const struct history_line *history_line(const struct history *history, int64_t number)
{
    if (number < history->first || number >= history_end(history))
        return NULL;
    return line_at(history, (int)(number - history->first));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void block_remove(struct history *history, struct block *block)
{
    *(block->previous ? &block->previous->next : &history->head) = block->next;
    *(block->next ? &block->next->previous : &history->tail) = block->previous;
    history->bytes -= block->size;
    if (!history->spare && block->size == BLOCK_SIZE)
        history->spare = block;
    else
        free(block);
}

static struct block *block_append(struct history *history, size_t size)
{
    struct block *block;
    if (size <= BLOCK_SIZE && history->spare) {
        block = steal_pointer(&history->spare);
    } else {
        size = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = xmalloc(sizeof *block + size);
        block->size = size;
    }
    block->used = block->lines = 0;
    block->next = NULL;
    block->previous = history->tail;
    *(history->tail ? &history->tail->next : &history->head) = block;
    history->tail = block;
    history->bytes += block->size;
    return block;
}

static const uint8_t *store(struct history *history, const uint8_t *bytes, size_t length)
{
    struct block *block = history->tail;
    if (!block || block->size - block->used < length)
        block = block_append(history, length);
    uint8_t *place = block->bytes + block->used;
    memcpy(place, bytes, length);
    block->used += length;
    block->lines++;
    return place;
}

static void drop_oldest(struct history *history)
{
    const struct history_line *line = line_at(history, 0);
    if (line->bytes && --history->head->lines == 0)
        block_remove(history, history->head);
    history->ends -= !line->wrapped;
    history->start = history->start + 1 < history->capacity ? history->start + 1 : 0;
    history->count--;
    history->first++;
}

void history_pop(struct history *history)
{
    if (history->count == 0)
        return;
    const struct history_line *line = line_at(history, --history->count);
    history->ends -= !line->wrapped;
    if (!line->bytes)
        return;
    struct block *block = history->tail;
    block->used = (size_t)(line->bytes - block->bytes);
    if (--block->lines == 0)
        block_remove(history, block);
}

static bool too_much(const struct history *history)
{
    size_t limit = (size_t)history->limit;
    return history->ends > history->limit || (size_t)history->count > limit * HISTORY_ROWS_EACH ||
           history->bytes > limit * HISTORY_LINE_BYTES + HISTORY_SLACK_BYTES;
}

static void drop_excess(struct history *history)
{
    while (history->count > 0 && too_much(history))
        drop_oldest(history);
}

void history_set_limit(struct history *history, int limit)
{
    history->limit = limit;
    drop_excess(history);
}

void history_clear(struct history *history)
{
    while (history->count > 0)
        drop_oldest(history);
    free(history->lines);
    history->lines = NULL;
    history->capacity = history->start = 0;
    free(history->spare);
    history->spare = NULL;
}

void history_free(struct history **history)
{
    if (!*history)
        return;
    history_clear(*history);
    free((*history)->scratch);
    free(*history);
    *history = NULL;
}

/* ---- writing a line -------------------------------------------------------------------------- */

static uint8_t *put32(uint8_t *out, uint32_t value)
{
    memcpy(out, &value, sizeof value);
    return out + sizeof value;
}

static uint8_t *put16(uint8_t *out, size_t value)
{
    uint16_t narrow = (uint16_t)value;
    memcpy(out, &narrow, sizeof narrow);
    return out + sizeof narrow;
}

static uint8_t *put_style(uint8_t *out, const struct grid_cell *cell)
{
    uint8_t *parts = out++;
    *parts = 0;
    if (cell->foreground) {
        *parts |= STYLE_FOREGROUND;
        out = put32(out, cell->foreground);
    }
    if (cell->background) {
        *parts |= STYLE_BACKGROUND;
        out = put32(out, cell->background);
    }
    if (cell->attributes) {
        *parts |= STYLE_ATTRIBUTES;
        out = put16(out, cell->attributes);
    }
    return out;
}

static uint8_t *put_cell(uint8_t *out, const struct grid_cell *cell,
                         const struct clusters *clusters)
{
    if (cell->width == 1 && cell->text < 0x80) {
        *out++ = (uint8_t)cell->text;
        return out;
    }
    const uint32_t *codepoints;
    int count = cell_codepoints(cell, clusters, &codepoints);
    if (cell->width == 2)
        *out++ = MARK_WIDE;
    for (int i = 0; i < count; i++) {
        if (i > 0)
            *out++ = MARK_COMBINING;
        out += text_encode(codepoints[i], (char *)out);
    }
    return out;
}

static size_t encode(uint8_t *out, const struct grid_cell *cells, int used,
                     const struct clusters *clusters)
{
    const uint8_t *start = out;
    for (int column = 0; column < used;) {
        const struct grid_cell *first = &cells[column];
        out = put_style(out, first);
        uint8_t *length = out;
        out += 2;
        for (; column < used && cell_same_style(first, &cells[column]); column++) {
            if (cells[column].width > 0)
                out = put_cell(out, &cells[column], clusters);
        }
        put16(length, (size_t)(out - length - 2));
    }
    return (size_t)(out - start);
}

static void grow_ring(struct history *history)
{
    int capacity = history->capacity ? history->capacity * 2 : 64;
    struct history_line *lines = xcalloc((size_t)capacity, sizeof *lines);
    for (int i = 0; i < history->count; i++)
        lines[i] = *line_at(history, i);
    free(history->lines);
    history->lines = lines;
    history->capacity = capacity;
    history->start = 0;
}

static int trimmed(const struct grid_cell *cells, int used)
{
    static const struct grid_cell plain;
    while (used > 0 && cells[used - 1].text == 0 && cells[used - 1].width == 1 &&
           cell_same_style(&cells[used - 1], &plain))
        used--;
    return used;
}

void history_push(struct history *history, const struct grid_cell *cells, int used, bool wrapped,
                  const struct clusters *clusters)
{
    if (history->limit == 0) {
        history->first++;
        return;
    }
    if (history->count == history->capacity)
        grow_ring(history);
    used = trimmed(cells, used);
    size_t need = (size_t)used * CELL_BYTES_MAX;
    if (need > history->scratch_size) {
        history->scratch = xreallocarray(history->scratch, need, 1);
        history->scratch_size = need;
    }
    size_t length = encode(history->scratch, cells, used, clusters);
    *line_at(history, history->count) = (struct history_line){
        .bytes = length ? store(history, history->scratch, length) : NULL,
        .length = (uint32_t)length,
        .used = (uint16_t)used,
        .wrapped = wrapped,
    };
    history->count++;
    history->ends += !wrapped;
    drop_excess(history);
}

/* ---- reading a line -------------------------------------------------------------------------- */

static uint32_t take32(struct grid_reader *reader)
{
    uint32_t value;
    memcpy(&value, reader->bytes, sizeof value);
    reader->bytes += sizeof value;
    return value;
}

static uint16_t take16(struct grid_reader *reader)
{
    uint16_t value;
    memcpy(&value, reader->bytes, sizeof value);
    reader->bytes += sizeof value;
    return value;
}

static void take_style(struct grid_reader *reader)
{
    uint8_t parts = *reader->bytes++;
    reader->style.foreground = parts & STYLE_FOREGROUND ? take32(reader) : 0;
    reader->style.background = parts & STYLE_BACKGROUND ? take32(reader) : 0;
    reader->style.attributes = parts & STYLE_ATTRIBUTES ? take16(reader) : 0;
    reader->run = take16(reader);
}

static void take_codepoint(struct grid_reader *reader, struct grid_glyph *glyph)
{
    size_t length = text_decode((const char *)reader->bytes, (size_t)reader->run,
                                &glyph->codepoints[glyph->count++]);
    reader->bytes += length;
    reader->run -= (int)length;
}

static void skip_mark(struct grid_reader *reader)
{
    reader->bytes++;
    reader->run--;
}

void history_reader_init(struct grid_reader *reader, const struct history_line *line)
{
    *reader = (struct grid_reader){.used = line->used};
    if (line->bytes) {
        reader->bytes = line->bytes;
        reader->end = line->bytes + line->length;
    }
}

bool history_next(struct grid_reader *reader, struct grid_glyph *glyph)
{
    while (reader->run == 0) {
        if (reader->bytes == reader->end)
            return false;
        take_style(reader);
    }
    *glyph = (struct grid_glyph){.column = reader->column, .width = 1, .style = reader->style};
    if (*reader->bytes == MARK_EMPTY) {
        skip_mark(reader);
    } else {
        if (*reader->bytes == MARK_WIDE) {
            glyph->width = 2;
            skip_mark(reader);
        }
        take_codepoint(reader, glyph);
        while (reader->run > 0 && *reader->bytes == MARK_COMBINING) {
            skip_mark(reader);
            take_codepoint(reader, glyph);
        }
    }
    reader->column += glyph->width;
    return true;
}
