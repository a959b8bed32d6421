/* SPDX-License-Identifier: MIT */
/* panic: the terminal is given back though the program dies of a signal or runs out of memory. */
#ifndef ASSENT_UI_PANIC_H
#define ASSENT_UI_PANIC_H

#include <stddef.h>
#include <termios.h>

/* From now on a fatal signal writes these sequences (NULL and what terminfo says of one that there
 * is not: none; all are copied) to `output` and sets `modes` (or NULL) at `input` before it ends
 * the program. Called again, it is another terminal's or another state's. */
void panic_prepare(int input, int output, const struct termios *modes, const char *const *sequences,
                   size_t count);
/* The terminal has been given back. */
void panic_clear(void);
/* What would be written; "" before anything was prepared. */
const char *panic_sequence(void);
/* Gives it back at once, if one is taken; nothing else of the screen may be used afterwards. For
 * the end of the program in trouble: safe in a signal handler. */
void panic_now(void);

#endif
