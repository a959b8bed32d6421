/* SPDX-License-Identifier: MIT */
/* arguments: a command line into options, as the option table says. */
#ifndef ASSENT_CONFIG_ARGUMENTS_H
#define ASSENT_CONFIG_ARGUMENTS_H

#include "base/error.h"
#include "config/options.h"

/* Reads argv[1] … up to "--" or the first word that is no option. Takes --name VALUE, --name=VALUE,
 * --flag, --no-flag, -x VALUE, -xVALUE and flags together (-vt); `-c KEY=VALUE` sets any
 * configuration key. A relative path is taken from the current directory. Returns the index of the
 * first argument behind the options ("--" itself is passed over), or -1 with a message. */
int arguments_parse(struct options *options, enum subcommand_id subcommand, int argc, char **argv,
                    struct error *error);

#endif
