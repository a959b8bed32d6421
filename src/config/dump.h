/* SPDX-License-Identifier: MIT */
/* dump: files made from the tables while building: manual, completions, default configuration.
 * Everything goes to standard output; main() checks that it got there. */
#ifndef ASSENT_CONFIG_DUMP_H
#define ASSENT_CONFIG_DUMP_H

#include "config/option_table.h"

/* The manual: standard input is doc/assent.1.in, in which a line "@OPTIONS console@", "@OPTIONS
 * exec@", "@SUBCOMMANDS@" or "@CONFIGURATION@" stands for what the tables say. 0, or -1 for an
 * unknown mark. */
int dump_manual(void);
void dump_bash(void);
void dump_zsh(void);
void dump_fish(void);

/* Does the command line of the subcommand take the option? */
bool dump_takes(const struct option_spec *spec, int subcommand);

#endif
