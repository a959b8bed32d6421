/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/loader.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/path.h"
#include "command/program.h"
#include "command/shell.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Operands that are looked at; a command with more of them is not repeated word by word anyway. */
#define OPERANDS_MAX 256

/* Programs that read what they are to run out of files or of their operands: sorted by kind, one
 * kind a block. A version at the end of a name (python3.11, gcc-12) is left out. */
static const char *const loaders[] = {
    /* shells and interpreters */
    "ash",
    "awk",
    "bash",
    "bb",
    "bun",
    "clojure",
    "csh",
    "dash",
    "deno",
    "elixir",
    "erl",
    "escript",
    "expect",
    "fish",
    "gawk",
    "ghci",
    "groovy",
    "guile",
    "gjs",
    "iex",
    "irb",
    "java",
    "jshell",
    "julia",
    "kotlin",
    "ksh",
    "lua",
    "luajit",
    "m4",
    "mawk",
    "mksh",
    "mono",
    "node",
    "nodejs",
    "nawk",
    "octave",
    "osascript",
    "perl",
    "php",
    "pwsh",
    "pypy",
    "python",
    "r",
    "racket",
    "rhino",
    "rscript",
    "ruby",
    "runghc",
    "sbcl",
    "scala",
    "sh",
    "swift",
    "tclsh",
    "tcsh",
    "ts-node",
    "tsx",
    "wish",
    "zsh",
    /* what a shell reads or runs in its own process */
    ".",
    "enable",
    "eval",
    "source",
    "trap",
    /* builds and task runners */
    "ant",
    "autoconf",
    "automake",
    "autoreconf",
    "b2",
    "bazel",
    "bazelisk",
    "bjam",
    "bmake",
    "buck",
    "cabal",
    "cargo",
    "cmake",
    "configure",
    "cpack",
    "ctest",
    "dotnet",
    "dune",
    "earthly",
    "gmake",
    "go",
    "gradle",
    "gradlew",
    "invoke",
    "jake",
    "just",
    "lein",
    "libtool",
    "make",
    "mage",
    "meson",
    "mill",
    "mix",
    "msbuild",
    "mvn",
    "mvnw",
    "ninja",
    "nix",
    "nix-build",
    "nix-shell",
    "nmake",
    "npm",
    "npx",
    "nx",
    "pants",
    "pnpm",
    "qmake",
    "rake",
    "rebar3",
    "redo",
    "rustc",
    "samu",
    "sbt",
    "scons",
    "stack",
    "swiftc",
    "task",
    "tup",
    "turbo",
    "waf",
    "xcodebuild",
    "yarn",
    "zig",
    /* compilers and linkers: plug-ins, response files */
    "c++",
    "c99",
    "cc",
    "clang",
    "clang++",
    "cpp",
    "g++",
    "gcc",
    "ghc",
    "ld",
    "lld",
    "ldd",
    "ocamlfind",
    "protoc",
    "tsc",
    /* tests and checkers */
    "ava",
    "behave",
    "cypress",
    "eslint",
    "jest",
    "mocha",
    "mypy",
    "nose",
    "nox",
    "phpunit",
    "playwright",
    "prettier",
    "pylint",
    "pytest",
    "rspec",
    "rubocop",
    "tox",
    "vitest",
    /* packages and environments */
    "apt",
    "apt-get",
    "bundle",
    "bundler",
    "brew",
    "composer",
    "conda",
    "cpan",
    "cpanm",
    "dpkg",
    "dpkg-buildpackage",
    "gem",
    "hatch",
    "luarocks",
    "mamba",
    "opam",
    "pacman",
    "pdm",
    "pip",
    "pipenv",
    "pipx",
    "poetry",
    "rpm",
    "rpmbuild",
    "rustup",
    "uv",
    "uvx",
    "volta",
    "yay",
    /* containers, deployment, several machines */
    "ansible",
    "ansible-playbook",
    "buildah",
    "chef",
    "docker",
    "docker-compose",
    "fab",
    "helm",
    "helmfile",
    "kustomize",
    "minikube",
    "nerdctl",
    "nomad",
    "packer",
    "podman",
    "pulumi",
    "puppet",
    "salt",
    "serverless",
    "skaffold",
    "terraform",
    "terragrunt",
    "tofu",
    "vagrant",
    /* debuggers, tracers, emulators, multiplexers, schedulers, editors with a terminal */
    "at",
    "batch",
    "code",
    "crontab",
    "dtrace",
    "gdb",
    "lldb",
    "qemu",
    "rr",
    "screen",
    "tmux",
    "wine",
    "zellij",
    /* others that read commands out of a file or run their operands */
    "assent",
    "bpftrace",
    "busybox",
    "capsh",
    "direnv",
    "entr",
    "env",
    "find",
    "firejail",
    "gawk",
    "git-rebase",
    "ld.so",
    "mise",
    "parallel",
    "pre-commit",
    "run-parts",
    "script",
    "start-stop-daemon",
    "systemctl",
    "systemd-run",
    "toybox",
    "watch",
    "watchexec",
    "xterm",
};

/* The same, but out of scripts of their own: none of a project's builds and tests. */
static const char *const scripted[] = {
    "bc",   "dc",      "duckdb",   "ed",      "emacs",   "emacsclient", "ex",        "hx",
    "less", "man",     "mongo",    "mongosh", "more",    "mysql",       "nano",      "nc",
    "ncat", "nvim",    "open",     "patch",   "pico",    "psql",        "redis-cli", "rsync",
    "rvim", "sed",     "socat",    "sqlite",  "sqlite3", "tar",         "vi",        "view",
    "vim",  "vimdiff", "xdg-open", "zip",
};

/* Builtins that a shell runs itself and that load nothing. */
static const char *const builtins[] = {
    ":",     "[",    "echo", "exit", "export", "false", "printf", "pwd",  "set",
    "shift", "test", "true", "type", "ulimit", "umask", "unset",  "wait",
};

static bool name_in(const char *name, size_t length, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncasecmp(names[i], name, length) == 0 && names[i][length] == '\0')
            return true;
    return false;
}

/* Length of the name without a version at its end: python3.11, gcc-12, qemu-system-x86_64. */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name);
    if (strncmp(name, "qemu-", 5) == 0)
        return 4;
    if (strncmp(name, "ld-", 3) == 0 || strncmp(name, "ld.", 3) == 0)
        return 2;
    while (length > 1 && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '.' ||
                          name[length - 1] == '-'))
        length--;
    return length;
}

static bool is_named(const char *name, size_t length, bool builds_only)
{
    return name_in(name, length, loaders, COUNT(loaders)) ||
           (!builds_only && name_in(name, length, scripted, COUNT(scripted)));
}

static bool is_loader(const char *program, bool builds_only)
{
    const char *name = wrapper_basename(program);
    return is_named(name, strlen(name), builds_only) ||
           is_named(name, stem_length(name), builds_only);
}

/* Cross compilers and the like carry the target in front: x86_64-linux-gnu-gcc. */
static bool is_prefixed_loader(const char *program, bool builds_only)
{
    const char *name = wrapper_basename(program), *dash = strrchr(name, '-');
    while (dash != NULL && isdigit((unsigned char)dash[1])) {
        while (dash > name && *--dash != '-')
            continue;
        dash = *dash == '-' ? dash : NULL;
    }
    return dash != NULL && is_loader(dash + 1, builds_only);
}

/* A script: what its interpreter reads besides is not known. */
static bool is_script(const char *file)
{
    char head[2];
    cleanup_fd int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return fd < 0 || (read(fd, head, sizeof(head)) == 2 && head[0] == '#' && head[1] == '!');
}

static bool is_beneath_roots(const char *file, const struct loader_context *context)
{
    const char *const *roots = context->writable_roots;
    for (size_t i = 0; roots != NULL && roots[i] != NULL; i++)
        if (path_is_beneath(file, roots[i]))
            return true;
    return false;
}

/* An operand that names an executable or a script of a writable root: whatever the program is, it
 * may run it. `--file=PATH` and `@PATH` are looked at as well. */
static bool names_code(const char *word, const struct loader_context *context)
{
    struct stat status;
    const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    if (equals != NULL || word[0] == '@')
        word = equals != NULL ? equals + 1 : word + 1;
    cleanup_free char *path =
        word[0] == '/' ? xstrdup(word) : xasprintf("%s/%s", context->cwd, word);
    cleanup_free char *real = realpath(path, NULL);
    if (real == NULL || stat(real, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    return is_beneath_roots(real, context) && ((status.st_mode & 0111) != 0 || is_script(real));
}

/* The repository of the workspace root is protected; any other one may bring hooks and settings of
 * its own, and so may options in front of the subcommand. */
static bool is_git_elsewhere(const char *const *words, size_t count,
                             const struct loader_context *context)
{
    return strcmp(wrapper_basename(words[0]), "git") == 0 &&
           (count < 2 || words[1][0] == '-' || context->root == NULL ||
            strcmp(context->cwd, context->root) != 0);
}

/* `words` begin with the program, wrappers passed. */
static const char *reason_of_program(const char *const *words, size_t count,
                                     const struct loader_context *context)
{
    struct program program;
    const char *reason = NULL;
    bool builds_only = context->builds_only;
    if (is_loader(words[0], builds_only) || is_prefixed_loader(words[0], builds_only))
        return N_("it runs code from files that agents can change");
    program_find(words[0], context->cwd, context->search_path, &program);
    if (!program_is_installed(&program, context->writable_roots))
        reason = N_("its program is not an installed one");
    else if (is_loader(program.real, builds_only) || is_script(program.real))
        reason = N_("its program is a script, and may run other code");
    else if (!builds_only && is_git_elsewhere(words, count, context))
        reason = N_("a repository can bring settings that run code");
    else if (count > OPERANDS_MAX)
        reason = N_("it has too many words to look at");
    for (size_t i = 1; reason == NULL && i < count; i++)
        if (names_code(words[i], context))
            reason = N_("it names a program that agents can change");
    program_clear(&program);
    return reason;
}

static const char *reason_of_words(const char *const *words, size_t count,
                                   const struct loader_context *context)
{
    size_t start = wrapper_skip(words, count), index;
    cleanup_free char *script = wrapper_script(words, count, &index);
    if (script != NULL || start >= count)
        return N_("it hands its words to another program");
    /* The wrappers are programs as well: each must be an installed one. */
    for (size_t i = 0; i < start; i++)
        if (names_code(words[i], context))
            return N_("it names a program that agents can change");
    return reason_of_program(words + start, count - start, context);
}

static const char *reason_of_node(const struct shell_node *node,
                                  const struct loader_context *context)
{
    if (node->kind != SHELL_COMMAND || node->assignment_count > 0)
        return N_("it is a script that is not plain");
    if (node->word_count == 0)
        return NULL;
    const char *name = node->words[0].text;
    if (name_in(name, strlen(name), builtins, COUNT(builtins)))
        return NULL;
    for (size_t i = 0; i < node->word_count; i++)
        if (node->words[i].status) /* which file that names is not known */
            return N_("it is a script that is not plain");
    const char **words = shell_tree_argv(node);
    const char *reason = reason_of_words(words, node->word_count, context);
    free(words);
    return reason;
}

/* Behind a `cd` the operands would be looked for in the wrong place. */
static bool changes_directory(const struct shell_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].word_count > 0 && (strcmp(tree->nodes[i].words[0].text, "cd") == 0 ||
                                              strcmp(tree->nodes[i].words[0].text, "pushd") == 0))
            return true;
    return false;
}

static const char *reason_of_script(const char *script, const struct loader_context *context)
{
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    const char *reason = NULL;
    if (tree->reason != NULL || tree->truncated || changes_directory(tree))
        reason = N_("it is a script that is not plain");
    for (size_t i = 0; i < tree->count && reason == NULL; i++)
        reason = reason_of_node(&tree->nodes[i], context);
    shell_tree_free(&tree);
    return reason;
}

const char *loader_reason(const char *const *argv, const struct loader_context *context)
{
    const char *script = shell_wrapped_script(argv);
    if (script == NULL)
        return reason_of_words(argv, strv_length(argv), context);
    struct program shell;
    program_find(argv[0], context->cwd, context->search_path, &shell);
    bool installed = program_is_installed(&shell, context->writable_roots);
    program_clear(&shell);
    return installed ? reason_of_script(script, context)
                     : N_("its program is not an installed one");
}
