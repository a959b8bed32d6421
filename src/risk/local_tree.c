/* SPDX-License-Identifier: MIT */
/* local_tree: programs that put a file, or a whole tree of files, where a word says that is no
 * option of theirs: a clone, a work tree, a recording. What that is in the workspace the tables
 * say. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/wrapper.h"
#include "risk/local_subject.h"
#include "risk/place.h"

/* The operand of `program` that names the place, counted from its subcommand on. */
static const struct maker {
    const char *program;
    const char *words[2]; /* its subcommand; NULL: of any */
    size_t operand;
} makers[] = {
    {"asciinema", {"append"}, 1},
    {"asciinema", {"rec"}, 1},
    {"bzr", {"branch"}, 2},
    {"cargo", {"init"}, 1},
    {"cargo", {"new"}, 1},
    {"degit", {NULL}, 1},
    {"gh", {"repo", "clone"}, 3},
    {"git", {"clone"}, 2},
    {"git", {"init"}, 1},
    {"git", {"worktree", "add"}, 2},
    {"git", {"worktree", "move"}, 3},
    {"hg", {"clone"}, 2},
    {"hg", {"init"}, 1},
    {"script", {NULL}, 0},
    {"svn", {"checkout"}, 2},
    {"svn", {"co"}, 2},
    {"svn", {"export"}, 2},
    {"termtosvg", {NULL}, 0},
    {"ttyrec", {NULL}, 0},
    {"uv", {"init"}, 1},
    {"uv", {"venv"}, 1},
    {"virtualenv", {NULL}, 0},
};

/* A file there, or one in it, is one that matters more than others; or any is told of. */
static void note_place(const struct subject *subject, size_t index, const char *path, bool all)
{
    const struct assessor *assessor = subject->assessor;
    const struct shell_word *word = &subject->view->node->words[subject->view->first + index];
    const char *within = local_keep(assessor, xasprintf("%s/", path));
    if (all || local_place(assessor, path) > PLACE_OUTSIDE ||
        local_place(assessor, within) > PLACE_OUTSIDE)
        local_note_target(assessor, path, word->start, word->end);
}

static bool is_called(const struct subject *subject, const struct maker *maker)
{
    if (strcmp(wrapper_basename(subject->view->words[0]), maker->program) != 0)
        return false;
    for (size_t i = 0; i < COUNT(maker->words) && maker->words[i] != NULL; i++)
        if (!local_subject_operand_is(subject, i, maker->words[i]))
            return false;
    return true;
}

/* git --work-tree=DIR checkout, git -C DIR pull */
static void note_work_tree(const struct subject *subject)
{
    static const char *const options[] = {"--work-tree", "-C"};
    static const char *const verbs[] = {"am",     "apply",   "checkout", "cherry-pick", "clean",
                                        "clone",  "init",    "merge",    "pull",        "rebase",
                                        "reset",  "revert",  "restore",  "stash",       "submodule",
                                        "switch", "worktree"};
    const char *verb = local_subject_operand(subject, 0);
    if (!IS_IN(verb, verbs))
        return;
    for (size_t i = 0; i < COUNT(options); i++) {
        const char *directory = effects_option(subject->reading, options[i]);
        if (directory != NULL && *directory != '\0')
            note_place(subject, 0, directory, false);
    }
}

void local_subject_tree(const struct subject *subject, bool all)
{
    const struct effect_reading *reading = subject->reading;
    for (size_t i = 0; i < COUNT(makers); i++)
        if (is_called(subject, &makers[i]) && reading->operand_count > makers[i].operand) {
            size_t index = reading->operands[makers[i].operand];
            note_place(subject, index, subject->view->words[index], all);
        }
    if (strcmp(wrapper_basename(subject->view->words[0]), "git") == 0)
        note_work_tree(subject);
}
