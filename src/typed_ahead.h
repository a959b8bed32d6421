/* SPDX-License-Identifier: MIT */
/* typed_ahead: keys that were meant for what was on the terminal before, or for what is expected
 * there next, are no answer to a question. */
#ifndef ASSENT_TYPED_AHEAD_H
#define ASSENT_TYPED_AHEAD_H

/* Throws away what was typed so far, and what still is until no key has come for `quiet_ms`: then a
 * question may be put. Nothing when `terminal` is none, or this process is not in its foreground. A
 * key that interrupts does so. */
void typed_ahead_drop(int terminal, int quiet_ms);

#endif
