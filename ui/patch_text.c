/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/patch_text.h"

#include <string.h>

#include "base/text.h"

enum theme_element patch_text_line(const char *line, size_t length)
{
    switch (length > 0 ? line[0] : ' ') {
    case '+':
        return THEME_PATCH_ADDED;
    case '-':
        return THEME_PATCH_REMOVED;
    case '@':
        return THEME_PATCH_PLACE;
    case '*':
        return THEME_COMMAND;
    default:
        return THEME_PATCH_CONTEXT;
    }
}

enum theme_element patch_text_element(const char *text, const struct wrap *wrap, size_t line)
{
    while (line > 0 && wrap->lines[line].continued)
        line--;
    return patch_text_line(text + wrap->lines[line].start, wrap->lines[line].length);
}

void patch_text_paint(struct strbuf *out, const struct theme *theme, const char *text,
                      size_t length)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    char sgr[THEME_SGR_SIZE];
    size_t width;

    text_escape(&safe, text, length, TEXT_KEEP_NEWLINES | TEXT_PLAIN_AGENT | TEXT_TABS);
    for (const char *line = strbuf_str(&safe); *line != '\0';
         line += width + (line[width] == '\n')) {
        width = strcspn(line, "\n");
        theme_sgr(theme, patch_text_line(line, width), sgr);
        strbuf_addf(out, "%s%.*s\x1b[0m\n", sgr, (int)width, line);
    }
}
