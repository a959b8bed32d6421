/* SPDX-License-Identifier: MIT */
/* text_tables: what Unicode says about characters, for the text_*.c files only. The tables are
 * sorted; text_tables.py writes them and says what is in each and why. */
#ifndef ASSENT_BASE_TEXT_TABLES_H
#define ASSENT_BASE_TEXT_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text_range {
    uint32_t first, last;
};

/* Combining marks that may be shown, with their canonical combining class. */
struct text_mark {
    uint32_t first, last;
    unsigned order;
};

/* A mark and a base that are the same as one precomposed character. */
struct text_pair {
    uint32_t mark, base;
};

extern const struct text_range text_wide[], text_zero[];
extern const size_t text_wide_count, text_zero_count;
/* Never shown as they are, whatever the flags. */
extern const struct text_range text_always[];
extern const size_t text_always_count;
/* Imitate punctuation that means something to a shell. */
extern const struct text_range text_lookalike[];
extern const size_t text_lookalike_count;
/* Letters: Latin; of scripts with letters that look Latin; styled forms of ASCII letters. */
extern const struct text_range text_latin[], text_foreign[], text_styled[];
extern const size_t text_latin_count, text_foreign_count, text_styled_count;
/* Characters that are the same as a base with a mark; they take no further mark. */
extern const struct text_range text_composed[];
extern const size_t text_composed_count;
extern const struct text_mark text_marks[];
extern const size_t text_marks_count;
extern const struct text_pair text_pairs[];
extern const size_t text_pairs_count;

/* Binary search; 7 to 10 steps. */
bool text_range_has(const struct text_range *ranges, size_t count, uint32_t codepoint);

#endif
