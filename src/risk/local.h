/* SPDX-License-Identifier: MIT */
/* local: the built-in assessor; assessment.h is its door. */
#ifndef ASSENT_RISK_LOCAL_H
#define ASSENT_RISK_LOCAL_H

#include <stdbool.h>
#include <stddef.h>

#include "risk/assessment.h"

#define LOCAL_PHRASES 2 /* an assessment's description has at most two sentences */

struct local_result {
    struct assessment *assessment;      /* level, categories and evidence are filled in */
    const char *phrases[LOCAL_PHRASES]; /* what it does, worst first; follow "It " */
    enum risk_level levels[LOCAL_PHRASES];
};

/* Reads the line and notes all that it does. Paths are looked at as written. */
void local_assess(const char *line, size_t length, const char *cwd,
                  const char *const *writable_roots, struct local_result *result);

#endif
