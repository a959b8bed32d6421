/* SPDX-License-Identifier: MIT */
/* text_break: where a line of prose may end: at blanks, and between the characters of scripts that
 * are written without any; and where one of a command may. */
#include "config.h"

#include "base/text.h"

#include <string.h>

static bool is_one_of(uint32_t codepoint, const uint32_t *list)
{
    while (*list != 0 && *list != codepoint)
        list++;
    return *list != 0;
}

/* Punctuation that belongs to what stands before it, and small kana, which do. */
static bool may_not_begin(uint32_t codepoint)
{
    static const uint32_t list[] = {
        '!',    ')',    ',',    '.',    ':',    ';',    '?',    ']',    '}',    '%',    0x2019,
        0x201D, 0x2026, 0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015,
        0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x30A1, 0x30A3,
        0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30FB, 0x30FC, 0xFF01, 0xFF09,
        0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0};
    return is_one_of(codepoint, list);
}

/* Punctuation that belongs to what stands behind it. */
static bool may_not_end(uint32_t codepoint)
{
    static const uint32_t list[] = {'(',    '[',    '{',    0x2018, 0x201C, 0x3008, 0x300A, 0x300C,
                                    0x300E, 0x3010, 0x3014, 0xFF08, 0xFF3B, 0xFF5B, 0};
    return is_one_of(codepoint, list);
}

static bool is_wide(uint32_t codepoint)
{
    return codepoint != TEXT_INVALID && text_codepoint_width(codepoint) == 2;
}

/* Punctuation by itself behind a blank, as French sets it, belongs to what stands before it. */
static bool stands_alone(const char *text, size_t length)
{
    size_t blanks = 0;
    while (blanks < length && text[blanks] == ' ')
        blanks++;
    text += blanks;
    length -= blanks;
    return length > 0 && strchr("!:;?", *text) != NULL && (length == 1 || text[1] == ' ');
}

static bool may_break(uint32_t before, uint32_t behind)
{
    if (before == ' ')
        return true;
    if (!is_wide(before) && !is_wide(behind))
        return false;
    if (behind == ' ' || (behind >= 0x300 && text_codepoint_width(behind) == 0))
        return false;
    return !may_not_end(before) && !may_not_begin(behind);
}

size_t text_break(const char *text, size_t length, size_t limit)
{
    uint32_t before = 0;
    size_t last = 0;
    for (size_t i = 0; i <= limit && i < length;) {
        uint32_t codepoint;
        size_t size = text_decode(text + i, length - i, &codepoint);
        bool at_blank = i == limit && codepoint == ' ';
        if (i > 0 && (at_blank || may_break(before, codepoint)) &&
            !stands_alone(text + i, length - i))
            last = i;
        before = codepoint;
        i += size;
    }
    return last;
}

/* Has the blank before `at` a backslash of its own? */
static bool is_escaped(const char *text, size_t at)
{
    size_t backslashes = 0;

    while (backslashes + 1 < at && text[at - 2 - backslashes] == '\\')
        backslashes++;
    return backslashes % 2 == 1;
}

size_t text_break_blank(const char *text, size_t length, size_t least, size_t limit)
{
    for (size_t at = limit; at > least && at > 0; at--)
        if (text[at - 1] == ' ' && at < length && text[at] != ' ' && !is_escaped(text, at) &&
            text_mark_start(text, at) == at)
            return at;
    return 0;
}
