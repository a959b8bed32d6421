/* SPDX-License-Identifier: MIT */
/* approval_content_int: how approval_content.c, approval_reach.c and approval_missing.c add fields.
 * Private to the three. */
#ifndef ASSENT_UI_APPROVAL_CONTENT_INT_H
#define ASSENT_UI_APPROVAL_CONTENT_INT_H

#include "ui/approval_content.h"

/* Takes the text over; `label` is static. One more than there is room for is dropped. */
void approval_content_add(struct approval_content *content, const char *label,
                          enum theme_element element, char *text);
/* The one that was added last. */
struct approval_field *approval_content_last(struct approval_content *content);
/* Our own words, which may quote what is not ours; NULL and "" add nothing. */
void approval_content_add_words(struct approval_content *content, const char *label,
                                const char *text);

/* Which answers are missing, and why. */
void approval_content_add_missing(struct approval_content *content, const struct call *call,
                                  const struct approval_keys *keys);

/* Where a command wants to connect to, and how many connections wait for that. */
void approval_content_add_reach(struct approval_content *content, const struct call *call);
/* How many those are by now; false: as many as before. */
bool approval_content_follow_waiting(struct approval_content *content, const struct call *call);

#endif
