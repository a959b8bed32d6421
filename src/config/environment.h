/* SPDX-License-Identifier: MIT */
/* environment: what commands get as their environment, a fixed choice of the console's own. */
#ifndef ASSENT_CONFIG_ENVIRONMENT_H
#define ASSENT_CONFIG_ENVIRONMENT_H

#include "config/options.h"

/* Those variables of `environment` (NAME=VALUE) that OPTION_ENVIRONMENT_PASS lets through, then
 * those of OPTION_ENVIRONMENT_SET, which replace. A pattern that only a `*` made match never passes
 * a variable that changes how programs start (LD_*, BASH_ENV …) or looks like a secret (its name
 * holds KEY, TOKEN, SECRET or PASS): such a variable must be named in full. NULL-terminated; the
 * caller frees with strv_free(). */
char **environment_build(const struct options *options, const char *const *environment);

#endif
