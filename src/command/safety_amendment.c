/* SPDX-License-Identifier: MIT */
/* safety_amendment: which prefix of a command may be allowed from now on, inside the sandbox. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/safety.h"
#include "command/wrapper.h"

#define WORDS_MAX 4

/* Prefixes that may be offered. "*" stands for one word that names a task, a verb or an address of
 * a service (no option, no assignment); "@" for a file of the project with a script in it.
 * Programs stand here when nothing that follows the prefix can make them run code of somebody
 * else's choice but for options that handover.h knows, or when they run the project's own tasks,
 * which the sandbox holds. */
static const char *const prefixes[][WORDS_MAX] = {
    /* read */
    {"basename"},
    {"cat"},
    {"cd"},
    {"cut"},
    {"diff"},
    {"dirname"},
    {"du"},
    {"echo"},
    {"file"},
    {"grep"},
    {"head"},
    {"jq"},
    {"ls"},
    {"lsof"},
    {"md5sum"},
    {"ps"},
    {"readlink"},
    {"realpath"},
    {"rg"},
    {"sed", "-n"},
    {"sha256sum"},
    {"sleep"},
    {"stat"},
    {"tail"},
    {"tr"},
    {"tree"},
    {"uniq"},
    {"wc"},
    {"which"},
    /* write files that they are given */
    {"chmod", "+x"},
    {"cp"},
    {"gofmt"},
    {"ln"},
    {"mkdir"},
    {"mv"},
    {"rmdir"},
    {"tee"},
    {"touch"},
    /* the repository; what is dangerous asks anyway */
    {"git", "add"},
    {"git", "apply"},
    {"git", "blame"},
    {"git", "branch"},
    {"git", "cat-file"},
    {"git", "check-ignore"},
    {"git", "checkout"},
    {"git", "cherry-pick"},
    {"git", "commit"},
    {"git", "describe"},
    {"git", "diff"},
    {"git", "fetch"},
    {"git", "grep"},
    {"git", "init"},
    {"git", "log"},
    {"git", "ls-files"},
    {"git", "ls-remote"},
    {"git", "ls-tree"},
    {"git", "merge"},
    {"git", "merge-base"},
    {"git", "mv"},
    {"git", "notes", "*"},
    {"git", "pull"},
    {"git", "push"},
    {"git", "rebase"},
    {"git", "reflog"},
    {"git", "remote", "*"},
    {"git", "remote"},
    {"git", "restore"},
    {"git", "rev-list"},
    {"git", "rev-parse"},
    {"git", "revert"},
    {"git", "rm"},
    {"git", "show"},
    {"git", "show-ref"},
    {"git", "stash", "*"},
    {"git", "stash"},
    {"git", "status"},
    {"git", "switch"},
    {"git", "tag"},
    {"git", "worktree", "*"},
    /* a code host; the network asks by itself */
    {"gh", "api"},
    {"gh", "issue", "*"},
    {"gh", "label", "*"},
    {"gh", "pr", "*"},
    {"gh", "release", "*"},
    {"gh", "repo", "*"},
    {"gh", "run", "*"},
    {"gh", "search", "*"},
    {"gh", "workflow", "*"},
    /* trackers of tasks and sessions */
    {"bd", "close"},
    {"bd", "create"},
    {"bd", "dep", "*"},
    {"bd", "list"},
    {"bd", "ready"},
    {"bd", "show"},
    {"bd", "update"},
    {"entire", "checkpoint", "*"},
    {"entire", "session", "*"},
    {"entire", "status"},
    {"entire", "version"},
    {"tmux", "capture-pane"},
    {"tmux", "list-panes"},
    {"tmux", "list-sessions"},
    {"tmux", "list-windows"},
    {"workmux", "capture"},
    {"workmux", "list"},
    {"workmux", "status"},
    {"workmux", "wait"},
    /* the project's own tasks, by name */
    {"biome", "*"},
    {"black"},
    {"bun", "add"},
    {"bun", "build"},
    {"bun", "install"},
    {"bun", "run", "*"},
    {"bun", "test"},
    {"bun", "@"},
    {"bundle", "install"},
    {"cargo", "add"},
    {"cargo", "bench"},
    {"cargo", "build"},
    {"cargo", "check"},
    {"cargo", "clippy"},
    {"cargo", "doc"},
    {"cargo", "fmt"},
    {"cargo", "metadata"},
    {"cargo", "nextest", "*"},
    {"cargo", "run"},
    {"cargo", "test"},
    {"cargo", "tree"},
    {"cargo", "update"},
    {"cmake"},
    {"composer", "install"},
    {"ctest"},
    {"dotnet", "build"},
    {"dotnet", "restore"},
    {"dotnet", "test"},
    {"eslint"},
    {"flake8"},
    {"go", "build"},
    {"go", "clean"},
    {"go", "doc"},
    {"go", "env"},
    {"go", "fmt"},
    {"go", "generate"},
    {"go", "get"},
    {"go", "install"},
    {"go", "list"},
    {"go", "mod", "*"},
    {"go", "run", "*"},
    {"go", "test"},
    {"go", "tool", "*"},
    {"go", "vet"},
    {"golangci-lint", "run"},
    {"gradle", "*"},
    {"isort"},
    {"jest"},
    {"just", "*"},
    {"make", "*"},
    {"meson", "*"},
    {"mise", "run", "*"},
    {"mise", "tasks"},
    {"mvn", "*"},
    {"mypy"},
    {"ninja"},
    {"node", "@"},
    {"node", "--check"},
    {"npm", "audit"},
    {"npm", "ci"},
    {"npm", "install"},
    {"npm", "ls"},
    {"npm", "outdated"},
    {"npm", "run", "*"},
    {"npm", "test"},
    {"npm", "view"},
    {"nx", "*"},
    {"pip", "install"},
    {"pip", "list"},
    {"pip", "show"},
    {"pip3", "install"},
    {"pnpm", "run", "*"},
    {"pnpm", "*"},
    {"poetry", "install"},
    {"prettier"},
    {"pytest"},
    {"python", "-m", "pytest"},
    {"python", "-m", "unittest"},
    {"python", "@"},
    {"python3", "-m", "json.tool"},
    {"python3", "-m", "pytest"},
    {"python3", "-m", "unittest"},
    {"python3", "@"},
    {"rake", "*"},
    {"ruby", "@"},
    {"bash", "@"},
    {"sh", "@"},
    {"ruff", "*"},
    {"shellcheck"},
    {"swift", "build"},
    {"swift", "test"},
    {"task", "*"},
    {"tox"},
    {"tsc"},
    {"tsx", "@"},
    {"turbo", "run", "*"},
    {"uv", "lock"},
    {"uv", "pip", "*"},
    {"uv", "sync"},
    {"vitest"},
    {"yarn", "run", "*"},
    {"yarn", "*"},
};

/* Behind "*" these would run any program, or fetch one. */
static const char *const never_tasks[] = {"create", "dlx",  "exec", "explore", "foreach",
                                          "init",   "node", "run",  "x"};

/* Wrappers that change nothing but when, how long and how urgently something runs; they become part
 * of the prefix, with their options. */
static const char *const transparent[] = {"gtimeout", "ionice", "nice", "nohup",
                                          "rtk",      "stdbuf", "time", "timeout"};

/* Options between the program and its subcommand that change nothing but where and with what of the
 * project it works; they become part of the prefix, with their values. */
static const struct {
    const char *program, *options;
} between[] = {
    {"bd", "--db --json --readonly"},
    {"bun", "--cwd --filter"},
    {"git", "-C --no-pager"},
    {"go", "-C"},
    {"mise", "-C --cd"},
    {"npm", "-C -w --prefix --workspace"},
    {"pnpm", "-C -F -r --dir --filter"},
    {"yarn", "--cwd"},
};

static size_t prefix_length(const char *const *prefix)
{
    size_t length = 0;
    while (length < WORDS_MAX && prefix[length] != NULL)
        length++;
    return length;
}

/* A script of the project: named from the working directory downwards, or in it. */
static bool is_script(const char *word)
{
    const char *dot = strrchr(word, '.');
    return word[0] != '-' && word[0] != '/' && strstr(word, "..") == NULL && dot != NULL &&
           dot[1] != '\0' && strchr(dot, '/') == NULL;
}

static bool word_fits(const char *pattern, const char *word)
{
    if (strcmp(pattern, "*") == 0)
        return word[0] != '-' && word[0] != '\0' && strchr(word, '=') == NULL &&
               !IS_IN(word, never_tasks);
    return strcmp(pattern, "@") == 0 ? is_script(word) : strcmp(pattern, word) == 0;
}

static bool is_listed(const char *word, const char *list)
{
    size_t length = strcspn(word, "=");
    for (; *list != '\0'; list += strspn(list, " ")) {
        size_t width = strcspn(list, " ");
        if (width == length && memcmp(list, word, length) == 0)
            return true;
        list += width;
    }
    return false;
}

/* Index of the subcommand when only such options stand in front of it, else 0. */
static size_t find_subcommand(const char *const *argv, size_t count)
{
    size_t index = wrapper_subcommand_index(argv, count);
    const char *options = "";
    for (size_t i = 0; i < COUNT(between); i++)
        if (strcmp(between[i].program, argv[0]) == 0)
            options = between[i].options;
    for (size_t i = 1; i < index; i++)
        if (argv[i][0] == '-' && !is_listed(argv[i], options))
            return 0;
    return index;
}

/* Number of words of argv that the prefix takes, options between program and subcommand included;
 * 0 when it does not fit. */
static size_t prefix_fits(const char *const *prefix, const char *const *argv, size_t count)
{
    size_t length = prefix_length(prefix), at = 1;
    if (count == 0 || strcmp(prefix[0], argv[0]) != 0)
        return 0;
    for (size_t i = 1; i < length; i++, at++) {
        if (i == 1 && prefix[i][0] != '-')
            at = find_subcommand(argv, count);
        if (at == 0 || at >= count || !word_fits(prefix[i], argv[at]))
            return 0;
    }
    return length == 1 ? 1 : at;
}

/* Where the program begins, behind wrappers that may be part of a prefix; `count` when there are
 * others. */
static size_t find_program(const char *const *argv, size_t count)
{
    size_t start = wrapper_skip(argv, count), at = 0;
    while (at < start) {
        if (!IS_IN(argv[at], transparent))
            return count;
        size_t next = at + 1;
        while (next < start && !IS_IN(argv[next], transparent))
            next++;
        at = next;
    }
    return start;
}

char **safety_amendment(const char *const *argv)
{
    size_t count = strv_length(argv), start = find_program(argv, count), taken = 0;
    for (size_t i = 0; i < COUNT(prefixes) && taken == 0; i++)
        taken = prefix_fits(prefixes[i], argv + start, count - start);
    if (taken == 0)
        return NULL;
    char **words = xcalloc(start + taken + 1, sizeof(*words));
    for (size_t i = 0; i < start + taken; i++)
        words[i] = xstrdup(argv[i]);
    return words;
}
