/* SPDX-License-Identifier: MIT */
/*
 * git_sequence: whether what git noted down about a stopped rebase or cherry-pick lets it run no
 * program of somebody's when it is continued. A merge strategy is the name of one: git executes
 * "git-merge-NAME", and NAME may have slashes.
 */
#ifndef ASSENT_SANDBOX_GIT_SEQUENCE_H
#define ASSENT_SANDBOX_GIT_SEQUENCE_H

#include <stdbool.h>

/* The content of rebase-merge/strategy. */
bool git_sequence_strategy_is_harmless(const char *text);
/* The content of sequencer/opts: only what is of the simplest form is. */
bool git_sequence_options_are_harmless(const char *text);

#endif
