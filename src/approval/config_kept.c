/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/config_kept.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"

/* "refs/remotes/origin/main": git has no branch with such a sign in its name. */
static const char *upstream_of(const struct push_commits *pushes)
{
    static const char remotes[] = "refs/remotes/";
    bool plain = pushes->there != NULL && strpbrk(pushes->there, " ()\"'\\;:") == NULL &&
                 strncmp(pushes->there, remotes, strlen(remotes)) == 0;
    return plain ? pushes->there + strlen(remotes) : "REMOTE/BRANCH";
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
