/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/git_loss_doubt.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "command/shell.h"
#include "risk/assessment.h"
#include "risk/git_loss_rm.h"

#define NAME_MAX_BYTES 30

/* No blank: a name could be a sentence that says something else in the row. */
static bool is_plain(const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    size_t length = strspn(word, plain);
    return length > 0 && length <= NAME_MAX_BYTES && word[length] == '\0' &&
           strchr(".-", *word) == NULL;
}

char *git_loss_command_name(const char *const *argv)
{
    const char *slash = strrchr(argv[0], '/'), *name = slash != NULL ? slash + 1 : argv[0];
    bool git = strcmp(name, "git") == 0 && argv[1] != NULL && *argv[1] != '-';
    if (!is_plain(name) || (git && !is_plain(argv[1])))
        return NULL;
    return git ? xasprintf("%s %s", name, argv[1]) : xstrdup(name);
}

bool git_loss_takes_work(const char *const *argv, const char *cwd)
{
    struct assessment assessment;
    cleanup_free char *line = NULL;
    assessment_of_argv(argv, cwd, NULL, &assessment, &line);
    return assessment_takes_work(&assessment);
}

bool git_loss_only_reads(const char *const *argv, const char *cwd)
{
    struct assessment assessment;
    cleanup_free char *line = NULL;
    assessment_of_argv(argv, cwd, NULL, &assessment, &line);
    return assessment.level == RISK_LOW;
}

/* The one of the line that does; the caller frees. NULL: none does, taken alone, or several do, of
 * which the one that is named would hide the others. */
static char *find_name(const struct shell_script *script, const char *cwd)
{
    const char *const *found = NULL;
    for (size_t i = 0; i < script->count; i++) {
        const char *const *argv = (const char *const *)script->commands[i].argv;
        if (!git_loss_takes_work(argv, cwd))
            continue;
        if (found != NULL)
            return NULL;
        found = argv;
    }
    return found != NULL ? git_loss_command_name(found) : NULL;
}

static bool takes_node(const struct shell_node *node, const char *cwd)
{
    cleanup_free const char **argv = xcalloc(node->word_count + 1, sizeof *argv);
    for (size_t i = 0; i < node->word_count; i++)
        argv[i] = node->words[i].text;
    return node->word_count > 0 && git_loss_takes_work(argv, cwd);
}

/* Do all that take something stand behind a pipe? */
static bool are_piped(const struct shell_tree *tree, const char *cwd)
{
    size_t takers = 0, piped = 0;
    for (size_t i = 0; i < tree->count; i++) {
        bool takes = takes_node(&tree->nodes[i], cwd);
        takers += takes;
        piped += takes && tree->nodes[i].feeds.first != tree->nodes[i].feeds.last;
    }
    return takers > 0 && piped == takers;
}

/* Is it one of its words that is not understood? */
static bool is_of_rm(const struct shell_script *script)
{
    for (size_t i = 0; i < script->tree->count; i++) {
        const struct shell_node *node = &script->tree->nodes[i];
        if (node->start <= script->offset && script->offset < node->end)
            return node->word_count > 0 && strcmp(node->words[0].text, "rm") == 0;
    }
    return false;
}

void git_losses_doubt(struct git_losses *losses, const char *const *argv, const char *cwd)
{
    if (losses->count > 0 || losses->unknown != NULL || !git_loss_in_repository(cwd))
        return;
    losses->unknown = N_("what this line takes is not looked at");
    const char *text = shell_wrapped_script(argv);
    struct shell_script script;
    if (text == NULL) {
        losses->unasked = git_loss_command_name(argv);
        return;
    }
    shell_parse(text, strlen(text), &script);
    if (script.understood)
        losses->unasked = find_name(&script, cwd);
    else if (strcmp(script.reason, "file name pattern") == 0 && is_of_rm(&script))
        losses->unknown = N_("a name that fits the pattern could be an option, unless it "
                             "begins with ./");
    else if (shell_tree_is_of_home(script.reason))
        losses->unknown = N_("only files below the working directory are looked at");
    else if (are_piped(script.tree, cwd))
        losses->unknown = N_("what a command in a pipe takes is not looked at");
    shell_script_clear(&script);
}
