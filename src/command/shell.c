/* SPDX-License-Identifier: MIT */
/*
 * The strict reading: a scanner that takes one character at a time and gives up at the first that
 * a shell would treat as more than itself. Follows the token recognition rules of POSIX.1-2017,
 * XCU 2.3, narrowed to literal words, and bash's additions where they take away a literal meaning
 * (brace expansion, `|&`, `$"…"`, tilde after `=` and `:`).
 */
#include "config.h"

#include "command/shell.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { END = -1 };

struct parser {
    const char *script;
    size_t length;
    size_t position;
    struct shell_script *result;
    struct strbuf word; /* the word being read, unquoted */
    bool in_word;       /* also true for an empty quoted word */
    bool quoted;        /* some part of the word was quoted or escaped */
    size_t word_start;
    char **words; /* of the command being read */
    size_t word_count;
    size_t command_start;
    bool expects_command; /* after an operator that needs one (&&, ||, |) */
    bool brace_open;      /* an unquoted { in this word … */
    bool brace_list;      /* … then an unquoted comma or ".." */
    int previous;         /* last unquoted character of the word, 0 after a quoted one */
    bool name_open;       /* the word so far could be the name of an assignment */
};

/* Words that open or continue a construct when they stand unquoted where a command begins. */
static const char *const reserved_words[] = {
    "!",    "[[", "]]",  "{",        "}",  "case", "coproc", "do",   "done", "elif",  "else",
    "esac", "fi", "for", "function", "if", "in",   "select", "then", "time", "until", "while",
};

/* Builtins that change or re-read the shell, so that what follows is not what it seems, or that
 * run their arguments as shell text. Sorted by strcmp(). */
static const char *const shell_changers[] = {
    ".",        "alias",   "bg",       "bind",    "break", "builtin", "command", "compgen",
    "complete", "compopt", "continue", "declare", "dirs",  "disown",  "enable",  "eval",
    "exec",     "exit",    "export",   "fc",      "fg",    "getopts", "hash",    "history",
    "let",      "local",   "logout",   "mapfile", "popd",  "pushd",   "read",    "readarray",
    "readonly", "return",  "set",      "shift",   "shopt", "source",  "suspend", "trap",
    "typeset",  "ulimit",  "umask",    "unalias", "unset",
};

static bool word_listed(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}

/* Makes the script opaque; always false, so that callers can return it. */
static bool opaque(struct parser *parser, const char *reason, size_t offset)
{
    parser->result->reason = reason;
    parser->result->offset = offset;
    return false;
}

/* A backslash before a newline is removed before anything else is recognised (XCU 2.2.1). */
static void skip_continuations(struct parser *parser)
{
    while (parser->position + 1 < parser->length && parser->script[parser->position] == '\\' &&
           parser->script[parser->position + 1] == '\n')
        parser->position += 2;
}

static int peek(struct parser *parser)
{
    skip_continuations(parser);
    if (parser->position >= parser->length)
        return END;
    return (unsigned char)parser->script[parser->position];
}

static int take(struct parser *parser)
{
    int byte = peek(parser);
    if (byte != END)
        parser->position++;
    return byte;
}

/* Does a literal `$` end here, that is, does nothing follow that would make it an expansion? */
static bool dollar_is_literal(struct parser *parser, bool in_double_quotes)
{
    int next = peek(parser);
    if (in_double_quotes)
        return next == '"' || next == ' ' || next == '\t' || next == '\n';
    return next == END || strchr(" \t\n;|&", next) != NULL;
}

static void begin_word(struct parser *parser, size_t at)
{
    if (parser->in_word)
        return;
    parser->in_word = true;
    parser->quoted = false;
    parser->word_start = at;
    parser->brace_open = parser->brace_list = false;
    parser->previous = 0;
    parser->name_open = true;
    strbuf_reset(&parser->word);
}

static void add_quoted(struct parser *parser, const char *bytes, size_t length)
{
    strbuf_add(&parser->word, bytes, length);
    parser->quoted = true;
    parser->previous = 0;
    parser->name_open = false;
}

static bool read_single_quotes(struct parser *parser)
{
    size_t start = parser->position;
    const char *end = memchr(parser->script + start, '\'', parser->length - start);
    if (!end)
        return opaque(parser, N_("unterminated quote"), start - 1);
    size_t length = (size_t)(end - (parser->script + start));
    add_quoted(parser, parser->script + start, length);
    parser->position = start + length + 1;
    return true;
}

static bool read_double_quotes(struct parser *parser)
{
    size_t start = parser->position - 1;
    add_quoted(parser, "", 0);
    for (;;) {
        int byte = take(parser);
        size_t at = parser->position - 1;
        char character = (char)byte;
        switch (byte) {
        case END:
            return opaque(parser, N_("unterminated quote"), start);
        case '"':
            return true;
        case '`':
            return opaque(parser, N_("command substitution"), at);
        case '$':
            if (!dollar_is_literal(parser, true))
                return opaque(parser, N_("expansion"), at);
            break;
        case '\\':
            if (parser->position >= parser->length)
                return opaque(parser, N_("unterminated quote"), start);
            if (strchr("$`\"\\", parser->script[parser->position]))
                character = parser->script[parser->position++];
            break;
        default:
            break;
        }
        strbuf_addch(&parser->word, character);
    }
}

static bool read_escaped(struct parser *parser)
{
    if (parser->position >= parser->length)
        return opaque(parser, N_("unterminated escape"), parser->position - 1);
    add_quoted(parser, parser->script + parser->position, 1);
    parser->position++;
    return true;
}

static bool name_character(int byte, bool first)
{
    return byte == '_' || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (!first && byte >= '0' && byte <= '9');
}

/* NAME= or NAME+= where a command begins sets a variable; NAME[ is caught as a glob. */
static bool is_assignment(const struct parser *parser, int byte)
{
    if (parser->word_count > 0 || !parser->name_open || parser->word.length == 0)
        return false;
    return byte == '=';
}

static bool read_unquoted(struct parser *parser, int byte, size_t at)
{
    bool first = parser->word.length == 0 && !parser->quoted;
    switch (byte) {
    case '`':
        return opaque(parser, N_("command substitution"), at);
    case '$':
        if (!dollar_is_literal(parser, false))
            return opaque(parser, N_("expansion"), at);
        break;
    case '*':
    case '?':
    case '[':
        /* `[` alone where a command begins is the test program. */
        if (byte == '[' && first && parser->word_count == 0) {
            int next = peek(parser);
            if (next == ' ' || next == '\t')
                break;
        }
        return opaque(parser, N_("file name pattern"), at);
    case '~':
        if (first || parser->previous == '=' || parser->previous == ':')
            return opaque(parser, N_("home directory expansion"), at);
        break;
    case '!':
        return opaque(parser, N_("negation or history"), at);
    case '{':
        parser->brace_open = true;
        break;
    case ',':
        parser->brace_list = parser->brace_list || parser->brace_open;
        break;
    case '.':
        parser->brace_list = parser->brace_list || (parser->brace_open && parser->previous == '.');
        break;
    case '}':
        if (parser->brace_list)
            return opaque(parser, N_("brace expansion"), at);
        break;
    case '=':
        if (is_assignment(parser, byte))
            return opaque(parser, N_("assignment"), parser->word_start);
        break;
    default:
        break;
    }
    if (!name_character(byte, first) && !(byte == '+' && !first))
        parser->name_open = false;
    strbuf_addch(&parser->word, (char)byte);
    parser->previous = byte;
    return true;
}

static bool end_word(struct parser *parser)
{
    if (!parser->in_word)
        return true;
    parser->in_word = false;
    const char *word = strbuf_str(&parser->word);
    if (text_mixed_scripts(word, parser->word.length))
        return opaque(parser, N_("letters of several scripts in one word"), parser->word_start);
    if (parser->word_count == 0) {
        parser->command_start = parser->word_start;
        if (parser->word.length == 0)
            return opaque(parser, N_("empty command name"), parser->word_start);
        if (!parser->quoted && word_listed(word, reserved_words, ARRAY_LENGTH(reserved_words)))
            return opaque(parser, N_("compound command"), parser->word_start);
        if (word_listed(word, shell_changers, ARRAY_LENGTH(shell_changers)))
            return opaque(parser, N_("a builtin that changes the shell"), parser->word_start);
    }
    parser->words = xreallocarray(parser->words, parser->word_count + 2, sizeof *parser->words);
    parser->words[parser->word_count++] = xstrdup(word);
    parser->words[parser->word_count] = NULL;
    return true;
}

static void end_command(struct parser *parser)
{
    struct shell_script *result = parser->result;
    result->commands = xreallocarray(result->commands, result->count + 1, sizeof *result->commands);
    result->operators =
        xreallocarray(result->operators, result->count + 1, sizeof *result->operators);
    result->commands[result->count++] = (struct shell_command){
        .argv = steal_pointer(&parser->words),
        .start = parser->command_start,
        .end = parser->position,
    };
    parser->word_count = 0;
    parser->expects_command = false;
}

/* After a command: notes what joins it to the next one. */
static bool join(struct parser *parser, enum shell_operator operator_, size_t at)
{
    if (!end_word(parser))
        return false;
    if (parser->word_count == 0) {
        bool newline = parser->script[at] == '\n';
        return newline ? true : opaque(parser, N_("stray operator"), at);
    }
    size_t end = parser->position;
    parser->position = at;
    end_command(parser);
    parser->position = end;
    parser->result->operators[parser->result->count - 1] = operator_;
    parser->expects_command = operator_ != SHELL_SEQUENCE;
    return true;
}

static bool read_operator(struct parser *parser, int byte, size_t at)
{
    int next = peek(parser);
    switch (byte) {
    case '\n':
        return join(parser, SHELL_SEQUENCE, at);
    case ';':
        if (next == ';' || next == '&')
            return opaque(parser, N_("stray operator"), at);
        return join(parser, SHELL_SEQUENCE, at);
    case '&':
        if (next != '&')
            return opaque(parser, next == '>' ? N_("redirection") : N_("background"), at);
        take(parser);
        return join(parser, SHELL_AND, at);
    case '|':
        if (next == '&')
            return opaque(parser, N_("pipe of both streams"), at);
        if (next != '|')
            return join(parser, SHELL_PIPE, at);
        take(parser);
        return join(parser, SHELL_OR, at);
    case '<':
    case '>':
        if (next == '(')
            return opaque(parser, N_("process substitution"), at);
        return opaque(parser, N_("redirection"), at);
    default:
        return opaque(parser, N_("subshell or function"), at);
    }
}

static void skip_comment(struct parser *parser)
{
    while (parser->position < parser->length && parser->script[parser->position] != '\n')
        parser->position++;
}

static bool read_one(struct parser *parser, int byte)
{
    size_t at = parser->position - 1;
    if (byte == ' ' || byte == '\t')
        return end_word(parser);
    if (byte == '#' && !parser->in_word) {
        skip_comment(parser);
        return true;
    }
    if (strchr("\n;&|<>()", byte))
        return read_operator(parser, byte, at);
    begin_word(parser, at);
    switch (byte) {
    case '\'':
        return read_single_quotes(parser);
    case '"':
        return read_double_quotes(parser);
    case '\\':
        return read_escaped(parser);
    default:
        return read_unquoted(parser, byte, at);
    }
}

/* Everything in the script, comments and quotes included, must be what it looks like. */
static bool check_characters(struct parser *parser)
{
    struct strbuf scratch = STRBUF_INIT;
    bool good = true;
    for (size_t i = 0, step; good && i < parser->length; i += step) {
        unsigned char byte = (unsigned char)parser->script[i];
        step = 1;
        if (byte == '\n' || byte == '\t' || (byte >= 0x20 && byte < 0x7F))
            continue;
        uint32_t codepoint;
        step = text_decode(parser->script + i, parser->length - i, &codepoint);
        strbuf_reset(&scratch);
        if (codepoint == TEXT_INVALID)
            good = opaque(parser, N_("invalid UTF-8"), i);
        else if (codepoint < 0xA0)
            good = opaque(parser, N_("control character"), i);
        else if (text_escape(&scratch, parser->script + i, step, 0) > 0)
            good = opaque(parser, N_("invisible or misleading character"), i);
    }
    strbuf_free(&scratch);
    return good;
}

static bool parse(struct parser *parser)
{
    if (parser->length > SHELL_SCRIPT_MAX)
        return opaque(parser, N_("too long"), SHELL_SCRIPT_MAX);
    if (!check_characters(parser))
        return false;
    for (int byte; (byte = take(parser)) != END;)
        if (!read_one(parser, byte))
            return false;
    if (!end_word(parser))
        return false;
    if (parser->word_count > 0)
        end_command(parser);
    if (parser->expects_command)
        return opaque(parser, N_("unfinished command"), parser->length);
    if (parser->result->count == 0)
        return opaque(parser, N_("nothing to run"), 0);
    return true;
}

void shell_parse(const char *script, size_t length, struct shell_script *result)
{
    *result = (struct shell_script){0};
    struct parser parser = {.script = script, .length = length, .result = result};
    result->plain = parse(&parser);
    strbuf_free(&parser.word);
    strv_free(&parser.words);
    if (!result->plain) {
        const char *reason = result->reason;
        size_t offset = result->offset;
        shell_script_clear(result);
        result->reason = reason;
        result->offset = offset;
    }
}

void shell_script_clear(struct shell_script *script)
{
    for (size_t i = 0; i < script->count; i++)
        strv_free(&script->commands[i].argv);
    free(script->commands);
    free(script->operators);
    *script = (struct shell_script){0};
}

const char *shell_operator_text(enum shell_operator operator_)
{
    static const char *const texts[] = {"&&", "||", ";", "|"};
    return texts[operator_];
}

const char *shell_wrapped_script(const char *const *argv)
{
    if (!argv[0] || !argv[1] || !argv[2] || argv[3])
        return NULL;
    static const char *const shells[] = {"bash", "sh", "zsh"};
    const char *slash = strrchr(argv[0], '/');
    if (!word_listed(slash ? slash + 1 : argv[0], shells, ARRAY_LENGTH(shells)))
        return NULL;
    return strcmp(argv[1], "-c") == 0 || strcmp(argv[1], "-lc") == 0 ? argv[2] : NULL;
}
