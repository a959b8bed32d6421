/* SPDX-License-Identifier: MIT */
/* operator_context: the operator's commands about what is asked and what commands run under:
 * :policy, :sandbox, :network. */
#ifndef ASSENT_UI_OPERATOR_CONTEXT_H
#define ASSENT_UI_OPERATOR_CONTEXT_H

#include "approval/context.h"
#include "ui/desk.h"

/* From the next call on, for all sessions. */
void operator_policy(const struct desk *desk, const char *argument);
void operator_sandbox(const struct desk *desk, const char *argument);
void operator_network(const struct desk *desk, const char *argument);

/* What is asked then, and what becomes of the rest: a sentence without its stop, translated. */
const char *operator_policy_means(enum approval_policy_kind kind);

/* What each of them was set to. */
const char *operator_policy_now(const struct desk *desk);
const char *operator_sandbox_now(const struct desk *desk);
const char *operator_network_now(const struct desk *desk);

#endif
