/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/loader.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/path.h"
#include "command/loader_git.h"
#include "command/program.h"
#include "command/shell.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"

/* Operands that are looked at; a command with more of them is not repeated word by word anyway. */
#define OPERANDS_MAX 256

/* Builtins that a shell runs itself and that load nothing. */
static const char *const builtins[] = {
    ":",     "[",    "echo", "exit", "export", "false", "printf", "pwd",  "set",
    "shift", "test", "true", "type", "ulimit", "umask", "unset",  "wait",
};

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

static bool is_builtin(const char *name)
{
    for (size_t i = 0; i < COUNT(builtins); i++)
        if (strcasecmp(builtins[i], name) == 0)
            return true;
    return false;
}

/* A script: what its interpreter reads besides is not known. */
static bool is_script(const char *file)
{
    char head[2];
    cleanup_fd int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return fd < 0 || (read(fd, head, sizeof(head)) == 2 && head[0] == '#' && head[1] == '!');
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
    return loader_is_of_agents(real, context) && ((status.st_mode & 0111) != 0 || is_script(real));
}

static bool is_git(const char *program)
{
    return strcmp(wrapper_basename(program), "git") == 0;
}

/* `split --filter='sh x'`, `fd -x make`: an operand is, or begins with, a program that runs what it
 * reads. */
static bool names_loader(const char *word, const struct loader_context *context)
{
    struct program program;
    const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    word = equals != NULL ? equals + 1 : word;
    cleanup_free char *name = xstrndup(word, strcspn(word, " \t"));
    if (!loader_names(name, context->builds_only))
        return false;
    program_find(name, context->cwd, context->search_path, &program);
    bool found = program.path != NULL;
    program_clear(&program);
    return found;
}

/* `curl -K x` and `wget --config=x` take from a file of the agent's what to write, and what to run.
 */
static bool reads_settings(const char *const *words, size_t count)
{
    const char *name = wrapper_basename(words[0]);
    bool curl = strcmp(name, "curl") == 0;
    if (!curl && strcmp(name, "wget") != 0)
        return false;
    for (size_t i = 1; i < count; i++) {
        const char *word = words[i];
        bool settings = strncmp(word, "--config", strlen("--config")) == 0 ||
                        strncmp(word, "--exec", strlen("--exec")) == 0;
        bool letters = word[0] == '-' && word[1] != '-' && strpbrk(word, curl ? "K" : "e") != NULL;
        if (settings || letters)
            return true;
    }
    return false;
}

#define READS_CODE N_("it can run code from files that agents can change")
#define RUNS_WORDS N_("it makes another program run what it is given")

bool loader_reads_code(const char *reason)
{
    return strcmp(reason, READS_CODE) == 0;
}

static const char *reason_of_name(const char *word, const struct loader_context *context)
{
    if (context->named != NULL)
        *context->named = xstrdup(word);
    return N_("it names a program that agents can change");
}

/* An installed program of just that name: neither a link to another, nor a script. */
static bool is_itself(const char *word, const struct loader_context *context)
{
    struct program program;
    program_find(word, context->cwd, context->search_path, &program);
    bool itself = program_is_installed(&program, context->writable_roots) &&
                  strcmp(wrapper_basename(program.real), wrapper_basename(word)) == 0 &&
                  !is_script(program.real);
    program_clear(&program);
    return itself;
}

/* `find … -exec grep x {} +` runs a program that only reads what is found, and else nothing. Of any
 * other it is not known whether it runs one of the files. */
static bool is_find_of_readers(const char *const *words, size_t count,
                               const struct loader_context *context)
{
    static const char *const runs[] = {"-exec", "-execdir", "-ok", "-okdir"};
    static const char *const readers[] = {
        "basename", "cat", "cksum", "dirname", "du",        "egrep", "file",    "fgrep", "grep",
        "head",     "ls",  "nl",    "od",      "sha256sum", "stat",  "strings", "tail",  "wc"};
    if (strcmp(wrapper_basename(words[0]), "find") != 0 || !is_itself(words[0], context))
        return false;
    for (size_t i = 1; i < count; i++) {
        if (!is_one_of(words[i], runs, COUNT(runs)))
            continue;
        if (++i == count || !is_one_of(words[i], readers, COUNT(readers)) ||
            !is_itself(words[i], context))
            return false;
    }
    return true;
}

/* `words` begin with the program, wrappers passed. */
static const char *reason_of_program(const char *const *words, size_t count,
                                     const struct loader_context *context)
{
    struct program program;
    const char *reason = NULL;
    bool builds_only = context->builds_only, git = is_git(words[0]);
    bool finds = is_find_of_readers(words, count, context);
    if (!finds && loader_names(words[0], builds_only))
        return READS_CODE;
    program_find(words[0], context->cwd, context->search_path, &program);
    if (!program_is_installed(&program, context->writable_roots))
        reason = N_("its program is not an installed one");
    else if ((!finds && loader_names(program.real, builds_only)) || is_script(program.real))
        reason = N_("its program is a script, and may run other code");
    else if (!builds_only && git && loader_git_is_elsewhere(words, count, context))
        reason = N_("a repository can bring settings that run code");
    else if (count > OPERANDS_MAX)
        reason = N_("it has too many words to look at");
    else if (!builds_only && git && loader_git_runs_words(words, count))
        reason = RUNS_WORDS;
    else if (!builds_only && reads_settings(words, count))
        reason = READS_CODE;
    for (size_t i = 1; reason == NULL && i < count; i++)
        if (names_code(words[i], context))
            reason = reason_of_name(words[i], context);
        else if (!git && names_loader(words[i], context))
            reason = RUNS_WORDS;
    program_clear(&program);
    return reason;
}

static const char *reason_of_words(const char *const *words, size_t count,
                                   const struct loader_context *context)
{
    size_t start = wrapper_skip(words, count), index;
    cleanup_free char *script = wrapper_script(words, count, &index);
    if (script != NULL || start >= count)
        return RUNS_WORDS;
    /* The wrappers are programs as well: each must be an installed one. */
    for (size_t i = 0; i < start; i++)
        if (names_code(words[i], context))
            return reason_of_name(words[i], context);
    return reason_of_program(words + start, count - start, context);
}

#define UNKNOWN N_("what this script runs cannot be known for certain")
#define WORDS_UNKNOWN N_("what the shell puts in for some of its words is not known")

static const char *reason_of_node(const struct shell_node *node,
                                  const struct loader_context *context)
{
    if (node->kind != SHELL_COMMAND)
        return UNKNOWN;
    if (node->assignment_count > 0)
        return N_("its variables can make it run other code");
    if (node->word_count == 0)
        return NULL;
    const char *name = node->words[0].text;
    if (is_builtin(name))
        return NULL;
    for (size_t i = 0; i < node->word_count; i++)
        if (node->words[i].status)
            return WORDS_UNKNOWN;
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
    if (shell_tree_is_of_home(tree->reason))
        reason = N_("~ is whatever HOME is when it runs");
    else if (tree->reason != NULL && shell_tree_is_of_words(tree->reason))
        reason = WORDS_UNKNOWN;
    else if (tree->reason != NULL || tree->truncated)
        reason = UNKNOWN;
    else if (changes_directory(tree))
        reason = N_("it goes to another directory, where its words may name other files");
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
