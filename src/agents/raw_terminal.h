/* SPDX-License-Identifier: MIT */
/* raw_terminal: the caller's terminal while a command on the console's side has it. */
#ifndef ASSENT_AGENTS_RAW_TERMINAL_H
#define ASSENT_AGENTS_RAW_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "base/strbuf.h"

struct raw_terminal {
    bool is_terminal; /* standard input is one */
    bool raw;
    struct termios saved;
    bool written;  /* what a command wrote went to it */
    unsigned left; /* modes that it has left on, of those that move the cursor when they end */
    unsigned at;   /* how far a sequence that changes modes has come, and what it names so far */
    unsigned parameter, named;
};

void raw_terminal_init(struct raw_terminal *terminal);
/* Every key goes to the command as it is, or the terminal is as it was. No effect on others. */
void raw_terminal_set(struct raw_terminal *terminal, bool raw);
/* Follows what a command writes to standard output, where that is a terminal. */
void raw_terminal_written(struct raw_terminal *terminal, const char *bytes, size_t length);
/* Adds what undoes whatever a command may have set there: it drew for a terminal of another size,
 * and may have been killed. To be written behind its last output. */
void raw_terminal_undo(struct raw_terminal *terminal, struct strbuf *out);
/* Size of the terminal on any of the standard descriptors; false when there is none. */
bool raw_terminal_size(int *rows, int *columns);

#endif
