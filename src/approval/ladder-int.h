/* SPDX-License-Identifier: MIT */
/* ladder-int: what ladder.c and ladder_refusal.c share. Private to the two. */
#ifndef ASSENT_APPROVAL_LADDER_INT_H
#define ASSENT_APPROVAL_LADDER_INT_H

#include <stdbool.h>

#include "approval/judgement.h"

/* The constituent that a rule would be for; NULL when there is none, or nobody knows which.
 * `bypass`: as in ladder_new(). */
const struct judgement_part *ladder_asks(const struct judgement *judgement, bool bypass);
/* May it be remembered outside the sandbox? */
bool ladder_may_leave(const struct judgement_facts *facts, const struct judgement_part *asks);

#endif
