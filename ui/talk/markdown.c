/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/talk/markdown.h"

#include <string.h>

#define OFF "\033[0m"
#define STRONG "\033[1m"
#define CODE "\033[36m"

static void put_attributes(const struct markdown *state, struct strbuf *out)
{
    strbuf_addstr(out, OFF);
    if (state->strong || state->heading)
        strbuf_addstr(out, STRONG);
    if (state->code || state->fenced)
        strbuf_addstr(out, CODE);
}

static bool starts(const char *text, size_t length, const char *with)
{
    return length >= strlen(with) && strncmp(text, with, strlen(with)) == 0;
}

/* What stands at the beginning of a line; returns how many bytes of it were taken. */
static size_t begin_line(struct markdown *state, const char *text, size_t length,
                         struct strbuf *out)
{
    size_t blanks = 0;
    state->heading = state->strong = state->code = false;
    while (blanks < length && text[blanks] == ' ')
        blanks++;
    const char *word = text + blanks;
    size_t left = length - blanks;
    if (starts(word, left, "```")) {
        state->fenced = !state->fenced;
        return length; /* the fence itself says nothing */
    }
    if (state->fenced)
        return 0;
    size_t marks = strspn(word, "#");
    if (marks > 0 && marks < left && word[marks] == ' ') {
        state->heading = true;
        return blanks + marks + 1;
    }
    if (starts(word, left, "- ") || starts(word, left, "* ") || starts(word, left, "+ ")) {
        strbuf_add(out, text, blanks);
        strbuf_addstr(out, "- ");
        return blanks + 2;
    }
    return 0;
}

void markdown_row(struct markdown *state, const char *text, size_t length, bool first,
                  struct strbuf *out)
{
    size_t at = first ? begin_line(state, text, length, out) : 0;
    put_attributes(state, out);
    while (at < length) {
        bool strong = !state->fenced && !state->code && starts(text + at, length - at, "**");
        if (strong || (!state->fenced && text[at] == '`')) {
            if (strong)
                state->strong = !state->strong;
            else
                state->code = !state->code;
            put_attributes(state, out);
            at += strong ? 2 : 1;
        } else {
            strbuf_addch(out, text[at++]);
        }
    }
    strbuf_addstr(out, OFF);
}
