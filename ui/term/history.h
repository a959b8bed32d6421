/* SPDX-License-Identifier: MIT */
/*
 * history: lines that have scrolled off the screen, in about one byte for each character.
 *
 * A line is a sequence of runs of one style. A run is a byte that says which parts of the style
 * differ from the default, those parts, the length of its text in two bytes, and the text: UTF-8,
 * with 0x00 for an empty cell, 0x01 before a combining mark and 0x02 before a wide character.
 * (None of the three can come from a program: controls never get into a cell.)
 *
 * Lines lie one behind the other in blocks; the oldest are dropped when there are more than the
 * limit. Rows that were broken by the right edge count as one line, so that a narrower window
 * loses nothing, but a line may have HISTORY_ROWS_EACH rows and HISTORY_LINE_BYTES bytes on
 * average at most (and HISTORY_SLACK_BYTES for all together besides).
 */
#ifndef ASSENT_UI_TERM_HISTORY_H
#define ASSENT_UI_TERM_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term/cell.h"

#define HISTORY_ROWS_EACH 16
#define HISTORY_LINE_BYTES 1024
#define HISTORY_SLACK_BYTES (2 * 1024 * 1024)

struct history;

struct history_line {
    const uint8_t *bytes; /* NULL for an empty line */
    uint32_t length;
    uint16_t used; /* columns */
    bool wrapped;
};

struct history *history_new(int limit);
void history_free(struct history **history);
/* Drops the oldest rows when there are more. */
void history_set_limit(struct history *history, int limit);
int history_limit(const struct history *history);

/* Line numbers: the oldest that is there, and the one after the newest. */
int64_t history_first(const struct history *history);
int64_t history_end(const struct history *history);
/* NULL when the line is not there. */
const struct history_line *history_line(const struct history *history, int64_t number);

/* Appends a line. Empty cells in the default style at its end are left out. */
void history_push(struct history *history, const struct grid_cell *cells, int used, bool wrapped,
                  const struct clusters *clusters);
/* Removes the newest line, if there is one. */
void history_pop(struct history *history);
void history_clear(struct history *history);

/* The grid's reader, on a line of the history; the line must be there. */
void history_reader_init(struct grid_reader *reader, const struct history_line *line);
bool history_next(struct grid_reader *reader, struct grid_glyph *glyph);

size_t history_memory(const struct history *history); /* bytes */

#endif
