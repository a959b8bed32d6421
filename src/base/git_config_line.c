/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/git_config_line.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static size_t blanks(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && (text[count] == ' ' || text[count] == '\t'))
        count++;
    return count;
}

/* What does not fit is nothing that anybody writes. */
static bool copy(char *to, size_t size, const char *text, size_t length)
{
    return (size_t)snprintf(to, size, "%.*s", (int)length, text) < size;
}

static bool read_section(struct git_config_line *line, const char *text, size_t length)
{
    size_t name = 1;
    while (name < length && isalnum((unsigned char)text[name]))
        name++;
    line->subsection[0] = '\0';
    line->named = false;
    if (name == 1 || length < 3 || text[length - 1] != ']' ||
        !copy(line->section, sizeof(line->section), text + 1, name - 1))
        return false;
    if (name == length - 1)
        return true;
    const char *quoted = text + name + 1;
    size_t inside = length - name - 2; /* both quotes included */
    line->named = true;
    return text[name] == ' ' && inside >= 2 && quoted[0] == '"' && quoted[inside - 1] == '"' &&
           !memchr(quoted + 1, '"', inside - 2) &&
           copy(line->subsection, sizeof(line->subsection), quoted + 1, inside - 2);
}

/* Quotes may stand anywhere in a value; outside of them a comment ends it. */
static char *read_value(const char *text, size_t length)
{
    char *value = xstrndup(text, length);
    size_t used = 0, kept = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') {
            quoted = !quoted;
            kept = used;
        } else if (!quoted && (text[i] == '#' || text[i] == ';')) {
            break;
        } else {
            bool blank = !quoted && (text[i] == ' ' || text[i] == '\t');
            if (!blank || used > 0)
                value[used++] = text[i];
            if (!blank)
                kept = used;
        }
    }
    value[kept] = '\0';
    if (!quoted)
        return value;
    free(value);
    return NULL;
}

static bool read_variable(struct git_config_line *line, const char *text, size_t length)
{
    char key[64];
    size_t end = 0;
    while (end < length && (isalnum((unsigned char)text[end]) || text[end] == '-'))
        end++;
    size_t rest = end + blanks(text + end, length - end);
    if (end == 0 || !isalpha((unsigned char)text[0]) || !copy(key, sizeof(key), text, end) ||
        (rest < length && text[rest] != '='))
        return false;
    snprintf(line->name, sizeof(line->name), "%s.%s%s", line->section, line->named ? "*." : "",
             key);
    if (rest < length)
        rest++;
    else
        return (line->value = xstrdup("true")) != NULL;
    rest += blanks(text + rest, length - rest);
    line->value = read_value(text + rest, length - rest);
    return line->value != NULL;
}

enum git_config_kind git_config_line_read(struct git_config_line *line, const char *text,
                                          size_t length)
{
    git_config_line_free(line);
    size_t indent = blanks(text, length);
    text += indent;
    length -= indent;
    if (memchr(text, '\0', length))
        return GIT_CONFIG_OTHER;
    if (length == 0)
        return GIT_CONFIG_NOTHING;
    if (text[0] == '#' || text[0] == ';')
        return text[length - 1] == '\\' ? GIT_CONFIG_OTHER : GIT_CONFIG_NOTHING;
    if (memchr(text, '\\', length) || memchr(text, '\r', length))
        return GIT_CONFIG_OTHER;
    if (text[0] == '[')
        return read_section(line, text, length) ? GIT_CONFIG_SECTION : GIT_CONFIG_OTHER;
    if (line->section[0] == '\0' || !read_variable(line, text, length))
        return GIT_CONFIG_OTHER;
    return GIT_CONFIG_VARIABLE;
}

void git_config_line_free(struct git_config_line *line)
{
    free(line->value);
    line->value = NULL;
}
