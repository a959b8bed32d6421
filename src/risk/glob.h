/* SPDX-License-Identifier: MIT */
/* glob: may a word that a shell expands name a file that is known by a pattern? */
#ifndef ASSENT_RISK_GLOB_H
#define ASSENT_RISK_GLOB_H

#include <stdbool.h>

/* Does the word hold what a shell expands to names of files: *, ?, [ ]? */
bool glob_expands(const char *word);

/* Is there a path that fits both? In `pattern` * stands for any text at either end, within one name
 * elsewhere; what a shell makes of `word` never begins a name with a dot that does not stand there.
 * A bracket goes for any character. Words of 512 bytes and more meet nothing. */
bool glob_meets(const char *pattern, const char *word);

/* Each word that the braces in `word` make of it: a{b,c}d is abd and acd; without braces itself. At
 * most *left, which is counted down; false when there are more. */
bool glob_each(const char *word, unsigned *left, void (*found)(void *argument, const char *word),
               void *argument);

#endif
