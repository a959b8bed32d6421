/* SPDX-License-Identifier: MIT */
/*
 * effects: what programs do to the world, one line each. Data for the local assessor: a program
 * with a subcommand and options, the level and categories of what it then does, and a phrase that
 * says so ("deletes files").
 */
#ifndef ASSENT_RISK_EFFECTS_H
#define ASSENT_RISK_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "risk/assessment.h"

enum effect_place {
    EFFECT_ANYWHERE,
    EFFECT_WRITES_OPERANDS, /* worse when an operand lies outside the workspace */
    EFFECT_READS_OPERANDS,  /* worse when an operand is a secret */
    EFFECT_CONNECTS,        /* harmless when it only reaches this machine */
};

struct effect {
    const char *program;
    const char *subcommand; /* NULL: any */
    const char *options;    /* space separated, one of them must be there; NULL: none needed */
    enum risk_level level;
    unsigned categories;
    enum effect_place place;
    const char *phrase; /* follows "It "; marked for translation */
};

/* The line that fits best: one with subcommand or options before one without, the higher level
 * among equals. NULL for a program that is not listed. */
const struct effect *effects_find(const char *const *words, size_t count);

/* Is `path` where secrets are kept (~/.ssh, .env, *.pem …)? As written, not resolved. */
bool effects_is_secret(const char *path);
/* Does `path` belong to the system or to what runs at log-in, so that a change of it reaches
 * beyond the project? */
bool effects_is_system(const char *path);

#endif
