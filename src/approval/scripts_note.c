/* SPDX-License-Identifier: MIT */
/* scripts_note: which files a command names, and which of them it runs. What is not certain is not
 * marked as run, but it is noted that there is something of which only the run tells what it is. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "approval/scripts-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "command/carried.h"
#include "command/shell_flow.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"

#define NESTING_MAX 4 /* scripts in scripts */

/* Some words and, of a script's, what a shell makes of them. */
struct command {
    const char *const *words;
    const struct shell_word *read; /* NULL: they are taken as they are */
    size_t count;
    const char *directory; /* in which it runs: one of the place's, or NULL: not known */
};

static bool is_literal(const struct command *command, size_t at)
{
    return command->read == NULL || command->read[at].literal;
}

static bool is_found(const struct command *command, size_t at)
{
    return is_literal(command, at) && (command->words[at][0] == '/' || command->directory != NULL);
}

static bool reads_lines(const char *program)
{
    return wrapper_is_shell(program) || strcmp(program, ".") == 0 || strcmp(program, "source") == 0;
}

/* Code among the operands, or a module's name: no operand needs to be a file. */
#define CODE_OPTIONS "-c -e -E -m -p -r --eval --print --command"

/* Does a shell take the word behind this one for the option's value? */
static bool takes_value(const char *option)
{
    size_t length = strlen(option);
    if (strcmp(option, "--rcfile") == 0 || strcmp(option, "--init-file") == 0)
        return true;
    return (option[0] == '-' || option[0] == '+') && option[1] != '-' && length > 1 &&
           (option[length - 1] == 'o' || option[length - 1] == 'O');
}

/* May the word be the value of the option before it? Of a shell that is known, of others not. */
static bool may_be_value(const char *reader, const char *before)
{
    return wrapper_is_shell(reader) ? takes_value(before) : before[0] == '-' && before[1] != '\0';
}

/* The word is behind an interpreter: what it runs, or the value of an option, which it may run,
 * too. Returns whether what it runs is found. */
static bool note_operand(struct scripts *scripts, const struct command *command, size_t at,
                         size_t file, const char *reader)
{
    bool value = may_be_value(reader, command->words[at - 1]);
    if (!is_found(command, at) || (value && wrapper_is_shell(reader)))
        return false;
    return scripts_mark_run(scripts, file, reader, reads_lines(reader) && !value) && !value;
}

static void note_script(struct scripts *scripts, const char *script, const char *directory,
                        unsigned depth);

/* What a shell in it reads from its operands; not that of a shell on another host. */
static char *script_of(const struct command *command, const char *name)
{
    size_t index;
    return strcmp(wrapper_basename(name), "ssh") != 0
               ? wrapper_script(command->words, command->count, &index)
               : NULL;
}

static const char *note_words(struct scripts *scripts, const struct command *command,
                              unsigned depth);

/* Commands in the words of one that runs them, who knows in which directory. */
static void note_carried(struct scripts *scripts, const struct command *command, size_t program,
                         unsigned depth)
{
    const char *const *words = command->words + program;
    struct carried carried;
    for (size_t at = 0, found = 0;
         !scripts_unknown(scripts) && carried_next(words, command->count - program, &at, &carried);
         free(carried.script)) {
        if (depth < 2 || ++found > CARRIED_MAX) {
            scripts_mark_unknown(scripts);
        } else if (carried.script != NULL) {
            note_script(scripts, carried.script, NULL, depth - 2);
        } else {
            size_t first = (size_t)(carried.words - command->words);
            const struct shell_word *read = command->read != NULL ? command->read + first : NULL;
            const struct command inner = {carried.words, read, carried.count, NULL};
            note_words(scripts, &inner, depth - 2);
        }
    }
}

/* What is run is the program behind the wrappers or, of a shell or another interpreter, the first
 * file behind it; or what stands in the script of `bash -c SCRIPT`. Returns the interpreter where
 * it is still to come, else NULL. */
static const char *note_words(struct scripts *scripts, const struct command *command,
                              unsigned depth)
{
    const char *const *words = command->words;
    size_t program = wrapper_skip(words, command->count);
    const char *name = program < command->count ? words[program] : "";
    bool reads = reads_lines(name) || shell_flow_is_interpreter(name);
    cleanup_free char *script = depth > 0 ? script_of(command, name) : NULL;
    const char *reader = reads && script == NULL ? name : NULL;
    bool code = wrapper_has_option(words + program, command->count - program, CODE_OPTIONS);
    for (size_t i = 0; i < command->count; i++) {
        size_t file = scripts_add(scripts, words[i], command->directory);
        if (i == program && strchr(name, '/') != NULL) {
            if (is_found(command, i))
                scripts_mark_run(scripts, file, NULL,
                                 true); /* if it is none, holding it does no harm */
            else
                scripts_mark_unknown(scripts);
        } else if (i > program && reader != NULL && words[i][0] != '-') {
            if (!code && !is_found(command, i))
                scripts_mark_unknown(scripts);
            if (note_operand(scripts, command, i, file, reader))
                reader = NULL;
        }
    }
    if (script != NULL)
        note_script(scripts, script, command->directory, depth - 1);
    note_carried(scripts, command, program, depth);
    return reader;
}

static void note_redirects(struct scripts *scripts, const struct shell_node *node,
                           const char *directory, const char *reader)
{
    for (size_t i = 0; i < node->redirect_count; i++) {
        const struct shell_word *target = &node->redirects[i].target;
        const struct command command = {&(const char *const){target->text}, target, 1, directory};
        if (node->redirects[i].kind != SHELL_FROM)
            continue;
        size_t file = scripts_add(scripts, target->text, directory);
        if (reader == NULL)
            continue;
        if (is_found(&command, 0))
            scripts_mark_run(scripts, file, reader, reads_lines(reader));
        else
            scripts_mark_unknown(scripts);
    }
}

static void note_node(struct scripts *scripts, const struct shell_node *node, const char *directory,
                      unsigned depth)
{
    const char **words = shell_tree_argv(node);
    struct command command = {words, node->words, node->word_count, directory};
    if (wrapper_moves(words, node->word_count))
        command.directory = NULL;
    note_redirects(scripts, node, directory, note_words(scripts, &command, depth));
    free(words);
}

static bool may_leave(const struct shell_tree *tree, size_t first, unsigned depth);

/* `eval` runs its script in the shell itself; any other one is a shell of its own. */
static bool eval_may_leave(const char *const *words, size_t count, unsigned depth)
{
    size_t index;
    cleanup_free char *script = depth > 0 ? wrapper_script(words, count, &index) : NULL;
    if (script == NULL)
        return true;
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    bool may = may_leave(tree, 0, depth - 1);
    shell_tree_free(&tree);
    return may;
}

/* What `cd` and `.` look for may be anywhere. */
static bool sets_search_path(const char *word)
{
    return strncmp(word, "PATH=", 5) == 0 || strncmp(word, "CDPATH=", 7) == 0 ||
           strncmp(word, "PATH+=", 6) == 0;
}

/* Does it go to another directory, or run what could? */
static bool goes_elsewhere(const struct shell_node *node, unsigned depth)
{
    static const char *const names[] = {"alias", "cd", "chdir", "popd", "pushd", "trap"};
    const char **words = shell_tree_argv(node);
    size_t program = wrapper_skip(words, node->word_count);
    const char *name = program < node->word_count ? words[program] : "";
    bool found = program < node->word_count && !node->words[program].literal;
    for (size_t i = 0; i < COUNT(names); i++)
        found = found || strcmp(name, names[i]) == 0;
    for (size_t i = 0; i < node->assignment_count; i++)
        found = found || sets_search_path(node->assignments[i].text);
    for (size_t i = 0; i < node->word_count; i++)
        found = found || sets_search_path(words[i]);
    if (strcmp(name, "eval") == 0)
        found = found || eval_may_leave(words, node->word_count, depth);
    free(words);
    return found;
}

static bool may_leave(const struct shell_tree *tree, size_t first, unsigned depth)
{
    for (size_t i = first; i < tree->count; i++)
        if (goes_elsewhere(&tree->nodes[i], depth))
            return true;
    return false;
}

static void note_script(struct scripts *scripts, const char *script, const char *directory,
                        unsigned depth)
{
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    /* The place's is where the outermost script goes first. */
    const char *there = depth == NESTING_MAX - 1 ? scripts_there(scripts) : NULL;
    if (may_leave(tree, there != NULL ? 1 : 0, depth))
        directory = NULL;
    else if (there != NULL)
        directory = there;
    for (size_t i = 0; i < tree->count; i++)
        note_node(scripts, &tree->nodes[i], directory, depth);
    shell_tree_free(&tree);
}

struct scripts *scripts_note(const char *const *argv, const char *cwd, const char *there,
                             const char *const *writable_roots)
{
    const struct scripts_place place = {.roots = writable_roots, .cwd = cwd, .there = there};
    struct scripts *scripts = scripts_new(&place);
    size_t count = strv_length(argv);
    const struct command command = {argv, NULL, count, wrapper_moves(argv, count) ? NULL : cwd};
    note_words(scripts, &command, NESTING_MAX);
    scripts_noted(scripts);
    return scripts;
}
