/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/config_kept.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "command/shell.h"
#include "risk/git_loss_verbs.h"

/* It is put into a command that the operator is told to run: a branch can have a name of which a
 * shell would make more than one word. */
static const char *upstream_of(const struct push_commits *pushes)
{
    bool plain = pushes->upstream != NULL && git_loss_is_commit(pushes->upstream);
    return plain ? pushes->upstream : "REMOTE/BRANCH";
}

/* `git switch` of a branch that is not here yet would have it track another. */
static bool keeps_config(const char *const *argv)
{
    static const char *const verbs[] = {"add", "commit", "diff", "log", "merge", "show", "status"};
    static const char *const switches[] = {"checkout", "switch"};
    static const char *const usual[] = {"main", "master"};
    size_t count = strv_length(argv);
    bool alone = count == 3 || (count == 4 && strcmp(argv[2], "-q") == 0);
    return count > 1 && (IS_IN(argv[1], verbs) ||
                         (alone && IS_IN(argv[1], switches) && IS_IN(argv[count - 1], usual)));
}

/* Alone, or as the only git of a line that would write there. */
static bool deletes_branch(const struct call *call)
{
    const char *const *argv = (const char *const *)call->spec->argv;
    const char *text = shell_wrapped_script(argv);
    if (text == NULL)
        return git_loss_deletes_branch(argv);
    struct shell_script script;
    shell_parse(text, strlen(text), &script);
    bool found = false, others = !script.understood;
    for (size_t i = 0; i < script.count; i++) {
        const char *const *words = (const char *const *)script.commands[i].argv;
        if (git_loss_deletes_branch(words))
            found = true;
        else
            others = others || (strcmp(words[0], "git") == 0 && !keeps_config(words));
    }
    shell_script_clear(&script);
    return found && !others;
}

/* Of other commands than a push git wants something else there. */
char *config_kept_words(const struct call *call)
{
    const struct push_commits *pushes = &call->pushes;
    if (pushes->there == NULL && pushes->unknown == NULL && deletes_branch(call))
        return xstrdup(_("settings of the branch stay in .git/config, read-only here: no harm"));
    if (pushes->there == NULL && pushes->unknown == NULL)
        return xstrdup(_("what git wanted to change in .git/config is as it was: the sandbox keeps "
                         "it read-only"));
    return xasprintf(_("tracking is not set (git branch -u %s in your own terminal): the sandbox "
                       "keeps .git/config read-only"),
                     upstream_of(pushes));
}
