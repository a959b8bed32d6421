/* SPDX-License-Identifier: MIT */
/* tool: what assent-tool's subcommands have in common. Each gets its own name in argv[0] and
 * returns the exit status. */
#ifndef ASSENT_TOOL_H
#define ASSENT_TOOL_H

#define TOOL_FAILED 125 /* Assent itself failed, or the usage was wrong */

#include "base/error.h"

int tool_assess(int argc, char **argv);
int tool_check(int argc, char **argv);
int tool_config(int argc, char **argv);
int tool_doctor(int argc, char **argv);
int tool_log(int argc, char **argv);
int tool_rules(int argc, char **argv);
int tool_parse(int argc, char **argv);

/* Says on standard error what went wrong, made safe; `argv0` is the subcommand's name. */
void tool_complain(const char *argv0, const struct error *error);
/* One word with blanks in it is the name of a program, though a script was probably meant: says on
 * standard error how that is written. */
void tool_hint_script(const char *argv0, char *const *argv);

#endif
