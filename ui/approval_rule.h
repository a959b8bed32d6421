/* SPDX-License-Identifier: MIT */
/* approval_rule: the rule that can be made of a request, as the operator is told of it. */
#ifndef ASSENT_UI_APPROVAL_RULE_H
#define ASSENT_UI_APPROVAL_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "approval/orchestrator.h"
#include "ui/wrap.h"

struct approval_rule {
    bool offered;
    const char *none; /* that there is none, and why: translated; or NULL */
    char *words;      /* what it allows and how widely, safe to show; owned */
    size_t break_at;  /* byte of it before how widely: a blank, or a newline where that is better */
    char *reach;      /* how far it reaches; owned */
    char *reach_short; /* the same without what it has covered, where there is no room; owned */
    bool bypass;       /* what it allows runs outside the sandbox */
    bool host;         /* is for connections, not for commands */
    bool wide;         /* approval_rule_is_wide() */
    bool exact, here;  /* nothing may follow; in this directory only */
    bool only;         /* there is no narrower or wider one */
    enum ladder_scope scope;
};

/* Shows that step, one that is offered. `scope_key` changes how far it reaches;
 * NULL: nothing does. `ascii`: the screen shows nothing else. */
void approval_rule_choose(struct approval_rule *rule, const struct prompt *prompt,
                          const struct rule_choice *choice, const char *scope_key, bool ascii);
/* Does it allow more than a key pressed by mistake may: more than exactly this command, or for more
 * than this session a host? */
bool approval_rule_is_wide(const struct ladder *ladder, const struct rule_choice *choice);
/* How widely a rule holds gets a row of its own rather than being torn. */
void approval_rule_wrap(struct approval_rule *rule, size_t columns, struct wrap *lines);
/* Rows that its words and its reach need in so many columns; none where it is not offered. */
struct approval_rule_rows {
    int words, reach, reach_short;
};
struct approval_rule_rows approval_rule_rows(struct approval_rule *rule, size_t columns);
void approval_rule_clear(struct approval_rule *rule);

#endif
