/* SPDX-License-Identifier: MIT */
#ifndef ASSENT_SANDBOX_CLI_H
#define ASSENT_SANDBOX_CLI_H

/* `assent sandbox`, with argv as main() gets it; the exit code. */
int sandbox_cli_main(int argc, char **argv);

#endif
