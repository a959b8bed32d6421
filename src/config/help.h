/* SPDX-License-Identifier: MIT */
/* help: what --help and --version print, made from the option table. Translated. */
#ifndef ASSENT_CONFIG_HELP_H
#define ASSENT_CONFIG_HELP_H

#include <stdio.h>

#include "config/subcommand_table.h"

/* Usage, options, and for the console the list of subcommands. 0 or -errno of the write. */
int help_print(FILE *file, enum subcommand_id subcommand);
/* Name and version, one line. 0 or -errno. */
int help_print_version(FILE *file);

#endif
