/* SPDX-License-Identifier: MIT */
/* shorten: a text of ours that has fewer rows than it needs keeps both ends of the path in it. */
#ifndef ASSENT_UI_SHORTEN_H
#define ASSENT_UI_SHORTEN_H

#include <stddef.h>

/* The text (made safe) with its longest path cut in the middle, so that it fits into so many rows
 * when broken as WRAP_WORDS, or else all up to the end of the path does. The last row has `spare`
 * columns less. NULL: it has no path, or that helps nothing. Caller frees. */
char *shorten_path(const char *text, size_t columns, size_t rows, size_t spare);

#endif
