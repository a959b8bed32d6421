/* SPDX-License-Identifier: MIT */
/*
 * git_leftover: what a command leaves behind that git would run, once the command has ended.
 *
 * A repository that came into being while it ran is its own to work with, hooks and configuration
 * included; afterwards it is the operator's, whose git obeys it as soon as somebody looks at it. So
 * what runs code there is set aside under another name, and told of: hooks, and of the
 * configuration all but what is known to do nothing. The same goes for commands that were added to
 * the list of what is left to do of a rebase, for symlinks that git would write through, and for an
 * index that names what is not in the working tree.
 */
#ifndef ASSENT_SANDBOX_GIT_LEFTOVER_H
#define ASSENT_SANDBOX_GIT_LEFTOVER_H

#include <stdbool.h>

#include "sandbox/git_books.h"
#include "sandbox/git_links.h"
#include "sandbox/protect.h"
#include "sandbox/report.h"

struct git_leftover {
    struct protect *protect; /* grows: what is found becomes known */
    const struct report *report;
    struct git_books books;
    struct git_links links;
    bool unsure; /* not all repositories that were there are known */
};

/* Before the command starts. */
void git_leftover_open(struct git_leftover *leftover, struct protect *protect,
                       const struct report *report);
/* Something has changed in a watched directory: what need not wait for the end. */
void git_leftover_act(struct git_leftover *leftover);
/* When nothing of the command runs any more. */
void git_leftover_finish(struct git_leftover *leftover);

#endif
