/* SPDX-License-Identifier: MIT */
/*
 * shell_keyword: words that are syntax where a command begins. Keywords open and close frames that
 * need not match, so that a script that a shell would refuse, or that only some shell accepts,
 * still shows the commands in it.
 */
#include "config.h"

#include <string.h>

#include "base/array.h"
#include "base/i18n.h"
#include "command/shell_tree-int.h"

static const struct {
    const char *word;
    enum shell_keyword keyword;
} keywords[] = {
    {"!", SHELL_KEYWORD_LEADING},
    {"-", SHELL_KEYWORD_LEADING},
    {"[[", SHELL_KEYWORD_TEST},
    {"]]", SHELL_KEYWORD_LEADING},
    {"case", SHELL_KEYWORD_CASE},
    {"coproc", SHELL_KEYWORD_COPROCESS},
    {"do", SHELL_KEYWORD_LEADING},
    {"done", SHELL_KEYWORD_END},
    {"elif", SHELL_KEYWORD_LEADING},
    {"else", SHELL_KEYWORD_LEADING},
    {"end", SHELL_KEYWORD_END},
    {"esac", SHELL_KEYWORD_END},
    {"fi", SHELL_KEYWORD_END},
    {"for", SHELL_KEYWORD_FOR},
    {"foreach", SHELL_KEYWORD_FOR},
    {"function", SHELL_KEYWORD_FUNCTION},
    {"if", SHELL_KEYWORD_CONDITION},
    {"in", SHELL_KEYWORD_LEADING},
    {"nocorrect", SHELL_KEYWORD_LEADING},
    {"noglob", SHELL_KEYWORD_LEADING},
    {"repeat", SHELL_KEYWORD_REPEAT},
    {"select", SHELL_KEYWORD_FOR},
    {"then", SHELL_KEYWORD_LEADING},
    {"time", SHELL_KEYWORD_TIME},
    {"until", SHELL_KEYWORD_LOOP},
    {"while", SHELL_KEYWORD_LOOP},
    {"{", SHELL_KEYWORD_GROUP},
    {"}", SHELL_KEYWORD_END},
};

enum shell_keyword shell_keyword_find(const char *word)
{
    for (size_t i = 0; i < COUNT(keywords); i++)
        if (*keywords[i].word == *word && strcmp(keywords[i].word, word) == 0)
            return keywords[i].keyword;
    return SHELL_KEYWORD_NONE;
}

bool shell_tree_is_reserved(const char *word)
{
    return shell_keyword_find(word) != SHELL_KEYWORD_NONE;
}

/* The patterns of a case, up to the ) behind them; the word esac ends it. */
void shell_keyword_read_patterns(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    bool first = true, assignment;
    for (int byte; (byte = shell_source_peek(source)) != SHELL_END;) {
        if (byte == ')') {
            source->at++;
            return;
        }
        size_t before = source->at;
        struct shell_word word;
        shell_word_read(reader, false, &word, &assignment);
        bool read = source->at > before;
        bool ends = read && first && !word.quoted && strcmp(word.text, "esac") == 0;
        shell_word_clear(&word);
        if (ends) {
            shell_level_close_frame(reader->level);
            return;
        }
        first = first && !read;
        source->at += !read && source->at < source->length;
    }
}

/* The words of [[ … ]], in which operators do not separate commands. */
static void read_test(struct shell_reader *reader, struct shell_word bracket, size_t start)
{
    struct shell_source *source = &reader->source;
    bool ends = false, assignment;
    struct shell_node *node = shell_level_open_node(reader, start);
    if (!node) {
        shell_word_clear(&bracket);
        return;
    }
    size_t index = reader->level->command;
    node->kind = SHELL_TEST;
    bracket.literal = true; /* and no pattern */
    bracket.glob = false;
    shell_level_add_word(&node->words, &node->word_count, bracket);
    while (!ends && shell_source_peek(source) != SHELL_END) {
        size_t before = source->at;
        struct shell_word word;
        shell_word_read(reader, false, &word, &assignment);
        if (source->at == before) {
            shell_word_clear(&word);
            source->at++;
            continue;
        }
        ends = !word.quoted && strcmp(word.text, "]]") == 0;
        node = &reader->tree->nodes[index];
        shell_level_add_word(&node->words, &node->word_count, word);
    }
    node = &reader->tree->nodes[index];
    node->end = shell_source_place_end(source, source->at);
    shell_grammar_read_otherwise(reader, start, source->at, 0);
}

/* `time` may have options of its own. */
static void skip_time_options(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    shell_source_skip_blanks(source);
    while (shell_source_raw(source, 0) == '-' &&
           shell_source_is_one_of(shell_source_raw(source, 1), "p-") &&
           shell_source_is_one_of(shell_source_raw(source, 2), " \t")) {
        source->at += 2;
        shell_source_skip_blanks(source);
    }
}

static void open_header(struct shell_reader *reader, struct shell_word word, size_t start)
{
    struct shell_node *node = shell_level_open_node(reader, start);
    if (!node) {
        shell_word_clear(&word);
        return;
    }
    node->kind = SHELL_HEADER;
    node->end = word.end;
    shell_level_add_word(&node->words, &node->word_count, word);
}

/* A word that is a keyword, where a command begins. */
void shell_keyword_read(struct shell_reader *reader, enum shell_keyword keyword,
                        struct shell_word word, size_t start)
{
    struct shell_level *level = reader->level;
    shell_source_doubt(reader, N_("compound command"), start);
    if (keyword == SHELL_KEYWORD_TEST) {
        read_test(reader, word, start);
        return;
    }
    switch (keyword) {
    case SHELL_KEYWORD_CONDITION:
        shell_level_open_frame(reader, SHELL_IN_CONDITION, false);
        break;
    case SHELL_KEYWORD_LOOP:
        shell_level_open_frame(reader, SHELL_IN_LOOP, false);
        break;
    case SHELL_KEYWORD_GROUP:
        shell_level_open_frame(reader, SHELL_IN_GROUP, false);
        break;
    case SHELL_KEYWORD_END:
        shell_level_close_frame(level);
        break;
    case SHELL_KEYWORD_TIME:
        skip_time_options(reader);
        break;
    case SHELL_KEYWORD_COPROCESS:
        level->coprocess_next = true;
        break;
    case SHELL_KEYWORD_FOR:
        shell_level_open_frame(reader, SHELL_IN_LOOP, false);
        open_header(reader, word, start);
        return;
    case SHELL_KEYWORD_REPEAT:
    case SHELL_KEYWORD_CASE:
    case SHELL_KEYWORD_FUNCTION:
        open_header(reader, word, start);
        return;
    default:
        break;
    }
    shell_word_clear(&word);
}

/* A word was added to the head of a for, case or function: does its body begin? */
void shell_keyword_continue_header(struct shell_reader *reader, struct shell_node *node)
{
    struct shell_level *level = reader->level;
    enum shell_keyword keyword = shell_keyword_find(node->words[0].text);
    const struct shell_word *last = &node->words[node->word_count - 1];
    bool bare = !last->quoted && last->literal;
    if (keyword == SHELL_KEYWORD_FUNCTION && node->word_count == 2) {
        shell_level_end_node(level);
        level->function_next = true;
    } else if (keyword == SHELL_KEYWORD_REPEAT && node->word_count == 2) {
        shell_level_end_node(level);
    } else if (keyword == SHELL_KEYWORD_FOR && bare && strcmp(last->text, "do") == 0) {
        shell_level_end_node(level);
    } else if (keyword == SHELL_KEYWORD_CASE && bare && node->word_count == 3) {
        shell_level_end_node(level);
        shell_level_open_frame(reader, SHELL_IN_CONDITION, true);
        shell_keyword_read_patterns(reader);
    }
}
