/* SPDX-License-Identifier: MIT */
/*
 * judgement-int: what the parts of a judgement share.
 *
 *   judgement        what the rules say of each constituent, and what is required in the end
 *   judgement_parts  a call taken apart into constituents
 *   judgement_offer  the rule that may be offered for it
 */
#ifndef ASSENT_APPROVAL_JUDGEMENT_INT_H
#define ASSENT_APPROVAL_JUDGEMENT_INT_H

#include "approval/judgement.h"

/* What a rule may look through when it allows a constituent: nothing here changes what runs. The
 * others change where it runs or what it writes. */
#define THROUGH_ALWAYS                                                                             \
    ((unsigned)(SHELL_NULL_REDIRECT | SHELL_PROSE | SHELL_STATUS | SHELL_LOOKUP | SHELL_BANG))

/* A judgement that is being made. */
struct judgement_work {
    const struct judgement_facts *facts;
    struct judgement *judgement;
    char *project_id;
    bool program_installed;
    bool harmless_env;
    size_t hidden_words;
    bool incomplete; /* it runs more than was taken apart */
};

/* The constituents as a whole. */
struct judgement_tally {
    bool all_allowed, all_bypass, all_fine; /* of the known parts; false when there are none */
    bool needs_rule;                        /* one is fine by a rule alone */
    const struct judgement_part *asks;      /* the first that is neither allowed nor safe */
};

/* Fills in the constituents, and what is to be said of the call as a whole: opaque, constructs,
 * where it goes first. */
void judgement_take_apart(struct judgement_work *work);

/* The prefix that may be offered for a rule, NULL-terminated: with it the whole command passes.
 * NULL when there is none; then judgement->shared and ->last may be one for several constituents.
 * The caller frees. */
char **judgement_find_offer(const struct judgement_work *work, const struct judgement_tally *tally);

#endif
