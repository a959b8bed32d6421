/* SPDX-License-Identifier: MIT */
/* shell_flow: where the text that one command of a script prints goes. For whoever warns. */
#ifndef ASSENT_COMMAND_SHELL_FLOW_H
#define ASSENT_COMMAND_SHELL_FLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "command/shell_tree.h"

/* For each node: does it run as code what is downloaded or decoded in the script: `curl … | sh`,
 * through any number of filters, `bash <(curl …)`, `sh -c "$(curl …)"`, `eval "$(base64 -d …)"`?
 * Input that is data to an interpreter (`curl … | python3 -m json.tool`) does not count. The array
 * has an element for each node of the tree and is the caller's (free()). */
bool *shell_flow_downloads(const struct shell_tree *tree);

/* Does this program run the code that it reads, from a file or its input (a shell, python3 …)? By
 * its basename. */
bool shell_flow_is_interpreter(const char *program);

/* Index of the word that is code, or a file of code, of the interpreter words[0]; `count` when it
 * reads code from its standard input, or is none. */
size_t shell_flow_code_word(const char *const *words, size_t count);

/* The code that a shell, which node `index` starts, reads from its standard input, as far as it
 * stands in the script: a here-document, or what `echo` pipes to it. It serves to warn. NULL when
 * there is none. Caller frees. */
char *shell_flow_code(const struct shell_tree *tree, size_t index);

#endif
