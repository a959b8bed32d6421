/* SPDX-License-Identifier: MIT */
/*
 * environment: which variables a call may bring along without changing what its command does.
 *
 * Variables can make any program run other code (LD_PRELOAD, BASH_ENV, GIT_CONFIG_COUNT, an
 * exported shell function), so the list is one of names *and* values, and short.
 */
#ifndef ASSENT_COMMAND_ENVIRONMENT_H
#define ASSENT_COMMAND_ENVIRONMENT_H

#include <stdbool.h>

/* `assignment` is NAME=VALUE. */
bool environment_is_harmless(const char *assignment);
/* All of them; true for none. NULL-terminated, may be NULL. */
bool environment_all_harmless(const char *const *assignments);

#endif
