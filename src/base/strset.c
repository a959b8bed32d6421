/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/strset.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static int compare(const void *left, const void *right)
{
    return strcmp(left, right);
}

bool strset_add(struct strset *set, const char *text, size_t length)
{
    char *copy = xstrndup(text, length);
    char *const *found = tsearch(copy, &set->root, compare);
    if (found == NULL)
        abort(); /* out of memory, as with alloc.h */
    if (*found == copy)
        return true;
    free(copy);
    return false;
}

bool strset_has(const struct strset *set, const char *text)
{
    return tfind(text, &set->root, compare) != NULL;
}

void strset_remove(struct strset *set, const char *text)
{
    char *const *found = tfind(text, &set->root, compare);
    if (found == NULL)
        return;
    char *copy = *found;
    tdelete(copy, &set->root, compare);
    free(copy);
}

void strset_clear(struct strset *set)
{
    while (set->root != NULL) {
        char *text = *(char **)set->root;
        tdelete(text, &set->root, compare);
        free(text);
    }
}
