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

#endif
