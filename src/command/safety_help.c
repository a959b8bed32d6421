/* SPDX-License-Identifier: MIT */
/*
 * safety_help: programs that run code, asked only about themselves: for their version, for help,
 * whether a file could be read as code.
 */
#include "config.h"

#include <string.h>

#include "base/array.h"
#include "command/safety-int.h"

/* Programs that may be asked for their version and for help. Not here are those that a file of the
 * project can have replaced or redirected before they come so far (cargo, rustc, go, which starts
 * the toolchain that go.mod names, rustup, which asks the compiler that rust-toolchain.toml names,
 * and what version managers put in their place: see program_is_manager). */
static const char *const versioned[] = {
    "aws",        "bash",          "bd",      "black",  "bun",        "c++",
    "cc",         "clang",         "clang++", "claude", "cmake",      "codex",
    "cppcheck",   "curl",          "deno",    "docker", "entire",     "fd",
    "ffmpeg",     "g++",           "gcc",     "gemini", "gh",         "git",
    "gofmt",      "golangci-lint", "helm",    "java",   "javac",      "jq",
    "kubectl",    "ldd",           "lua",     "make",   "mise",       "mypy",
    "mysql",      "ninja",         "node",    "npm",    "nvim",       "opencode",
    "openssl",    "perl",          "pip",     "pip3",   "pkg-config", "psql",
    "python",     "python3",       "rg",      "ruby",   "ruff",       "sed",
    "shellcheck", "shfmt",         "sqlite3", "ssh",    "tmux",       "tsc",
    "uv",         "valgrind",      "vim",     "wget",   "workmux",    "yamllint",
    "yq",         "zsh",
};

/* Their one option, alone, makes them print a number or a page of help. */
static bool only_tells_its_version(const char *name, const struct safety_words *words)
{
    static const struct {
        const char *name, *word;
    } others[] = {
        {"curl", "-V"},    {"java", "-version"},   {"javac", "-version"},   {"node", "-v"},
        {"pip", "-V"},     {"pip3", "-V"},         {"psql", "-V"},          {"python", "-V"},
        {"python3", "-V"}, {"rg", "-V"},           {"sqlite3", "-version"}, {"ssh", "-V"},
        {"tmux", "-V"},    {"ffmpeg", "-version"},
    };
    const char *word = words->argv[1];
    if (word == NULL || words->argv[2] != NULL)
        return false;
    for (size_t i = 0; i < COUNT(others); i++)
        if (strcmp(others[i].name, name) == 0 && strcmp(others[i].word, word) == 0)
            return true;
    /* npm writes a log where the project's .npmrc says, but not for its version. */
    bool help = strcmp(word, "--help") == 0 && strcmp(name, "npm") != 0;
    if (strcmp(word, "--version") != 0 && !help)
        return false;
    return IS_IN(name, versioned);
}

/* Programs that print a page of help for `PROGRAM WORD… --help`, whatever the words are; what would
 * run another program may have that option for itself. Not git, which starts a pager, nor what has
 * plugins of the project's. */
static bool only_explains_a_subcommand(const char *name, const struct safety_words *words)
{
    static const char *const helpful[] = {"bd", "claude",   "codex",  "entire",
                                          "gh", "opencode", "workmux"};
    static const char *const launchers[] = {"exec", "extension", "run", "x"};
    const char *const *argv = words->argv;
    size_t last = 1;
    for (; argv[last] != NULL && argv[last][0] != '-'; last++)
        if (safety_path_is_pattern(words, last))
            return false;
    if (last == 1 || argv[last] == NULL || strcmp(argv[last], "--help") != 0 ||
        argv[last + 1] != NULL)
        return false;
    for (size_t i = 0; i < COUNT(launchers); i++)
        if (strcmp(launchers[i], argv[1]) == 0 && last > 2)
            return false;
    return IS_IN(name, helpful);
}

/* Interpreters that are told only to look whether a file could be read as code. Not perl and ruby:
 * they run what stands in BEGIN. */
static bool only_checks_syntax(const char *name, const struct safety_words *words)
{
    static const struct {
        const char *name, *word;
    } checks[] = {{"bash", "-n"}, {"dash", "-n"}, {"node", "--check"},
                  {"node", "-c"}, {"php", "-l"},  {"sh", "-n"}};
    const char *const *argv = words->argv;
    bool known = false;
    for (size_t i = 0; argv[1] != NULL && i < COUNT(checks); i++)
        known =
            known || (strcmp(checks[i].name, name) == 0 && strcmp(checks[i].word, argv[1]) == 0);
    if (!known || argv[2] == NULL)
        return false;
    for (size_t i = 2; argv[i] != NULL; i++) /* last: it asks the file system */
        if (argv[i][0] == '-' || argv[i][0] == '+' || !safety_path_word(words, i))
            return false;
    return true;
}

bool safety_help_judge(const char *name, const struct safety_words *words)
{
    return only_tells_its_version(name, words) || only_explains_a_subcommand(name, words) ||
           only_checks_syntax(name, words);
}
