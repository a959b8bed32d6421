/* SPDX-License-Identifier: MIT */
/* pty: a pseudo-terminal for a command to run on. */
#ifndef ASSENT_RUN_PTY_H
#define ASSENT_RUN_PTY_H

#include <stdbool.h>

#include "base/error.h"

/* Opens a pair, both ends close-on-exec: size set before anybody runs on it, UTF-8 aware line
 * editing (IUTF8), Backspace is DEL. The console's own terminal is never shared. `rows` and
 * `columns` are 1 to 65535. The master is non-blocking. 0, or -1 with a message. */
int pty_open(int rows, int columns, int *master, int *slave, struct error *error);

/* Sets the size and so sends SIGWINCH to the foreground group. 0 or -errno. */
int pty_resize(int master, int rows, int columns);

/* The character that means "end of input" (^D unless the command changed it); -1 when the
 * terminal is in a mode without one (raw). */
int pty_eof_character(int master);

/* Is a line read whose letters are not shown: by what asks for a password? */
bool pty_hides_input(int master);

#endif
