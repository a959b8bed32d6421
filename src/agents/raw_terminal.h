/* SPDX-License-Identifier: MIT */
/* raw_terminal: the caller's terminal while a command on the console's side has it. */
#ifndef ASSENT_AGENTS_RAW_TERMINAL_H
#define ASSENT_AGENTS_RAW_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

struct raw_terminal {
    bool is_terminal; /* standard input is one */
    bool raw;
    struct termios saved;
};

void raw_terminal_init(struct raw_terminal *terminal);
/* Every key goes to the command as it is, or the terminal is as it was. No effect on others. */
void raw_terminal_set(struct raw_terminal *terminal, bool raw);
/* Size of the terminal on any of the standard descriptors; false when there is none. */
bool raw_terminal_size(int *rows, int *columns);

#endif
