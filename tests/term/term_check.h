/* SPDX-License-Identifier: MIT */
/* term_check: what must hold for a terminal whatever was written to it. */
#ifndef ASSENT_TESTS_TERM_CHECK_H
#define ASSENT_TESTS_TERM_CHECK_H

#include "ui/term/vt.h"

/* Ends the program with a message when something does not hold: the cursor is on the screen; each
 * line, the scrollback's too, is made of whole characters that fill its used columns and fit;
 * no control, bidirectional control or surrogate is in a cell; replies are bounded. */
void term_check(const struct vt *vt);

#endif
