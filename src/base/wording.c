/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/wording.h"

#include <stdarg.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"

struct piece {
    char *text;
    char **quoted; /* for each %s of the text; NULL: the text is taken as it stands */
};

struct wording {
    struct strbuf english;
    struct piece *pieces;
    size_t count;
};

struct wording *wording_new(void)
{
    return XNEW(struct wording);
}

struct wording *wording_from(const char *words)
{
    struct wording *wording = wording_new();
    wording_add_words(wording, words);
    return wording;
}

void wording_free(struct wording **wording)
{
    struct wording *freed = steal_pointer(wording);
    if (freed == NULL)
        return;
    for (size_t i = 0; i < freed->count; i++) {
        free(freed->pieces[i].text);
        strv_free(&freed->pieces[i].quoted);
    }
    free(freed->pieces);
    strbuf_free(&freed->english);
    free(freed);
}

/* A translation with fewer places drops what has none, one with more leaves them empty. */
static void write_piece(struct strbuf *out, const char *text, char *const *quoted)
{
    const char *place;
    while (quoted != NULL && (place = strstr(text, "%s")) != NULL) {
        strbuf_add(out, text, (size_t)(place - text));
        if (*quoted != NULL)
            strbuf_addstr(out, *quoted++);
        text = place + 2;
    }
    strbuf_addstr(out, text);
}

/* Takes `quoted` over. */
static void add_piece(struct wording *wording, const char *text, char **quoted)
{
    wording->pieces = xreallocarray(wording->pieces, wording->count + 1, sizeof *wording->pieces);
    wording->pieces[wording->count++] = (struct piece){xstrdup(text), quoted};
    write_piece(&wording->english, text, quoted);
}

void wording_add(struct wording *wording, const char *text, ...)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, "%s")) != NULL; at += 2)
        count++;
    char **quoted = xcalloc(count + 1, sizeof *quoted);
    va_list arguments;
    va_start(arguments, text);
    for (size_t i = 0; i < count; i++)
        quoted[i] = xstrdup(va_arg(arguments, const char *));
    va_end(arguments);
    add_piece(wording, text, quoted);
}

void wording_add_words(struct wording *wording, const char *words)
{
    add_piece(wording, words, NULL);
}

void wording_append(struct wording *wording, const struct wording *more)
{
    for (size_t i = 0; i < more->count; i++) {
        const struct piece *piece = &more->pieces[i];
        add_piece(wording, piece->text, strv_copy((const char *const *)piece->quoted));
    }
}

struct wording *wording_copy(const struct wording *wording)
{
    if (wording == NULL)
        return NULL;
    struct wording *copy = wording_new();
    wording_append(copy, wording);
    return copy;
}

const char *wording_english(const struct wording *wording)
{
    return wording != NULL ? strbuf_str(&wording->english) : NULL;
}

char *wording_translate(const struct wording *wording, wording_translator *translator)
{
    if (wording == NULL)
        return NULL;
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < wording->count; i++) {
        const struct piece *piece = &wording->pieces[i];
        /* Of an empty text catalogues have the notice of who made them. */
        const char *text = *piece->text != '\0' ? translator(piece->text) : "";
        write_piece(&out, text, piece->quoted);
    }
    return strbuf_steal(&out);
}
