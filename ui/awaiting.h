/* SPDX-License-Identifier: MIT */
/*
 * awaiting: which panes wait for the operator to type something: their program has asked a
 * question, and has been quiet since.
 */
#ifndef ASSENT_UI_AWAITING_H
#define ASSENT_UI_AWAITING_H

#include <stddef.h>
#include <stdint.h>

#include "approval/call.h"

struct console;
struct pane;

/* Its program has written something: what it waits for is looked at once it is quiet. */
void awaiting_output(struct console *console, struct pane *pane, const struct call *call);
/* The timer's: looks at those that are quiet. */
void awaiting_look(void *console);
/* How many panes wait for a line or a password; `call`: the first of them, 0 when there is none. */
size_t awaiting_count(const struct console *console, uint64_t *call);

#endif
