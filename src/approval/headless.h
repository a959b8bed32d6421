/* SPDX-License-Identifier: MIT */
/*
 * headless: the observer for a console that nobody watches; one plain line for every decision,
 * result and notice. It asks nobody: the orchestrator's setup says `headless` too, and answers
 * what would need a prompt with "denied".
 */
#ifndef ASSENT_APPROVAL_HEADLESS_H
#define ASSENT_APPROVAL_HEADLESS_H

#include <stdio.h>

#include "approval/observer.h"

struct headless;

/* `out` is borrowed; each line is flushed. */
struct headless *headless_new(FILE *out);
void headless_free(struct headless **headless);
const struct observer *headless_observer(void); /* its argument is the struct headless */

#endif
