/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_sequence.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *const STRATEGIES[] = {"ort",     "recursive", "resolve",
                                         "octopus", "ours",      "subtree"};

static bool is_strategy(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof STRATEGIES / sizeof *STRATEGIES; i++)
        if (strlen(STRATEGIES[i]) == length && strncmp(STRATEGIES[i], text, length) == 0)
            return true;
    return length == 0;
}

/* Blanks around. */
static const char *trim(const char *text, size_t *length)
{
    while (*length > 0 && isspace((unsigned char)text[*length - 1]))
        --*length;
    while (*length > 0 && isspace((unsigned char)*text)) {
        text++;
        --*length;
    }
    return text;
}

bool git_sequence_strategy_is_harmless(const char *text)
{
    size_t length = strlen(text);
    text = trim(text, &length);
    return is_strategy(text, length);
}

/* A section, a key, or a key and a value; quotes, comments and lines that go on on the next are
 * not taken apart. */
static bool is_harmless_line(const char *line, size_t length)
{
    static const char SECTION[] = "[options]", STRATEGY[] = "strategy";
    line = trim(line, &length);
    if (length == 0 || (length == strlen(SECTION) && strncmp(line, SECTION, length) == 0))
        return true;
    const char *equals = memchr(line, '=', length);
    size_t key_length = equals ? (size_t)(equals - line) : length;
    const char *key = trim(line, &key_length);
    for (size_t i = 0; i < key_length; i++)
        if (!isalnum((unsigned char)key[i]) && key[i] != '-')
            return false;
    if (strpbrk(line, "\"\\#;") && strpbrk(line, "\"\\#;") < line + length)
        return false;
    if (key_length != strlen(STRATEGY) || strncasecmp(key, STRATEGY, key_length) != 0)
        return true;
    size_t value_length = equals ? (size_t)(line + length - equals - 1) : 0;
    const char *value = equals ? trim(equals + 1, &value_length) : line;
    return is_strategy(value, value_length);
}

bool git_sequence_options_are_harmless(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (!is_harmless_line(text, length))
            return false;
        text += length + (text[length] == '\n');
    }
    return true;
}
