/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/loader_git.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/git_config_harmless.h"
#include "base/path.h"

/* Those that go to another repository, and start the other side as well. */
static const char *const transports[] = {"archive", "fetch", "ls-remote", "pull", "push", "remote"};

static bool is_transport(const char *subcommand)
{
    return IS_IN(subcommand, transports);
}

/* ---- where it goes ------------------------------------------------------------------------- */

bool loader_is_of_agents(const char *path, const struct loader_context *context)
{
    const char *const *roots = context->writable_roots;
    for (size_t i = 0; roots != NULL && roots[i] != NULL; i++)
        if (path_is_beneath(path, roots[i]))
            return true;
    return false;
}

/* "./x" and "../x" of a directory that is none of the agents' lead out of it as they stand. */
static char *absolute(const char *word, const char *cwd)
{
    cleanup_free char *base = xstrdup(*word == '/' ? "" : cwd);
    for (; strncmp(word, "./", 2) == 0 || strncmp(word, "../", 3) == 0;
         word += strcspn(word, "/") + 1)
        if (word[1] == '.' && strrchr(base, '/') != NULL)
            *strrchr(base, '/') = '\0';
    return xasprintf("%s/%s", base, word);
}

/* Is it in a directory that agents write, or led there by one of its links? */
static bool is_place_of_agents(const char *word, const struct loader_context *context)
{
    cleanup_free char *path = absolute(word, context->cwd);
    for (char *slash = path; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        cleanup_free char *real = realpath(path, NULL);
        if (slash != NULL)
            *slash = '/';
        if (real != NULL && loader_is_of_agents(real, context))
            return true;
    }
    return false;
}

static bool is_directory(const char *word, const struct loader_context *context)
{
    struct stat status;
    cleanup_free char *path = absolute(word, context->cwd);
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* "./x", "../x", "/x": no branch is called so. In "~/x" and URLs git puts in other letters. */
static bool is_path(const char *word)
{
    return *word == '/' || *word == '~' || strncmp(word, "./", 2) == 0 ||
           strncmp(word, "../", 3) == 0 || path_is_dots(word) || strncmp(word, "file:", 5) == 0;
}

/* The hooks and the settings of such a repository are the agents': `push` runs them, and `archive`.
 * `first`: where it stands it is a place, if it is no option. */
static bool leads_to_agents(const char *word, bool first, const struct loader_context *context)
{
    const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    word = equals != NULL ? equals + 1 : word;
    if (*word == '~' || strncmp(word, "file:", 5) == 0)
        return true;
    if (!is_path(word)) {
        const char *slash = strchr(word, '/'), *colon = strchr(word, ':');
        bool host = colon != NULL && (slash == NULL || colon < slash);
        if (!first || host || *word == '-' || (slash == NULL && !is_directory(word, context)))
            return false;
    }
    return is_place_of_agents(word, context);
}

/* An option that takes no word after it. */
static bool stands_alone(const char *option)
{
    static const char *const known[] = {
        "--all",     "--atomic",       "--delete",
        "--dry-run", "--ff-only",      "--follow-tags",
        "--force",   "--heads",        "--force-with-lease",
        "--no-tags", "--no-rebase",    "--prune",
        "--rebase",  "--quiet",        "--no-verify",
        "--tags",    "--set-upstream", "--verbose",
    };
    if (option[1] == '-')
        return strchr(option, '=') != NULL || IS_IN(option, known);
    return option[1] != '\0' && option[1 + strspn(option + 1, "dfnpquv")] == '\0';
}

/* The first word that is no option is the place, and of `remote` any: what stands behind an option
 * may be its own. */
static bool goes_to_agents(const char *const *words, size_t count,
                           const struct loader_context *context)
{
    bool first = true;
    for (size_t i = 2; i < count; i++) {
        bool option = words[i][0] == '-';
        if (leads_to_agents(words[i], first, context))
            return true;
        if (!option && strcmp(words[1], "remote") != 0)
            first = first && words[i - 1][0] == '-' && !stands_alone(words[i - 1]);
    }
    return false;
}

/* The repository of the workspace root is protected; any other one may bring hooks and settings of
 * its own, and so may options in front of the subcommand. */
bool loader_git_is_elsewhere(const char *const *words, size_t count,
                             const struct loader_context *context)
{
    return count < 2 || words[1][0] == '-' || context->root == NULL ||
           strcmp(context->cwd, context->root) != 0 ||
           (is_transport(words[1]) && goes_to_agents(words, count, context));
}

/* ---- what it runs -------------------------------------------------------------------------- */

/* Subcommands that run what the protected repository tells them to, and no words of theirs: not so
 * `bisect run`, `rebase -x`, `submodule foreach`, `grep -O`. */
static const char *const plain[] = {
    "add",    "apply",    "blame",  "branch",  "checkout",  "cherry-pick", "clean",
    "commit", "describe", "diff",   "gc",      "log",       "ls-files",    "merge",
    "mv",     "notes",    "reset",  "restore", "rev-parse", "revert",      "rm",
    "show",   "stash",    "status", "switch",  "tag",       "worktree",
};

/* `git config user.name Ann`: of the setting it is known that git runs nothing for it. */
static bool sets_harmless(const char *const *words, size_t count)
{
    static const char *const where[] = {"--global", "--local", "--system"};
    size_t at = count > 2 && IS_IN(words[2], where) ? 3 : 2;
    return strcmp(words[1], "config") == 0 && count == at + 2 && words[at + 1][0] != '-' &&
           git_config_is_harmless(words[at], words[at + 1]);
}

/* The other side's program, whose name git takes cut short as well. */
static bool names_program(const char *word)
{
    static const char *const options[] = {"--exec", "--receive-pack", "--upload-pack"};
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < COUNT(options); i++)
        if (length > strlen("--") && strncmp(word, options[i], length) == 0)
            return true;
    return false;
}

/* No program stands for the place that the word names, alone or behind "--repo=". */
static bool leads_to_git(const char *word)
{
    const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    return (word[0] == '-' && equals == NULL) ||
           git_place_is_harmless(equals != NULL ? equals + 1 : word);
}

bool loader_git_runs_words(const char *const *words, size_t count)
{
    if (count < 2 || IS_IN(words[1], plain) || sets_harmless(words, count))
        return false;
    if (!is_transport(words[1]))
        return true;
    for (size_t i = 2; i < count; i++)
        if (words[i][strcspn(words[i], " \t\n;|&`$(")] != '\0' || names_program(words[i]) ||
            !leads_to_git(words[i]))
            return true;
    return false;
}
