/* SPDX-License-Identifier: MIT */
/* protect_hooks: directories of git hooks that lie outside git's own. */
#ifndef ASSENT_SANDBOX_PROTECT_HOOKS_H
#define ASSENT_SANDBOX_PROTECT_HOOKS_H

#include "sandbox/protect.h"

/* What a configuration names, existing or not, and what the hooks in it lead to. A root can be such
 * a directory: then nothing in it is writable. */
void protect_hooks_named(struct protect *protect, const char *path);
/* Those that only the configuration of somebody else's repository may name, by what is in them: of
 * the roots, of which only the hooks themselves are read-only, and the directories beneath. */
void protect_hooks_guessed(struct protect *protect);

#endif
