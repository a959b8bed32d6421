/* SPDX-License-Identifier: MIT */
/*
 * rule_suggest: rules for what the operator has approved again and again, as they would be offered
 * with such a request, and what else each of them would have allowed.
 *
 * Give it the calls that the operator answered, then let it work until it is done.
 */
#ifndef ASSENT_RULE_SUGGEST_H
#define ASSENT_RULE_SUGGEST_H

#include "approval/rule_trial.h"
#include "record/log_query.h"
#include "tool_judge.h"

#define RULE_SUGGEST_APPROVED_LEAST 3 /* fewer may be chance: no rule is made of them */
#define RULE_SUGGEST_CALLS_MAX 10000  /* the newest of a log that are looked at */

struct rule_suggest;

/* `judge` says what is asked as things are now, and outlives it. With `project`, only calls in its
 * workspace count and the rules are for that; else they are for any. */
struct rule_suggest *rule_suggest_new(struct tool_judge *judge, bool project);
/* Takes in a call that the operator answered; for log_query_run() with it as the argument. */
bool rule_suggest_call(void *suggest, const struct log_call *call);
/* After the last one, for a few milliseconds each: true when there is more to do. */
bool rule_suggest_step(struct rule_suggest *suggest);
/* Then: the n-th, those first that save most questions; NULL behind the last. Borrowed. */
const struct rule_suggestion *rule_suggest_at(const struct rule_suggest *suggest, size_t index);
void rule_suggest_free(struct rule_suggest **suggest);

#endif
