/* SPDX-License-Identifier: MIT */
/*
 * git_losses: what a command of git that throws work away would take (`git clean`, `git reset
 * --hard`, `git restore` and the like), or `rm` in a repository, and how to see that first. Only
 * git can tell, and it is not run here: where the repository is an agent's it could run code.
 */
#ifndef ASSENT_RISK_GIT_LOSSES_H
#define ASSENT_RISK_GIT_LOSSES_H

#include <stdbool.h>
#include <stddef.h>

#include "risk/git_look_state.h"

enum git_loss_kind {
    GIT_LOSES_FILES,   /* files, and directories with all that is in them ("build/") */
    GIT_LOSES_CHANGES, /* files whose changes are lost */
    GIT_LOSES_COMMITS, /* "HASH SUBJECT" */
    GIT_LOSES_STASHES, /* "stash@{0}: WIP on main: …" */
    /* Files of which git was told not to look whether they have changed: they are written all the
     * same. */
    GIT_LOSES_UNWATCHED,
    /* No losses: what a command before this one does to the lists of what git ignores. If anything,
     * it is not known what is lost afterwards. */
    GIT_CHANGES_RULES,
    GIT_UNWATCHED_RULES,
    /* Of `rm`: files and directories that git does not have, submodules, and files that it has; and
     * those of which git looks neither whether they have changed nor whether they are there. */
    GIT_LOSES_UNTRACKED,
    GIT_LOSES_SUBMODULES,
    GIT_LOSES_TRACKED,
    GIT_LOSES_UNLOOKED,
    /* It tells nothing, but git complains of what is there and would be none of these. */
    GIT_KNOWS_EACH,
    /* Nor a loss: which commit a word is the name of that was taken for a file's. If any, it is not
     * known what is lost. */
    GIT_KNOWS_NO_COMMIT,
};

#define GIT_LOSSES_MAX 8

struct git_loss {
    enum git_loss_kind kind;
    char **words; /* behind "git": what tells of it; untrusted; owned */
    char *seen;   /* GIT_SEEN: a line for each, "" for none; more than GIT_SEEN_LINES: there are
                     more. As git wrote them: untrusted; owned */
    char *sizes;  /* … and a line for each of these: "ADDED\tREMOVED" lines of a file that has
                     changes, "BYTES" of a file and "FILES\tBYTES" of a directory that git does not
                     have, "" where that is not known; behind these "\t@" and when it was changed
                     last, which is not for show: another time is news; owned, or NULL */
};

/* All NULL and 0: the command is none of them. */
struct git_losses {
    char *commands; /* to be run where it would be by who wants to see more, one a line, of
                       untrusted words, quoted; owned */
    struct git_loss list[GIT_LOSSES_MAX];
    size_t count;
    bool more;      /* other commands of the line come behind, and are not looked at */
    bool most;      /* a pattern stands for names, which can also be fewer than git finds by it */
    char *outside;  /* what `rm` takes elsewhere than below the directory where it runs, and
                       which is not looked at: untrusted words, quoted; owned, or NULL */
    unsigned edits; /* how often a file was written that has the same size; counted to five */
    char *edited;   /* … which it was: untrusted; owned. NULL: several, or that is not known */
    const char *unknown; /* where `count` is 0: why it cannot be said, a phrase of N_(), static;
                            NULL: there is none of which that must be said */
    char *changes;       /* … which command of the line it is that can change it, and … */
    char *taker;   /* … what that other one takes: the only one of the line that does, and …
                    */
    char *unasked; /* … which one git is not asked about: plain words; owned, or NULL, also
                      where it is not one alone */
    enum git_look_state look;
    char *why;   /* GIT_UNSEEN: as of a push (risk/push_commits.h) */
    bool rules;  /* GIT_UNSEEN: because of what is done to the lists of what git ignores, or … */
    bool commit; /* … because that is a commit's name */
};

/* Of one that is started in `cwd`, an absolute path. */
void git_losses_find(const char *const *argv, const char *cwd, struct git_losses *losses);
void git_losses_clear(struct git_losses *losses);

/* The state, the reason and what git said of each become those of `losses`; `told` is cleared. */
void git_losses_take(struct git_losses *losses, struct git_losses *told);
/* Would that change nothing? */
bool git_losses_same(const struct git_losses *losses, const struct git_losses *told);

/* Does such a line of git's say what is lost? `before` is the one before it, "" for none. Who
 * leaves out the others at once is not filled with them. */
bool git_loss_keeps(enum git_loss_kind kind, const char *line, const char *before);
/* What git said of one, in whole lines of which all are kept, becomes its `seen`, and its `sizes`
 * where it said these; `lines` is taken over. */
void git_loss_see(struct git_loss *loss, char *lines);

#endif
