/* SPDX-License-Identifier: MIT */
/*
 * shell_word: one word of a shell script, with its quotes and expansions.
 *
 * Follows the token recognition rules of POSIX.1-2017, XCU 2.2 and 2.3, and what bash adds
 * (brace expansion, $'…', $"…", <(…)) and zsh (=NAME). Whatever a shell would expand is a doubt,
 * except for file name patterns, which are marked. In doubt it counts as expanded: any unquoted
 * `!`, a tilde behind `=` or `:`, braces around a comma or "..".
 */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "command/shell_tree-int.h"

static bool is_name_byte(int byte, bool first)
{
    return byte == '_' || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (!first && byte >= '0' && byte <= '9');
}

/* What comes now is not what will be there when the command runs. */
static void draft_varies(struct shell_draft *draft, enum shell_variation variation)
{
    if (!draft->varies) {
        draft->fixed = draft->text.length;
        draft->variation = variation;
    }
    draft->varies = true;
    if (draft->variation != variation)
        draft->variation = SHELL_VARIES_ANYHOW;
}

static void add_quoted(struct shell_draft *draft, const char *bytes, size_t length)
{
    strbuf_add(&draft->text, bytes, length);
    draft->quoted = true;
    draft->previous = 0;
    draft->name_open = false;
}

/* ---- expansions ------------------------------------------------------------------------------ */

static void read_dollar(struct shell_reader *reader, struct shell_draft *draft, bool in_quotes);
static void read_double_quotes(struct shell_reader *reader, struct shell_draft *draft);
static void read_single_quotes(struct shell_reader *reader, struct shell_draft *draft);
static void read_backquotes(struct shell_reader *reader, struct shell_draft *draft, bool in_quotes);

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
            read_single_quotes(reader, &ignored);
        else if (byte == '"')
            read_double_quotes(reader, &ignored);
        else if (byte == '$')
            read_dollar(reader, &ignored, in_quotes);
        else if (byte == '`')
            read_backquotes(reader, &ignored, in_quotes);
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

bool shell_word_read_arithmetic(struct shell_reader *reader)
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
        /* A brace by itself counts for nothing in ${…}. */
        read_enclosed(reader, '}', '}', in_quotes);
    } else if (next == '[') {
        read_brackets(reader, in_quotes);
    } else if (is_name_byte(next, true)) {
        while (is_name_byte(shell_source_peek(source), false))
            source->at++;
    } else if (shell_source_is_one_of(next, "0123456789@*#?-$!")) {
        source->at++;
    }
    shell_source_ascend(reader);
}

static void read_dollar(struct shell_reader *reader, struct shell_draft *draft, bool in_quotes)
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
        draft_varies(draft, SHELL_VARIES_AS_STATUS);
        source->at++;
        strbuf_addstr(&draft->text, "$?");
        draft->previous = '?';
        return;
    }
    shell_source_doubt(reader, next == '(' ? N_("command substitution") : N_("expansion"), start);
    draft_varies(draft, SHELL_VARIES_ANYHOW);
    if (!in_quotes && next == '\'') {
        read_ansi_quotes(reader, draft);
    } else if (in_quotes || next != '"') {
        read_expansion(reader, in_quotes);
        strbuf_add(&draft->text, source->text + start, source->at - start);
    }
}

/* Behind the opening backquote. In it a backslash quotes $, ` and \, and in double quotes also ",
 * and joins lines, also within quotes: what is run is a copy without those. */
static void read_backquotes(struct shell_reader *reader, struct shell_draft *draft, bool in_quotes)
{
    struct shell_source *source = &reader->source;
    size_t start = source->at - 1;
    shell_source_doubt(reader, N_("command substitution"), start);
    draft_varies(draft, SHELL_VARIES_ANYHOW);
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

void shell_word_read_substitutions(struct shell_reader *reader)
{
    while (reader->source.at < reader->source.length)
        read_enclosed(reader, '\0', '\0', true);
}

/* ---- quotes ---------------------------------------------------------------------------------- */

/* Behind the opening quote. */
static void read_single_quotes(struct shell_reader *reader, struct shell_draft *draft)
{
    struct shell_source *source = &reader->source;
    const char *start = source->text + source->at;
    size_t rest = source->length - source->at;
    const char *end = memchr(start, '\'', rest);
    if (!end)
        shell_source_doubt(reader, N_("unterminated quote"), source->at - 1);
    size_t length = end ? (size_t)(end - start) : rest;
    add_quoted(draft, start, length);
    source->at += end ? length + 1 : length;
}

/* Behind the opening quote. */
static void read_double_quotes(struct shell_reader *reader, struct shell_draft *draft)
{
    struct shell_source *source = &reader->source;
    size_t start = source->at - 1;
    add_quoted(draft, "", 0);
    for (int byte; (byte = shell_source_take(source)) != '"';) {
        if (byte == SHELL_END) {
            shell_source_doubt(reader, N_("unterminated quote"), start);
            return;
        }
        if (byte == '`') {
            read_backquotes(reader, draft, true);
        } else if (byte == '$') {
            read_dollar(reader, draft, true);
        } else if (byte == '\\' && shell_source_is_one_of(shell_source_raw(source, 0), "$`\"\\")) {
            strbuf_addch(&draft->text, source->text[source->at++]);
        } else {
            strbuf_addch(&draft->text, (char)byte);
        }
        draft->previous = 0;
    }
}

static void read_escaped(struct shell_reader *reader, struct shell_draft *draft)
{
    struct shell_source *source = &reader->source;
    if (source->at >= source->length) {
        shell_source_doubt(reader, N_("unterminated escape"), source->at - 1);
        add_quoted(draft, "\\", 1);
        return;
    }
    add_quoted(draft, source->text + source->at, 1);
    source->at++;
}

/* ---- unquoted characters --------------------------------------------------------------------- */

static void note_brace(struct shell_reader *reader, struct shell_draft *draft, int byte, size_t at)
{
    if (byte == '{')
        draft->brace_open = true;
    else if (byte == ',' || (byte == '.' && draft->previous == '.'))
        draft->brace_list = draft->brace_list || draft->brace_open;
    else if (byte == '}' && draft->brace_list) {
        shell_source_doubt(reader, N_("brace expansion"), at);
        draft_varies(draft, SHELL_VARIES_ANYHOW);
    }
}

/* zsh puts the program's path in the place of =NAME; = and == alone mean nothing. */
static bool equals_stands_alone(struct shell_source *source)
{
    size_t ahead = 0;
    while (shell_source_raw(source, ahead) == '=')
        ahead++;
    int next = shell_source_raw(source, ahead);
    return next == SHELL_END || shell_source_is_one_of(next, " \t\n;&|<>()");
}

/* `find ! -name x`: by itself, and no command, it is a word like others. */
static bool bang_stands_alone(struct shell_source *source, const struct shell_draft *draft)
{
    int next = shell_source_peek(source);
    return !draft->command && (next == SHELL_END || shell_source_is_one_of(next, " \t\n;&|"));
}

/* Is it a character that a shell expands here? Marks the draft. */
static void note_special(struct shell_reader *reader, struct shell_draft *draft, int byte,
                         size_t at)
{
    bool first = draft->text.length == 0 && !draft->quoted;
    switch (byte) {
    case '*':
    case '?':
    case '[':
        draft_varies(draft, SHELL_VARIES_AS_GLOB);
        break;
    case '~':
        if (!first && draft->previous != '=' && draft->previous != ':')
            break;
        shell_source_doubt(reader, N_("home directory expansion"), at);
        draft_varies(draft, SHELL_VARIES_ANYHOW);
        break;
    case '=':
        if (!first || equals_stands_alone(&reader->source))
            break;
        shell_source_doubt(reader, N_("expansion"), at);
        draft_varies(draft, SHELL_VARIES_ANYHOW);
        break;
    case '!':
        if (!first || !bang_stands_alone(&reader->source, draft))
            shell_source_doubt(reader, N_("negation or history"), at);
        break;
    default:
        note_brace(reader, draft, byte, at);
        break;
    }
}

/* Dashes, quotes and dots that look like those of the shell are what they seem only where text is
 * expected: in quotes. */
static void note_look(struct shell_reader *reader, size_t at)
{
    const struct shell_source *source = &reader->source;
    struct strbuf scratch = STRBUF_INIT;
    uint32_t codepoint;
    size_t length = text_decode(source->text + at, source->length - at, &codepoint);
    if (codepoint != TEXT_INVALID && text_escape(&scratch, source->text + at, length, 0) > 0)
        shell_source_doubt(reader, N_("invisible or misleading character"), at);
    strbuf_free(&scratch);
}

static void add_unquoted(struct shell_reader *reader, struct shell_draft *draft, int byte,
                         size_t at)
{
    bool first = draft->text.length == 0 && !draft->quoted;
    note_special(reader, draft, byte, at);
    if (byte >= 0x80)
        note_look(reader, at);
    strbuf_addch(&draft->text, (char)byte);
    bool plus = byte == '+' && !first && shell_source_peek(&reader->source) == '=';
    if (byte == '=' && draft->name_open && !first && draft->value == 0)
        draft->value = draft->text.length;
    else if (!is_name_byte(byte, first) && !plus)
        draft->name_open = false;
    draft->previous = byte;
}

/* NAME=(…): the words between the parentheses. */
static void read_array(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    source->at++;
    for (int byte; (byte = shell_source_peek(source)) != SHELL_END && byte != ')';) {
        struct shell_word ignored;
        bool assignment;
        size_t before = source->at;
        shell_word_read(reader, false, &ignored, &assignment);
        shell_word_clear(&ignored);
        if (source->at == before && !shell_source_is_one_of(byte, " \t\n\r")) {
            /* An operator is an error, behind which bash goes on with the next line. */
            shell_source_give_up(reader, N_("assignment"));
            return;
        }
        source->at += source->at == before;
    }
    if (source->at < source->length)
        source->at++;
}

/* <(…), >(…) and NAME=(…). False when the word ends here. */
static bool read_parenthesised(struct shell_reader *reader, struct shell_draft *draft, int byte)
{
    struct shell_source *source = &reader->source;
    size_t start = source->at;
    bool array = byte == '(' && draft->previous == '=';
    if (!array && !(byte != '(' && shell_source_raw(source, 1) == '('))
        return false;
    draft_varies(draft, SHELL_VARIES_ANYHOW);
    draft->name_open = false;
    shell_source_doubt(reader, array ? N_("assignment") : N_("process substitution"), start);
    if (!shell_source_descend(reader))
        return true;
    if (array) {
        read_array(reader);
    } else {
        source->at += 2;
        shell_grammar_read_nested(reader, SHELL_IN_SUBSTITUTION);
    }
    shell_source_ascend(reader);
    strbuf_add(&draft->text, source->text + start, source->at - start);
    return true;
}

static void read_part(struct shell_reader *reader, struct shell_draft *draft)
{
    struct shell_source *source = &reader->source;
    int byte = shell_source_take(source);
    size_t at = source->at - 1;
    switch (byte) {
    case '\'':
        read_single_quotes(reader, draft);
        break;
    case '"':
        read_double_quotes(reader, draft);
        break;
    case '\\':
        read_escaped(reader, draft);
        break;
    case '$':
        read_dollar(reader, draft, false);
        break;
    case '`':
        read_backquotes(reader, draft, false);
        break;
    default:
        add_unquoted(reader, draft, byte, at);
        break;
    }
}

/* NAME=VALUE in front of a command; NAME+= and NAME[…]= change variables of the shell. */
static bool is_assignment(struct shell_reader *reader, struct shell_draft *draft)
{
    if (draft->value == 0)
        return false;
    const char *text = strbuf_str(&draft->text);
    if (text[draft->value - 2] == '+')
        shell_source_doubt(reader, N_("assignment"), draft->start);
    return true;
}

static void finish(struct shell_reader *reader, struct shell_draft *draft, struct shell_word *word)
{
    struct shell_source *source = &reader->source;
    if (draft->varies && draft->variation == SHELL_VARIES_ANYHOW)
        shell_source_doubt(reader, N_("expansion"), draft->start);
    if (!draft->varies && text_mixed_scripts(strbuf_str(&draft->text), draft->text.length))
        shell_source_doubt(reader, N_("letters of several scripts in one word"), draft->start);
    *word = (struct shell_word){
        .start = shell_source_place(source, draft->start),
        .end = shell_source_place_end(source, source->at),
        .fixed = draft->varies ? draft->fixed : draft->text.length,
        .literal = !draft->varies,
        .glob = draft->varies && draft->variation == SHELL_VARIES_AS_GLOB,
        .status = draft->varies && draft->variation == SHELL_VARIES_AS_STATUS,
        .quoted = draft->quoted,
        .heredoc = draft->heredoc,
        .text = strbuf_steal(&draft->text),
    };
}

void shell_word_read(struct shell_reader *reader, bool command, struct shell_word *word,
                     bool *assignment)
{
    struct shell_source *source = &reader->source;
    shell_source_peek(source);
    struct shell_draft draft = {
        .text = STRBUF_INIT, .start = source->at, .command = command, .name_open = command};
    for (int byte; (byte = shell_source_peek(source)) != SHELL_END;) {
        if (byte == 0 || shell_source_is_one_of(byte, " \t\r\n;&|)"))
            break;
        if (shell_source_is_one_of(byte, "<>(")) {
            if (!read_parenthesised(reader, &draft, byte))
                break;
            continue;
        }
        read_part(reader, &draft);
    }
    *assignment = command && is_assignment(reader, &draft);
    finish(reader, &draft, word);
}

void shell_word_clear(struct shell_word *word)
{
    free(word->text);
    *word = (struct shell_word){.text = NULL};
}
