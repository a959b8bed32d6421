/* SPDX-License-Identifier: MIT */
/* rules_review: what a person who wrote a rule would want to know of it. */
#ifndef ASSENT_COMMAND_RULES_REVIEW_H
#define ASSENT_COMMAND_RULES_REVIEW_H

#include <stdbool.h>

#include "command/rules.h"

struct rules_review {
    bool runs_anything;       /* it allows a program that runs any code it is given */
    const struct rule *other; /* makes it useless; NULL: none does. Borrowed */
    bool stricter;            /* because that one is; else because it says the same of more */
};

/* `rule` is one of `rules`. */
struct rules_review rules_review(const struct rules *rules, const struct rule *rule);

#endif
