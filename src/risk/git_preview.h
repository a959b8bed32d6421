/* SPDX-License-Identifier: MIT */
/*
 * git_preview: how to see what a command of git that throws work away would take: `git clean`, `git
 * reset --hard`, `git restore` and the like. Only git can tell, and it is not run here: where the
 * repository is an agent's it could run code.
 */
#ifndef ASSENT_RISK_GIT_PREVIEW_H
#define ASSENT_RISK_GIT_PREVIEW_H

/* Commands, one a line, to be run where this one would be; of untrusted words, quoted. NULL: it is
 * none of them, or not such ones alone. Caller frees. */
char *git_preview_commands(const char *const *argv);

#endif
