/* SPDX-License-Identifier: MIT */
/* wrap: safe text broken into lines of a width. */
#ifndef ASSENT_UI_WRAP_H
#define ASSENT_UI_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wrap_line {
    size_t start, length; /* bytes of the text; a newline or the blank it broke at is in no line */
    bool continued;       /* goes on a line that was too long, not behind a newline */
};

struct wrap {
    struct wrap_line *lines;
    size_t count; /* at least 1, also for empty text */
};

enum wrap_mode {
    WRAP_WORDS,  /* breaks where words end where it can (text_break), else behind "/": prose */
    WRAP_EXACT,  /* breaks at the edge, keeps every blank: what is in columns, or is edited */
    WRAP_BLANKS, /* keeps every blank, too, and breaks behind those near the edge, else at it:
                    commands, beside which a mark stands where a line goes on (quoted_draw) */
};

/* Breaks text (made safe, may hold newlines) into lines of at most `columns` (at least 2). */
void wrap_init(struct wrap *wrap, const char *text, size_t columns, enum wrap_mode mode);
/* The same where lines that go on begin further in: they have `indent` columns less, which leaves
 * at least 2. */
void wrap_init_hanging(struct wrap *wrap, const char *text, size_t columns, size_t indent,
                       enum wrap_mode mode);
void wrap_clear(struct wrap *wrap);
/* Does the next line go on in the middle of a word? Of WRAP_BLANKS the line is full then, but for a
 * column that a wide character has no room in. */
bool wrap_is_torn(const struct wrap *wrap, const char *text, size_t line);

/* Reading without leaving anything out: *read is the byte up to which all has been shown, 0 at
 * first. Takes note that `count` lines from `first` on are shown; those behind a gap do not count.
 */
#define WRAP_READ_ALL SIZE_MAX
void wrap_follow_reading(const struct wrap *wrap, size_t first, size_t count, size_t *read);
/* The first line that is still to be read; wrap->count: none is. */
size_t wrap_unread(const struct wrap *wrap, size_t read);

#endif
