/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/config_kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "command/shell.h"
#include "risk/git_loss_verbs.h"
#include "risk/push_refs.h"

/* It is put into a command that the operator is told to run: a branch can have a name of which a
 * shell would make more than one word. */
static const char *upstream_of(const struct push_commits *pushes, const char *named)
{
    const char *upstream = pushes->upstream != NULL ? pushes->upstream : named;
    bool plain = upstream != NULL && git_loss_is_commit(upstream);
    return plain ? upstream : "REMOTE/BRANCH";
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

/* Does a push want to set the upstream? Where nothing is named, git's own settings may say so. */
enum tracking { NO_PUSH, TRACKS_NONE, MAY_TRACK, TRACKS };

/* What the commands of a line want there. */
struct wishes {
    enum tracking tracking; /* of the push that wants most */
    char *upstream;         /* that the only one that sets one names; owned, or NULL */
    bool deletes;           /* the settings of a branch */
    bool others;            /* or it cannot be said */
};

static bool names_any(const struct push_words *words)
{
    bool found = words->all || words->mirror || words->tags;
    for (const char *const *word = words->refspecs; *word != NULL; word++)
        found = found || **word != '-';
    return found;
}

static enum tracking tracking_of(const char *const *argv)
{
    struct push_words words;
    if (push_words_read(argv, &words))
        return push_words_deed(&words) == PUSH_DELETES ? TRACKS_NONE
               : words.tracks                          ? TRACKS
               : names_any(&words)                     ? TRACKS_NONE
                                                       : MAY_TRACK;
    bool unread = strcmp(argv[0], "git") == 0 && argv[1] != NULL && strcmp(argv[1], "push") == 0;
    return unread ? MAY_TRACK : NO_PUSH;
}

/* Of a push that sets it: whatever comes before that in the line. HEAD would have to be asked. */
static char *named_upstream(const char *const *argv)
{
    struct push_words words;
    struct push_commits commits;
    if (!push_words_read(argv, &words) || words.remote == NULL)
        return NULL;
    push_commits_find(&words, words.remote, "", &commits);
    char *upstream = steal_pointer(&commits.upstream);
    push_commits_clear(&commits);
    return upstream;
}

static void add_upstream(struct wishes *wishes, const char *const *argv)
{
    bool others = wishes->tracking == TRACKS;
    free(wishes->upstream);
    wishes->upstream = others ? NULL : named_upstream(argv);
}

static void add_wish(struct wishes *wishes, const char *const *argv)
{
    enum tracking tracking = tracking_of(argv);
    if (tracking == TRACKS)
        add_upstream(wishes, argv);
    if (tracking > wishes->tracking)
        wishes->tracking = tracking;
    if (git_loss_deletes_branch(argv))
        wishes->deletes = true;
    else if (tracking == NO_PUSH && strcmp(argv[0], "git") == 0 && !keeps_config(argv))
        wishes->others = true;
}

/* Of what is not understood, those are read that can be: it is but told. */
static struct wishes wishes_of(const struct call *call)
{
    const char *const *argv = (const char *const *)call->spec->argv;
    const char *text = shell_wrapped_script(argv);
    struct wishes wishes = {.tracking = NO_PUSH};
    if (text == NULL) {
        add_wish(&wishes, argv);
        return wishes;
    }
    struct shell_script script;
    shell_parse(text, strlen(text), &script);
    wishes.others = !script.understood;
    for (size_t i = 0; i < script.tree->count; i++) {
        const struct shell_node *node = &script.tree->nodes[i];
        cleanup_free const char **words = shell_tree_argv(node);
        if (node->kind == SHELL_COMMAND && node->word_count > 0)
            add_wish(&wishes, words);
    }
    shell_script_clear(&script);
    return wishes;
}

char *config_kept_upstream(const struct call *call)
{
    bool plain = call->agent_tool == NULL && call->patch == NULL && call->reach == NULL &&
                 call->input_for == 0;
    if (!plain || call->pushes.tracked)
        return NULL;
    struct wishes wishes = wishes_of(call);
    cleanup_free char *named = wishes.upstream;
    return wishes.tracking == TRACKS ? xstrdup(upstream_of(&call->pushes, named)) : NULL;
}

/* Of several, that which is to be mended is told. */
char *config_kept_words(const struct call *call)
{
    const struct push_commits *pushes = &call->pushes;
    struct wishes wishes = wishes_of(call);
    cleanup_free char *named = wishes.upstream;
    bool pushed = pushes->there != NULL || pushes->unknown != NULL;
    if (!pushes->tracked && (wishes.tracking == TRACKS ||
                             (pushed && wishes.tracking != TRACKS_NONE && !wishes.deletes)))
        return xasprintf(_("tracking is not set (git branch -u %s in your own terminal): the "
                           "sandbox keeps .git/config read-only"),
                         upstream_of(pushes, named));
    if (wishes.deletes && !wishes.others && wishes.tracking <= TRACKS_NONE)
        return xstrdup(_("settings of the branch stay in .git/config, read-only here: no harm"));
    return xstrdup(_("what git wanted to change in .git/config is as it was: the sandbox keeps "
                     "it read-only"));
}
