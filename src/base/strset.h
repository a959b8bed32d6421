/* SPDX-License-Identifier: MIT */
/* strset: a set of strings (tsearch(3)), for lists that nobody bounds. */
#ifndef ASSENT_BASE_STRSET_H
#define ASSENT_BASE_STRSET_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is an empty set. */
struct strset {
    void *root;
};

/* Adds the first `length` bytes of the text, which are copied. False when they were in it. */
bool strset_add(struct strset *set, const char *text, size_t length);
bool strset_has(const struct strset *set, const char *text);
void strset_remove(struct strset *set, const char *text);
/* Frees the strings; the set is empty then. */
void strset_clear(struct strset *set);

#endif
