/* SPDX-License-Identifier: MIT */
/* git_loss_verbs: what one command of git takes, by its words; a part of git_losses. */
#ifndef ASSENT_RISK_GIT_LOSS_VERBS_H
#define ASSENT_RISK_GIT_LOSS_VERBS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "risk/git_losses.h"

/* What the commands of a line before this one have done to what git would be asked. */
struct git_loss_before {
    bool moved;           /* HEAD, a branch or a stash is another by then */
    const char *switched; /* HEAD is this branch, which is there now; nothing else has changed */
    bool writes;          /* files are written back … */
    const char *from;     /* … from this commit, NULL: from the index */
    bool cleans;
    size_t removes; /* so many operands of `rm`; … */
    size_t removal; /* … the first of what git is asked about them */
    size_t there;   /* how many of them git is asked about and are there, and … */
    size_t known;   /* … where git is asked whether it knows each of those */
};

/* The words of one command. */
struct git_loss_words {
    const char *const *argv;
    size_t verb;           /* of git's: of which this is its name */
    const char *cwd;       /* where the script starts; absolute */
    const char *directory; /* where it runs, NULL: there */
    bool glob;             /* the shell makes names of some of the words, by patterns */
    struct strbuf *shown;
    struct git_losses *losses;
    struct git_loss_before *before;
};

/* Adds what it takes to words->losses, and how that is seen to words->shown. False: it takes
 * nothing, or it cannot be said; both may have been added to then. */
bool git_loss_verbs_find(const struct git_loss_words *words);

/* Adds one of both: "git COMMAND OPERAND…" in a line of its own, and what git is asked itself.
 * False: there are too many. */
void git_loss_show(const struct git_loss_words *words, const char *command,
                   const char *const *operands);
bool git_loss_ask(const struct git_loss_words *words, enum git_loss_kind kind,
                  const char *const *command, const char *const *operands);

/* Is that about the files of a stash? */
bool git_loss_is_of_stash(const struct git_loss *loss);

/* Is it "git branch -d OLD…", or -D, and nothing else that `git branch` can do? */
bool git_loss_deletes_branch(const char *const *argv);

/* Has it a sign by which a shell, or git, makes other names of it? */
bool git_loss_is_pattern(const char *word);

/* Can an untrusted word be shown as it is? And is it a commit's name, which is no option and no
 * more than one? */
bool git_loss_is_open(const char *word);
bool git_loss_is_commit(const char *name);

#endif
