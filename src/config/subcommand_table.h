/* SPDX-License-Identifier: MIT */
/* subcommand_table: what comes after `assent`, and which program answers it. Pure data, libc only:
 * the launcher, the help, the man page and the completions are made from it. */
#ifndef ASSENT_CONFIG_SUBCOMMAND_TABLE_H
#define ASSENT_CONFIG_SUBCOMMAND_TABLE_H

#include <stdbool.h>

enum subcommand_id {
    SUBCOMMAND_CONSOLE, /* `assent` without a subcommand */
    SUBCOMMAND_EXEC,
    SUBCOMMAND_MCP,
    SUBCOMMAND_HOOK,
    SUBCOMMAND_ACP,
    SUBCOMMAND_SANDBOX,
    SUBCOMMAND_LOG,
    SUBCOMMAND_CONFIG,
    SUBCOMMAND_DOCTOR,
    SUBCOMMAND_PARSE,
    SUBCOMMAND_CHECK,
    SUBCOMMAND_RULES,
    SUBCOMMAND_ASSESS,
    SUBCOMMAND_COUNT,
};

struct subcommand {
    const char *name;      /* the subcommand, NULL for the console */
    const char *program;   /* in the libexec directory */
    bool shared;           /* the program answers several: it gets the name as argv[1] */
    const char *arguments; /* synopsis after the options, "" when there are none */
    const char *summary;   /* one line, N_() */
};

extern const struct subcommand subcommands[SUBCOMMAND_COUNT];

/* The subcommand of that name, or NULL. */
const struct subcommand *subcommand_find(const char *name);

#endif
