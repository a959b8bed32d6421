/* SPDX-License-Identifier: MIT */
/* Options that take a password of one program, and mean something else to others. */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "command/wrapper.h"
#include "risk/mask-int.h"

/* How far back a command's program is looked for: little enough for each option. */
enum { COMMAND_MAX = 256 };

enum {
    GLUED = 1, /* -pSECRET, -p=SECRET */
    APART = 2, /* -p SECRET */
    USER = 4,  /* only with a colon in it: NAME:PASSWORD */
};

static const struct program_option {
    const char *program; /* its name begins so */
    const char *verb;    /* and has this word behind it; NULL: any */
    const char *option;
    unsigned how;
    const char *flags; /* that may stand in front of its letter, in the same word */
} options[] = {
    {"mysql", NULL, "-p", GLUED, ""},
    {"mariadb", NULL, "-p", GLUED, ""},
    {"docker", "login", "-p", GLUED | APART, ""},
    {"podman", "login", "-p", GLUED | APART, ""},
    {"openssl", NULL, "-k", APART, ""},
    {"openssl", NULL, "pass:", GLUED, ""},
    {"redis-cli", NULL, "-a", APART, ""},
    {"zip", NULL, "-P", GLUED | APART, ""},
    {"unzip", NULL, "-P", GLUED | APART, ""},
    {"curl", NULL, "-u", GLUED | APART | USER, "0123456#BGILNORSZafgijklnpqsv"},
    {"curl", NULL, "-U", GLUED | APART | USER, "0123456#BGIKLNORSZafgijklnpqsv"},
};

/* How much of a word is the option; 0: none of it. */
static size_t option_width(const struct program_option *option, const char *word, size_t length)
{
    size_t width = strlen(option->option), flags = 0;
    if (*option->flags != '\0' && length > 0 && word[0] == '-')
        while (1 + flags < length && strchr(option->flags, word[1 + flags]) != NULL)
            flags++;
    bool fits = length >= width + flags && word[0] == option->option[0] &&
                memcmp(word + 1 + flags, option->option + 1, width - 1) == 0;
    return fits ? width + flags : 0;
}

/* ---- in a text ------------------------------------------------------------------------------- */

/* Where the command begins that is read backwards from a place, quotes as a whole. */
static size_t command_start(const struct view *view, size_t at)
{
    size_t least = at > COMMAND_MAX ? at - COMMAND_MAX : 0;
    while (at > least && strchr("\n\r;|&()<>", view->text[at - 1]) == NULL) {
        char character = view->text[--at];
        const char *other = character == '\'' || character == '"'
                                ? memrchr(view->text + least, character, at - least)
                                : NULL;
        if (other != NULL)
            at = (size_t)(other - view->text);
    }
    return at;
}

/* Behind the name of a program, or of a verb; 0 when it is not there. */
static size_t behind_name(const struct view *view, size_t from, size_t end, const char *name)
{
    const char *found;
    while (from < end &&
           (found = memmem(view->text + from, end - from, name, strlen(name))) != NULL) {
        size_t at = (size_t)(found - view->text);
        from = at + strlen(name);
        if (mask_at_name(view, at))
            return from;
    }
    return 0;
}

/* Is it given to that program, in a command that begins at `start`? */
static bool is_of_program(const struct program_option *option, const struct view *view,
                          size_t start, size_t at)
{
    size_t behind = behind_name(view, start, at, option->program);
    return behind > 0 && (option->verb == NULL || behind_name(view, behind, at, option->verb) > 0);
}

static bool is_blank(char character)
{
    return character == ' ' || character == '\t';
}

/* Where the value of the option begins that stands there; `at` when there is none. */
static size_t value_start(const struct program_option *option, const struct view *view, size_t at)
{
    size_t end = at + option_width(option, view->text + at, view->length - at);
    if (end == at || end >= view->length)
        return at;
    bool apart = is_blank(view->text[end]);
    if ((option->how & (apart ? APART : GLUED)) == 0)
        return at;
    while (end < view->length && (is_blank(view->text[end]) || view->text[end] == '='))
        end++;
    return end;
}

size_t mask_option_end(const struct view *view, size_t at, bool *user)
{
    size_t start = at; /* not looked for yet */
    if (at == 0 || strchr(" \t\"'", view->text[at - 1]) == NULL)
        return at;
    for (size_t i = 0; i < COUNT(options); i++) {
        size_t end = value_start(&options[i], view, at);
        if (end > at && start == at)
            start = command_start(view, at);
        if (end == at || !is_of_program(&options[i], view, start, at))
            continue;
        *user = (options[i].how & USER) != 0;
        return end;
    }
    return at;
}

/* ---- among words ----------------------------------------------------------------------------- */

void mask_note_option(struct mask_words *words)
{
    const char *word = words->words[words->next], *name = wrapper_basename(word);
    for (size_t i = 0; i < COUNT(options); i++) {
        const struct program_option *option = &options[i];
        if ((words->programs & 1U << i) == 0)
            words->programs |=
                strncmp(name, option->program, strlen(option->program)) == 0 ? 1U << i : 0;
        else if (option->verb != NULL && strcmp(word, option->verb) == 0)
            words->verbs |= 1U << i;
    }
}

static bool is_named(const struct mask_words *words, size_t option)
{
    unsigned named = options[option].verb != NULL ? words->verbs : words->programs;
    return (named & 1U << option) != 0;
}

bool mask_is_option_value(const struct mask_words *words)
{
    const char *word = words->words[words->next], *before = words->words[words->next - 1];
    for (size_t i = 0; i < COUNT(options); i++) {
        const struct program_option *option = &options[i];
        size_t width = option_width(option, word, strlen(word));
        bool glued = (option->how & GLUED) != 0 && width > 0 && word[width] != '\0';
        bool apart = (option->how & APART) != 0 && *before != '\0' &&
                     option_width(option, before, strlen(before)) == strlen(before);
        if ((glued || apart) && is_named(words, i) &&
            ((option->how & USER) == 0 || strchr(word, ':') != NULL))
            return true;
    }
    return false;
}
