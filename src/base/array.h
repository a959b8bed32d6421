/* SPDX-License-Identifier: MIT */
/* Arrays whose length the compiler knows, most of them lists of names. */
#ifndef ASSENT_BASE_ARRAY_H
#define ASSENT_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The number of elements; an array only, not a pointer. */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Whether name is one of the first count names, to the letter. None of them is NULL. */
static inline bool array_has(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* The same for an array of names. */
#define IS_IN(name, names) array_has((names), COUNT(names), (name))

#endif
