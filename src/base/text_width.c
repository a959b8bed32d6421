/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/array.h"
#include "base/text.h"
#include "base/text_tables.h"

#include <string.h>

bool text_range_has(const struct text_range *ranges, size_t count, uint32_t codepoint)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (codepoint > ranges[middle].last)
            low = middle + 1;
        else if (codepoint < ranges[middle].first)
            high = middle;
        else
            return true;
    }
    return false;
}

int text_codepoint_width(uint32_t codepoint)
{
    if (codepoint < 0x300) /* Latin: one column, except the controls */
        return codepoint >= 0x20 && (codepoint < 0x7F || codepoint >= 0xA0);
    if ((codepoint >= 0x4E00 && codepoint <= 0x9FFF) ||
        (codepoint >= 0xAC00 && codepoint <= 0xD7A3))
        return 2; /* most of what is wide, without a search */
    if (text_range_has(text_zero, text_zero_count, codepoint))
        return 0;
    return text_range_has(text_wide, text_wide_count, codepoint) ? 2 : 1;
}

bool text_right_to_left(uint32_t codepoint)
{
    static const struct text_range blocks[] = {
        {0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFF}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}};
    return codepoint >= blocks[0].first && text_range_has(blocks, COUNT(blocks), codepoint);
}

size_t text_width(const char *text, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length;) {
        uint32_t codepoint;
        i += text_decode(text + i, length - i, &codepoint);
        columns += codepoint == TEXT_INVALID ? 1 : (size_t)text_codepoint_width(codepoint);
    }
    return columns;
}

int text_padding(const char *text, size_t columns)
{
    size_t width = text_width(text, strlen(text));
    return width < columns ? (int)(columns - width) : 0;
}

size_t text_fit(const char *text, size_t length, size_t columns)
{
    size_t used = 0, i = 0;
    while (i < length) {
        uint32_t codepoint;
        size_t size = text_decode(text + i, length - i, &codepoint);
        used += codepoint == TEXT_INVALID ? 1 : (size_t)text_codepoint_width(codepoint);
        if (used > columns)
            break;
        i += size;
    }
    return i;
}
