/* SPDX-License-Identifier: MIT */
/* fake_lab: a record that says of rules what the test wants. */
#ifndef ASSENT_TESTS_TUI_FAKE_LAB_H
#define ASSENT_TESTS_TUI_FAKE_LAB_H

#include "ui/console_hooks.h"

struct fake_lab {
    int steps; /* until it has been read */
    const struct rule_suggestion *suggestions;
    size_t suggestion_count;
    const struct rule_use *uses;
    size_t use_count;
    int open;
};

/* A record of calls that is read in steps, until it has rows. */
struct fake_record {
    const char *rows; /* NULL: it is still being read */
    char asked[64];   /* what was looked for last */
    size_t columns;   /* that its rows were to have, 0: any number */
    int steps, open;
};

/* A narrow one that saves four questions, and a wide one that also allows what was denied. What an
 * agent ran is told as it is. */
extern const struct rule_suggestion fake_suggestions[2];

/* Gives a console that record. */
void fake_lab_give(struct console_hooks *hooks, struct fake_lab *lab);
void fake_record_give(struct console_hooks *hooks, struct fake_record *record);

#endif
