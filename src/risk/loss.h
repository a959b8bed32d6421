/* SPDX-License-Identifier: MIT */
/*
 * loss: what cannot be brought back when a command has run, wherever in it that is done: in code
 * for an interpreter, statements of SQL, a call of a cloud's, a redirection. Deleting a file by
 * name (rm FILE) is none: the operator is not asked for it inside the sandbox (safety.h).
 */
#ifndef ASSENT_RISK_LOSS_H
#define ASSENT_RISK_LOSS_H

#include <stdbool.h>

#include "risk/phrase.h"

/* Why what the phrase says is a loss: a sentence's end ("it empties files"), static, untranslated;
 * NULL when it is none. `deletes` says that data goes by it; what is unbounded, code from elsewhere
 * or a device that is written, counts without. */
const char *loss_of_phrase(enum phrase phrase, bool deletes);

/* The same of a call: NULL when nothing in it is a loss. `*grave`: it reaches beyond the workspace,
 * or is code that nobody has seen, and is what the risk names first. May be NULL. `cwd` and the
 * roots (NULL-terminated, may be NULL) as for assessment_of_argv(). */
const char *loss_of_argv(const char *const *argv, const char *cwd,
                         const char *const *writable_roots, bool *grave);

#endif
