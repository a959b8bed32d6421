/* SPDX-License-Identifier: MIT */
/* rules_read: the text of a rule file into literal calls. The files are Starlark by name; what
 * computes something (loops, functions, variables, operators) is refused with a message that says
 * so, because a rule must be readable where it stands. */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/rules-int.h"

#define NESTING_MAX 8

static size_t column_of(const struct rules_reader *reader, size_t offset)
{
    size_t start = offset, column = 1;
    uint32_t codepoint;
    while (start > 0 && reader->text[start - 1] != '\n')
        start--;
    while (start < offset) {
        start += text_decode(reader->text + start, offset - start, &codepoint);
        column++;
    }
    return column;
}

int rules_complain(const struct rules_reader *reader, struct rules_place place, const char *format,
                   ...)
{
    va_list arguments;
    va_start(arguments, format);
    cleanup_free char *message = xvasprintf(format, arguments);
    va_end(arguments);
    return error_set(reader->error, 0, "%s:%u:%zu: %s", reader->path, place.line,
                     column_of(reader, place.offset), message);
}

const char *rules_kind_name(enum rules_kind kind)
{
    static const char *const names[] = {[RULES_STRING] = "a string",
                                        [RULES_LIST] = "a list",
                                        [RULES_INTEGER] = "a number",
                                        [RULES_BOOLEAN] = "True or False",
                                        [RULES_ABSENT] = "None"};
    return names[kind];
}

/* ---- characters ------------------------------------------------------------------------------ */

static int peek(const struct rules_reader *reader)
{
    return reader->at < reader->length ? (unsigned char)reader->text[reader->at] : -1;
}

static int peek_at(const struct rules_reader *reader, size_t ahead)
{
    return ahead < reader->length - reader->at ? (unsigned char)reader->text[reader->at + ahead]
                                               : -1;
}

static struct rules_place here(const struct rules_reader *reader)
{
    return (struct rules_place){reader->at, reader->line};
}

static void advance(struct rules_reader *reader)
{
    reader->line += reader->text[reader->at] == '\n';
    reader->at++;
}

static bool is_newline(const struct rules_reader *reader)
{
    return peek(reader) == '\n' || (peek(reader) == '\r' && peek_at(reader, 1) == '\n');
}

/* Blanks and comments, and where they mean nothing (in brackets) line ends. */
static void skip_blanks(struct rules_reader *reader, bool lines)
{
    for (;;) {
        if (peek(reader) == '#')
            while (peek(reader) != -1 && peek(reader) != '\n')
                advance(reader);
        if (peek(reader) == '\\' && peek_at(reader, 1) == '\n')
            advance(reader);
        else if (peek(reader) != ' ' && peek(reader) != '\t' && !(lines && is_newline(reader)))
            return;
        advance(reader);
    }
}

static bool is_letter(int byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static char *read_name(struct rules_reader *reader)
{
    size_t start = reader->at;
    while (is_letter(peek(reader)) || is_digit(peek(reader)))
        reader->at++;
    return xstrndup(reader->text + start, reader->at - start);
}

/* What stands at a place, for messages: a character, or the end. */
static int unexpected(const struct rules_reader *reader, const char *wanted)
{
    int byte = peek(reader);
    if (byte == -1)
        return rules_complain(reader, here(reader), "the file ends where %s is expected", wanted);
    if (byte == '\n' || byte == '\r')
        return rules_complain(reader, here(reader), "the line ends where %s is expected", wanted);
    if (byte < 0x20 || byte >= 0x7f)
        return rules_complain(reader, here(reader), "unexpected character where %s is expected",
                              wanted);
    if (strchr("+-*/%|&^<>.", byte) != NULL)
        return rules_complain(reader, here(reader),
                              "unexpected '%c': rule files hold literal calls only, nothing is "
                              "computed (write the value out)",
                              byte);
    return rules_complain(reader, here(reader), "unexpected '%c' where %s is expected", byte,
                          wanted);
}

/* ---- strings --------------------------------------------------------------------------------- */

static int digit_value(int byte)
{
    if (is_digit(byte))
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

/* A character given by its number: `most` digits, at least `least`. */
static int read_number_escape(struct rules_reader *reader, size_t least, size_t most, int radix,
                              struct strbuf *text)
{
    struct rules_place place = here(reader);
    uint32_t value = 0;
    size_t digits = 0;
    for (; digits < most; digits++) {
        int digit = digit_value(peek(reader));
        if (digit < 0 || digit >= radix)
            break;
        value = value * (uint32_t)radix + (uint32_t)digit;
        advance(reader);
    }
    if (digits < least || value == 0 || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return rules_complain(reader, place, "this escape names no character");
    char bytes[4];
    strbuf_add(text, bytes, text_encode(value, bytes));
    return 0;
}

static int read_escape(struct rules_reader *reader, struct strbuf *text)
{
    static const char letters[] = "nrtabfv\\'\"";
    static const char meanings[] = "\n\r\t\a\b\f\v\\'\"";
    int byte = peek(reader);
    if (byte == -1)
        return rules_complain(reader, here(reader), "the file ends inside a string");
    if (is_digit(byte) && byte < '8')
        return read_number_escape(reader, 1, 3, 8, text);
    if (is_newline(reader) && byte == '\r')
        advance(reader);
    advance(reader);
    if (byte == 'x')
        return read_number_escape(reader, 2, 2, 16, text);
    if (byte == 'u')
        return read_number_escape(reader, 4, 4, 16, text);
    if (byte == 'U')
        return read_number_escape(reader, 8, 8, 16, text);
    if (byte == '\n' || byte == '\r')
        return 0;
    const char *known = strchr(letters, byte);
    if (known == NULL || byte == 0)
        strbuf_addch(text, '\\'); /* an unknown escape stands for itself */
    strbuf_addch(text, known != NULL && byte != 0 ? meanings[known - letters] : (char)byte);
    return 0;
}

static bool at_quotes(const struct rules_reader *reader, int quote, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (peek_at(reader, i) != quote)
            return false;
    return true;
}

static int read_content(struct rules_reader *reader, size_t quotes, int quote, bool raw,
                        struct strbuf *text)
{
    while (!at_quotes(reader, quote, quotes)) {
        int byte = peek(reader);
        if (byte == -1)
            return rules_complain(reader, here(reader), "the file ends inside a string");
        if (byte == 0)
            return rules_complain(reader, here(reader), "a string must not hold a NUL byte");
        if (byte == '\n' && quotes == 1)
            return rules_complain(reader, here(reader),
                                  "the line ends inside a string (close it, or use \"\"\")");
        if (byte != '\\' || raw) {
            strbuf_addch(text, (char)byte);
            advance(reader);
            if (byte == '\\' && raw && peek(reader) > 0 && peek(reader) != '\n') {
                strbuf_addch(text, (char)peek(reader));
                advance(reader);
            }
            continue;
        }
        advance(reader);
        if (read_escape(reader, text) != 0)
            return -1;
    }
    reader->at += quotes;
    return 0;
}

static int read_string(struct rules_reader *reader, bool raw, struct rules_value *value)
{
    int quote = peek(reader);
    size_t quotes = at_quotes(reader, quote, 3) ? 3 : 1;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    reader->at += quotes;
    if (read_content(reader, quotes, quote, raw, &text) != 0)
        return -1;
    if (!text_valid_utf8(strbuf_str(&text), text.length))
        return rules_complain(reader, value->place, "this string is not UTF-8");
    value->kind = RULES_STRING;
    value->text = xstrdup(strbuf_str(&text));
    return 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void value_clear(struct rules_value *value)
{
    for (size_t i = 0; i < value->count; i++)
        value_clear(&value->items[i]);
    free(value->items);
    free(value->text);
}

static int read_value(struct rules_reader *reader, unsigned nesting, struct rules_value *value);

static int read_list(struct rules_reader *reader, unsigned nesting, struct rules_value *value)
{
    value->kind = RULES_LIST;
    size_t capacity = 0;
    advance(reader);
    for (;;) {
        skip_blanks(reader, true);
        if (peek(reader) == ']')
            break;
        if (value->count == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 4;
            value->items = xreallocarray(value->items, capacity, sizeof(*value->items));
        }
        if (read_value(reader, nesting + 1, &value->items[value->count++]) != 0)
            return -1;
        skip_blanks(reader, true);
        if (peek(reader) == ',')
            advance(reader);
        else if (is_letter(peek(reader)))
            return rules_complain(reader, here(reader),
                                  "expected ',' or ']' (comprehensions and conditions are not "
                                  "supported: rule files hold literal calls only)");
        else if (peek(reader) != ']')
            return unexpected(reader, "',' or ']'");
    }
    advance(reader);
    return 0;
}

static int read_word(struct rules_reader *reader, struct rules_value *value)
{
    cleanup_free char *name = read_name(reader);
    bool quote = peek(reader) == '"' || peek(reader) == '\'';
    if (quote && (strcmp(name, "r") == 0 || strcmp(name, "R") == 0))
        return read_string(reader, true, value);
    if (quote)
        return rules_complain(reader, value->place,
                              "strings with the prefix %s are not supported (write the text out)",
                              name);
    if (strcmp(name, "None") == 0) {
        value->kind = RULES_ABSENT;
        return 0;
    }
    if (strcmp(name, "True") != 0 && strcmp(name, "False") != 0)
        return rules_complain(reader, value->place,
                              "%.60s is not a literal: rule files hold literal calls only, no "
                              "variables or functions (write the value out)",
                              name);
    value->kind = RULES_BOOLEAN;
    value->truth = name[0] == 'T';
    return 0;
}

static int read_value(struct rules_reader *reader, unsigned nesting, struct rules_value *value)
{
    *value = (struct rules_value){.kind = RULES_ABSENT, .place = here(reader)};
    int byte = peek(reader);
    if (nesting > NESTING_MAX)
        return rules_complain(reader, value->place, "lists are nested too deeply");
    if (byte == '"' || byte == '\'')
        return read_string(reader, false, value);
    if (byte == '[')
        return read_list(reader, nesting, value);
    if (is_letter(byte))
        return read_word(reader, value);
    if (byte == '(')
        return rules_complain(reader, value->place, "expected a value (lists are written [ ])");
    if (!is_digit(byte))
        return unexpected(reader, "a value");
    while (is_digit(peek(reader)))
        advance(reader);
    value->kind = RULES_INTEGER;
    return 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */

void rules_call_clear(struct rules_call *call)
{
    for (size_t i = 0; i < call->count; i++) {
        free(call->arguments[i].name);
        value_clear(&call->arguments[i].value);
    }
    free(call->arguments);
    free(call->name);
    *call = (struct rules_call){.name = NULL};
}

/* Is this NAME=, and not a value that begins with a letter? */
static bool at_keyword(const struct rules_reader *reader)
{
    size_t ahead = 0;
    if (!is_letter(peek(reader)))
        return false;
    while (is_letter(peek_at(reader, ahead)) || is_digit(peek_at(reader, ahead)))
        ahead++;
    while (peek_at(reader, ahead) == ' ')
        ahead++;
    return peek_at(reader, ahead) == '=' && peek_at(reader, ahead + 1) != '=';
}

static int read_argument(struct rules_reader *reader, struct rules_argument *argument)
{
    *argument = (struct rules_argument){.place = here(reader)};
    if (at_keyword(reader)) {
        argument->name = read_name(reader);
        skip_blanks(reader, true);
        advance(reader);
        skip_blanks(reader, true);
    }
    return read_value(reader, 0, &argument->value);
}

static int read_arguments(struct rules_reader *reader, struct rules_call *call)
{
    advance(reader);
    for (;;) {
        skip_blanks(reader, true);
        if (peek(reader) == ')')
            break;
        call->arguments = xreallocarray(call->arguments, call->count + 1, sizeof(*call->arguments));
        if (read_argument(reader, &call->arguments[call->count++]) != 0)
            return -1;
        skip_blanks(reader, true);
        if (peek(reader) == ',')
            advance(reader);
        else if (peek(reader) != ')')
            return unexpected(reader, "',' or ')'");
    }
    advance(reader);
    return 0;
}

/* A statement that is no call. */
static int refuse_statement(const struct rules_reader *reader, const struct rules_call *call)
{
    static const char *const statements[] = {
        "for",    "while", "if",       "def",  "lambda", "elif", "else",  "load",
        "return", "break", "continue", "pass", "import", "not",  "class", "with"};
    for (size_t i = 0; i < COUNT(statements); i++)
        if (strcmp(statements[i], call->name) == 0)
            return rules_complain(reader, call->place,
                                  "'%s' is not supported: rule files hold literal calls only, no "
                                  "loops, functions, conditions or loads (write each rule out)",
                                  call->name);
    if (peek(reader) == '=')
        return rules_complain(reader, call->place,
                              "'%.60s =': variables are not supported, rule files hold literal "
                              "calls only (write the value out)",
                              call->name);
    return unexpected(reader, "'('");
}

/* What follows a call on its line. */
static int end_statement(struct rules_reader *reader)
{
    skip_blanks(reader, false);
    if (peek(reader) == ';')
        advance(reader);
    else if (peek(reader) != -1 && !is_newline(reader))
        return unexpected(reader, "the end of the line");
    return 0;
}

static bool at_line_start(const struct rules_reader *reader)
{
    return reader->at == 0 || reader->text[reader->at - 1] == '\n';
}

/* Passes over empty lines and texts that stand for themselves: 1 when something else comes, 0 at
 * the end, -1 with a message. */
static int find_statement(struct rules_reader *reader)
{
    for (;;) {
        bool indented = at_line_start(reader) && (peek(reader) == ' ' || peek(reader) == '\t');
        skip_blanks(reader, false);
        if (peek(reader) == -1)
            return 0;
        if (is_newline(reader)) {
            advance(reader);
            continue;
        }
        if (indented)
            return rules_complain(reader, here(reader), "unexpected indentation");
        if (peek(reader) != '"' && peek(reader) != '\'')
            return 1;
        struct rules_value text = {.place = here(reader)};
        int result = read_string(reader, false, &text);
        value_clear(&text);
        if (result != 0 || end_statement(reader) != 0)
            return -1;
    }
}

int rules_read_call(struct rules_reader *reader, struct rules_call *call)
{
    *call = (struct rules_call){.name = NULL};
    int found = find_statement(reader);
    if (found <= 0)
        return found;
    call->place = here(reader);
    if (!is_letter(peek(reader)))
        return unexpected(reader, "a rule");
    call->name = read_name(reader);
    skip_blanks(reader, false);
    if (peek(reader) != '(' || strcmp(call->name, "load") == 0)
        return refuse_statement(reader, call);
    if (read_arguments(reader, call) != 0 || end_statement(reader) != 0)
        return -1;
    return 1;
}
