/* SPDX-License-Identifier: MIT */
/* tree_text: how a tree of processes is called: by what its first process runs, and its number. */
#ifndef ASSENT_UI_TREE_TEXT_H
#define ASSENT_UI_TREE_TEXT_H

#include <stdbool.h>
#include <sys/types.h>

/* What the first process of the tree runs, as the kernel tells; NULL when it is gone, or called as
 * no program is: the name is no agent's way to write in our sentences. Caller frees. */
char *tree_text_program(pid_t tree);
/* "claude 18802", in every language: it is typed, too. Caller frees. */
char *tree_text_handle(pid_t tree);
/* Letters, digits and what joins them, and nothing else. */
bool tree_text_is_word(const char *text);

#endif
