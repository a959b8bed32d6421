/* SPDX-License-Identifier: MIT */
/*
 * approval_kept: what the operator has chosen for requests that still wait: which rule an answer
 * would make, and how long "for this session" lasts. It is there again when the request is, unless
 * that has changed; also where a program that gave up waiting asks for the same once more.
 */
#ifndef ASSENT_UI_APPROVAL_KEPT_H
#define ASSENT_UI_APPROVAL_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "approval/orchestrator.h"
#include "base/sha256.h"

struct console;

struct kept_choice {
    uint64_t call, prompt;
    unsigned revision;
    struct rule_choice rule;
    struct lease lease;
    bool path_lasts;             /* the path is for the session */
    bool taken_over;             /* it was chosen for the same request before this one */
    bool outdated;               /* … whose rule was another: nothing of it holds */
    char makes[SHA256_HEX_SIZE]; /* the rule, by its hash, as it was when it was chosen */
};

/* In place of what was kept for that prompt. */
void approval_kept_set(struct console *console, const struct kept_choice *choice);
/* What was chosen for what the call asks now; NULL: nothing. `*changed`: something was chosen, but
 * what is asked has changed since. May be NULL. */
const struct kept_choice *approval_kept_find(const struct console *console, const struct call *call,
                                             bool *changed);
/* The rule that was chosen, or else the one that is offered first; false where none is offered. */
bool approval_kept_rule(const struct console *console, const struct call *call,
                        struct rule_choice *rule);
/* The call asks what that one did, which was withdrawn: what was chosen for it holds for this,
 * where it is the same here. Which tasks a rule names is for the project's files to say, for one.
 */
void approval_kept_take_over(struct console *console, const struct call *call,
                             const struct call *before);
/* Nothing is kept for prompts that do not wait any more, unless their client took them back. */
void approval_kept_forget_answered(struct console *console);

#endif
