/* SPDX-License-Identifier: MIT */
/*
 * wording: a sentence of ours that still knows which of its words are ours and which are quoted.
 * The core makes it, in English; record and protocol take it as it is, and the edge that shows it
 * to the operator says our words in their language and leaves the quoted ones alone.
 */
#ifndef ASSENT_BASE_WORDING_H
#define ASSENT_BASE_WORDING_H

struct wording;

/* Gives a text of ours in another language, or the text itself. */
typedef const char *wording_translator(const char *text);

struct wording *wording_new(void);
/* A wording of one piece, see wording_add_words(). */
struct wording *wording_from(const char *words);
struct wording *wording_copy(const struct wording *wording); /* NULL stays NULL */
void wording_free(struct wording **wording);
#define cleanup_wording __attribute__((cleanup(wording_free)))

/* Adds a text of ours (mark it with N_) in which each %s stands for a quoted one; no other
 * conversion is known. Everything is copied. */
void wording_add(struct wording *wording, const char *text, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a text of ours that has no place for others; it may hold a '%'. */
void wording_add_words(struct wording *wording, const char *words);
void wording_append(struct wording *wording, const struct wording *more);

/* In English; owned by the wording, valid until it changes. NULL for NULL. May quote what is
 * hostile: not escaped. */
const char *wording_english(const struct wording *wording);
/* In another language (edges call i18n_wording()); the caller frees. NULL for NULL. Not escaped. */
char *wording_translate(const struct wording *wording, wording_translator *translator);

#endif
