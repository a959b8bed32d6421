/* SPDX-License-Identifier: MIT */
/* git_harmless: which part of a git configuration makes git do nothing but keep its books. */
#ifndef ASSENT_SANDBOX_GIT_HARMLESS_H
#define ASSENT_SANDBOX_GIT_HARMLESS_H

#include <stdbool.h>
#include <stddef.h>

/* Of which git directory it is the configuration, and the writable root that it lies in. */
struct git_harmless_place {
    const char *directory, *root;
};

/* Copies those lines of a configuration that are known to run nothing and to lead nowhere else.
 * From the first line on that is not of the simplest form nothing is copied. The caller frees;
 * `*all`: is that the whole of it but for comments? `place`: NULL where it may name no working
 * tree. */
char *git_harmless_copy(const struct git_harmless_place *place, const char *text, size_t length,
                        bool *all);
/* What of a configuration that was `known` became `text`: lines that were in it, below the same
 * section, and such as above. All of what was known where a line is not of the simplest form. The
 * caller frees; `*all`: is nothing missing but names of sections without variables? */
char *git_harmless_change(const char *known, const char *text, size_t length, bool *all);

#endif
