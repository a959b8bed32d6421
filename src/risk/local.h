/* SPDX-License-Identifier: MIT */
/* local: the built-in assessor; assessment.h is its door. */
#ifndef ASSENT_RISK_LOCAL_H
#define ASSENT_RISK_LOCAL_H

#include <stddef.h>

#include "risk/assessment.h"

/* Reads the line and fills in level, categories, evidence and clauses. Paths are looked at as they
 * are written. */
void local_assess(const char *line, size_t length, const char *cwd,
                  const char *const *writable_roots, struct assessment *assessment);

/* The same for code of a language that code_language() (code.h) tells. */
void local_assess_code(char language, const char *code, size_t length, const char *cwd,
                       const char *const *writable_roots, struct assessment *assessment);

#endif
