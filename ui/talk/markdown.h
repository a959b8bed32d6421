/* SPDX-License-Identifier: MIT */
/* markdown: the basics of Markdown as attributes of a terminal: headings, **strong**, `code`,
 * fenced code and lists. What it does not know is shown as it is. */
#ifndef ASSENT_UI_TALK_MARKDOWN_H
#define ASSENT_UI_TALK_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Zero it before the first line of a text. */
struct markdown {
    bool fenced;  /* between ``` and ``` */
    bool heading; /* of this line */
    bool strong, code;
};

/* Appends one row of text that was made safe, with attributes, all of them off again at its end.
 * A line may come in several rows; `first` says that a line begins. */
void markdown_row(struct markdown *state, const char *text, size_t length, bool first,
                  struct strbuf *out);

#endif
