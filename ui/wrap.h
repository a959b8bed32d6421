/* SPDX-License-Identifier: MIT */
/* wrap: safe text broken into lines of a width. */
#ifndef ASSENT_UI_WRAP_H
#define ASSENT_UI_WRAP_H

#include <stdbool.h>
#include <stddef.h>

struct wrap_line {
    size_t start, length; /* bytes of the text; a newline or the blank it broke at is in no line */
    bool continued;       /* goes on a line that was too long, not behind a newline */
};

struct wrap {
    struct wrap_line *lines;
    size_t count; /* at least 1, also for empty text */
};

enum wrap_mode {
    WRAP_WORDS, /* breaks where words end where it can (text_break), else behind "/": prose */
    WRAP_EXACT, /* breaks at the edge, keeps every blank: commands */
};

/* Breaks text (made safe, may hold newlines) into lines of at most `columns` (at least 2). */
void wrap_init(struct wrap *wrap, const char *text, size_t columns, enum wrap_mode mode);
void wrap_clear(struct wrap *wrap);

#endif
