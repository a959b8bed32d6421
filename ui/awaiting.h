/* SPDX-License-Identifier: MIT */
/*
 * awaiting: which panes wait for the operator to type something: their program has asked a
 * question, and has been quiet since.
 */
#ifndef ASSENT_UI_AWAITING_H
#define ASSENT_UI_AWAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "approval/call.h"

struct console;
struct pane;

/* Its program has written something: what it waits for is looked at once it is quiet, and whether
 * it reads a password at once, or after the echo that somebody may be waiting for. */
void awaiting_output(struct console *console, struct pane *pane, const struct call *call);
/* The timer's: looks at those that are quiet, or whose echo is over. */
void awaiting_look(void *console);
/* Does it wait for a line or a password? */
bool awaiting_is(const struct pane *pane);
/* How many panes wait for a line or a password; `call`: the first of them, 0 when there is none. */
size_t awaiting_count(const struct console *console, uint64_t *call);
/* Of these the one that the key to type into a pane goes to; 0: none, it stays with the selected
 * one. That waits itself, or takes keys and was picked by the operator, whose keys must not go
 * elsewhere because some program says something. */
uint64_t awaiting_next(const struct console *console);

#endif
