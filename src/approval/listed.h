/* SPDX-License-Identifier: MIT */
/* listed: placeholders of the sandbox (sandbox/placeholder.h) in what a command has printed. Names
 * are joined by "/", as the helper tells them. */
#ifndef ASSENT_APPROVAL_LISTED_H
#define ASSENT_APPROVAL_LISTED_H

#include <stddef.h>

/* Those of `names` that a listing in `output` shows, joined in the same way; NULL: there is no
 * listing. Caller frees. */
char *listed_names(const char *names, const char *output, size_t length);
/* ".claude, .envrc and 3 more": of `count` names, of which `names` are the first, at most `shown`.
 * Translated, not escaped. Caller frees. */
char *listed_words(const char *names, unsigned count, unsigned shown);

#endif
