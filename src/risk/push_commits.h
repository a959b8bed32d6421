/* SPDX-License-Identifier: MIT */
/*
 * push_commits: which commits a `git push` sends, and which it takes away where it goes. Only git
 * can tell, and it is not run here: where the repository is an agent's it could run code. What is
 * told is of what was last fetched from there, and agents can write that too.
 */
#ifndef ASSENT_RISK_PUSH_COMMITS_H
#define ASSENT_RISK_PUSH_COMMITS_H

#include <stdbool.h>

#include "risk/git_look_state.h"
#include "risk/push_refs.h"

/* Words as git-log(1) takes them, untrusted; all owned. `there` NULL: it cannot be said. */
struct push_commits {
    char *there;  /* the branch that it writes, as last fetched: "refs/remotes/origin/main" */
    char *sent;   /* "refs/remotes/origin/main..HEAD~1"; NULL: it deletes */
    char *source; /* "HEAD~1", for where there is no such branch yet; NULL with `sent` */
    char *lost; /* the other way round; all of `there` when it deletes; NULL: by its words it takes
                   none away */
    char *remote;    /* "origin" */
    char *directory; /* where the push runs; NULL: where its command is started */
    /* "origin/main": the branch that it writes, also where `there` is NULL; NULL: it deletes, or it
     * is not known. */
    char *upstream;
    bool tag;     /* what it writes is a tag, and no branch */
    bool tracked; /* that is the upstream already of the branch that is sent */
    /* Why `there` is NULL: a phrase of N_(), static; NULL: for another reason. */
    const char *unknown;
};

/* Of one branch that goes to a remote of that name; `branch` is what HEAD names. What is there is
 * taken to be what was last fetched. Else only `unknown` is set: it writes more than one, or it
 * cannot be said. */
void push_commits_find(const struct push_words *words, const char *remote, const char *branch,
                       struct push_commits *commits);
struct push_commits push_commits_copy(const struct push_commits *commits);
/* Only where they go is known, for that reason. */
void push_commits_forget(struct push_commits *commits, const char *why);
void push_commits_clear(struct push_commits *commits);

/* What git said of them when it was asked (approval/git_look.h). */
struct push_seen {
    enum git_look_state look;
    /* GIT_SEEN: of each range (`lost` NULL where that is) a line "HASH SUBJECT" for each commit,
     * the newest first, "" for none; more lines than GIT_SEEN_LINES: there are more. As git
     * wrote them, long ones cut: untrusted; owned. */
    char *sent, *lost;
    bool fresh; /* there is no such branch, as last fetched: what is on none of that remote is sent,
                   and with GIT_UNSEEN nothing is known of what it deletes */
    bool never; /* … nor anything else of that remote: what is there is not known */
    char *why;  /* GIT_UNSEEN: what git said instead or with it, untrusted, "" for nothing; NULL: it
                   took too long; owned */
};
void push_seen_clear(struct push_seen *seen);
bool push_seen_same(const struct push_seen *one, const struct push_seen *other);

#endif
