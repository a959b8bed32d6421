/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/push_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "command/parts.h"
#include "command/shell.h"
#include "risk/git_loss_verbs.h"
#include "risk/push_refs.h"

/* "--set-upstream" says where later ones go, "--output" can write the configuration, and
 * "--upload-pack" runs a command. Options can be cut short. */
static bool has_loud_option(const char *const *argv)
{
    static const char *const options[] = {"--s", "--ou", "--up"};
    for (size_t i = 2; argv[i] != NULL; i++)
        for (size_t j = 0; j < COUNT(options); j++)
            if (strncmp(argv[i], options[j], strlen(options[j])) == 0)
                return true;
    return false;
}

/* "git rebase -q UPSTREAM": a second word is a branch that it checks out, and of the options these
 * neither run a command (--exec) nor take a word. */
static bool is_plain_rebase(const char *const *argv)
{
    static const char *const options[] = {"-q", "-v", "--autostash", "--quiet", "--verbose"};
    size_t at = 2;
    while (argv[at] != NULL && IS_IN(argv[at], options))
        at++;
    return strcmp(argv[1], "rebase") == 0 && argv[at] != NULL && *argv[at] != '-' &&
           argv[at + 1] == NULL;
}

/* Does it leave the remotes and the branches' names, if not which one is checked out, or is there?
 */
static bool is_going_on(const char *const *argv)
{
    static const char *const verbs[] = {"checkout", "switch"};
    return argv[1] != NULL &&
           ((IS_IN(argv[1], verbs) && !has_loud_option(argv)) || git_loss_deletes_branch(argv));
}

/* Does it leave which one is checked out, too? "mv" moves files over the configuration, and
 * complains afterwards. */
static bool is_quiet_git(const char *const *argv)
{
    static const char *const verbs[] = {"add",   "cherry-pick", "commit",   "describe", "diff",
                                        "fetch", "log",         "ls-files", "merge",    "pull",
                                        "reset", "restore",     "revert",   "rm",       "rev-parse",
                                        "show",  "status",      "tag"};
    return argv[1] != NULL && (IS_IN(argv[1], verbs) || is_plain_rebase(argv)) &&
           !has_loud_option(argv);
}

static bool is_reader(const char *program)
{
    static const char *const readers[] = {":",     "cat",  "date", "echo",   "false",
                                          "grep",  "head", "ls",   "printf", "pwd",
                                          "sleep", "tail", "test", "true",   "wc"};
    return IS_IN(program, readers);
}

/* `named`: the push goes by names, wherever it is started. */
static bool is_quiet(const struct shell_command *command, bool named)
{
    static const unsigned harmless =
        SHELL_NULL_REDIRECT | SHELL_GLOB | SHELL_HEREDOC_LITERAL | SHELL_STATUS | SHELL_BANG;
    static const char *const builders[] = {"cargo",    "ctest",  "go",    "gradle", "make",
                                           "meson",    "mvn",    "ninja", "npm",    "pnpm",
                                           "prettier", "pytest", "ruff",  "tox",    "yarn"};
    const char *const *argv = (const char *const *)command->argv;
    if ((command->constructs & ~harmless) != 0)
        return false;
    return strcmp(argv[0], "git") == 0 ? is_quiet_git(argv) || (named && is_going_on(argv))
                                       : is_reader(argv[0]) || IS_IN(argv[0], builders);
}

/* Of one that is quiet: does it leave all commits and branches as they are, those that were fetched
 * too? */
static bool keeps_commits(const struct shell_command *command)
{
    static const char *const verbs[] = {"add",      "describe",  "diff", "log",
                                        "ls-files", "rev-parse", "show", "status"};
    const char *const *argv = (const char *const *)command->argv;
    return strcmp(argv[0], "git") == 0 ? argv[1] != NULL && IS_IN(argv[1], verbs)
                                       : is_reader(argv[0]);
}

static bool is_push(const struct shell_command *command)
{
    struct push_words words;
    return push_words_read((const char *const *)command->argv, &words);
}

/* The only one; `count` for none, or for more. */
static size_t find_push(const struct shell_script *script)
{
    size_t found = script->count;
    for (size_t i = 0; i < script->count; i++) {
        if (!is_push(&script->commands[i]))
            continue;
        if (found < script->count)
            return script->count;
        found = i;
    }
    return found;
}

/* Does it name where to, and branches alone, of which none is the one that is checked out? */
static bool is_named(const struct shell_command *command)
{
    struct push_words words;
    size_t count = 0;
    if (!push_words_read((const char *const *)command->argv, &words) || words.remote == NULL)
        return false;
    for (const char *const *word = words.refspecs; *word != NULL; word++) {
        if (**word == '-')
            continue;
        if (strpbrk(*word, "@~^+") != NULL || strncmp(*word, "HEAD", 4) == 0)
            return false;
        count++;
    }
    return count > 0;
}

/* Do all leave it where it is that run before it, or in a pipe beside it? *settled: and the
 * commits, too. */
static bool is_undisturbed(const struct shell_script *script, size_t push, bool *settled)
{
    bool beside = true, quiet = true, named = is_named(&script->commands[push]);
    *settled = true;
    for (size_t i = script->directory != NULL ? 1 : 0; quiet && i < script->count; i++) {
        beside = beside && (i <= push || script->operators[i - 1] == SHELL_PIPE);
        if (i == push || !beside)
            continue;
        quiet = is_quiet(&script->commands[i], named);
        *settled = *settled && keeps_commits(&script->commands[i]);
    }
    return quiet && (script->commands[push].constructs & ~(unsigned)SHELL_NULL_REDIRECT) == 0;
}

char **push_line_find(const char *text, const char *cwd, char **directory, const char **why)
{
    struct shell_script script;
    char **words = NULL;
    bool settled = false;
    *directory = NULL;
    shell_parse(text, strlen(text), &script);
    size_t push = script.understood ? find_push(&script) : script.count;
    if (push < script.count && is_undisturbed(&script, push, &settled)) {
        const struct shell_command *command = &script.commands[push];
        if (command->place == SHELL_HERE)
            *directory = xstrdup(cwd);
        else if (command->place == SHELL_THERE && script.directory != NULL)
            *directory = command_parts_directory(script.directory, cwd);
        if (*directory != NULL)
            words = strv_copy((const char *const *)command->argv);
    }
    *why =
        words != NULL && settled ? NULL : N_("other commands of the line can change that before");
    shell_script_clear(&script);
    return words;
}

bool push_line_hides(const char *text)
{
    struct shell_script script;
    struct push_words words;
    bool hides = false;
    shell_parse(text, strlen(text), &script);
    size_t push = script.understood ? find_push(&script) : script.count;
    for (size_t i = push; i + 1 < script.count; i++)
        hides = hides || script.operators[i] != SHELL_AND;
    hides = hides && push_words_read((const char *const *)script.commands[push].argv, &words) &&
            !words.tries;
    shell_script_clear(&script);
    return hides;
}
