/* SPDX-License-Identifier: MIT */
/*
 * framing: bounded lines out of a stream of bytes.
 *
 * A line longer than the limit is reported once, with its beginning (which may tell whom to
 * answer), and its rest is thrown away up to the next line end.
 */
#ifndef ASSENT_AGENTS_FRAMING_H
#define ASSENT_AGENTS_FRAMING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct framing {
    struct strbuf line; /* what there is of the current line, without its end */
    size_t limit;       /* bytes of a line, without its end */
    bool skipping;      /* the rest of an overlong line is being thrown away */
    bool complete;      /* `line` was handed out; the next byte starts a new one */
};

enum framing_result {
    FRAMING_MORE,     /* all bytes were taken, no line has ended */
    FRAMING_LINE,     /* `line` holds a whole line */
    FRAMING_OVERLONG, /* `line` holds the first `limit` bytes of a line that is too long */
};

void framing_init(struct framing *framing, size_t limit);
void framing_clear(struct framing *framing);

/* A line longer than this is worth counting, and gives its memory back once it was handled. */
#define FRAMING_KEPT ((size_t)64 * 1024)

/* Takes bytes up to the end of the line at most; *taken says how many. The line is valid until
 * the next call. */
enum framing_result framing_take(struct framing *framing, const char *bytes, size_t length,
                                 size_t *taken);
/* The line that was handed out is not needed any more. */
void framing_release(struct framing *framing);
/* Hands out what there is of the line, as if it had been too long. */
void framing_give_up(struct framing *framing);

#endif
