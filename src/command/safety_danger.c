/* SPDX-License-Identifier: MIT */
/* safety_danger: commands that an operator is asked about even inside the sandbox. */
#include "config.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "command/carried.h"
#include "command/safety.h"
#include "command/shell.h"
#include "command/shell_flow.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"

#define NESTING_MAX 4 /* shells in shells */

/* One line each: the program, its subcommand ("" for none), and the options of which one makes it
 * dangerous ("" when it always is). */
static const struct danger {
    const char *program;
    const char *subcommand;
    const char *options;
    const char *why;
} dangers[] = {
    {"rm", "", "-f --force", N_("it deletes files by force")},
    {"rm", "", "-r -R --recursive", N_("it deletes files and whole directories")},
    {"shred", "", "", N_("it destroys data beyond recovery")},
    {"wipefs", "", "", N_("it destroys data beyond recovery")},
    {"truncate", "", "", N_("it cuts files off")},
    {"unlink", "", "", N_("it deletes files")},
    {"find", "", "-delete", N_("it deletes the files it finds")},
    {"git", "push", "-f --force --force-with-lease --mirror --delete -d --prune",
     N_("it rewrites or deletes what others have pushed")},
    {"git", "reset", "--hard", N_("it throws away changes that are not committed")},
    {"git", "clean", "-f --force", N_("it deletes files that are not tracked")},
    {"git", "branch", "-D", N_("it deletes a branch that may not be merged")},
    {"git", "branch", "-f --force", N_("it moves or deletes a branch")},
    {"git", "checkout", "-f --force --", N_("it throws away changes that are not committed")},
    {"git", "checkout-index", "-f --force", N_("it throws away changes that are not committed")},
    {"git", "read-tree", "--reset", N_("it throws away changes that are not committed")},
    {"git", "filter-branch", "", N_("it rewrites the history")},
    {"git", "filter-repo", "", N_("it rewrites the history")},
    {"git", "gc", "--prune", N_("it deletes what could be recovered")},
    {"git", "prune", "", N_("it deletes what could be recovered")},
    {"git", "reflog", "--expire", N_("it deletes what could be recovered")},
    {"git", "switch", "-f --force --discard-changes",
     N_("it throws away changes that are not committed")},
    {"git", "tag", "-d --delete", N_("it deletes a reference")},
    {"git", "update-ref", "-d", N_("it deletes a reference")},
    {"git", "worktree", "-f --force", N_("it throws away changes that are not committed")},
    {"rclone", "delete", "", N_("it deletes what others use")},
    {"rclone", "purge", "", N_("it deletes what others use")},
    {"rclone", "sync", "", N_("it deletes what is not in the source")},
    {"rsync", "",
     "--del --delete --delete-after --delete-before --delete-delay --delete-during "
     "--delete-excluded --delete-missing-args --remove-source-files",
     N_("it deletes what is not in the source")},
    {"dd", "", "", N_("it writes raw data")},
    {"blkdiscard", "", "", N_("it destroys data beyond recovery")},
    {"cfdisk", "", "", N_("it changes disks")},
    {"fdisk", "", "", N_("it changes disks")},
    {"gdisk", "", "", N_("it changes disks")},
    {"lvremove", "", "", N_("it changes disks")},
    {"pvremove", "", "", N_("it changes disks")},
    {"sgdisk", "", "", N_("it changes disks")},
    {"vgremove", "", "", N_("it changes disks")},
    {"zfs", "destroy", "", N_("it changes disks")},
    {"zpool", "destroy", "", N_("it changes disks")},
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
    {"history", "", "-c -d -w", N_("it changes the record of what was done")},
    {"killall", "", "", N_("it ends processes by name")},
    {"pkill", "", "", N_("it ends processes by name")},
    {"dropdb", "", "", N_("it deletes what others use")},
    {"docker", "prune", "", N_("it deletes what others use")},
    {"docker", "rm", "-f --force -v --volumes", N_("it deletes what others use")},
    {"docker", "system", "", N_("it deletes what others use")},
    {"docker", "volume", "", N_("it deletes what others use")},
    {"podman", "rm", "-f --force -v --volumes", N_("it deletes what others use")},
    {"podman", "system", "", N_("it deletes what others use")},
    {"podman", "volume", "", N_("it deletes what others use")},
    {"iptables", "", "", N_("it changes the firewall")},
    {"nft", "", "", N_("it changes the firewall")},
    {"ufw", "", "", N_("it changes the firewall")},
    {"systemctl", "disable", "", N_("it stops services of the machine")},
    {"systemctl", "mask", "", N_("it stops services of the machine")},
    {"systemctl", "stop", "", N_("it stops services of the machine")},
    {"cargo", "publish", "", N_("it publishes something that others will use")},
    {"gem", "push", "", N_("it publishes something that others will use")},
    {"gem", "yank", "", N_("it deletes what others use")},
    {"helm", "delete", "", N_("it deletes what others use")},
    {"helm", "uninstall", "", N_("it deletes what others use")},
    {"npm", "publish", "", N_("it publishes something that others will use")},
    {"npm", "unpublish", "", N_("it deletes what others use")},
    {"pnpm", "publish", "", N_("it publishes something that others will use")},
    {"bun", "publish", "", N_("it publishes something that others will use")},
    {"poetry", "publish", "", N_("it publishes something that others will use")},
    {"uv", "publish", "", N_("it publishes something that others will use")},
    {"twine", "upload", "", N_("it publishes something that others will use")},
    {"yarn", "publish", "", N_("it publishes something that others will use")},
    {"kubectl", "delete", "", N_("it deletes what others use")},
    {"oc", "delete", "", N_("it deletes what others use")},
    {"pulumi", "destroy", "", N_("it deletes infrastructure")},
    {"cdk", "destroy", "", N_("it deletes infrastructure")},
    {"terragrunt", "destroy", "", N_("it deletes infrastructure")},
    {"tofu", "destroy", "", N_("it deletes infrastructure")},
    {"terraform", "destroy", "", N_("it deletes infrastructure")},
};

/* What a subcommand's own verb makes dangerous: program, subcommand, verb. */
static const struct verb {
    const char *program, *subcommand, *verb;
    const char *why;
} verbs[] = {
    {"aws", "s3", "rb", N_("it deletes what others use")},
    {"aws", "s3", "rm", N_("it deletes what others use")},
    {"gh", "release", "delete", N_("it deletes what others use")},
    {"gh", "repo", "archive", N_("it deletes what others use")},
    {"gh", "repo", "delete", N_("it deletes what others use")},
    {"gh", "secret", "delete", N_("it deletes what others use")},
    {"git", "reflog", "delete", N_("it deletes what could be recovered")},
    {"git", "remote", "prune", N_("it deletes a reference")},
    {"git", "stash", "clear", N_("it throws away changes that are not committed")},
    {"git", "stash", "drop", N_("it throws away changes that are not committed")},
    {"yarn", "npm", "publish", N_("it publishes something that others will use")},
};

static const char *danger_in_script(const char *script, size_t length, unsigned nesting);

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

/* `git restore` without --staged, `git checkout .`: what was changed and not committed is gone. */
static bool is_discarding(const char *const *words, size_t count)
{
    const char *subcommand = wrapper_subcommand(words, count);
    if (strcmp(wrapper_basename(words[0]), "git") != 0)
        return false;
    if (strcmp(subcommand, "restore") == 0)
        return !wrapper_has_option(words, count, "-S --staged") ||
               wrapper_has_option(words, count, "-W --worktree");
    return strcmp(subcommand, "checkout") == 0 && strcmp(words[count - 1], ".") == 0;
}

/* Is one of the options there, cut short as git and GNU programs allow it? */
static bool has_cut_option(const char *const *words, size_t count, const char *options)
{
    for (size_t i = 1; i < count && strcmp(words[i], "--") != 0; i++) {
        size_t length = strcspn(words[i], "=");
        if (length < 4 || strncmp(words[i], "--", 2) != 0)
            continue;
        for (const char *at = options; *at != '\0'; at += strspn(at, " ")) {
            size_t width = strcspn(at, " ");
            if (length <= width && memcmp(at, words[i], length) == 0)
                return true;
            at += width;
        }
    }
    return false;
}

/* `kill -9 -1`, `kill -- -1`. */
static bool ends_everything(const char *const *words, size_t count)
{
    if (strcmp(wrapper_basename(words[0]), "kill") != 0)
        return false;
    for (size_t i = 2; i < count; i++)
        if (strcmp(words[i], "-1") == 0)
            return true;
    return false;
}

static const char *danger_in_verbs(const char *const *words, size_t count)
{
    const char *program = wrapper_basename(words[0]);
    size_t at = wrapper_subcommand_index(words, count);
    for (size_t i = 0; i < COUNT(verbs) && at + 1 < count; i++)
        if (strcmp(verbs[i].program, program) == 0 && strcmp(verbs[i].subcommand, words[at]) == 0 &&
            strcmp(verbs[i].verb, words[at + 1]) == 0)
            return verbs[i].why;
    return NULL;
}

/* Programs that only tell what they would do with -n or --dry-run, and their other options without
 * a value: with any further one -n may be its value, or be taken back. */
static const struct pretender {
    const char *program, *subcommand, *letters;
} pretenders[] = {
    {"git", "clean", "dfnqxX"}, {"git", "prune", "nv"},          {"git", "push", "dfnquv"},
    {"git", "remote", "n"},     {"rsync", "", "DHaghlnoprtuvz"},
};

static bool is_plain_option(const char *word, const char *letters)
{
    static const char *const longs[] = {"--all",   "--delete", "--dry-run", "--force",
                                        "--prune", "--tags",   "--verbose"};
    return IS_IN(word, longs) || (word[1] != '\0' && word[1 + strspn(word + 1, letters)] == '\0');
}

static bool only_pretends(const char *const *words, size_t count)
{
    const char *program = wrapper_basename(words[0]);
    const struct pretender *found = NULL;
    for (size_t i = 0; i < COUNT(pretenders) && count > 1; i++)
        if (strcmp(pretenders[i].program, program) == 0 &&
            (*pretenders[i].subcommand == '\0' || strcmp(pretenders[i].subcommand, words[1]) == 0))
            found = &pretenders[i];
    for (size_t i = 1; i < count && found != NULL; i++)
        if (words[i][0] == '-' && !is_plain_option(words[i], found->letters))
            return false;
    return found != NULL && wrapper_has_option(words, count, "-n --dry-run");
}

static const char *danger_in_table(const char *const *words, size_t count)
{
    const char *program = wrapper_basename(words[0]);
    const char *subcommand = wrapper_subcommand(words, count);
    if (only_pretends(words, count))
        return NULL;
    for (size_t i = 0; i < COUNT(dangers); i++) {
        const struct danger *danger = &dangers[i];
        if (strcmp(danger->program, program) != 0 ||
            (*danger->subcommand != '\0' && strcmp(danger->subcommand, subcommand) != 0))
            continue;
        if (*danger->options == '\0' || wrapper_has_option(words, count, danger->options) ||
            has_cut_option(words, count, danger->options))
            return danger->why;
    }
    if (strncmp(program, "mkfs", 4) == 0)
        return N_("it changes disks");
    if (is_forcing_refspec(words, count))
        return N_("it rewrites or deletes what others have pushed");
    if (is_discarding(words, count))
        return N_("it throws away changes that are not committed");
    if (ends_everything(words, count))
        return N_("it ends every process that it may");
    return danger_in_verbs(words, count);
}

static const char *danger_of_words(const char *const *words, size_t count, unsigned nesting);

/* find … -exec COMMAND and the like. */
static const char *danger_of_carried(const char *const *words, size_t count, unsigned nesting)
{
    const char *why = NULL;
    struct carried carried;
    for (size_t at = 0, found = 0; why == NULL && carried_next(words, count, &at, &carried);
         free(carried.script))
        why = ++found > CARRIED_MAX ? N_("it has more commands than can be looked at")
              : carried.script != NULL
                  ? danger_in_script(carried.script, strlen(carried.script), nesting + 1)
                  : danger_of_words(carried.words, carried.count, nesting + 1);
    return why;
}

/* GIT_PAGER='rm -rf x' in front of a program, or exported. */
static const char *danger_of_variable(const char *word, unsigned nesting)
{
    const char *script = carried_in_variable(word);
    return script != NULL ? danger_in_script(script, strlen(script), nesting + 1) : NULL;
}

static const char *danger_of_variables(const char *const *words, size_t count, size_t start,
                                       unsigned nesting)
{
    static const char *const exporters[] = {"declare", "export", "local", "readonly", "typeset"};
    const char *why = NULL;
    size_t end = start < count && IS_IN(words[start], exporters) ? count : start;
    for (size_t i = 0; i < end && why == NULL; i++)
        why = danger_of_variable(words[i], nesting);
    return why;
}

/* What it says itself, and what it has a shell or another program run in turn. */
static const char *danger_of_words(const char *const *words, size_t count, unsigned nesting)
{
    if (nesting > NESTING_MAX)
        return N_("it hides commands behind many shells");
    if (wrapper_raises(words, count))
        return N_("it runs with the rights of root or another user");
    size_t index, start = wrapper_skip(words, count);
    cleanup_free char *script = wrapper_script(words, count, &index);
    const char *why = danger_of_variables(words, count, start, nesting);
    if (why == NULL && script != NULL)
        why = danger_in_script(script, strlen(script), nesting + 1);
    if (why == NULL && start < count)
        why = danger_in_table(words + start, count - start);
    if (why == NULL && start < count)
        why = danger_of_carried(words + start, count - start, nesting);
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
            strncmp(path, "/dev/shm/", 9) != 0 && !IS_IN(path, harmless))
            return true;
    }
    return false;
}

/* {rm,-rf,x}: nobody writes a program's name in braces but to hide it. */
static bool is_in_braces(const struct shell_word *name)
{
    const char *brace = strchr(name->text, '{');
    return !name->literal && brace != NULL && strpbrk(name->text, "$`'\"") == NULL &&
           (strchr(brace, ',') != NULL || strstr(brace, "..") != NULL);
}

/* /bin/r? as the words from `at` on: what it would be as each program that the pattern may stand
 * for. */
static const char *danger_of_pattern(const char **words, size_t count, size_t at, unsigned nesting)
{
    const char *written = words[at], *pattern = wrapper_basename(written), *why = NULL;
    for (size_t i = 0; i <= COUNT(dangers) && why == NULL; i++) {
        words[at] = i < COUNT(dangers) ? dangers[i].program : "sudo";
        if (fnmatch(pattern, words[at], 0) == 0)
            why = danger_of_words(words + at, count - at, nesting);
    }
    words[at] = written;
    return why;
}

/* ${x:-rm} -rf y: as what stands there for a variable that is not set. */
static const char *danger_of_default(const char **words, size_t count, size_t at, unsigned nesting)
{
    const char *written = words[at];
    size_t length = strlen(written), name = strcspn(written, "-=+");
    if (strncmp(written, "${", 2) != 0 || written[length - 1] != '}' || name + 2 > length)
        return NULL;
    cleanup_free char *program = xstrndup(written + name + 1, length - name - 2);
    words[at] = program;
    const char *why = danger_of_words(words + at, count - at, nesting);
    words[at] = written;
    return why;
}

static const char *danger_of_node(const struct shell_node *node, bool downloads, unsigned nesting)
{
    if (writes_a_device(node))
        return N_("it writes to a device");
    if (downloads)
        return N_("it runs code that it downloads or decodes");
    const char *why = NULL;
    for (size_t i = 0; i < node->assignment_count && why == NULL; i++)
        why = danger_of_variable(node->assignments[i].text, nesting);
    if (why != NULL || node->kind != SHELL_COMMAND || node->word_count == 0)
        return why;
    if (is_in_braces(&node->words[0]))
        return N_("it hides which program it runs");
    cleanup_free const char **words = shell_tree_argv(node);
    size_t count = node->word_count, program = wrapper_skip(words, count);
    why = danger_of_words(words, count, nesting);
    if (why == NULL && program < count && node->words[program].glob)
        why = danger_of_pattern(words, count, program, nesting);
    if (why == NULL && program < count && !node->words[program].literal)
        why = danger_of_default(words, count, program, nesting);
    return why;
}

/* What it hands to a shell on its standard input. */
static const char *danger_of_input(const struct shell_tree *tree, size_t index, unsigned nesting)
{
    cleanup_free char *code = shell_flow_code(tree, index);
    return code != NULL ? danger_in_script(code, strlen(code), nesting + 1) : NULL;
}

/* A function that calls itself in the background: f() { f | f & }. */
static bool is_fork_bomb(const struct shell_tree *tree, const struct shell_node *node)
{
    const unsigned both = SHELL_IN_FUNCTION | SHELL_IN_BACKGROUND;
    if ((node->context & both) != both || node->word_count == 0)
        return false;
    for (const struct shell_node *header = tree->nodes; header < node; header++)
        if (header->kind == SHELL_HEADER && header->word_count == 1 &&
            strcmp(header->words[0].text, node->words[0].text) == 0)
            return true;
    return false;
}

static const char *danger_in_script(const char *script, size_t length, unsigned nesting)
{
    if (nesting > NESTING_MAX)
        return N_("it hides commands behind many shells");
    struct shell_tree *tree = shell_tree_new(script, length);
    bool *downloads = shell_flow_downloads(tree);
    const char *why = NULL;
    if (tree->truncated || tree->differs)
        why = N_("it has more commands than can be looked at");
    for (size_t i = 0; i < tree->count && why == NULL; i++) {
        why = is_fork_bomb(tree, &tree->nodes[i])
                  ? N_("it starts itself again and again")
                  : danger_of_node(&tree->nodes[i], downloads[i], nesting);
        if (why == NULL)
            why = danger_of_input(tree, i, nesting);
    }
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
