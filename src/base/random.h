/* SPDX-License-Identifier: MIT */
/* random: bytes that nobody can guess. */
#ifndef ASSENT_BASE_RANDOM_H
#define ASSENT_BASE_RANDOM_H

#include <stddef.h>

/* Never fails: without them nothing that needs them may go on. */
void random_fill(void *bytes, size_t length);

#endif
