/* SPDX-License-Identifier: MIT */
/* approval_release: other requests that an answer would allow as well. */
#ifndef ASSENT_UI_APPROVAL_RELEASE_H
#define ASSENT_UI_APPROVAL_RELEASE_H

#include <stdbool.h>

#include "approval/orchestrator.h"
#include "base/strbuf.h"

#define APPROVAL_RELEASES_SHOWN 6

struct approval_release {
    uint64_t calls[APPROVAL_RELEASES_SHOWN]; /* the oldest */
    size_t count;                            /* of all */
};

/* What an answer "for this session" (`choice` NULL) or with that rule would allow beside it. */
struct approval_release approval_release_find(const struct orchestrator *orchestrator,
                                              uint64_t prompt, const struct rule_choice *choice);
/* Another number when other requests wait, or ask something else: what would be allowed beside it
 * is to be found anew then. */
uint64_t approval_release_mark(const struct orchestrator *orchestrator);
bool approval_release_equal(const struct approval_release *a, const struct approval_release *b);
/* Adds "a also allows c5, c6", with `key` for the answer; nothing when there is none. */
void approval_release_words(struct strbuf *out, const char *key,
                            const struct approval_release *release);

#endif
