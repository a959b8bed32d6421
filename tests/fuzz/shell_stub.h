/* SPDX-License-Identifier: MIT */
/* shell_stub: what the stand-in for programs and those who expect its records agree on. */
#ifndef ASSENT_FUZZ_SHELL_STUB_H
#define ASSENT_FUZZ_SHELL_STUB_H

#include <stdbool.h>
#include <string.h>

/* Under this name it takes its own name from its first operand. */
#define SHELL_STUB_NAMED "stub-named"

/* 0 or 1. Policy 0: all succeed, but for `false`; others: by name, as chance has it. */
static inline int shell_stub_status(const char *name, int policy)
{
    unsigned hash = 2166136261U ^ (unsigned)policy;
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return name[0] == 'f';
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619U;
    return policy == 0 ? 0 : (int)((hash ^ (hash >> 13)) >> 7 & 1);
}

#endif
