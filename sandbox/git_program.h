/* SPDX-License-Identifier: MIT */
/* git_program: the files that git runs, or has run, because its configuration says so: filters,
 * what shows differences, connects, asks for passwords. */
#ifndef ASSENT_SANDBOX_GIT_PROGRAM_H
#define ASSENT_SANDBOX_GIT_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/* Does git run the value of this variable as a command, without being asked for just that?
 * `section` is without the name in quotes. Aliases are not among them: who types one means it. */
bool git_program_is_named(const char *section, const char *key, const char *value);
/* The words of a shell's command, as far as they can be read without running it. */
struct git_program_words {
    const char *at; /* where to begin; what follows starts as all 0 */
    bool has_program;
    const char *rest; /* of the word just read: "/x", where only the shell knows what is before it;
                         else NULL */
};
/* Stores the next word that may name a file: quotes undone, of an option or an assignment what
 * stands behind "=". `*program`: it is what is run. False at the end. */
bool git_program_next_word(struct git_program_words *words, char word[PATH_MAX], bool *program);
/* Has that word, which was in quotes, words of its own? They may be a command for another shell. */
bool git_program_is_command(const char *word);

#endif
