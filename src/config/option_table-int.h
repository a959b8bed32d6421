/* SPDX-License-Identifier: MIT */
/* option_table-int: the parts of the option table, in the order of their ids; each has a file. */
#ifndef ASSENT_CONFIG_OPTION_TABLE_INT_H
#define ASSENT_CONFIG_OPTION_TABLE_INT_H

#include "config/option_table.h"

/* The subcommands that take an option. */
#define ON(id) (1u << SUBCOMMAND_##id)
#define ON_EVERY ((1u << SUBCOMMAND_COUNT) - 1)
/* Bytes, and milliseconds. */
#define KIB 1024LL
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)
#define SECOND 1000LL
#define DAY (24 * 3600 * SECOND)

extern const struct option_spec option_specs_commands[]; /* from OPTION_APPROVAL_POLICY */
extern const struct option_spec option_specs_console[];  /* from OPTION_GUARD_TIME */
extern const struct option_spec option_specs_clients[];  /* from OPTION_PROFILE */
extern const struct option_spec option_specs_tools[];    /* from OPTION_JSON */

#endif
