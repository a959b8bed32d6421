/* SPDX-License-Identifier: MIT */
/* line_diff: what changes between two texts, as the unified diff that people know. */
#ifndef ASSENT_BASE_LINE_DIFF_H
#define ASSENT_BASE_LINE_DIFF_H

#include <stddef.h>

#include "base/strbuf.h"

/* Appends the hunks (@@ …) that turn `before` into `after`, with three lines around each; nothing
 * when they are equal. Where texts of thousands of lines differ everywhere, what lies between the
 * first and the last difference is one hunk. */
void line_diff_add(struct strbuf *out, const char *before, const char *after);

#endif
