/* SPDX-License-Identifier: MIT */
/*
 * shell_grammar: commands and what joins them (POSIX.1-2017, XCU 2.9 and 2.10, and bash's
 * additions).
 *
 * Simple commands joined by operators are read exactly. Everything else is a doubt, and is read
 * loosely.
 */
#include "config.h"

#include <string.h>

#include "base/i18n.h"
#include "command/shell_tree-int.h"

/* ---- words ----------------------------------------------------------------------------------- */

/* `coproc NAME {`: what was taken for the command is a name. */
static bool is_coprocess_name(const struct shell_level *level, const struct shell_node *node,
                              enum shell_keyword keyword)
{
    return level->coprocess_next && node->word_count == 1 && keyword != SHELL_KEYWORD_NONE;
}

static void place_word(struct shell_reader *reader, struct shell_word word, bool assignment,
                       size_t start)
{
    struct shell_level *level = reader->level;
    struct shell_node *node = &reader->tree->nodes[level->command];
    bool first = node->kind <= SHELL_TAIL &&
                 node->word_count + node->assignment_count + node->redirect_count == 0;
    enum shell_keyword keyword = word.quoted ? SHELL_KEYWORD_NONE : shell_keyword_find(word.text);
    if (reader->other_shell && keyword == SHELL_KEYWORD_TEST)
        keyword = SHELL_KEYWORD_NONE;
    if (keyword != SHELL_KEYWORD_NONE && (first || is_coprocess_name(level, node, keyword))) {
        node->kind = SHELL_HEADER;
        if (first)
            shell_level_drop_node(reader);
        else
            shell_level_end_node(level);
        shell_keyword_read(reader, keyword, word, start);
        return;
    }
    node->end = word.end;
    if (node->kind == SHELL_TAIL)
        node->kind = SHELL_COMMAND; /* not what a shell would take */
    if (assignment)
        shell_level_add_word(&node->assignments, &node->assignment_count, word);
    else
        shell_level_add_word(&node->words, &node->word_count, word);
    if (node->kind == SHELL_HEADER)
        shell_keyword_continue_header(reader, node);
}

static void read_word(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    struct shell_word word;
    bool assignment;
    int number;
    size_t start = source->at;
    /* The node is there first: it is the parent of those in its words. */
    struct shell_node *node = shell_level_open_node(reader, start);
    if (!node)
        return;
    shell_word_read(reader, node->word_count == 0, &word, &assignment);
    if (shell_redirect_is_descriptor(reader, &word, start, &number)) {
        shell_word_clear(&word);
        shell_redirect_read(reader, number, start);
    } else {
        place_word(reader, word, assignment, start);
    }
}

/* ---- operators ------------------------------------------------------------------------------- */

/* What was read joins to what follows. */
static void join(struct shell_reader *reader, enum shell_operator operator_, size_t at)
{
    struct shell_level *level = reader->level;
    size_t count = reader->tree->count;
    if (level->command == SHELL_NO_NODE)
        shell_source_doubt(reader, N_("stray operator"), at);
    shell_level_end_node(level);
    level->after_compound = false;
    level->operator_ = operator_;
    level->expects_command = operator_ != SHELL_SEQUENCE;
    level->pipe = operator_ == SHELL_PIPE ? (struct shell_nodes){level->element, count}
                                          : (struct shell_nodes){0, 0};
    level->element = count;
    if (operator_ == SHELL_SEQUENCE)
        level->list = count;
}

static void read_newline(struct shell_reader *reader, size_t at)
{
    struct shell_level *level = reader->level;
    reader->source.at++;
    if (level->command != SHELL_NO_NODE || level->after_compound)
        join(reader, SHELL_SEQUENCE, at);
    shell_heredoc_read_bodies(reader);
}

static void read_semicolon(struct shell_reader *reader, size_t at)
{
    struct shell_source *source = &reader->source;
    struct shell_level *level = reader->level;
    source->at++;
    int next = shell_source_peek(source);
    if (next != ';' && next != '&') {
        join(reader, SHELL_SEQUENCE, at);
        return;
    }
    shell_source_doubt(reader, N_("stray operator"), at);
    while (shell_source_is_one_of(shell_source_peek(source), ";&"))
        source->at++;
    join(reader, SHELL_SEQUENCE, at);
    if (level->frame_count > 0 && level->frames[level->frame_count - 1].is_case)
        shell_keyword_read_patterns(reader);
}

/* At a &>. To others the command ends at the &, and the next one begins with a redirection: what
 * stands behind that is its program. */
static void read_redirection_of_both(struct shell_reader *reader, size_t at)
{
    struct shell_source *source = &reader->source;
    shell_source_doubt(reader, N_("redirection of both streams"), at);
    shell_redirect_read(reader, 1, at);
    shell_source_skip_blanks(source);
    int next = shell_source_peek(source);
    if (next == SHELL_END || shell_source_is_one_of(next, "\n;&|)") || reader->ampersand_differs)
        return;
    reader->ampersand_differs = true;
    shell_grammar_read_otherwise(reader, at + 1, source->length, 0);
}

static void read_ampersand(struct shell_reader *reader, size_t at)
{
    struct shell_source *source = &reader->source;
    struct shell_level *level = reader->level;
    if (shell_source_raw(source, 1) == '>' && !reader->other_shell) {
        read_redirection_of_both(reader, at);
        return;
    }
    source->at++;
    if (shell_source_peek(source) == '&') {
        source->at++;
        join(reader, SHELL_AND, at);
        return;
    }
    shell_source_doubt(reader,
                       shell_source_peek(source) == '>' ? N_("redirection of both streams")
                                                        : N_("background"),
                       at);
    for (size_t i = level->list; i < reader->tree->count; i++)
        reader->tree->nodes[i].context |= SHELL_IN_BACKGROUND;
    join(reader, SHELL_SEQUENCE, at);
}

static void read_bar(struct shell_reader *reader, size_t at)
{
    struct shell_source *source = &reader->source;
    source->at++;
    int next = shell_source_peek(source);
    if (next == '&')
        shell_source_doubt(reader, N_("pipe of both streams"), at);
    source->at += next == '&' || next == '|';
    join(reader, next == '|' ? SHELL_OR : SHELL_PIPE, at);
}

/* `NAME ()`: only the name was read so far. */
static bool read_function(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    struct shell_level *level = reader->level;
    if (level->command == SHELL_NO_NODE) {
        /* behind `function NAME` */
        if (!level->function_next)
            return false;
    } else {
        struct shell_node *node = &reader->tree->nodes[level->command];
        if (node->word_count != 1 || node->redirect_count > 0 || node->assignment_count > 0)
            return false;
    }
    size_t start = source->at++;
    shell_source_skip_blanks(source);
    if (shell_source_peek(source) != ')') {
        source->at = start;
        return false;
    }
    source->at++;
    if (level->command != SHELL_NO_NODE)
        reader->tree->nodes[level->command].kind = SHELL_HEADER;
    shell_level_end_node(level);
    level->function_next = true;
    return true;
}

static void read_computing(struct shell_reader *reader, size_t start)
{
    struct shell_node *node = shell_level_open_node(reader, start);
    if (!node)
        return;
    size_t index = reader->level->command;
    if (node->kind != SHELL_HEADER)
        node->kind = SHELL_COMPUTING;
    reader->source.at += 2;
    if (!shell_expansion_read_arithmetic(reader)) {
        reader->source.at = start + 1;
        if (reader->tree->nodes[index].kind == SHELL_COMPUTING)
            shell_level_drop_node(reader);
        shell_level_end_node(reader->level);
        shell_grammar_read_nested(reader, SHELL_IN_SUBSHELL);
        reader->level->after_compound = true;
        return;
    }
    size_t end = reader->source.at;
    reader->tree->nodes[index].end = shell_source_place_end(&reader->source, end);
    if (reader->tree->nodes[index].kind == SHELL_COMPUTING)
        shell_grammar_read_otherwise(reader, start + 2, end - 2, SHELL_IN_SUBSHELL);
}

static void read_open_parenthesis(struct shell_reader *reader, size_t at)
{
    struct shell_source *source = &reader->source;
    struct shell_level *level = reader->level;
    shell_source_doubt(reader, N_("subshell or function"), at);
    if (read_function(reader))
        return;
    if (reader->other_shell && level->command != SHELL_NO_NODE &&
        reader->tree->nodes[level->command].word_count > 1) {
        source->at = source->length; /* an error, behind which nothing runs */
        return;
    }
    bool header =
        level->command != SHELL_NO_NODE && reader->tree->nodes[level->command].kind == SHELL_HEADER;
    if (level->command != SHELL_NO_NODE && !header)
        shell_level_end_node(level);
    if (shell_source_raw(source, 1) == '(' && !reader->other_shell) {
        read_computing(reader, at);
        return;
    }
    source->at++;
    unsigned context = SHELL_IN_SUBSHELL | shell_level_function_context(level);
    shell_level_end_node(level);
    level->function_next = false;
    shell_grammar_read_nested(reader, context);
    level->after_compound = true;
}

static void read_close_parenthesis(struct shell_reader *reader, size_t at)
{
    struct shell_level *level = reader->level;
    reader->source.at++;
    shell_level_end_node(level);
    if (level->in_parentheses)
        level->closed = true;
    else
        shell_source_doubt(reader, N_("stray operator"), at);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void read_angle(struct shell_reader *reader)
{
    if (shell_source_raw(&reader->source, 1) == '(')
        read_word(reader);
    else
        shell_redirect_read(reader, shell_source_raw(&reader->source, 0) == '>', reader->source.at);
}

static void skip_comment(struct shell_source *source)
{
    while (source->at < source->length && source->text[source->at] != '\n')
        source->at++;
}

static void read_token(struct shell_reader *reader, int byte)
{
    size_t at = reader->source.at;
    switch (byte) {
    case ' ':
    case '\t':
    case '\r':
    case '\0':
        reader->source.at++;
        break;
    case '#':
        skip_comment(&reader->source);
        break;
    case '\n':
        read_newline(reader, at);
        break;
    case ';':
        read_semicolon(reader, at);
        break;
    case '&':
        read_ampersand(reader, at);
        break;
    case '|':
        read_bar(reader, at);
        break;
    case '(':
        read_open_parenthesis(reader, at);
        break;
    case ')':
        read_close_parenthesis(reader, at);
        break;
    case '<':
    case '>':
        read_angle(reader);
        break;
    default:
        read_word(reader);
        break;
    }
}

static void read_list(struct shell_reader *reader, struct shell_level *level)
{
    level->outer = reader->level;
    level->command = SHELL_NO_NODE;
    level->list = level->element = reader->tree->count;
    level->operator_ = SHELL_SEQUENCE;
    reader->level = level;
    for (int byte; !level->closed && (byte = shell_source_peek(&reader->source)) != SHELL_END;)
        read_token(reader, byte);
    if (level->expects_command)
        shell_source_doubt(reader, N_("unfinished command"), reader->source.at);
    reader->level = level->outer;
}

void shell_grammar_read_script(struct shell_reader *reader)
{
    struct shell_level level = {.parent = SHELL_NO_NODE};
    read_list(reader, &level);
    if (reader->announced_count > 0)
        shell_source_doubt(reader, N_("here-document without an end"), reader->announced[0].at);
}

/* A level in the words of the command that is being read. */
static struct shell_level level_within(const struct shell_reader *reader, unsigned context)
{
    const struct shell_level *outer = reader->level;
    return (struct shell_level){
        .context = shell_level_context(outer) | context,
        .parent = outer->command != SHELL_NO_NODE ? outer->command : outer->parent,
        .feeds = shell_level_feeds(outer),
    };
}

void shell_grammar_read_nested(struct shell_reader *reader, unsigned context)
{
    struct shell_level level = level_within(reader, context);
    size_t first = reader->announced_first;
    level.in_parentheses = true;
    if (!shell_source_descend(reader))
        return;
    if (context & SHELL_IN_SUBSTITUTION)
        reader->announced_first = reader->announced_count;
    read_list(reader, &level);
    /* bash takes the text from behind the line on which the substitution ends. */
    if (context & SHELL_IN_SUBSTITUTION && reader->announced_count > reader->announced_first)
        shell_source_give_up(reader, N_("here-document without an end"));
    reader->announced_first = first;
    shell_source_ascend(reader);
}

/* All of another source, or of a part of this one; here-documents announced in it have their text
 * in it. */
static void read_apart(struct shell_reader *reader, struct shell_source inner, unsigned context)
{
    struct shell_source outer = reader->source;
    struct shell_level level = level_within(reader, context);
    size_t first = reader->announced_first, count = reader->announced_count;
    if (!shell_source_descend(reader))
        return;
    reader->announced_first = count;
    reader->source = inner;
    read_list(reader, &level);
    reader->source = outer;
    reader->announced_first = first;
    reader->announced_count = count;
    shell_source_ascend(reader);
    if (reader->tree->truncated)
        reader->source.at = outer.length;
}

void shell_grammar_read_copy(struct shell_reader *reader, const char *text, size_t length,
                             size_t start, unsigned context)
{
    const struct shell_source *outer = &reader->source;
    size_t origin = shell_source_place(outer, start);
    struct shell_source copy = {
        .text = text,
        .length = length,
        .origin = origin,
        .span = shell_source_place_end(outer, outer->at) - origin,
    };
    read_apart(reader, copy, context);
}

void shell_grammar_read_part(struct shell_reader *reader, size_t start, size_t end,
                             unsigned context)
{
    struct shell_source part = reader->source;
    part.at = start;
    part.length = end;
    read_apart(reader, part, context);
}

void shell_grammar_read_otherwise(struct shell_reader *reader, size_t start, size_t end,
                                  unsigned context)
{
    if (reader->tree->truncated || reader->other_shell)
        return;
    reader->other_shell = true;
    shell_grammar_read_part(reader, start, end, context | SHELL_IN_OTHER_SHELL);
    reader->other_shell = false;
}

void shell_grammar_read_heredoc(struct shell_reader *reader, size_t node, size_t start, size_t end)
{
    struct shell_source outer = reader->source;
    struct shell_level level = level_within(reader, SHELL_IN_HEREDOC);
    level.command = node;
    level.outer = reader->level;
    reader->level = &level;
    reader->source.at = start;
    reader->source.length = end;
    shell_expansion_read_substitutions(reader);
    reader->source = outer;
    reader->level = level.outer;
    if (reader->tree->truncated)
        reader->source.at = outer.length;
}
