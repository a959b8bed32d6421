/* SPDX-License-Identifier: MIT */
/*
 * shell_word: one word of a shell script, with its quotes. What is expanded: shell_expansion.
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

bool shell_word_is_name_byte(int byte, bool first)
{
    return byte == '_' || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (!first && byte >= '0' && byte <= '9');
}

/* What comes now is not what will be there when the command runs. */
void shell_word_varies(struct shell_draft *draft, enum shell_variation variation)
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

/* ---- quotes ---------------------------------------------------------------------------------- */

/* Behind the opening quote. */
void shell_word_read_single_quotes(struct shell_reader *reader, struct shell_draft *draft)
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
void shell_word_read_double_quotes(struct shell_reader *reader, struct shell_draft *draft)
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
            shell_expansion_read_backquotes(reader, draft, true);
        } else if (byte == '$') {
            shell_expansion_read_dollar(reader, draft, true);
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
        shell_word_varies(draft, SHELL_VARIES_ANYHOW);
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

/* ~ and ~/x, not ~name or ~+. */
static bool ends_home(struct shell_source *source)
{
    int next = shell_source_peek(source);
    return next == SHELL_END || shell_source_is_one_of(next, "/ \t\n;&|");
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
        shell_word_varies(draft, SHELL_VARIES_AS_GLOB);
        break;
    case '~':
        if (!first && draft->previous != '=' && draft->previous != ':')
            break;
        shell_source_doubt(reader,
                           first && ends_home(&reader->source) ? N_("home directory")
                                                               : N_("home directory expansion"),
                           at);
        shell_word_varies(draft, SHELL_VARIES_ANYHOW);
        break;
    case '=':
        if (!first || equals_stands_alone(&reader->source))
            break;
        shell_source_doubt(reader, N_("expansion"), at);
        shell_word_varies(draft, SHELL_VARIES_ANYHOW);
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
    else if (!shell_word_is_name_byte(byte, first) && !plus)
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
    shell_word_varies(draft, SHELL_VARIES_ANYHOW);
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
        shell_word_read_single_quotes(reader, draft);
        break;
    case '"':
        shell_word_read_double_quotes(reader, draft);
        break;
    case '\\':
        read_escaped(reader, draft);
        break;
    case '$':
        shell_expansion_read_dollar(reader, draft, false);
        break;
    case '`':
        shell_expansion_read_backquotes(reader, draft, false);
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
    bool home = shell_tree_is_of_home(reader->tree->reason) && *strbuf_str(&draft->text) == '~';
    if (draft->varies && draft->variation == SHELL_VARIES_ANYHOW && !home)
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
