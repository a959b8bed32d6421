/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/patch_text.h"

#include <string.h>

enum theme_element patch_text_element(const char *text, const struct wrap *wrap, size_t line)
{
    while (line > 0 && wrap->lines[line].continued)
        line--;
    const char *start = text + wrap->lines[line].start;
    if (wrap->lines[line].length == 0)
        return THEME_PATCH_CONTEXT;
    switch (start[0]) {
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
