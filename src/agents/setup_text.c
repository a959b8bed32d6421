/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/setup_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define NOWHERE ((size_t)-1)

/* ---- lines --------------------------------------------------------------------------------- */

/* Behind the line that begins there, its end included. */
static size_t line_end(const struct strbuf *text, size_t at)
{
    const char *rest = strbuf_str(text) + at;
    size_t length = strcspn(rest, "\n");
    return at + length + (rest[length] == '\n');
}

/* A copy of the line without its end and the white space around it. */
static char *line_words(const struct strbuf *text, size_t at)
{
    const char *line = strbuf_str(text) + at;
    size_t length = strcspn(line, "\n");
    while (length > 0 && isspace((unsigned char)*line)) {
        line++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    return xstrndup(line, length);
}

static bool line_is(const struct strbuf *text, size_t at, const char *words)
{
    cleanup_free char *line = line_words(text, at);
    return strcmp(line, words) == 0;
}

static void splice(struct strbuf *text, size_t start, size_t end, const char *with)
{
    struct strbuf result = STRBUF_INIT;
    strbuf_add(&result, strbuf_str(text), start);
    strbuf_addstr(&result, with);
    strbuf_add(&result, strbuf_str(text) + end, text->length - end);
    strbuf_free(text);
    *text = result;
}

/* So that a line can be appended. */
static void end_last_line(struct strbuf *text)
{
    if (text->length > 0 && text->data[text->length - 1] != '\n')
        strbuf_addch(text, '\n');
}

/* ---- TOML ---------------------------------------------------------------------------------- */

static bool starts_table(const struct strbuf *text, size_t at)
{
    cleanup_free char *line = line_words(text, at);
    return line[0] == '[';
}

/* The line [name], NOWHERE when there is none. */
static size_t find_table(const struct strbuf *text, const char *name)
{
    cleanup_free char *header = xasprintf("[%s]", name);
    for (size_t at = 0; at < text->length; at = line_end(text, at))
        if (line_is(text, at, header))
            return at;
    return NOWHERE;
}

/* Where the table of the header at `header` ends: the next one, tables within it not counted. */
static size_t end_of_table(const struct strbuf *text, size_t header, const char *name)
{
    cleanup_free char *within = xasprintf("[%s.", name);
    size_t at = line_end(text, header);
    for (; at < text->length; at = line_end(text, at)) {
        cleanup_free char *line = line_words(text, at);
        if (line[0] == '[' && strncmp(line, within, strlen(within)) != 0)
            break;
    }
    return at;
}

/* The line of the table that sets the key, NOWHERE when there is none. */
static size_t find_key(const struct strbuf *text, size_t header, const char *key)
{
    size_t length = strlen(key);
    for (size_t at = line_end(text, header); at < text->length; at = line_end(text, at)) {
        cleanup_free char *line = line_words(text, at);
        if (line[0] == '[')
            break;
        if (strncmp(line, key, length) == 0 && line[length + strspn(line + length, " \t")] == '=')
            return at;
    }
    return NOWHERE;
}

/* Before the first table, "a.b" may be given as `a.b = …`, `a.b.c = …` or `a = {…}`. */
static bool defined_otherwise(const struct strbuf *text, const char *name)
{
    cleanup_free char *first = xstrndup(name, strcspn(name, "."));
    size_t whole = strlen(name), part = strlen(first);
    for (size_t at = 0; at < text->length && !starts_table(text, at); at = line_end(text, at)) {
        cleanup_free char *line = line_words(text, at);
        bool dotted = strncmp(line, name, whole) == 0 && strchr(" .=\t", line[whole]) != NULL;
        bool in_line =
            strncmp(line, first, part) == 0 && line[part + strspn(line + part, " \t")] == '=';
        if (dotted || in_line)
            return true;
    }
    return false;
}

static int check_table(const struct strbuf *text, const char *name, struct error *error)
{
    if (!defined_otherwise(text, name))
        return 0;
    return error_set(error, 0, "%s is set before the first table: write it as a table [%s]", name,
                     name);
}

static void append_table(struct strbuf *text, const char *name, const char *lines)
{
    end_last_line(text);
    strbuf_addf(text, "%s[%s]\n%s", text->length > 0 ? "\n" : "", name, lines);
}

int setup_text_add_table(struct strbuf *text, const char *name, const char *lines,
                         struct error *error)
{
    if (find_table(text, name) != NOWHERE)
        return error_set(error, 0, "it has a table [%s] already, which is not ours", name);
    if (check_table(text, name, error) < 0)
        return -1;
    append_table(text, name, lines);
    return 0;
}

/* Takes lines out, with the empty line before them; the one behind stays, if there is one. */
static void cut(struct strbuf *text, size_t start, size_t end)
{
    while (end > start + 1 && strncmp(text->data + end - 2, "\n\n", 2) == 0)
        end--; /* what separates the next table is its own */
    if (start >= 2 && strncmp(text->data + start - 2, "\n\n", 2) == 0)
        start--;
    splice(text, start, end, "");
}

void setup_text_remove_table(struct strbuf *text, const char *name)
{
    size_t start = find_table(text, name);
    if (start != NOWHERE)
        cut(text, start, end_of_table(text, start, name));
}

bool setup_text_has_table(const struct strbuf *text, const char *name)
{
    return find_table(text, name) != NOWHERE;
}

int setup_text_set_key(struct strbuf *text, const char *name, const char *key, const char *value,
                       struct strbuf *old, struct error *error)
{
    cleanup_free char *line = xasprintf("%s = %s\n", key, value);
    if (check_table(text, name, error) < 0)
        return -1;
    size_t header = find_table(text, name);
    if (header == NOWHERE) {
        append_table(text, name, line);
        return 0;
    }
    size_t at = find_key(text, header, key);
    if (at == NOWHERE) {
        end_last_line(text);
        at = line_end(text, header);
        splice(text, at, at, line);
        return 0;
    }
    size_t end = line_end(text, at);
    strbuf_add(old, text->data + at, strcspn(text->data + at, "\n"));
    splice(text, at, end, line);
    return 0;
}

void setup_text_reset_key(struct strbuf *text, const char *name, const char *key, const char *old,
                          bool table_made)
{
    size_t header = find_table(text, name);
    size_t at = header != NOWHERE ? find_key(text, header, key) : NOWHERE;
    if (at == NOWHERE)
        return;
    cleanup_free char *line = old != NULL ? xasprintf("%s\n", old) : xstrdup("");
    splice(text, at, line_end(text, at), line);
    size_t end = end_of_table(text, header, name);
    size_t body = line_end(text, header);
    if (table_made && strspn(strbuf_str(text) + body, " \t\r\n") >= end - body)
        cut(text, header, end);
}

/* ---- YAML ---------------------------------------------------------------------------------- */

static size_t indent_at(const struct strbuf *text, size_t at)
{
    return strspn(strbuf_str(text) + at, " ");
}

static bool says_nothing(const struct strbuf *text, size_t at)
{
    cleanup_free char *line = line_words(text, at);
    return line[0] == '\0' || line[0] == '#';
}

/* The line `name:` with that indent from `at` on, before a line with a lesser one. */
static size_t find_entry(const struct strbuf *text, size_t at, size_t indent, const char *name)
{
    size_t length = strlen(name);
    for (; at < text->length; at = line_end(text, at)) {
        const char *line = strbuf_str(text) + at;
        if (says_nothing(text, at))
            continue;
        if (indent_at(text, at) < indent)
            break;
        if (indent_at(text, at) == indent && strncmp(line + indent, name, length) == 0 &&
            line[indent + length] == ':')
            return at;
    }
    return NOWHERE;
}

/* Behind the lines that are deeper than the one at `at`. */
static size_t end_of_entry(const struct strbuf *text, size_t at)
{
    size_t indent = indent_at(text, at);
    size_t end = line_end(text, at);
    for (size_t next = end; next < text->length; next = line_end(text, next)) {
        if (says_nothing(text, next))
            continue;
        if (indent_at(text, next) <= indent)
            break;
        end = line_end(text, next);
    }
    return end;
}

/* Of the entries in the mapping whose line is at `top`; 2 when it has none. */
static size_t inner_indent(const struct strbuf *text, size_t top)
{
    size_t end = end_of_entry(text, top);
    for (size_t at = line_end(text, top); at < end; at = line_end(text, at))
        if (!says_nothing(text, at))
            return indent_at(text, at);
    return 2;
}

static void add_lines(struct strbuf *out, size_t indent, const char *lines)
{
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n") + 1;
        strbuf_addf(out, "%*s%.*s", (int)indent, "", (int)length, lines);
        lines += length;
    }
}

bool setup_text_has_entries(const struct strbuf *text, const char *top)
{
    return find_entry(text, 0, 0, top) != NOWHERE;
}

int setup_text_add_entry(struct strbuf *text, const char *top, const char *name, const char *lines,
                         struct error *error)
{
    cleanup_free char *header = xasprintf("%s:", top);
    cleanup_strbuf struct strbuf entry = STRBUF_INIT;
    size_t at = find_entry(text, 0, 0, top);
    if (at == NOWHERE) {
        end_last_line(text);
        at = text->length;
        strbuf_addf(text, "%s\n", header);
    }
    if (!line_is(text, at, header))
        return error_set(error, 0, "%s is written in one line: write it as a block", top);
    size_t indent = inner_indent(text, at);
    size_t inside = line_end(text, at);
    if (find_entry(text, inside, indent, name) != NOWHERE)
        return error_set(error, 0, "it has an entry %s.%s already, which is not ours", top, name);
    strbuf_addf(&entry, "%*s%s:\n", (int)indent, "", name);
    add_lines(&entry, 2 * indent, lines);
    splice(text, inside, inside, strbuf_str(&entry));
    return 0;
}

void setup_text_remove_entry(struct strbuf *text, const char *top, const char *name, bool top_made)
{
    size_t outer = find_entry(text, 0, 0, top);
    if (outer == NOWHERE)
        return;
    size_t inside = line_end(text, outer);
    size_t at = find_entry(text, inside, inner_indent(text, outer), name);
    if (at != NOWHERE)
        splice(text, at, end_of_entry(text, at), "");
    if (top_made && end_of_entry(text, outer) == inside)
        splice(text, outer, inside, "");
}
