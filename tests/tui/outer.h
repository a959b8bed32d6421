/* SPDX-License-Identifier: MIT */
/*
 * outer: the operator's terminal, for tests. libvterm's screen judges the bytes that the console
 * writes: independent of the console's own terminal emulation, which is built on the layer below.
 */
#ifndef ASSENT_TESTS_TUI_OUTER_H
#define ASSENT_TESTS_TUI_OUTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct outer;

enum outer_attribute {
    OUTER_BOLD = 1,
    OUTER_UNDERLINE = 2,
    OUTER_ITALIC = 4,
    OUTER_BLINK = 8,
    OUTER_REVERSE = 16,
};

struct outer_cell {
    /* UTF-8; " " for a blank, "" for the right half of a wide character, which looks as the left */
    char text[32];
    int width;           /* 1 or 2 */
    int foreground;      /* palette index, -1 the terminal's own, -2 another colour */
    int background;      /* the same */
    unsigned attributes; /* enum outer_attribute */
};

struct outer *outer_new(int rows, int columns);
void outer_free(struct outer **outer);
void outer_resize(struct outer *outer, int rows, int columns);
/* Takes what the console wrote. */
void outer_write(struct outer *outer, const char *bytes, size_t length);

int outer_rows(const struct outer *outer);
int outer_columns(const struct outer *outer);
void outer_cell(const struct outer *outer, int row, int column, struct outer_cell *cell);
/* A row's text without the blanks at its end. Caller frees. */
char *outer_row(const struct outer *outer, int row);
bool outer_cursor(const struct outer *outer, int *row, int *column); /* false: hidden */
int outer_cursor_shape(const struct outer *outer); /* as libvterm counts them: 1, 2 or 3 */
int outer_mouse(const struct outer *outer);        /* 0 none, 1 clicks, 2 drags, 3 moves */
bool outer_alternate(const struct outer *outer);

/* The whole screen in readable form: the text, then where which style stands. */
void outer_dump(const struct outer *outer, struct strbuf *out);

#endif
