/* SPDX-License-Identifier: MIT */
/*
 * git_losses: what a command of git that throws work away would take (`git clean`, `git reset
 * --hard`, `git restore` and the like), and how to see that first. Only git can tell, and it is not
 * run here: where the repository is an agent's it could run code.
 */
#ifndef ASSENT_RISK_GIT_LOSSES_H
#define ASSENT_RISK_GIT_LOSSES_H

#include <stddef.h>

#include "risk/git_look_state.h"

enum git_loss_kind {
    GIT_LOSES_FILES,   /* files, and directories with all that is in them ("build/") */
    GIT_LOSES_CHANGES, /* files whose changes are lost */
    GIT_LOSES_COMMITS, /* "HASH SUBJECT" */
    GIT_LOSES_STASHES, /* "stash@{0}: WIP on main: …" */
};

#define GIT_LOSSES_MAX 4

struct git_loss {
    enum git_loss_kind kind;
    char **words; /* behind "git": what tells of it; untrusted; owned */
    char *seen;   /* GIT_SEEN: a line for each, "" for none; more than GIT_SEEN_LINES: there are
                     more. As git wrote them: untrusted; owned */
};

/* All NULL and 0: the command is none of them, or not such ones alone. */
struct git_losses {
    char *commands; /* to be run where it would be by who wants to see more, one a line, of
                       untrusted words, quoted; owned */
    struct git_loss list[GIT_LOSSES_MAX];
    size_t count;
    enum git_look_state look;
    char *why; /* GIT_UNSEEN: as of a push (risk/push_commits.h) */
};

void git_losses_find(const char *const *argv, struct git_losses *losses);
void git_losses_clear(struct git_losses *losses);

/* The state, the reason and what git said of each become those of `losses`; `told` is cleared. */
void git_losses_take(struct git_losses *losses, struct git_losses *told);

/* What git said of one, in whole lines, becomes its `seen`; `lines` is taken over. */
void git_loss_see(struct git_loss *loss, char *lines);

#endif
