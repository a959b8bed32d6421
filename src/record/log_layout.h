/* SPDX-License-Identifier: MIT */
/*
 * log_layout: rows of the record for the eye. Where the width is known, cells begin in columns, and
 * what is too long goes on at a word's beginning, further in; elsewhere (a pipe, a file) a row is
 * one line, however long.
 */
#ifndef ASSENT_RECORD_LOG_LAYOUT_H
#define ASSENT_RECORD_LOG_LAYOUT_H

#include <stddef.h>
#include <stdio.h>

struct log_layout {
    FILE *out;      /* borrowed */
    size_t columns; /* 0: one line */
    size_t at;      /* the column behind the last cell; 0: the row has none yet */
};

/* The width of the terminal that `out` is; 0: it is none, or nobody knows. */
size_t log_layout_columns(FILE *out);
/* The next cell, at that column, or below when the one before reaches there; what is too long goes
 * on `hang` columns further in. In one line two blanks are between cells. `text` is safe to show.
 */
void log_layout_cell(struct log_layout *layout, size_t column, size_t hang, const char *text);
void log_layout_end(struct log_layout *layout);
/* A row of one cell at that column, as wide as the terminal. */
void log_layout_line(FILE *out, size_t column, const char *text);

#endif
