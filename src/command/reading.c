/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/reading.h"

#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define DEPTH_MAX 32 /* nesting that is followed; deeper text is read as if on this level */

/* Keywords after which another command begins. */
static const char *const leading_keywords[] = {"!",    "do", "elif", "else",  "if",
                                               "then", "{",  "time", "until", "while"};

static bool word_in(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], word) == 0)
            return true;
    return false;
}

/* What is being collected on one level: the script itself, or a substitution or group in it. */
struct level {
    struct reading_command command;
    struct reading_word word; /* valid while in_word */
    struct strbuf word_text;
    bool in_word;
    bool expect_target; /* the next word is a redirection's file */
    enum reading_redirect target_kind;
    size_t pipe_from; /* the command that the next one reads from */
    char closer;      /* what ends this level: ')' or '`'; 0 for the script */
    bool quoted;      /* double quotes are open around it */
};

struct reader {
    const char *text;
    size_t length, at;
    struct reading *reading;
    struct level levels[DEPTH_MAX];
    size_t depth;
};

static struct level *level(struct reader *reader)
{
    return &reader->levels[reader->depth];
}

static void word_open(struct reader *reader)
{
    struct level *now = level(reader);
    if (now->in_word)
        return;
    now->in_word = true;
    now->word = (struct reading_word){.start = reader->at, .literal = true};
}

static void word_byte(struct reader *reader, char byte)
{
    word_open(reader);
    strbuf_addch(&level(reader)->word_text, byte);
}

/* The word holds something that a shell would expand. */
static void word_expands(struct reader *reader)
{
    word_open(reader);
    level(reader)->word.literal = false;
}

static void command_add_word(struct level *now, struct reading_word word)
{
    struct reading_command *command = &now->command;
    if (now->expect_target) {
        now->expect_target = false;
        command->targets =
            xreallocarray(command->targets, command->target_count + 1, sizeof(*command->targets));
        command->targets[command->target_count++] =
            (struct reading_target){.kind = now->target_kind, .word = word};
        return;
    }
    if (command->word_count == 0 && word.literal &&
        word_in(word.text, leading_keywords, COUNT(leading_keywords))) {
        free(word.text);
        return;
    }
    command->words =
        xreallocarray(command->words, command->word_count + 1, sizeof(*command->words));
    command->words[command->word_count++] = word;
}

static void word_close(struct reader *reader)
{
    struct level *now = level(reader);
    if (!now->in_word)
        return;
    now->in_word = false;
    now->word.end = reader->at;
    now->word.text = xstrdup(strbuf_str(&now->word_text));
    strbuf_reset(&now->word_text);
    command_add_word(now, now->word);
}

static void command_clear(struct reading_command *command)
{
    for (size_t i = 0; i < command->word_count; i++)
        free(command->words[i].text);
    for (size_t i = 0; i < command->target_count; i++)
        free(command->targets[i].word.text);
    free(command->words);
    free(command->targets);
    *command = (struct reading_command){.words = NULL};
}

/* Ends the command being collected; with `pipes_on` the next one reads from it. */
static void command_close(struct reader *reader, bool pipes_on)
{
    word_close(reader);
    struct level *now = level(reader);
    struct reading *reading = reader->reading;
    struct reading_command *command = &now->command;
    now->expect_target = false;
    if (command->word_count > 0 || command->target_count > 0) {
        command->pipe_from = now->pipe_from;
        if (reading->count < READING_COMMANDS_MAX) {
            reading->commands =
                xreallocarray(reading->commands, reading->count + 1, sizeof(*reading->commands));
            reading->commands[reading->count++] = *command;
            *command = (struct reading_command){.words = NULL};
        } else {
            reading->truncated = true;
            command_clear(command);
        }
    }
    /* A group that was just read has no words of its own: its last command feeds the pipe. */
    now->pipe_from = pipes_on && reading->count > 0 ? reading->count - 1 : READING_NO_PIPE;
}

/* A substitution or group begins: what is in it is read as commands of its own. Too deep ones are
 * read as if they stood on the level that is reached. */
static void level_open(struct reader *reader, char closer, bool quoted)
{
    if (reader->depth + 1 == DEPTH_MAX) {
        command_close(reader, false);
        return;
    }
    reader->depth++;
    *level(reader) =
        (struct level){.closer = closer, .quoted = quoted, .pipe_from = READING_NO_PIPE};
}

/* Returns whether double quotes go on after it. */
static bool level_close(struct reader *reader)
{
    command_close(reader, false);
    strbuf_free(&level(reader)->word_text);
    bool quoted = level(reader)->quoted;
    reader->depth--;
    return quoted;
}

static char peek(const struct reader *reader, size_t ahead)
{
    return reader->at + ahead < reader->length ? reader->text[reader->at + ahead] : '\0';
}

static void read_single_quotes(struct reader *reader)
{
    word_open(reader);
    for (reader->at++; reader->at < reader->length && peek(reader, 0) != '\''; reader->at++)
        word_byte(reader, peek(reader, 0));
    if (reader->at < reader->length)
        reader->at++;
}

/* From inside double quotes to their end, or to a substitution that opens in them. */
static void read_double_quotes(struct reader *reader)
{
    word_open(reader);
    while (reader->at < reader->length) {
        char byte = peek(reader, 0);
        if (byte == '"') {
            reader->at++;
            return;
        }
        if (byte == '\\' && peek(reader, 1) != '\0' && strchr("\"\\$`", peek(reader, 1)) != NULL) {
            word_byte(reader, peek(reader, 1));
            reader->at += 2;
        } else if ((byte == '$' && peek(reader, 1) == '(') || byte == '`') {
            word_expands(reader);
            level_open(reader, byte == '`' ? '`' : ')', true);
            reader->at += byte == '`' ? 1 : 2;
            return;
        } else {
            if (byte == '$')
                word_expands(reader);
            word_byte(reader, byte);
            reader->at++;
        }
    }
}

/* After ')' or '`': a substitution inside double quotes leads back into them. */
static void read_level_end(struct reader *reader)
{
    bool quoted = level_close(reader);
    reader->at++;
    if (quoted)
        read_double_quotes(reader);
}

static bool word_is_number(struct reader *reader)
{
    const char *text = strbuf_str(&level(reader)->word_text);
    return level(reader)->in_word && *text != '\0' && strspn(text, "0123456789") == strlen(text);
}

/* '<' or '>' and what belongs to it. Copies of descriptors (2>&1) name no file. */
static void read_redirection(struct reader *reader)
{
    char byte = peek(reader, 0);
    struct level *now = level(reader);
    if (word_is_number(reader)) {
        now->in_word = false;
        strbuf_reset(&now->word_text);
    }
    word_close(reader);
    if (peek(reader, 1) == '(') { /* process substitution */
        word_expands(reader);
        level_open(reader, ')', false);
        reader->at += 2;
        return;
    }
    bool twice = peek(reader, 1) == byte;
    reader->at += twice ? 2 : 1;
    if (peek(reader, 0) == '&') {
        reader->at++;
        while (peek(reader, 0) != '\0' && strchr("0123456789-", peek(reader, 0)) != NULL)
            reader->at++;
        return;
    }
    if (peek(reader, 0) == '|')
        reader->at++;
    if (byte == '<' && twice)
        return; /* a here-document: its lines are read as commands, which errs to the safe side */
    now->expect_target = true;
    now->target_kind = byte == '<' ? READING_FROM : twice ? READING_APPEND : READING_TO;
}

static void read_operator(struct reader *reader)
{
    char byte = peek(reader, 0);
    bool pipes = byte == '|' && peek(reader, 1) != '|';
    bool both_streams = byte == '&' && peek(reader, 1) == '>'; /* &>FILE */
    if (both_streams) {
        word_close(reader);
        reader->at++;
        read_redirection(reader);
        return;
    }
    command_close(reader, pipes);
    reader->at++;
    if ((byte == '|' || byte == '&') && peek(reader, 0) == byte)
        reader->at++;
    else if (pipes && peek(reader, 0) == '&')
        reader->at++;
}

static void read_comment(struct reader *reader)
{
    while (reader->at < reader->length && peek(reader, 0) != '\n')
        reader->at++;
}

static void read_dollar(struct reader *reader)
{
    char next = peek(reader, 1);
    word_expands(reader);
    if (next == '(') {
        level_open(reader, ')', false);
        reader->at += 2;
    } else if (next == '\'' || next == '"') {
        reader->at++; /* the quotes follow */
    } else {
        word_byte(reader, '$');
        reader->at++;
    }
}

static void read_backslash(struct reader *reader)
{
    if (peek(reader, 1) == '\n') {
        reader->at += 2;
        return;
    }
    word_open(reader);
    reader->at++;
    if (reader->at < reader->length) {
        word_byte(reader, peek(reader, 0));
        reader->at++;
    }
}

static void read_ordinary(struct reader *reader, char byte)
{
    if (strchr("*?[~", byte) != NULL)
        word_expands(reader);
    word_byte(reader, byte);
    reader->at++;
}

static void read_one(struct reader *reader)
{
    char byte = peek(reader, 0);
    switch (byte) {
    case ' ':
    case '\t':
    case '\r':
        word_close(reader);
        reader->at++;
        break;
    case '\n':
    case ';':
    case '&':
    case '|':
        read_operator(reader);
        break;
    case '<':
    case '>':
        read_redirection(reader);
        break;
    case '\'':
        read_single_quotes(reader);
        break;
    case '"':
        word_open(reader);
        reader->at++;
        read_double_quotes(reader);
        break;
    case '\\':
        read_backslash(reader);
        break;
    case '$':
        read_dollar(reader);
        break;
    case '`':
        if (level(reader)->closer == '`') {
            read_level_end(reader);
        } else {
            word_expands(reader);
            level_open(reader, '`', false);
            reader->at++;
        }
        break;
    case '(':
        word_close(reader);
        level_open(reader, ')', false);
        reader->at++;
        break;
    case ')':
        if (reader->depth > 0) {
            read_level_end(reader);
        } else {
            command_close(reader, false);
            reader->at++;
        }
        break;
    case '#':
        if (level(reader)->in_word)
            read_ordinary(reader, byte);
        else
            read_comment(reader);
        break;
    default:
        read_ordinary(reader, byte != '\0' ? byte : ' ');
    }
}

struct reading *reading_new(const char *script, size_t length)
{
    struct reader reader = {.text = script, .length = length, .reading = XNEW(struct reading)};
    reader.levels[0].pipe_from = READING_NO_PIPE;
    while (reader.at < reader.length)
        read_one(&reader);
    while (reader.depth > 0)
        level_close(&reader);
    command_close(&reader, false);
    strbuf_free(&reader.levels[0].word_text);
    return reader.reading;
}

void reading_free(struct reading **reading)
{
    if (*reading == NULL)
        return;
    for (size_t i = 0; i < (*reading)->count; i++)
        command_clear(&(*reading)->commands[i]);
    free((*reading)->commands);
    free(*reading);
    *reading = NULL;
}
