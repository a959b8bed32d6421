/* SPDX-License-Identifier: MIT */
/* shell_script: shell scripts by chance, as agents write them and as somebody might who wants to
 * be misunderstood. The same seed gives the same script. */
#ifndef ASSENT_FUZZ_SHELL_SCRIPT_H
#define ASSENT_FUZZ_SHELL_SCRIPT_H

#include <stdint.h>

#include "base/strbuf.h"

struct shell_chance {
    uint64_t state;
};

/* 0 … limit - 1; limit > 0. */
unsigned shell_chance_below(struct shell_chance *chance, unsigned limit);

/* A script by the grammar. `directory` is an absolute path that it may change to. */
void shell_script_make(struct shell_chance *chance, const char *directory, struct strbuf *out);
/* Changes a few bytes of a script. */
void shell_script_mutate(struct shell_chance *chance, struct strbuf *script);

#endif
