/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"

#define MARK_MAX 32 /* bytes of "<U+10FFFF x1000>" and more */

/* Of the mark that an escaped text begins with, "<ESC x5>" or "[5000 spaces]"; 0: with none. */
static size_t mark_length(const char *text)
{
    static const char *const blanks[] = {" spaces]", " newlines]"};
    size_t length = 1;

    if (*text == '<') {
        length += strspn(text + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+ x");
        return text[length] == '>' ? length + 1 : 0;
    }
    length += *text == '[' ? strspn(text + 1, "0123456789") : 0;
    for (size_t i = 0; length > 1 && i < COUNT(blanks); i++)
        if (strncmp(text + length, blanks[i], strlen(blanks[i])) == 0)
            return length + strlen(blanks[i]);
    return 0;
}

/* Where the mark of an escaped text begins that byte `at` is inside of, and in *end where it ends;
 * `at` itself when it is inside of none. */
static size_t mark_around(const char *text, size_t at, size_t *end)
{
    size_t begin = at > 0 ? at - 1 : 0;
    size_t length;

    *end = at;
    while (begin > 0 && at - begin < MARK_MAX && strchr("<>[]", text[begin]) == NULL)
        begin--;
    length = at > 0 ? mark_length(text + begin) : 0;
    if (begin + length <= at)
        return at;
    *end = begin + length;
    return begin;
}

size_t text_mark_start(const char *text, size_t at)
{
    size_t end;

    return mark_around(text, at, &end);
}

char *text_line_as(const char *text, size_t length, size_t columns, unsigned flags)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    size_t end;

    text_escape(&line, text, length, flags);
    if (text_width(strbuf_str(&line), line.length) > columns) {
        line.length = columns > 0 ? mark_around(line.data,
                                                text_fit(line.data, line.length, columns - 1), &end)
                                  : 0;
        strbuf_addstr(&line, columns > 0 ? "…" : "");
    }
    return strbuf_steal(&line);
}

char *text_line_ends(const char *text, size_t length, size_t columns, unsigned flags)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    size_t width, head, tail, end;

    text_escape(&line, text, length, flags);
    width = text_width(strbuf_str(&line), line.length);
    if (width <= columns || columns < TEXT_LINE_ENDS_MIN)
        return text_line_as(text, length, columns, flags);
    head = text_fit(line.data, line.length, (columns - 1) * 2 / 3);
    columns -= 1 + text_width(line.data, head);
    head = mark_around(line.data, head, &end);
    tail = text_fit(line.data, line.length, width - columns);
    if (text_width(line.data + tail, line.length - tail) > columns)
        tail = text_fit(line.data, line.length, width - columns + 1);
    mark_around(line.data, tail, &tail);
    return xasprintf("%.*s…%s", (int)head, line.data, line.data + tail);
}

/* Where the part of a path ends that begins at `start`, with the "/" behind it. */
static size_t part_end(const char *path, size_t start, size_t end)
{
    size_t at = start;

    while (at < end && path[at] == '/')
        at++;
    while (at < end && path[at] != '/')
        at++;
    return at < end ? at + 1 : at;
}

/* Where the part begins, with the "/" before it, that ends before `end`; 0: the path does. */
static size_t part_start(const char *path, size_t end)
{
    size_t at = end;

    while (at > 0 && path[at - 1] == '/')
        at--;
    while (at > 0 && path[at - 1] != '/')
        at--;
    return at > 0 ? at - 1 : 0;
}

/* The last columns of it, behind "…". */
static char *end_of_line(const char *line, size_t length, size_t columns)
{
    size_t width = text_width(line, length);
    size_t before = width >= columns ? width + 1 - columns : 0;
    size_t at = text_fit(line, length, before);

    if (columns == 0)
        return xstrdup("");
    if (text_width(line + at, length - at) >= columns)
        at = text_fit(line, length, before + 1);
    mark_around(line, at, &at);
    return xasprintf("…%s", line + at);
}

/* Of a path with a name that has no room, from `tail` on: all parts before it that a third of the
 * columns has room for, and as much of the name's end as then fits. */
static char *long_name_ends(const char *line, size_t length, size_t tail, size_t columns)
{
    size_t head = 0, next;
    cleanup_free char *end = NULL;

    while (columns >= TEXT_ENDS_MIN && (next = part_end(line, head, tail + 1)) > head &&
           text_width(line, next) <= columns / 3)
        head = next;
    end = end_of_line(line + head, length - head, columns - text_width(line, head));
    return xasprintf("%.*s%s", (int)head, line, end);
}

/* Of the parts between both ends takes one more to each, where there is room in so many columns. */
static bool add_parts(const char *line, size_t columns, size_t *head, size_t *tail)
{
    size_t next = part_end(line, *head, *tail), before = part_start(line, *tail);
    size_t used = 1 + text_width(line, *head) + text_width(line + *tail, strlen(line + *tail));
    size_t wide = text_width(line + *head, next - *head);
    bool any = false;

    if (next < *tail && used + wide <= columns) {
        *head = next;
        used += wide;
        any = true;
    }
    if (before > *head && used + text_width(line + before, *tail - before) <= columns) {
        *tail = before;
        any = true;
    }
    return any;
}

char *text_path_ends(const char *path, size_t length, size_t columns)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    size_t head = 0, tail;

    text_escape(&line, path, length, 0);
    if (text_width(strbuf_str(&line), line.length) <= columns)
        return xstrdup(strbuf_str(&line));
    tail = part_start(line.data, line.length);
    if (tail == 0 && columns >= TEXT_ENDS_MIN)
        return text_line_ends(path, length, columns, 0);
    if (tail == 0 || 1 + text_width(line.data + tail, line.length - tail) > columns)
        return long_name_ends(line.data, line.length, tail, columns);
    while (add_parts(line.data, columns, &head, &tail))
        ;
    return xasprintf("%.*s…%s", (int)head, line.data, line.data + tail);
}

char *text_line(const char *text, size_t length, size_t columns)
{
    return text_line_as(text, length, columns, 0);
}

char *text_sentence(const char *text, size_t length, size_t columns)
{
    return text_line_as(text, length, columns, TEXT_PROSE);
}

static bool has_capital(const char *text)
{
    return text[strcspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] != '\0';
}

const char *text_search(const char *text, size_t length, const char *wanted)
{
    int (*compare)(const char *, const char *, size_t) =
        has_capital(wanted) ? strncmp : strncasecmp;
    size_t size = strlen(wanted);
    int first = tolower((unsigned char)*wanted);

    for (size_t at = 0; at + size <= length; at++)
        /* Most places fail by their first letter: a call for each would cost more than the rest. */
        if (tolower((unsigned char)text[at]) == first && compare(text + at, wanted, size) == 0)
            return text + at;
    return NULL;
}

static bool reserved_word(const char *word)
{
    static const char *const words[] = {"case",   "coproc", "do",   "done",     "elif", "else",
                                        "esac",   "fi",     "for",  "function", "if",   "in",
                                        "select", "then",   "time", "until",    "while"};
    return IS_IN(word, words);
}

/* Whether a shell takes the word as it is; the first word must not be an assignment or keyword. */
static bool is_bare_word(const char *word, bool first)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_@%+=:,./-";
    if (*word == '\0' || *word == '=' || word[strspn(word, bare)] != '\0')
        return false;
    return !first || (!strchr(word, '=') && !reserved_word(word));
}

static void add_quoted(struct strbuf *out, const char *word)
{
    strbuf_addch(out, '\'');
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1) {
        strbuf_add(out, word, (size_t)(quote - word));
        strbuf_addstr(out, "'\\''");
    }
    strbuf_addstr(out, word);
    strbuf_addch(out, '\'');
}

bool text_same(const char *one, const char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

void text_quote_argv(struct strbuf *out, const char *const *argv)
{
    for (size_t i = 0; argv[i]; i++) {
        if (i > 0)
            strbuf_addch(out, ' ');
        if (is_bare_word(argv[i], i == 0))
            strbuf_addstr(out, argv[i]);
        else
            add_quoted(out, argv[i]);
    }
}

/* Of the numbers that both begin with, which is less? Passes over them. */
static int compare_numbers(const char **one, const char **other)
{
    *one += strspn(*one, "0");
    *other += strspn(*other, "0");
    size_t digits = strspn(*one, "0123456789"), others = strspn(*other, "0123456789");
    int order = digits != others ? (digits > others ? 1 : -1) : memcmp(*one, *other, digits);
    *one += digits;
    *other += others;
    return order;
}

int text_compare(const char *one, const char *other)
{
    const char *left = one, *right = other;
    int order = 0;

    while (order == 0 && *left != '\0' && *right != '\0') {
        if (isdigit((unsigned char)*left) && isdigit((unsigned char)*right))
            order = compare_numbers(&left, &right);
        else
            order = (unsigned char)*left++ - (unsigned char)*right++;
    }
    if (order == 0)
        order = (unsigned char)*left - (unsigned char)*right;
    return order != 0 ? order : strcmp(one, other);
}
