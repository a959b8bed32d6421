/* SPDX-License-Identifier: MIT */
/*
 * handover: words by which a program runs another one, or writes where nobody looks: `find -exec`,
 * `rg --pre`, `git -c core.pager=…`. A rule that allows the first words of a command says nothing
 * of these.
 */
#ifndef ASSENT_COMMAND_HANDOVER_H
#define ASSENT_COMMAND_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>

/* The first such word of argv behind the first `covered` (at least one), or NULL. Long options are
 * also found shortened (--upload-pa), short ones in a cluster. Borrowed. */
const char *handover_find(const char *const *argv, size_t covered);

/* Is it a program that runs whatever code its words or its input hold (python, bash, env, sudo,
 * xargs, ssh …)? By its basename; versions behind the name do not matter (python3.11). */
bool handover_is_interpreter(const char *program);

#endif
