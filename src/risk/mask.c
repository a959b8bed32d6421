/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/mask.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "risk/mask-int.h"

/* A secret that begins here: text up to `*start` stays, that up to `*end` is masked. */
static bool find_secret(struct reading *reading, size_t *start, size_t *end)
{
    char character = reading->view->text[reading->at];
    *start = reading->at;
    if (!mask_is_name(character) && character != ':')
        return false;
    *end = mask_shape_end(reading);
    if (*end > *start || mask_find_password(reading, start, end))
        return true;
    return mask_find_value(reading, start, end);
}

static void mask_by(struct strbuf *out, const struct view *view, enum reading_kind kind,
                    void (*add_secret)(struct strbuf *out, size_t length))
{
    struct reading reading;
    reading_start(&reading, view, kind);
    while (reading.at < view->length) {
        size_t at = reading.at, start, end;
        bool found = find_secret(&reading, &start, &end);
        if (found) {
            strbuf_add(out, view->text + at, start - at);
            add_secret(out, end - start);
        } else {
            end = at;
        }
        do
            reading_step(&reading);
        while (reading.at < end);
        strbuf_add(out, view->text + end, reading.at - end);
    }
}

static void add_sign(struct strbuf *out, size_t length)
{
    (void)length;
    strbuf_addstr(out, MASK_SIGN);
}

static void mask(struct strbuf *out, const struct view *view, enum reading_kind kind)
{
    mask_by(out, view, kind, add_sign);
}

void mask_command(struct strbuf *out, const char *command, size_t length)
{
    mask(out, &(const struct view){command, length}, READING_COMMAND);
}

void mask_code(struct strbuf *out, const char *code, size_t length)
{
    mask(out, &(const struct view){code, length}, READING_CODE);
}

void mask_text(struct strbuf *out, const char *text, size_t length)
{
    mask(out, &(const struct view){text, length}, READING_TEXT);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_shell(const char *word)
{
    static const char *const shells[] = {"sh", "bash", "dash", "ash", "ksh", "zsh"};
    const char *slash = strrchr(word, '/');
    return IS_IN(slash != NULL ? slash + 1 : word, shells);
}

/* Goes to the word behind, which the one it leaves may say something of. */
static void go_on(struct mask_words *words)
{
    words->shell |= is_shell(words->words[words->next]);
    mask_note_program(words);
    mask_note_option(words);
    words->next++;
}

char *mask_next_word(struct mask_words *words)
{
    struct strbuf safe = STRBUF_INIT;
    const char *word = words->words[words->next];
    if (word == NULL)
        return NULL;
    const struct view view = {word, strlen(word)};
    if (mask_word_is_script(words))
        mask(&safe, &view, words->shell ? READING_COMMAND : READING_CODE);
    else if (view.length > 0 && mask_takes_password(words))
        strbuf_addstr(&safe, MASK_SIGN);
    else
        mask(&safe, &view, READING_WORD);
    go_on(words);
    return safe.data != NULL ? strbuf_steal(&safe) : xstrdup("");
}

char *mask_word(const char *const *words, size_t index)
{
    struct mask_words masked = {.words = words};
    while (masked.next < index)
        go_on(&masked);
    return mask_next_word(&masked);
}

/* ---- what is told of a command --------------------------------------------------------------- */

#define HIDDEN '\001' /* each byte of a secret, so that all others stand where they stood */

static void add_hidden(struct strbuf *out, size_t length)
{
    while (length-- > 0)
        strbuf_addch(out, HIDDEN);
}

struct told_command {
    const char *text, *hidden;
};

/* Is it in the midst of a word there? A secret is a word of its own. */
static bool splits_word(const struct told_command *command, size_t at)
{
    const char *text = command->text, *hidden = command->hidden;
    return at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] < 0) &&
           (isalnum((unsigned char)text[at]) || text[at] < 0) &&
           (hidden[at - 1] == HIDDEN) == (hidden[at] == HIDDEN);
}

/* Where the command has a secret, or a part of it, in this word, which it has nowhere in clear;
 * NULL when it has none. A short word that chance put into a longer one is not its. */
static const char *secret_of(const struct told_command *command, const char *word)
{
    size_t length = strlen(word);
    if (length == 0 || strstr(command->hidden, word) != NULL)
        return NULL;
    for (const char *at = command->text; (at = strstr(at, word)) != NULL; at++) {
        size_t start = (size_t)(at - command->text);
        if (!splits_word(command, start) && !splits_word(command, start + length))
            return command->hidden + start;
    }
    return NULL;
}

/* What is around the secret stays: the host of an address. */
static void add_told(struct strbuf *out, const struct told_command *command, const char *word)
{
    const char *hidden = secret_of(command, word);
    for (size_t i = 0; word[i] != '\0'; i++)
        if (hidden == NULL || hidden[i] != HIDDEN)
            strbuf_addch(out, word[i]);
        else if (i == 0 || hidden[i - 1] != HIDDEN)
            strbuf_addstr(out, MASK_SIGN);
}

void mask_told(struct strbuf *out, const char *text, const char *command)
{
    cleanup_strbuf struct strbuf hidden = STRBUF_INIT;
    mask_by(&hidden, &(const struct view){command, strlen(command)}, READING_COMMAND, add_hidden);
    const struct told_command told = {command, strbuf_str(&hidden)};
    while (*text != '\0') {
        size_t blanks = strspn(text, " \t\n,"), word = strcspn(text + blanks, " \t\n,"), end = word;
        strbuf_add(out, text, blanks);
        text += blanks;
        while (end > 0 && strchr(".:;", text[end - 1]) != NULL) /* the sentence's own */
            end--;
        cleanup_free char *part = xstrndup(text, end);
        add_told(out, &told, part);
        strbuf_add(out, text + end, word - end);
        text += word;
    }
}
