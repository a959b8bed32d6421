/* SPDX-License-Identifier: MIT */
/*
 * push_target: where a `git push` sends to, as the repository's configuration says. It is shown to
 * the operator; nothing is decided by it.
 *
 * Files of the repository may be an agent's. They are read bounded and not through links, and where
 * git could find another address than the one here, or a second one, nothing is said.
 */
#ifndef ASSENT_RISK_PUSH_TARGET_H
#define ASSENT_RISK_PUSH_TARGET_H

/* "origin (git@host:me/x.git)", without passwords and tokens; untrusted, in quotes where it could
 * be read as more words than one. NULL: argv is no such command, or it cannot be said. `cwd` is
 * physical; `environment` (NAME=VALUE, NULL-terminated) is what the command gets. Caller frees. */
char *push_target(const char *const *argv, const char *cwd, const char *const *environment);

#endif
