/* SPDX-License-Identifier: MIT */
/* edited: what a call's result says of a command that the operator has changed. */
#ifndef ASSENT_AGENTS_EDITED_H
#define ASSENT_AGENTS_EDITED_H

#include <jansson.h>

/* The changed command as one shell line, NULL when it was not changed; the caller frees. Not
 * escaped. */
char *edited_command(const json_t *result);
/* What ran at first, where that is neither this nor what was asked for: "the operator changed the
 * command to" that is to be said before. NULL: it is not so. Belongs to the result; not escaped. */
const char *edited_first(const json_t *result);
/* What to say before that command and a colon: an agent whose command has run once must not take
 * what is no part of the second try for undone. Static, for _(); ends without one. */
const char *edited_words(const json_t *result);

#endif
