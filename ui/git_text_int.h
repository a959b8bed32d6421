/* SPDX-License-Identifier: MIT */
/* git_text_int: what the files of git_text share. Private to them. */
#ifndef ASSENT_UI_GIT_TEXT_INT_H
#define ASSENT_UI_GIT_TEXT_INT_H

#include "base/strbuf.h"
#include "ui/git_text.h"

/* How many whole lines; of NULL none. */
unsigned git_text_count(const char *lines);
/* "3 commits", or "more than 100 commits": of more lines than are told there is one more. The
 * caller frees. */
char *git_text_counted(enum git_loss_kind kind, unsigned count);
/* That it is not known, and why, as git said it (NULL: it took too long; "": it said nothing). Safe
 * to show; the caller frees. */
char *git_text_untold(const char *why);
/* ": LINE; LINE; …", made safe, at most so many of them. */
void git_text_add_lines(struct strbuf *row, const char *lines, unsigned most);

#endif
