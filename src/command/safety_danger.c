/* SPDX-License-Identifier: MIT */
/* safety_danger: commands that an operator is asked about even inside the sandbox. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "command/safety.h"
#include "command/shell.h"
#include "command/shell_flow.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NESTING_MAX 4 /* shells in shells */

/* One line each: the program, its subcommand ("" for none), and the options of which one makes it
 * dangerous ("" when it always is). */
static const struct danger {
    const char *program;
    const char *subcommand;
    const char *options;
    const char *why;
} dangers[] = {
    {"rm", "", "-f -r -R --force --recursive", N_("it deletes files without asking")},
    {"shred", "", "", N_("it destroys data beyond recovery")},
    {"wipefs", "", "", N_("it destroys data beyond recovery")},
    {"truncate", "", "", N_("it cuts files off")},
    {"find", "", "-delete", N_("it deletes the files it finds")},
    {"git", "push", "-f --force --force-with-lease --mirror --delete -d --prune",
     N_("it rewrites or deletes what others have pushed")},
    {"git", "reset", "--hard", N_("it throws away changes that are not committed")},
    {"git", "clean", "-f --force", N_("it deletes files that are not tracked")},
    {"git", "branch", "-D", N_("it deletes a branch that may not be merged")},
    {"git", "checkout", "-f --force", N_("it throws away changes that are not committed")},
    {"git", "filter-branch", "", N_("it rewrites the history")},
    {"git", "reflog", "--expire", N_("it deletes what could be recovered")},
    {"git", "update-ref", "-d", N_("it deletes a reference")},
    {"dd", "", "", N_("it writes raw data")},
    {"fdisk", "", "", N_("it changes disks")},
    {"sfdisk", "", "", N_("it changes disks")},
    {"parted", "", "", N_("it changes disks")},
    {"mkswap", "", "", N_("it changes disks")},
    {"shutdown", "", "", N_("it stops the machine")},
    {"reboot", "", "", N_("it stops the machine")},
    {"halt", "", "", N_("it stops the machine")},
    {"poweroff", "", "", N_("it stops the machine")},
    {"chmod", "", "-R --recursive", N_("it changes permissions of a whole tree")},
    {"chown", "", "-R --recursive", N_("it changes owners of a whole tree")},
    {"chgrp", "", "-R --recursive", N_("it changes owners of a whole tree")},
    {"crontab", "", "-r", N_("it deletes scheduled jobs")},
    {"killall", "", "", N_("it ends processes by name")},
    {"pkill", "", "", N_("it ends processes by name")},
    {"terraform", "destroy", "", N_("it deletes infrastructure")},
    {"kubectl", "delete", "", N_("it deletes what others use")},
};

static const char *danger_in_script(const char *script, size_t length, unsigned nesting);

static bool name_in(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* `git push origin +main` forces, `git push origin :main` deletes. */
static bool is_forcing_refspec(const char *const *words, size_t count)
{
    if (strcmp(wrapper_basename(words[0]), "git") != 0 ||
        strcmp(wrapper_subcommand(words, count), "push") != 0)
        return false;
    for (size_t i = 2; i < count; i++)
        if (words[i][0] == '+' || words[i][0] == ':')
            return true;
    return false;
}

static const char *danger_in_table(const char *const *words, size_t count)
{
    const char *program = wrapper_basename(words[0]);
    const char *subcommand = wrapper_subcommand(words, count);
    for (size_t i = 0; i < COUNT(dangers); i++) {
        const struct danger *danger = &dangers[i];
        if (strcmp(danger->program, program) != 0 ||
            (*danger->subcommand != '\0' && strcmp(danger->subcommand, subcommand) != 0))
            continue;
        if (*danger->options == '\0' || wrapper_has_option(words, count, danger->options))
            return danger->why;
    }
    if (strncmp(program, "mkfs", 4) == 0)
        return N_("it changes disks");
    if (is_forcing_refspec(words, count))
        return N_("it rewrites or deletes what others have pushed");
    return NULL;
}

static const char *danger_of_words(const char *const *words, size_t count, unsigned nesting);

/* find … -exec COMMAND. */
static const char *danger_of_find(const char *const *words, size_t count, unsigned nesting)
{
    const char *why = NULL;
    if (strcmp(wrapper_basename(words[0]), "find") != 0)
        return NULL;
    for (size_t i = 1; i + 1 < count && why == NULL; i++)
        if (strncmp(words[i], "-exec", 5) == 0 || strncmp(words[i], "-ok", 3) == 0)
            why = danger_of_words(words + i + 1, count - i - 1, nesting);
    return why;
}

/* What it says itself, and what it has a shell or `find` run in turn. */
static const char *danger_of_words(const char *const *words, size_t count, unsigned nesting)
{
    if (wrapper_raises(words, count))
        return N_("it runs with the rights of root or another user");
    size_t index, start = wrapper_skip(words, count);
    cleanup_free char *script = wrapper_script(words, count, &index);
    const char *why = NULL;
    if (script != NULL)
        why = danger_in_script(script, strlen(script), nesting + 1);
    if (why == NULL && start < count)
        why = danger_in_table(words + start, count - start);
    if (why == NULL && start < count)
        why = danger_of_find(words + start, count - start, nesting);
    return why;
}

static bool writes_a_device(const struct shell_node *node)
{
    static const char *const harmless[] = {"/dev/null", "/dev/stdout", "/dev/stderr",
                                           "/dev/tty",  "/dev/zero",   "/dev/full"};
    for (size_t i = 0; i < node->redirect_count; i++) {
        const struct shell_redirect *redirect = &node->redirects[i];
        const char *path = redirect->target.text;
        bool writes = redirect->kind == SHELL_TO || redirect->kind == SHELL_APPEND ||
                      redirect->kind == SHELL_UPDATE || redirect->kind == SHELL_BOTH;
        if (writes && strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/fd/", 8) != 0 &&
            strncmp(path, "/dev/shm/", 9) != 0 && !name_in(path, harmless, COUNT(harmless)))
            return true;
    }
    return false;
}

static const char *danger_of_node(const struct shell_node *node, bool downloads, unsigned nesting)
{
    if (writes_a_device(node))
        return N_("it writes to a device");
    if (downloads)
        return N_("it runs code that it downloads or decodes");
    if (node->kind != SHELL_COMMAND || node->word_count == 0)
        return NULL;
    const char **words = shell_tree_argv(node);
    const char *why = danger_of_words(words, node->word_count, nesting);
    free(words);
    return why;
}

static const char *danger_in_script(const char *script, size_t length, unsigned nesting)
{
    if (nesting > NESTING_MAX)
        return N_("it hides commands behind many shells");
    struct shell_tree *tree = shell_tree_new(script, length);
    bool *downloads = shell_flow_downloads(tree);
    const char *why = NULL;
    if (tree->truncated)
        why = N_("it has more commands than can be looked at");
    for (size_t i = 0; i < tree->count && why == NULL; i++)
        why = danger_of_node(&tree->nodes[i], downloads[i], nesting);
    free(downloads);
    shell_tree_free(&tree);
    return why;
}

const char *safety_danger(const char *const *argv)
{
    const char *script = shell_wrapped_script(argv);
    if (script != NULL)
        return danger_in_script(script, strlen(script), 0);
    return danger_of_words(argv, strv_length(argv), 0);
}

const char *safety_danger_of_script(const char *script, size_t length)
{
    return danger_in_script(script, length, 0);
}
