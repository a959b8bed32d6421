/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/mask.h"

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

static void mask(struct strbuf *out, const struct view *view, enum reading_kind kind)
{
    struct reading reading;
    reading_start(&reading, view, kind);
    while (reading.at < view->length) {
        size_t at = reading.at, start, end;
        bool found = find_secret(&reading, &start, &end);
        if (found) {
            strbuf_add(out, view->text + at, start - at);
            strbuf_addstr(out, MASK_SIGN);
        } else {
            end = at;
        }
        do
            reading_step(&reading);
        while (reading.at < end);
        strbuf_add(out, view->text + end, reading.at - end);
    }
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

void mask_told(struct strbuf *out, const char *text, const char *command)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    mask_command(&safe, command, strlen(command));
    while (*text != '\0') {
        size_t blanks = strspn(text, " \t\n,"), word = strcspn(text + blanks, " \t\n,"), end = word;
        strbuf_add(out, text, blanks);
        text += blanks;
        while (end > 0 && strchr(".:;", text[end - 1]) != NULL) /* the sentence's own */
            end--;
        cleanup_free char *told = xstrndup(text, end);
        if (end > 0 && strstr(command, told) != NULL && strstr(strbuf_str(&safe), told) == NULL)
            strbuf_addstr(out, MASK_SIGN);
        else
            strbuf_add(out, text, end);
        strbuf_add(out, text + end, word - end);
        text += word;
    }
}
