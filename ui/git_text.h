/* SPDX-License-Identifier: MIT */
/* git_text: which commits a push sends and takes away, and what other commands of git would take.
 */
#ifndef ASSENT_UI_GIT_TEXT_H
#define ASSENT_UI_GIT_TEXT_H

#include "approval/call.h"
#include "ui/document.h"

/* In one row: the first of those that are lost there, and of those that are sent, or why that is
 * not known. Safe to show, in part an agent's words; the caller frees. NULL: by its words nothing
 * is lost, or sent; git was not asked what is sent. */
char *git_text_lost_row(const struct call *call);
char *git_text_sent_row(const struct call *call);

/* Has git said something of the call, which stands on its request, or why it cannot? Before a yes
 * to that counts, git is asked once more: an agent can have it fail for a moment. */
bool git_text_was_told(const struct call *call);
/* … or has it not been asked yet: among many its turn can have been left out? */
bool git_text_may_tell(const struct call *call);

/* All of them, or how to see them where git was not asked or could not tell. */
void git_text_push_add(struct document *document, const struct call *call);

/* What a command that throws work away would take, or how to see that; *label says which
 * (translated). The same; NULL: it is none. */
char *git_text_losses_row(const struct call *call, const char **label);
/* All of it, and how to see more. */
void git_text_losses_add(struct document *document, const struct call *call);

#endif
