/* SPDX-License-Identifier: MIT */
/*
 * rule_lab: what the record says of a running console's rules, read in steps that take a few
 * milliseconds each: what could be made one of (rule_suggest), and what those in force did
 * (rule_uses).
 */
#ifndef ASSENT_RULE_LAB_H
#define ASSENT_RULE_LAB_H

#include "approval/rule_trial.h"
#include "approval/session.h"
#include "base/error.h"
#include "config/options.h"
#include "rule_files.h"

/* Where it looks; all borrowed, and outlived by what is begun. */
struct rule_lab_setup {
    const struct options *options;
    const struct rule_files *files;
    const struct session *session; /* the operator's own: what is asked in its context, in its
                                      workspace, counts */
};

/* The following are called by the console; the argument of the first is the struct rule_lab_setup.
 */
void *rule_lab_begin(void *setup, bool suggest, struct error *error);
bool rule_lab_step(void *lab);
const struct rule_suggestion *rule_lab_suggestion(const void *lab, size_t index);
bool rule_lab_use(const void *lab, size_t index, struct rule_use *use);
void rule_lab_end(void *lab);

#endif
