/* SPDX-License-Identifier: MIT */
/* bridge: what the command lines of `assent mcp` and `assent hook` share: both are started by
 * agents, and installed in their settings. */
#ifndef ASSENT_AGENTS_BRIDGE_H
#define ASSENT_AGENTS_BRIDGE_H

#include <stdbool.h>

#include "base/error.h"
#include "config/arguments.h"
#include "config/options.h"

#define BRIDGE_WORDS_MAX 3

/* Reads a command line whose options may stand before, between and behind its words; those are
 * stored in `words`, NULL behind the last. 0, or -1 with a message. */
int bridge_parse(struct options *options, enum subcommand_id subcommand, int argc, char **argv,
                 char *words[BRIDGE_WORDS_MAX + 1], struct error *error);

struct bridge_command {
    const char *subcommand;                /* "mcp" */
    const char *config_directory;          /* NULL: as the environment says now */
    const char *const *socket_directories; /* the same */
    bool end_of_options;                   /* "--" at the end */
};

/* How one of our programs is started with directories that no variable can move; the caller frees.
 * NULL with a message. */
char **bridge_command_new(const struct bridge_command *command, struct error *error);

/* `install CLIENT` and `uninstall CLIENT` (words) for "mcp" or "hook". The exit status: 0, 1 when
 * the operator said no, 125 for what failed, after a message on standard error. */
int bridge_set_up(const char *what, const struct options *options, char *const *words);

#endif
