/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/plain_lines.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define GOES_ON "+ "
#define BLANKS_MAX 8U /* in front that are kept where a line goes on */
#define WIDTH_MIN 4U  /* of what stands behind the mark: a narrower terminal breaks lines itself */

/* The length of what stands in front of the words: blanks, or up to the bar before words of
 * others. */
static size_t lead_of(const char *text, bool *quoted)
{
    size_t blanks = strspn(text, " "), at = blanks;

    if (text[at] == 'c')
        at += 1 + strspn(text + at + 1, "0123456789");
    *quoted = strncmp(text + at, "| ", 2) == 0;
    if (*quoted)
        return at + 2;
    return blanks < BLANKS_MAX ? blanks : BLANKS_MAX;
}

/* Columns for words that stand so far from the edge. */
static size_t width_of(size_t columns, size_t indent)
{
    if (columns == 0)
        return SIZE_MAX;
    return columns > indent + 1 + WIDTH_MIN ? columns - indent - 1 : WIDTH_MIN;
}

void plain_lines_add(struct strbuf *out, const char *text, size_t columns, enum wrap_mode foreign)
{
    bool quoted;
    size_t lead = lead_of(text, &quoted);
    size_t indent = quoted ? lead : lead + strlen(GOES_ON);
    struct wrap wrap;

    wrap_init(&wrap, text + lead, width_of(columns, indent), quoted ? foreign : WRAP_WORDS);
    for (size_t i = 0; i < wrap.count; i++) {
        const struct wrap_line *line = &wrap.lines[i];

        if (i == 0 || (quoted && !line->continued))
            strbuf_add(out, text, lead);
        else
            strbuf_addf(out, "%*s", (int)indent, GOES_ON);
        strbuf_add(out, text + lead + line->start, line->length);
        strbuf_addch(out, '\n');
    }
    wrap_clear(&wrap);
}
