/* SPDX-License-Identifier: MIT */
/* approval_words: what the answers to a request do, in words; the same on a screen and in lines. */
#ifndef ASSENT_UI_APPROVAL_WORDS_H
#define ASSENT_UI_APPROVAL_WORDS_H

#include "approval/grants.h"
#include "ui/approval_content.h"
#include "ui/keymap.h"

#define APPROVAL_WORDS_ALL 1000 /* columns that they fit into, all of them */

/* What that answer does, in fewer words where they do not fit into so many columns. `lease`: how
 * long "for this session" lasts; no other answer looks at it. Caller frees. */
char *approval_words_answer(const struct approval_content *content, enum action action,
                            const struct lease *lease, int columns);
/* Is the name that the path ends in whole in the answer that gives it, where that has the fewest
 * words in so many columns? */
bool approval_words_name_path(const struct approval_content *content, int columns);
/* Does that call end with this one when it is aborted, by an answer that ends none after `up_to`
 * (0: all); is it one that nobody has answered, of high risk? */
bool approval_words_ends_with(const struct call *call, const struct call *other, uint64_t up_to,
                              bool *grave);
/* The other calls that end with this one when it is aborted: their numbers, and who asked for them
 * and for what as far as that fits: "c10 (alice: curl x), c11 (bob: make); 1 of high risk".
 * `up_to`: as above. `ends`: how many are grave or of others (NULL: said elsewhere). NULL when
 * there are none. Caller frees. */
char *approval_words_ends(const struct orchestrator *orchestrator, const struct call *call,
                          uint64_t up_to, const struct approval_ends *ends, int columns);
/* What to say after such an answer, asked for before it is given: "c3 denied; ended: c4 (make a),
 * c6 and 2 more", in so many columns, with the commands that all the numbers leave room for;
 * `later`: so many calls of the same session have come since what ends was shown, and go on. NULL:
 * there is nothing but the denial. Caller frees. */
char *approval_words_ended(const struct orchestrator *orchestrator, const struct call *call,
                           uint64_t up_to, unsigned later, int columns);

#endif
