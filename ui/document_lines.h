/* SPDX-License-Identifier: MIT */
/* document_lines: a document broken into lines of a width, and where a text stands in it. */
#ifndef ASSENT_UI_DOCUMENT_LINES_H
#define ASSENT_UI_DOCUMENT_LINES_H

#include "ui/document.h"
#include "ui/search_hit.h"
#include "ui/wrap.h"

/* A block of it. */
struct document_place {
    struct wrap wrap;
    int top; /* line where it starts, its heading included */
};

/* Zeroed: not broken yet. */
struct document_lines {
    struct document_place *places; /* of its blocks */
    int columns;                   /* that they were made for */
    int count;                     /* of all blocks */
};

/* Breaks all blocks for a width; a blank line before each heading. */
void document_lines_arrange(struct document_lines *lines, const struct document *document,
                            int columns);
/* Frees what it holds for that document, and leaves it empty. */
void document_lines_clear(struct document_lines *lines, const struct document *document);

/* How a block is broken. */
enum wrap_mode document_lines_mode(const struct document_block *block);
/* How many lines of a block its heading takes; how far those of a row that was too long stand in.
 */
int document_lines_heading(const struct document_block *block);
int document_lines_indent(const struct document_block *block, const struct wrap_line *line);

/* The nearest line behind (direction > 0) or before (< 0) `from` where a match of `text` (not
 * empty) begins, round the end when there is none; -1: there is none at all. *hit says which of all
 * such lines it is. Matches as text_search() does, also over the edges that broke a line. */
int document_lines_find(const struct document_lines *lines, const struct document *document,
                        const char *text, int from, int direction, struct search_hit *hit);

#endif
