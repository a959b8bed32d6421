/* SPDX-License-Identifier: MIT */
/*
 * shell_expansion: what a shell puts in the place of `$` and backquotes, and the commands in it
 * (POSIX.1-2017, XCU 2.6, and of bash $'…', $"…" and $[…]).
 */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "command/shell_tree-int.h"

/* Behind a < or > that stands within braces: ${x:-<(…)}. */
static void read_process(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    if (shell_source_peek(source) != '(' || reader->other_shell)
        return;
    source->at++;
    shell_grammar_read_nested(reader, SHELL_IN_SUBSTITUTION);
}

/* Behind the character that opens braces, brackets or parentheses: up to the `close` that ends
 * them, for the substitutions in it. */
static void read_enclosed(struct shell_reader *reader, char open, char close, bool in_quotes)
{
    struct shell_draft ignored = {.text = STRBUF_INIT};
    struct shell_source *source = &reader->source;
    size_t depth = 1;
    for (int byte; depth > 0 && (byte = shell_source_take(source)) != SHELL_END;) {
        if (byte == close)
            depth--;
        else if (byte == open)
            depth++;
        else if (byte == '\\' && shell_source_raw(source, 0) != SHELL_END)
            source->at++;
        else if (byte == '\'' && !in_quotes)
            shell_word_read_single_quotes(reader, &ignored);
        else if (byte == '"')
            shell_word_read_double_quotes(reader, &ignored);
        else if (byte == '$')
            shell_expansion_read_dollar(reader, &ignored, in_quotes);
        else if (byte == '`')
            shell_expansion_read_backquotes(reader, &ignored, in_quotes);
        else if ((byte == '<' || byte == '>') && !in_quotes)
            read_process(reader);
    }
    strbuf_free(&ignored.text);
}

/* The arithmetic from the position to the `))` in front of `end`. */
static void take_arithmetic(struct shell_reader *reader, size_t end)
{
    size_t whole = reader->source.length;
    reader->source.length = end - 2;
    while (reader->source.at < reader->source.length)
        read_enclosed(reader, '(', ')', true);
    reader->source.length = whole;
    reader->source.at = reader->tree->truncated ? whole : end;
}

bool shell_expansion_read_arithmetic(struct shell_reader *reader)
{
    bool arithmetic = false;
    size_t end = shell_parenthesis_match(&reader->source, &arithmetic);
    if (!arithmetic)
        return false;
    take_arithmetic(reader, end);
    return true;
}

/* At the first parenthesis behind a `$`. Behind `$((` bash counts parentheses, also when that turns
 * out to be no arithmetic: the substitution ends where they do, with a here-document open or not.
 */
static void read_parenthesis(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    source->at++;
    if (shell_source_peek(source) == '(') {
        bool arithmetic = false;
        size_t second = source->at++;
        size_t end = shell_parenthesis_match(source, &arithmetic);
        if (arithmetic) {
            take_arithmetic(reader, end);
            return;
        }
        source->at = second;
        if (end > 0) {
            source->at = end;
            shell_grammar_read_part(reader, second, end - 1, SHELL_IN_SUBSTITUTION);
            return;
        }
    }
    shell_grammar_read_nested(reader, SHELL_IN_SUBSTITUTION);
}

static int hexadecimal(int byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

/* Up to `digits` digits to the base 8 or 16. */
static uint32_t read_number(struct shell_source *source, unsigned digits, int base)
{
    uint32_t value = 0;
    for (; digits > 0; digits--) {
        int digit = hexadecimal(shell_source_raw(source, 0));
        if (digit < 0 || digit >= base)
            break;
        value = value * (uint32_t)base + (uint32_t)digit;
        source->at++;
    }
    return value;
}

/* Behind the backslash in $'…'. */
static void read_ansi_escape(struct shell_source *source, struct strbuf *text)
{
    static const char letters[] = "abeEfnrtv";
    static const char values[] = "\a\b\033\033\f\n\r\t\v";
    int byte = shell_source_raw(source, 0);
    char encoded[4];
    if (byte == SHELL_END)
        return;
    if (byte >= '0' && byte <= '7') {
        strbuf_addch(text, (char)read_number(source, 3, 8));
        return;
    }
    source->at++;
    const char *letter = byte > 0 ? strchr(letters, byte) : NULL;
    if (letter) {
        strbuf_addch(text, values[letter - letters]);
    } else if (byte == 'x') {
        strbuf_addch(text, (char)read_number(source, 2, 16));
    } else if (byte == 'u' || byte == 'U') {
        uint32_t codepoint = read_number(source, byte == 'u' ? 4 : 8, 16);
        if (codepoint <= 0x10FFFF && (codepoint & 0xFFFFF800U) != 0xD800)
            strbuf_add(text, encoded, text_encode(codepoint, encoded));
    } else {
        strbuf_addch(text, (char)byte);
    }
}

/* $'…', which not all shells know: decoded, because it is used to hide a program's name. */
static void read_ansi_quotes(struct shell_reader *reader, struct shell_draft *draft)
{
    struct shell_source *source = &reader->source;
    size_t start = source->at - 1;
    draft->quoted = true;
    for (source->at++; source->at < source->length; source->at++) {
        char byte = source->text[source->at];
        if (byte == '\'') {
            source->at++;
            return;
        }
        if (byte != '\\') {
            strbuf_addch(&draft->text, byte);
            continue;
        }
        source->at++;
        if (shell_source_raw(source, 0) == '\'' && !reader->quotes_differ) {
            /* To others the quotes end here. */
            reader->quotes_differ = true;
            shell_grammar_read_otherwise(reader, start, source->length, 0);
            if (reader->tree->truncated)
                return;
        }
        read_ansi_escape(source, &draft->text);
        source->at--;
    }
}

/* Does a literal `$` end here, that is, does nothing follow that would make it an expansion? In
 * quotes the list is what regular expressions have behind it: in no shell is one of these a
 * parameter, an opening bracket or an operator there. */
static bool dollar_is_literal(struct shell_source *source, bool in_quotes)
{
    int next = shell_source_peek(source);
    return in_quotes ? shell_source_is_one_of(next, "\" \t\n)|/")
                     : next == SHELL_END || shell_source_is_one_of(next, " \t\n;|&");
}

/* At the bracket of $[…], which is arithmetic to bash and zsh. To others it is text like any other,
 * which may end before the bracket that closes it. */
static void read_brackets(struct shell_reader *reader, bool in_quotes)
{
    struct shell_source *source = &reader->source;
    size_t start = source->at++;
    read_enclosed(reader, '[', ']', in_quotes);
    if (reader->tree->truncated || reader->bracket_differs)
        return;
    const char *text = source->text + start, *end = source->text + source->at, *stop = text;
    while (stop < end && !shell_source_is_one_of(*stop, in_quotes ? "\"" : "\n;&|<>()"))
        stop++;
    if (stop == end)
        return;
    reader->bracket_differs = true;
    shell_grammar_read_otherwise(reader, start + (size_t)(stop - text) + in_quotes, source->length,
                                 0);
}

/* Behind ${: does a quote follow the name, where no operator can be? It is an error when it is
 * expanded, but where such braces end is another place to dash, which takes the quote as it is. */
static bool quote_follows_name(struct shell_source *source)
{
    struct shell_source rest = *source;
    while (shell_source_is_one_of(shell_source_peek(&rest), "#!@*?-"))
        shell_source_take(&rest);
    while (shell_word_is_name_byte(shell_source_peek(&rest), false))
        shell_source_take(&rest);
    return shell_source_is_one_of(shell_source_peek(&rest), "'\"\\$`");
}

/* Behind the `$` of an expansion, what belongs to it. */
static void read_expansion(struct shell_reader *reader, bool in_quotes)
{
    struct shell_source *source = &reader->source;
    int next = shell_source_peek(source);
    if (!shell_source_descend(reader))
        return;
    if (next == '(') {
        read_parenthesis(reader);
    } else if (next == '{') {
        source->at++;
        if (quote_follows_name(source))
            reader->tree->differs = true;
        /* A brace by itself counts for nothing in ${…}. */
        read_enclosed(reader, '}', '}', in_quotes);
    } else if (next == '[') {
        read_brackets(reader, in_quotes);
    } else if (shell_word_is_name_byte(next, true)) {
        while (shell_word_is_name_byte(shell_source_peek(source), false))
            source->at++;
    } else if (shell_source_is_one_of(next, "0123456789@*#?-$!")) {
        source->at++;
    }
    shell_source_ascend(reader);
}

void shell_expansion_read_dollar(struct shell_reader *reader, struct shell_draft *draft,
                                 bool in_quotes)
{
    struct shell_source *source = &reader->source;
    size_t start = source->at - 1;
    int next = shell_source_peek(source);
    bool posix = reader->other_shell && ((!in_quotes && next == '\'') || next == '[');
    if (posix || dollar_is_literal(source, in_quotes)) {
        strbuf_addch(&draft->text, '$');
        draft->previous = '$';
        draft->name_open = false;
        return;
    }
    if (in_quotes && next == '(' && shell_heredoc_read_literal(reader, draft))
        return;
    draft->name_open = false;
    if (next == '?') { /* digits, whatever IFS and the quotes are */
        shell_word_varies(draft, SHELL_VARIES_AS_STATUS);
        source->at++;
        strbuf_addstr(&draft->text, "$?");
        draft->previous = '?';
        return;
    }
    shell_source_doubt(reader, next == '(' ? N_("command substitution") : N_("expansion"), start);
    shell_word_varies(draft, SHELL_VARIES_ANYHOW);
    if (!in_quotes && next == '\'') {
        read_ansi_quotes(reader, draft);
    } else if (in_quotes || next != '"') {
        read_expansion(reader, in_quotes);
        strbuf_add(&draft->text, source->text + start, source->at - start);
    }
}

/* Behind the opening backquote. In it a backslash quotes $, ` and \, and in double quotes also ",
 * and joins lines, also within quotes: what is run is a copy without those. */
void shell_expansion_read_backquotes(struct shell_reader *reader, struct shell_draft *draft,
                                     bool in_quotes)
{
    struct shell_source *source = &reader->source;
    size_t start = source->at - 1;
    shell_source_doubt(reader, N_("command substitution"), start);
    shell_word_varies(draft, SHELL_VARIES_ANYHOW);
    struct strbuf copy = STRBUF_INIT;
    for (; source->at < source->length && source->text[source->at] != '`'; source->at++) {
        char byte = source->text[source->at];
        int next = shell_source_raw(source, 1);
        if (byte == '\\' && next == '\n') {
            source->at++;
            continue;
        }
        if (byte == '\\' && shell_source_is_one_of(next, in_quotes ? "$`\\\"" : "$`\\")) {
            source->at++;
            byte = (char)next;
        }
        strbuf_addch(&copy, byte);
    }
    if (source->at < source->length)
        source->at++;
    shell_grammar_read_copy(reader, strbuf_str(&copy), copy.length, start, SHELL_IN_SUBSTITUTION);
    strbuf_add(&draft->text, source->text + start, source->at - start);
    strbuf_free(&copy);
}

void shell_expansion_read_substitutions(struct shell_reader *reader)
{
    while (reader->source.at < reader->source.length)
        read_enclosed(reader, '\0', '\0', true);
}
