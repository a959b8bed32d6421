/* SPDX-License-Identifier: MIT */
/*
 * names: which names a directory does not have. To list it once costs less than to ask for dozens
 * of names that are hardly ever there.
 */
#ifndef ASSENT_SANDBOX_NAMES_H
#define ASSENT_SANDBOX_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { NAMES_WORDS = 32 };

/* A Bloom filter with one hash. All bits are set where nothing is known. */
struct names {
    uint64_t bits[NAMES_WORDS];
};

/* Lists `directory`, without following a link at its end. What can not be listed, or has too many
 * entries for this to pay, may have any name. */
void names_read(struct names *names, const char *directory);
/* False when the directory had no such name when it was listed. */
bool names_may_have(const struct names *names, const char *name);

#endif
