/* SPDX-License-Identifier: MIT */
/* suggest_text: a rule that the operator could make of past answers, in words. */
#ifndef ASSENT_UI_SUGGEST_TEXT_H
#define ASSENT_UI_SUGGEST_TEXT_H

#include <stdbool.h>

#include "approval/rule_trial.h"
#include "ui/document.h"

/* Does it take a second key: it would have allowed what was denied or is of high risk, or lets a
 * program do whatever it can? */
bool suggest_text_is_wide(const struct rule_suggestion *rule);
/* "and any further words; some were of HIGH RISK"; caller frees. */
char *suggest_text_reach(const struct rule_suggestion *rule);
/* "saves 12 questions; ALSO ALLOWS 1 that you denied"; caller frees. */
char *suggest_text_saves(const struct rule_suggestion *rule);
/* Everything about it; *seen as in document_watch(), once the rule has been seen. */
void suggest_text_details(const struct rule_suggestion *rule, struct document *document,
                          bool *seen);

#endif
