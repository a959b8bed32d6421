/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/glob.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"

#define WORD_MAX 512

bool glob_expands(const char *word)
{
    return strpbrk(word, "*?[") != NULL;
}

/* One place of the word: how long it is there, and which characters it stands for. */
struct piece {
    size_t length;
    bool any, many; /* any character of a name; so many of them as one likes */
};

static struct piece piece_at(const char *word)
{
    const char *end = *word == '[' && word[1] != '\0' ? strchr(word + 2, ']') : NULL;
    if (end != NULL && memchr(word, '/', (size_t)(end - word)) == NULL)
        return (struct piece){.length = (size_t)(end - word) + 1, .any = true};
    return (struct piece){.length = 1, .any = *word == '*' || *word == '?', .many = *word == '*'};
}

/* Where in the word one may be when so much of the pattern is used up; `inside`: behind what a * of
 * the word has taken already. */
struct places {
    bool before[WORD_MAX], inside[WORD_MAX];
};

/* May that place of the word, begun or not, stand for the character that the pattern wants, or (0)
 * for any, across names or not? */
static bool takes(const char *word, size_t at, bool begun, char wanted, bool across)
{
    struct piece piece = piece_at(word + at);
    bool starts = !begun && (at == 0 || word[at - 1] == '/');
    if (!piece.any)
        return wanted != '\0' ? word[at] == wanted : across || word[at] != '/';
    return wanted != '/' && !(starts && wanted == '.');
}

/* One character more at that place: on to the next, or on within a *. */
static void step(const char *word, size_t at, struct places *next)
{
    struct piece piece = piece_at(word + at);
    if (piece.many)
        next->inside[at] = true;
    else
        next->before[at + piece.length] = true;
}

/* One character of the pattern against all places. A * of it stays at each place that it reaches,
 * and that of the word may be over anywhere. */
static void advance(const char *pattern, bool across, const char *word, size_t length,
                    struct places *now, struct places *next)
{
    bool star = *pattern == '*';
    for (size_t at = 0; at <= length; at++)
        for (int begun = 0; begun < 2; begun++) {
            if (!(begun ? now->inside[at] : now->before[at]))
                continue;
            if (at < length && piece_at(word + at).many)
                now->before[at + 1] = true;
            if (star)
                *(begun ? &next->inside[at] : &next->before[at]) = true;
            if (at < length && takes(word, at, begun, star ? '\0' : *pattern, across))
                step(word, at, star ? now : next);
        }
}

static void clear(struct places *places, size_t length)
{
    memset(places->before, 0, length + 1);
    memset(places->inside, 0, length + 1);
}

/* Do they differ before either leaves anything open? */
static bool begins_otherwise(const char *pattern, const char *word)
{
    while (*pattern != '\0' && strchr("*?[", *word) == NULL && *pattern != '*' && *pattern == *word)
        pattern++, word++;
    return *pattern != '*' && (*word == '\0' || strchr("*?[", *word) == NULL) && *pattern != *word;
}

bool glob_meets(const char *pattern, const char *word)
{
    struct places both[2];
    size_t length = strlen(word), turn = 0;
    const char *first = pattern;
    if (length >= WORD_MAX || begins_otherwise(pattern, word))
        return false;
    clear(&both[0], length);
    both[0].before[0] = true;
    for (; *pattern != '\0'; pattern++, turn ^= 1) {
        bool across = pattern == first || pattern[1] == '\0';
        clear(&both[turn ^ 1], length);
        advance(pattern, across, word, length, &both[turn], &both[turn ^ 1]);
    }
    while (length > 0 && word[length - 1] == '*' && !both[turn].before[length] &&
           !both[turn].inside[length])
        length--;
    return both[turn].before[length] || both[turn].inside[length];
}

/* ---- braces ---------------------------------------------------------------------------------- */

/* The } of the first braces that hold a comma; *open is where they begin. NULL: there are none. */
static const char *find_braces(const char *word, const char **open)
{
    for (*open = strchr(word, '{'); *open != NULL; *open = strchr(*open + 1, '{')) {
        size_t depth = 0;
        bool comma = false;
        for (const char *at = *open; *at != '\0'; at++) {
            depth += *at == '{';
            comma = comma || (*at == ',' && depth == 1);
            if (*at == '}' && --depth == 0) {
                if (comma)
                    return at;
                break;
            }
        }
    }
    return NULL;
}

bool glob_each(const char *word, unsigned *left, void (*found)(void *argument, const char *word),
               void *argument)
{
    const char *open, *close = find_braces(word, &open);
    if (*left == 0)
        return false;
    if (close == NULL) {
        --*left;
        found(argument, word);
        return true;
    }
    size_t depth = 0;
    const char *start = open + 1;
    for (const char *at = start; at <= close; at++) {
        if ((*at == ',' && depth == 0) || at == close) {
            cleanup_free char *one = xasprintf("%.*s%.*s%s", (int)(open - word), word,
                                               (int)(at - start), start, close + 1);
            if (!glob_each(one, left, found, argument))
                return false;
            start = at + 1;
        }
        depth += *at == '{';
        depth -= *at == '}' && depth > 0;
    }
    return true;
}
