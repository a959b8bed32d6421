/* SPDX-License-Identifier: MIT */
/*
 * push_line: the push among other commands of a script (`git commit -m x && git push`), where what
 * runs before it leaves open neither from where it goes nor to where.
 *
 * What builds and tests the project may do anything, pushes of its own included; that it runs such
 * code is told of it. What is meant to lead a push elsewhere (cd, git config, git remote, git
 * switch, export, scripts by name) is not looked through.
 */
#ifndef ASSENT_RISK_PUSH_LINE_H
#define ASSENT_RISK_PUSH_LINE_H

#include <stdbool.h>

/* The words of the only `git push` of the script, and in `*directory` where it runs, of a script
 * that runs in `cwd`; NULL: there is none, or more, or it cannot be said. Free both. `*why` is why
 * it cannot be said which commits there are when it runs, a phrase of N_(), static; NULL: those
 * that are there now. */
char **push_line_find(const char *script, const char *cwd, char **directory, const char **why);

/* Can the script end well although its only push failed: is there something behind that, and not
 * only after "&&"? One that is but tried (--dry-run) sends nothing, and does not fail. */
bool push_line_hides(const char *script);

#endif
