/* SPDX-License-Identifier: MIT */
/* config_kept: what a git says in vain that it has set: the sandbox keeps .git/config read-only. */
#ifndef ASSENT_APPROVAL_CONFIG_KEPT_H
#define ASSENT_APPROVAL_CONFIG_KEPT_H

#include "approval/call.h"

/* What is not set, and how the operator sets it, of a call whose attempt says so
 * (`git_config_kept`). In part the agent's words, without a sign that could end the sentence; the
 * caller frees. */
char *config_kept_words(const struct call *call);
/* Before it runs: the upstream that a push of its line would set, and cannot in the sandbox, in the
 * same words; NULL: it is to set none. The caller frees. */
char *config_kept_upstream(const struct call *call);

#endif
