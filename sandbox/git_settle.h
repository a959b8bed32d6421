/* SPDX-License-Identifier: MIT */
/*
 * git_settle: a configuration of git's that was replaced while the command ran.
 *
 * git writes a new configuration into "config.lock" beside the old one and renames it. The command,
 * which makes such files there too, can have appended to it, put one of its own in its place, or
 * keep it open. So what may come of the new one is what was known before and what makes git run
 * nothing, in a file that nobody else has ever opened; the rest is set aside and told of.
 */
#ifndef ASSENT_SANDBOX_GIT_SETTLE_H
#define ASSENT_SANDBOX_GIT_SETTLE_H

#include <stdbool.h>

#include "sandbox/report.h"

/* How often the same is made anew: two commands beside one another would do so in turns for ever.
 */
enum { GIT_SETTLE_AGAIN_MAX = 3 };

struct git_settle {
    char *known; /* what it says; NULL: it is no such configuration */
    int again;   /* made anew although nothing else was in it */
};

/* Is that the path of such a configuration? */
bool git_settle_is_about(const char *path);
/* Remembers what it says before the command starts. */
void git_settle_open(struct git_settle *settle, const char *path);
/* Makes it anew. The command's processes stand still, and nothing is mounted there. */
void git_settle_act(struct git_settle *settle, const char *path, const struct report *report);

#endif
