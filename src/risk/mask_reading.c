/* SPDX-License-Identifier: MIT */
/*
 * Which quotes are open at each place of a text. Hostile by nature: who writes a text so that it is
 * read wrongly hides what is in it from the record. So what is not read exactly is said to be in
 * doubt, which is never an error: it makes the masks smaller.
 */
#include "config.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "risk/mask-int.h"

/* As it is written. */
enum mark {
    MARK_NONE,
    MARK_SINGLE,
    MARK_DOUBLE,
    MARK_ANSI,    /* $'…' */
    MARK_SPLICED, /* '\'' and '"'"': a quote within a shell's single quotes */
    MARK_ESCAPED_SINGLE,
    MARK_ESCAPED_DOUBLE,
    MARK_ESCAPED_TWICE, /* \\\" */
    MARK_BODY,
};

static char char_at(const struct view *view, size_t at)
{
    return at < view->length ? view->text[at] : '\0';
}

static size_t last_of(const struct view *view, char quote)
{
    const char *last = view->length > 0 ? memrchr(view->text, quote, view->length) : NULL;
    return last != NULL ? (size_t)(last - view->text) : SIZE_MAX;
}

void reading_start(struct reading *reading, const struct view *view, enum reading_kind kind)
{
    *reading = (struct reading){.view = view,
                                .kind = kind,
                                .word_start = true,
                                .last_single = last_of(view, '\''),
                                .last_double = last_of(view, '"'),
                                .body_end = view->length};
    if (kind != READING_COMMAND)
        reading->marks[reading->depth++] = MARK_BODY;
}

bool reading_sure(const struct reading *reading)
{
    return !reading->lost && (reading->depth == 0 || !reading->guessed);
}

bool reading_literal(const struct reading *reading)
{
    return reading->depth > 0 &&
           (reading->marks[0] == MARK_SINGLE || reading->marks[0] == MARK_ANSI);
}

bool reading_begins(const struct reading *reading, size_t at)
{
    unsigned depth = reading->depth;
    return depth > 0 && reading->opened[depth - 1] == at &&
           (reading->marks[depth - 1] != MARK_BODY || reading->kind == READING_WORD);
}

bool reading_substitutes(const struct reading *reading)
{
    size_t at = reading->at + (char_at(reading->view, reading->at) == '\\');
    char character = char_at(reading->view, at);
    return reading->kind != READING_TEXT &&
           (character == '`' || (character == '$' && char_at(reading->view, at + 1) == '('));
}

static bool is_open(const struct reading *reading, enum mark mark)
{
    for (unsigned i = 0; i < reading->depth; i++)
        if (reading->marks[i] == mark)
            return true;
    return false;
}

static enum mark outermost(const struct reading *reading)
{
    return reading->depth > 0 ? (enum mark)reading->marks[0] : MARK_NONE;
}

/* ---- marks ----------------------------------------------------------------------------------- */

size_t reading_mark_width(const struct view *view, size_t at)
{
    static const char *const marks[] = {"'\\''", "'\"'\"'", "\\\\\\\"", "\\\"", "\\'", "\"", "'"};
    for (size_t i = 0; i < COUNT(marks); i++)
        if (mask_begins(view, at, marks[i]))
            return strlen(marks[i]);
    return 0;
}

static enum mark single_mark(const struct reading *reading, size_t *width)
{
    enum mark outer = outermost(reading);
    *width = 1;
    if (outer == MARK_ANSI)
        return MARK_ANSI;
    if (outer == MARK_NONE && reading->dollar)
        return MARK_ANSI;
    if (outer == MARK_SINGLE) {
        *width = reading_mark_width(reading->view, reading->at);
        return *width > 1 ? MARK_SPLICED : MARK_SINGLE;
    }
    return MARK_SINGLE;
}

/* A backslash: in a shell's single quotes it is nothing to the shell, but perhaps to what gets
 * them. */
static enum mark escaped_mark(const struct reading *reading, size_t *width)
{
    enum mark outer = outermost(reading);
    if (outer == MARK_NONE)
        return MARK_NONE;
    *width = reading_mark_width(reading->view, reading->at);
    switch (*width > 0 ? reading->view->text[reading->at + *width - 1] : '\0') {
    case '\'':
        return outer == MARK_SINGLE ? MARK_NONE : MARK_ESCAPED_SINGLE;
    case '"':
        return *width > 2 ? MARK_ESCAPED_TWICE : MARK_ESCAPED_DOUBLE;
    default:
        return MARK_NONE;
    }
}

static enum mark mark_here(const struct reading *reading, size_t *width)
{
    switch (char_at(reading->view, reading->at)) {
    case '\'':
        return single_mark(reading, width);
    case '"':
        *width = 1;
        return MARK_DOUBLE;
    case '\\':
        return escaped_mark(reading, width);
    default:
        return MARK_NONE;
    }
}

bool reading_unclosed(const struct reading *reading)
{
    size_t width = 0;
    enum mark mark = mark_here(reading, &width);
    if (mark == MARK_NONE || is_open(reading, mark))
        return false;
    bool single = reading->view->text[reading->at + width - 1] == '\'';
    size_t last = single ? reading->last_single : reading->last_double;
    return last == SIZE_MAX || last < reading->at + width;
}

/* A quote that opens within another: is it one in every language that may be there? */
static bool is_doubtful(const struct reading *reading, enum mark mark)
{
    char before = reading->at > 0 ? reading->view->text[reading->at - 1] : ' ';
    if (reading->kind == READING_TEXT)
        return false;
    bool escaped =
        mark == MARK_ESCAPED_SINGLE || mark == MARK_ESCAPED_DOUBLE || mark == MARK_ESCAPED_TWICE;
    if (escaped && !is_open(reading, MARK_DOUBLE) && !is_open(reading, MARK_ANSI) &&
        !is_open(reading, MARK_SINGLE))
        return true;
    if (escaped && outermost(reading) == MARK_SINGLE && reading->depth == 1)
        return true;
    return reading->strange || strchr("/%\\?$", before) != NULL;
}

static void push_mark(struct reading *reading, enum mark mark, size_t opened)
{
    reading->opened[reading->depth] = opened;
    reading->marks[reading->depth++] = (unsigned char)mark;
}

static void take_mark(struct reading *reading, enum mark mark, size_t width)
{
    unsigned place = reading->depth;
    while (place > 0 && reading->marks[place - 1] != mark)
        place--;
    if (place > 0) {
        reading->depth = place - 1;
    } else if (reading->depth == READING_DEPTH) {
        reading->guessed = true;
    } else {
        if (reading->depth == 0)
            reading->guessed = reading->strange = reading->mentions = false;
        else
            reading->guessed |= is_doubtful(reading, mark);
        push_mark(reading, mark, reading->at + width);
    }
    /* A shell that does not know $'…' is out of it here. */
    reading->lost |= outermost(reading) == MARK_ANSI && mark == MARK_ESCAPED_SINGLE;
    reading->at += width;
    reading->word_start = reading->dollar = false;
}

/* ---- here-documents -------------------------------------------------------------------------- */

/* Behind "<<": the delimiter, when it is a plain word, quoted as a whole or not at all. */
static void note_here_document(struct reading *reading)
{
    const struct view *view = reading->view;
    size_t at = reading->at + 2;
    if (char_at(view, at) == '<') /* a here-string */
        return;
    reading->strips = char_at(view, at) == '-';
    at += reading->strips;
    while (char_at(view, at) == ' ' || char_at(view, at) == '\t')
        at++;
    char quote = char_at(view, at);
    bool quoted = quote == '\'' || quote == '"';
    size_t start = at += quoted || quote == '\\';
    while (isalnum((unsigned char)char_at(view, at)) || char_at(view, at) == '_')
        at++;
    bool plain = at > start && (quoted ? char_at(view, at) == quote
                                       : strchr(" \t\n;&|()<>", char_at(view, at)) != NULL);
    if (!plain || reading->width > 0 || reading->arithmetic)
        reading->lost = true;
    reading->expands = !quoted && quote != '\\';
    reading->delimiter = start;
    reading->width = at - start;
}

/* The line that is the delimiter, from the beginning of a body; the length when there is none. */
static size_t find_delimiter(const struct reading *reading, size_t at)
{
    const struct view *view = reading->view;
    while (at < view->length) {
        const char *line = view->text + at, *end = memchr(line, '\n', view->length - at);
        size_t width = end != NULL ? (size_t)(end - line) : view->length - at, tabs = 0;
        while (reading->strips && tabs < width && line[tabs] == '\t')
            tabs++;
        if (width - tabs == reading->width &&
            memcmp(line + tabs, view->text + reading->delimiter, reading->width) == 0)
            return at;
        /* Joined to the next line, it may be the delimiter. */
        if (reading->expands && width > 0 && line[width - 1] == '\\')
            break;
        at += width + 1;
    }
    return view->length;
}

/* At the newline in front of a body. */
static void enter_body(struct reading *reading)
{
    reading->body_end = find_delimiter(reading, reading->at + 1);
    reading->lost |= reading->body_end == reading->view->length;
    push_mark(reading, MARK_BODY, reading->at + 1);
    reading->guessed = reading->strange = reading->mentions = false;
}

static void leave_body(struct reading *reading)
{
    reading->depth = 0;
    reading->at += reading->width;
    while (reading->strips && char_at(reading->view, reading->at) != '\n' &&
           reading->at < reading->view->length)
        reading->at++;
    reading->width = 0;
    reading->word_start = false;
}

/* ---- characters ------------------------------------------------------------------------------ */

/* What is in ${…}, $(…) or [ … ] reads the same whether quotes are nested in it or not: it has
 * none, nor comments, nor a case with parentheses of its own. */
static bool is_plain_to(const struct view *view, size_t at, char close)
{
    size_t start = at;
    while (at < view->length && view->text[at] != close &&
           (isalnum((unsigned char)view->text[at]) ||
            strchr(close == '}' ? " _-./=:,@%+~$*!?^#" : " _-./=:,@%+~$*!?^;|&>", view->text[at])))
        at++;
    return at < view->length && view->text[at] == close && view->text[at] != '\0' &&
           memmem(view->text + start, at - start, "case", 4) == NULL;
}

/* A substitution in a shell's double quotes, or in any within: its own quotes begin anew. */
static void check_substitution(struct reading *reading)
{
    const struct view *view = reading->view;
    char next = char_at(view, reading->at + 1);
    bool plain = true;
    if (view->text[reading->at] == '$' && (next == '(' || next == '{'))
        plain = is_plain_to(view, reading->at + 2, next == '(' ? ')' : '}');
    else if (view->text[reading->at] == '`')
        plain = false;
    if (plain || reading->kind == READING_TEXT)
        return;
    if (reading->depth == 0 || outermost(reading) == MARK_DOUBLE)
        reading->lost = true;
    else
        reading->guessed = true;
}

/* A word that begins here: is it a command that runs what it is given? */
static bool runs_here(const struct reading *reading)
{
    const struct view *view = reading->view;
    size_t end = reading->at;
    while (end < view->length && end - reading->at < 8 && islower((unsigned char)view->text[end]))
        end++;
    return strchr(" \t\n\\\"'", char_at(view, end)) != NULL &&
           reading_runs(view->text + reading->at, end - reading->at);
}

static void step_within(struct reading *reading)
{
    const struct view *view = reading->view;
    char character = view->text[reading->at], next = char_at(view, reading->at + 1);
    bool literal = reading_literal(reading);
    reading->mentions |= mask_at_name(view, reading->at) && runs_here(reading);
    if (character == '\n') {
        reading->guessed |= reading->depth > 1;
        reading->strange = false;
        if (reading->kind == READING_TEXT) {
            reading->depth = 1;
            reading->guessed = false;
        }
    } else if ((character == '$' || character == '`') && (!literal || reading->depth > 1)) {
        check_substitution(reading);
    } else if (character == '<' && next == '<') {
        reading->guessed |= reading->depth == 1 && reading->kind != READING_TEXT;
    } else if (reading->depth == 1) {
        bool address = reading->at > 0 && view->text[reading->at - 1] == ':';
        reading->strange |= character == '#' || (character == '/' && next == '*') ||
                            (character == '/' && next == '/' && !address) ||
                            (literal && character == '`');
    }
    /* To a shell a backslash is none in single quotes, so it must not hide their end. */
    bool escape = character == '\\' && reading->at + 1 < view->length && next != '\n' &&
                  (outermost(reading) != MARK_SINGLE || next == '\\');
    reading->at += escape ? 2 : 1;
}

static void step_comment(struct reading *reading)
{
    if (char_at(reading->view, reading->at + 1) == '\n')
        reading->comment = false;
    reading->at++;
}

bool reading_runs(const char *name, size_t length)
{
    static const char *const names[] = {"eval", "ssh", "trap", "watch"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (length == strlen(names[i]) && memcmp(name, names[i], length) == 0)
            return true;
    return false;
}

/* Whichever of its words the command is: what is in front may be an assignment or another one. */
static void note_command(struct reading *reading)
{
    if (strchr(";&|()\n", reading->view->text[reading->at]) != NULL)
        reading->runs = false;
    reading->runs |= reading->word_start && runs_here(reading);
}

static void step_shell(struct reading *reading)
{
    const struct view *view = reading->view;
    char character = view->text[reading->at], next = char_at(view, reading->at + 1);
    char before = reading->at > 0 ? view->text[reading->at - 1] : ' ';
    note_command(reading);
    reading->dollar = character == '$' && !reading->dollar; /* not the second of "$$" */
    if (character == '\\') {
        reading->word_start &= next == '\n';
        reading->at += reading->at + 1 < view->length ? 2 : 1;
        return;
    }
    if (character == '#' && (reading->word_start || before == '`')) {
        reading->comment = next != '\n';
        reading->lost |= before == '`' || reading->arithmetic;
    } else if (character == '<' && next == '<' && before != '<') {
        note_here_document(reading);
    } else if (character == '\n' && reading->width > 0) {
        enter_body(reading);
    } else if (character == '$' && next == '{') {
        check_substitution(reading);
    } else if (character == '$' && next == '[') {
        reading->lost = true;
    } else if (character == '[' && mask_is_name(before)) {
        reading->lost |= !is_plain_to(view, reading->at + 1, ']');
    }
    reading->arithmetic |= character == '(' && next == '(';
    reading->word_start = strchr(" \t\n;&|()<>", character) != NULL;
    reading->at++;
}

void reading_step(struct reading *reading)
{
    size_t width = 0;
    enum mark mark = MARK_NONE;
    if (reading->kind == READING_COMMAND && outermost(reading) == MARK_BODY && !reading->lost &&
        reading->at >= reading->body_end) {
        leave_body(reading);
        return;
    }
    if (reading->lost) {
        reading->at++;
        return;
    }
    if (reading->comment) {
        step_comment(reading);
        return;
    }
    mark = mark_here(reading, &width);
    if (mark != MARK_NONE)
        take_mark(reading, mark, width);
    else if (reading->depth > 0)
        step_within(reading);
    else
        step_shell(reading);
}
