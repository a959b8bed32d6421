/* SPDX-License-Identifier: MIT */
/* operator_calls: the operator's commands about calls and what was granted: :show, :revoke,
 * :forget.
 */
#ifndef ASSENT_UI_OPERATOR_CALLS_H
#define ASSENT_UI_OPERATOR_CALLS_H

#include "ui/desk.h"

/* The call that "c12", "12" or nothing (the selected one) names; NULL after saying so. */
struct call *operator_named_call(const struct desk *desk, const char *argument);
/* The same when its request can be answered now. */
const struct call *operator_asking_call(const struct desk *desk, const char *argument);
void operator_show(const struct desk *desk, const char *argument);
/* "c12": takes back what the answer to that call granted. */
void operator_revoke(const struct desk *desk, const char *argument);
/* What was denied is refused unasked when the same comes again; this ends that. */
void operator_forget(const struct desk *desk, const char *argument);

/* Stops a call that has not finished. */
void operator_stop_call(const struct desk *desk, struct call *call);

#endif
