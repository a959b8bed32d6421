/* SPDX-License-Identifier: MIT */
/*
 * shell_evaluates: builtins that are harmless but for some of their words.
 *
 * `printf`, `print`, `test` and `[` print and compare. But bash and zsh count into the variable
 * that is named for a %n of printf; zsh, ksh and mksh take what is to be a number for arithmetic,
 * in which there are assignments (PATH=5) and subscripts with substitutions in them; and `-v` of
 * printf, print and test takes a variable's name.
 */
#ifndef ASSENT_COMMAND_SHELL_EVALUATES_H
#define ASSENT_COMMAND_SHELL_EVALUATES_H

#include <stdbool.h>

#include "command/shell_tree.h"

/* Could a command of that node, which has words, set a variable in some shell, or run what stands
 * in one of its words? Of these builtins alone: false for any other program. In doubt: true. */
bool shell_evaluates(const struct shell_node *node);

#endif
