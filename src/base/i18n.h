/* SPDX-License-Identifier: MIT */
/*
 * i18n: words for the operator in the operator's language. Only the edges (console, command line)
 * translate; protocol, record and log stay in English.
 */
#ifndef ASSENT_BASE_I18N_H
#define ASSENT_BASE_I18N_H

#if ENABLE_NLS
#include <libintl.h>
#define _(text) gettext(text)
/* P_("%d call", "%d calls", count): the form that the language uses for that number. */
#define P_(singular, plural, count) ngettext(singular, plural, count)
/* C_("plain", "yes"): for a short word that other languages say differently there than elsewhere.
 */
#define C_(context, text) i18n_in_context(context "\004" text, text)
#else
#define _(text) (text)
#define C_(context, text) (text)
#define P_(singular, plural, count) ((count) == 1 ? (singular) : (plural))
#endif
/* Marks a text in a table for translation; whoever shows it calls _() on it. */
#define N_(text) text

/* Takes the locale from the environment and opens the catalogue. Once, first thing in main of a
 * program that shows translated text. Numbers keep the C form, so that what is written for
 * programs (JSON, configuration) never gets a decimal comma. */
void i18n_init(void);

/* For a terminal that has Latin letters alone: of a language written in others nothing could be
 * read, so messages stay in English. `sample` is any message, as translated. */
void i18n_for_latin(const char *sample);

/* For C_(). Borrowed. */
const char *i18n_in_context(const char *key, const char *text);

/* What the core said, in the operator's language; the caller frees. NULL for NULL. */
struct wording;
char *i18n_wording(const struct wording *wording);

#endif
