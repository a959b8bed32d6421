/* SPDX-License-Identifier: MIT */
/* rule_uses: which rules matched what is on record, and what those that only report would have done
 * to it. */
#ifndef ASSENT_RULE_USES_H
#define ASSENT_RULE_USES_H

#include "approval/judgement.h"
#include "approval/rule_trial.h"

struct rule_uses;

/* `rules` are borrowed, and those by which the commands are judged. */
struct rule_uses *rule_uses_new(const struct rules *rules);
/* A command, judged without and with the rules that only report. */
void rule_uses_command(struct rule_uses *uses, const struct judgement *before,
                       const struct judgement *after);
/* A connection that the operator was asked about. */
void rule_uses_connection(struct rule_uses *uses, const struct rules_connection *connection);
/* Then: the n-th line of the files that holds a rule; false behind the last. Borrowed. */
bool rule_uses_at(struct rule_uses *uses, size_t index, struct rule_use *use);
void rule_uses_free(struct rule_uses **uses);

#endif
