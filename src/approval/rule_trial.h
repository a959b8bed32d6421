/* SPDX-License-Identifier: MIT */
/*
 * rule_trial: what the record says of rules, as plain data: what the operator could make one of,
 * and what those that are there did. Texts are untrusted.
 */
#ifndef ASSENT_APPROVAL_RULE_TRIAL_H
#define ASSENT_APPROVAL_RULE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

/* A command that the operator was asked about. */
struct rule_evidence {
    const char *line; /* quoted as for a shell */
    const char *risk; /* "low", "medium", "high", or "" */
    size_t approved, denied;
};

/* A rule that would have answered such questions. */
struct rule_suggestion {
    const char *rule;  /* a line of a rule file */
    const char *words; /* what commands begin with, quoted as for a shell; or the directory */
    bool place;        /* `words` is a directory that may be read */
    bool exact;        /* no further words may follow */
    bool program;      /* it allows a program whatever its words are */
    bool high;         /* some of what it would have answered was of high risk */
    size_t approved;   /* questions it would have answered as the operator did */
    size_t denied;     /* and otherwise */
    struct rule_evidence *evidence; /* what it would have answered, the commonest first */
    size_t count;
};

/* What the rules of one line of a file did to the commands on record, and, where they only report,
 * of how many they would have changed what happened to them. */
struct rule_use {
    const char *file;
    unsigned line;
    bool shadow;
    size_t matched, asked, refused, unasked;
};

#endif
