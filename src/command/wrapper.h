/* SPDX-License-Identifier: MIT */
/*
 * wrapper: programs that run another program (sudo, env, timeout, xargs …), and where in their
 * words it begins; options in front of a subcommand (git -C DIR status). For whoever warns, asks
 * or takes a prefix to offer: looking through a wrapper never serves to allow.
 */
#ifndef ASSENT_COMMAND_WRAPPER_H
#define ASSENT_COMMAND_WRAPPER_H

#include <stdbool.h>
#include <stddef.h>

/* The last part of a path. Borrowed. */
const char *wrapper_basename(const char *path);

/* Is it a shell, by its basename? */
bool wrapper_is_shell(const char *program);

/* Index of the first word of what is run in the end: assignments in front (X=1 make) and wrappers
 * are passed over, but for those that hand their operands to a shell. `count` when nothing is
 * run. */
size_t wrapper_skip(const char *const *words, size_t count);

/* Is words[0] of `count` > 0 words one that gives root's or another user's rights? */
bool wrapper_raises(const char *const *words, size_t count);

/* May these words' wrappers go to another directory first (env -C, sudo -D), another root or
 * another host? */
bool wrapper_moves(const char *const *words, size_t count);

/* What a shell reads as a script when these words are run: SCRIPT of `bash -c SCRIPT`, `su -c`,
 * `env -S`, and what follows `eval`, `watch`, `ssh HOST`, also behind wrappers. Stores the index of
 * the (first) word that holds it. NULL when there is none. Caller frees. */
char *wrapper_script(const char *const *words, size_t count, size_t *index);

/* The first word after the program that is no option, nor the value of one that stands in front
 * of the subcommand (git's -C DIR, pnpm's --filter NAME). "" when there is none. */
const char *wrapper_subcommand(const char *const *words, size_t count);

/* Index of that word; `count` when there is none. */
size_t wrapper_subcommand_index(const char *const *words, size_t count);
/* Is it a program of which that word says what it does (git, npm, docker …)? */
bool wrapper_has_subcommands(const char *program);

/* The words without wrappers, and without options between program and subcommand:
 * `env X=1 git -C d status -s` becomes `git status -s`. NULL when nothing is run. The array is the
 * caller's (free()), the words stay where they are. */
const char **wrapper_core(const char *const *words, size_t count);

/* Is one of these options among the words after the program? `options` is separated by spaces:
 * "-f" (also found in "-rf"), "--force" (also "--force=x"), "-delete" (exactly), "--" (exactly).
 * What follows "--" is not an option. */
bool wrapper_has_option(const char *const *words, size_t count, const char *options);

#endif
