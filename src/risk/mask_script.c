/* SPDX-License-Identifier: MIT */
/*
 * What a word of a command is to the command: data, or a script that it runs, so that what looks
 * like a value in it may be code. What cannot be told is taken for a script: the masks are smaller
 * then, and nothing that runs is hidden.
 */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "risk/mask-int.h"

/* How far back the words of a command are looked at. */
enum { BACK_MAX = 256 };

/* ---- programs -------------------------------------------------------------------------------- */

static bool is_one_of(const char *name, size_t length, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (length == strlen(names[i]) && memcmp(name, names[i], length) == 0)
            return true;
    return false;
}

/* May a command with this word in it run what an option -c is given? All shells have "sh" in their
 * names. Options are no programs (-shared). */
static bool takes_code(const char *word, size_t length)
{
    static const char *const names[] = {
        "python", "pypy",    "perl",   "ruby",    "node",   "php",  "lua",      "su",     "runuser",
        "script", "flock",   "sg",     "busybox", "toybox", "git",  "hg",       "psql",   "sqlite",
        "mysql",  "mariadb", "vi",     "vim",     "nvim",   "ex",   "emacs",    "expect", "gdb",
        "nu",     "rc",      "es",     "npx",     "npm",    "pnpm", "yarn",     "nix",    "docker",
        "podman", "tmux",    "screen", "wsl",     "cmd",    "kak",  "osascript"};
    const char *slash = length > 0 ? memrchr(word, '/', length) : NULL;
    if (length == 0 || word[0] == '-')
        return false;
    if (slash != NULL) {
        length -= (size_t)(slash + 1 - word);
        word = slash + 1;
    }
    while (length > 0 && strchr("0123456789.-", word[length - 1]) != NULL)
        length--;
    return memmem(word, length, "sh", 2) != NULL || is_one_of(word, length, names, COUNT(names));
}

/* A program that the system did not bring may be a copy of any, whatever its name. */
static bool is_foreign(const char *program, size_t length)
{
    static const char *const places[] = {"/usr/", "/bin/", "/sbin/", "/opt/"};
    const struct view view = {program, length};
    if (memchr(program, '/', length) == NULL)
        return false;
    for (size_t i = 0; i < COUNT(places); i++)
        if (mask_begins(&view, 0, places[i]))
            return false;
    return true;
}

/* -c, -lc, however it is quoted. */
static bool is_code_option(const char *word, size_t length)
{
    while (length > 0 && strchr("'\"\\$", *word) != NULL)
        word++, length--;
    while (length > 0 && strchr("'\"", word[length - 1]) != NULL)
        length--;
    return length > 1 && word[0] == '-' && word[1] != '-' && word[length - 1] == 'c';
}

/* ---- words of an argv ------------------------------------------------------------------------ */

void mask_note_program(struct mask_words *words)
{
    const char *word = words->words[words->next], *slash = strrchr(word, '/');
    const char *name = slash != NULL ? slash + 1 : word;
    size_t length = strlen(word);
    words->runs |= reading_runs(name, strlen(name));
    words->takes |= takes_code(word, length) || (words->next == 0 && is_foreign(word, length));
    words->code = word[0] == '-' && (words->code || is_code_option(word, length));
}

bool mask_word_is_script(const struct mask_words *words)
{
    return words->runs || (words->takes && words->code);
}

/* ---- words in a text ------------------------------------------------------------------------- */

/* The words in front of a place, the last one first, up to where their command begins. */
struct words {
    const struct view *view;
    size_t least;   /* nothing in front of it is looked at */
    bool cut;       /* because it is too far away */
    bool lines;     /* a newline ends a command: so it does for a shell, but not in YAML */
    size_t at, end; /* the word */
};

static bool ends_command(const struct words *words, size_t at)
{
    const char *text = words->view->text;
    if (text[at] == '\n')
        return words->lines && (at == 0 || text[at - 1] != '\\');
    return strchr(";|&(", text[at]) != NULL && text[at] != '\0';
}

static size_t word_start(const struct words *words, size_t at)
{
    while (at > words->least && !isspace((unsigned char)words->view->text[at - 1]) &&
           !ends_command(words, at - 1))
        at--;
    return at;
}

/* Goes to the word in front; false when the command begins here. */
static bool word_before(struct words *words)
{
    const char *text = words->view->text;
    words->end = words->at;
    while (words->end > words->least && isspace((unsigned char)text[words->end - 1]) &&
           !ends_command(words, words->end - 1)) {
        words->end--;
        if (text[words->end] == '\n' && words->end > words->least && text[words->end - 1] == '\\')
            words->end--;
    }
    words->at = word_start(words, words->end);
    return words->at < words->end;
}

/* Is it read as it is written, so that it is known what it is? */
static bool is_plain(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)word[i]) &&
            (word[i] == '\0' || strchr("_-./=:,@%+~#^!", word[i]) == NULL))
            return false;
    return true;
}

/* Is the command's first word perhaps not the one that was found: behind ">|", "2>&" or "\;", or
 * too far away? */
static bool is_odd(const struct words *words)
{
    const char *text = words->view->text;
    if (words->end == words->least)
        return words->cut;
    return words->end > words->least + 1 && strchr("<>\\", text[words->end - 2]) != NULL;
}

/* Behind an option -c: does the command perhaps run what it is given? */
static bool runs_option(struct words *words)
{
    const char *program = NULL, *text = words->view->text;
    size_t length = 0;
    while (word_before(words)) {
        const char *word = text + words->at;
        size_t width = words->end - words->at;
        if (!is_plain(word, width) || takes_code(word, width))
            return true;
        if (memchr(word, '=', width) == NULL) {
            program = word;
            length = width;
        }
    }
    return program == NULL || is_odd(words) || is_foreign(program, length);
}

/* Those in front of the word that a place is in: in the same quote, or in front of the one that
 * begins in this word. */
static struct words words_in_front(const struct reading *reading, size_t at)
{
    const char *text = reading->view->text;
    size_t begin = reading->depth > 0 ? reading->opened[0] : at;
    struct words words = {.view = reading->view, .least = at > BACK_MAX ? at - BACK_MAX : 0};
    while (at > words.least && at > begin && !isspace((unsigned char)text[at - 1]))
        at--;
    if (at <= begin)
        begin = 0;
    words.cut = words.least > begin;
    words.least = words.cut ? words.least : begin;
    words.lines = reading->kind == READING_COMMAND && begin == 0;
    words.at = begin == 0 ? word_start(&words, at) : at;
    return words;
}

bool mask_is_script(const struct reading *reading, size_t at)
{
    struct words words = words_in_front(reading, at);
    if (words.cut && words.at == words.least) /* an option is no word of this length */
        return false;
    while (word_before(&words)) {
        const char *word = reading->view->text + words.at;
        size_t length = words.end - words.at;
        if (reading_runs(word, length))
            return true;
        if (is_code_option(word, length))
            return runs_option(&words);
        if (word[0] != '-')
            return false;
    }
    return words.cut && words.end == words.least;
}
