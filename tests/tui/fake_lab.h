/* SPDX-License-Identifier: MIT */
/* fake_lab: a record that says of rules what the test wants. */
#ifndef ASSENT_TESTS_TUI_FAKE_LAB_H
#define ASSENT_TESTS_TUI_FAKE_LAB_H

#include "tui.h"

struct fake_lab {
    int steps; /* until it has been read */
    const struct rule_suggestion *suggestions;
    size_t suggestion_count;
    const struct rule_use *uses;
    size_t use_count;
    int open;
};

/* Gives the console that record. */
void fake_lab_give(struct tui *tui, struct fake_lab *lab);

#endif
