/* SPDX-License-Identifier: MIT */
/* tool: what assent-tool's subcommands have in common. Each gets its own name in argv[0] and
 * returns the exit status. */
#ifndef ASSENT_TOOL_H
#define ASSENT_TOOL_H

#define TOOL_FAILED 125 /* Assent itself failed, or the usage was wrong */

int tool_config(int argc, char **argv);

#endif
