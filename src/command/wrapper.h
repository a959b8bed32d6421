/* SPDX-License-Identifier: MIT */
/*
 * wrapper: programs that run another program (sudo, env, timeout, xargs …), and where in their
 * words it begins. For whoever warns: looking through a wrapper never serves to allow.
 */
#ifndef ASSENT_COMMAND_WRAPPER_H
#define ASSENT_COMMAND_WRAPPER_H

#include <stdbool.h>
#include <stddef.h>

/* The last part of a path. Borrowed. */
const char *wrapper_basename(const char *path);

/* Index of the first word of what is run in the end: assignments in front (X=1 make) and wrappers
 * are passed over. `count` when nothing is run. */
size_t wrapper_skip(const char *const *words, size_t count);

/* Is words[0] of `count` > 0 words one that gives root's or another user's rights? */
bool wrapper_raises(const char *const *words, size_t count);

/* The first word after the program that is no option; git's -C DIR and -c NAME=VALUE are passed
 * over. "" when there is none. */
const char *wrapper_subcommand(const char *const *words, size_t count);

/* Is one of these options among the words after the program? `options` is separated by spaces:
 * "-f" (also found in "-rf"), "--force" (also "--force=x"), "-delete" (exactly), "--" (exactly).
 * What follows "--" is not an option. */
bool wrapper_has_option(const char *const *words, size_t count, const char *options);

#endif
