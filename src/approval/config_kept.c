/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/config_kept.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "risk/git_loss_verbs.h"

/* What "refs/remotes/origin/main" stands for. It is put into a command that the operator is told to
 * run: a branch can have a name of which a shell would make more than one word. */
static const char *upstream_of(const struct push_commits *pushes)
{
    static const char remotes[] = "refs/remotes/";
    const char *there = pushes->there;
    bool plain = there != NULL && strncmp(there, remotes, strlen(remotes)) == 0 &&
                 git_loss_is_commit(there + strlen(remotes));
    return plain ? there + strlen(remotes) : "REMOTE/BRANCH";
}

/* Of other commands than a push, as `git branch -D`, git wants something else there. */
char *config_kept_words(const struct call *call)
{
    const struct push_commits *pushes = &call->pushes;
    if (pushes->there == NULL && pushes->unknown == NULL)
        return xstrdup(_("what git wanted to change in .git/config is as it was: the sandbox keeps "
                         "it read-only"));
    return xasprintf(_("tracking is not set (git branch -u %s in your own terminal): the sandbox "
                       "keeps .git/config read-only"),
                     upstream_of(pushes));
}
