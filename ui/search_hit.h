/* SPDX-License-Identifier: MIT */
/* search_hit: which of all places where a text stands was come to. */
#ifndef ASSENT_UI_SEARCH_HIT_H
#define ASSENT_UI_SEARCH_HIT_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/theme.h"

struct search_hit {
    size_t number; /* from 1, in the order of the text */
    size_t count;
    bool round; /* there was none left on the way, and it went on from the other end */
};

/* "3 of 12", "3 of 12, round the end"; caller frees. */
char *search_hit_text(const struct search_hit *hit);
enum theme_element search_hit_element(const struct search_hit *hit);

#endif
