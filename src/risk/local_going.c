/* SPDX-License-Identifier: MIT */
/*
 * local_going: which directory a line has gone to, and where a path leads from there. A command is
 * led by a `cd` of the same list that runs before it and cannot have failed; any other may run
 * where the line was started, or there: the worse of the two is judged.
 */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "risk/local-int.h"

static bool is_relative(const char *path)
{
    return strchr("/~$", *path) == NULL;
}

/* Where from, is not known: `cd -`, popd, `cd "$X"`. */
static bool is_open(const char *directory)
{
    return *directory == '\0' || *directory == '-' || strpbrk(directory, "$`*?[") != NULL;
}

char *local_from_here(const struct assessor *assessor, const char *path)
{
    const char *directory = assessor->known->going.directory;
    if (directory == NULL || !is_relative(path))
        return xstrdup(path);
    cleanup_free char *joined = xasprintf("%s/%s", directory, path);
    return place_straighten(joined);
}

/* Is it there, and no link on the way, behind which ".." is not where it was entered from? What is
 * not there yet is taken for a directory: it is not entered else. */
static bool is_plain_directory(const struct assessor *assessor, bool *there)
{
    const char *directory = assessor->known->going.directory, *cwd = assessor->cwd;
    char path[PATH_MAX];
    cleanup_free char *start = cwd != NULL ? realpath(cwd, NULL) : NULL;
    *there = false;
    if (start == NULL || *directory == '~')
        return true;
    if (!path_join(path, start, directory))
        return false;
    cleanup_free char *named = place_straighten(path);
    cleanup_free char *real = realpath(named, NULL);
    *there = real != NULL && fd_file_type(real) == S_IFDIR;
    return real == NULL || strcmp(real, named) == 0;
}

/* Is the node run where `cd` has led, as all before it are? Another subshell, or another part of an
 * `if`, begins as a sequence does. */
static bool goes_on(const struct shell_node *cd, const struct shell_node *node, bool there)
{
    bool follows = node->operator_ == SHELL_AND ||
                   (there && node->operator_ == SHELL_SEQUENCE && cd->context == 0);
    return follows && node->context == cd->context && node->parent == cd->parent;
}

/* Has the command that is judged been led there, whatever comes between? A `cd` to what is there
 * does not fail. */
static bool is_led(const struct assessor *assessor)
{
    const struct going *going = &assessor->known->going;
    bool there;
    if (going->directory == NULL || going->astray || !going->runs ||
        going->tree != assessor->tree || assessor->node <= going->node ||
        !is_plain_directory(assessor, &there))
        return false;
    for (const struct shell_node *node = going->node + 1; node <= assessor->node; node++)
        if (!(node < assessor->node && node->parent != going->node->parent) &&
            !goes_on(going->node, node, there))
            return false;
    return true;
}

void local_go(const struct assessor *assessor, const char *directory)
{
    const unsigned repeated = SHELL_IN_LOOP | SHELL_IN_FUNCTION;
    struct going *going = &assessor->known->going;
    bool first = going->directory == NULL && assessor->node->operator_ == SHELL_SEQUENCE &&
                 (assessor->node->context & repeated) == 0;
    going->astray = going->astray || is_open(directory);
    if (is_open(directory))
        return;
    going->runs = first || is_led(assessor);
    char *joined = !is_relative(directory) || going->directory == NULL
                       ? place_straighten(directory)
                       : local_from_here(assessor, directory);
    free(going->directory);
    going->directory = joined;
    going->tree = assessor->tree;
    going->node = assessor->node;
}

enum place local_place(const struct assessor *assessor, const char *path)
{
    cleanup_free char *there = local_from_here(assessor, path);
    enum place led = place_of(there, assessor->cwd, assessor->roots);
    enum place started = place_of(path, assessor->cwd, assessor->roots);
    return is_led(assessor) || started < led ? led : started;
}

/* What starts it goes elsewhere first: `env -C src rm ../x`. */
static bool is_started_elsewhere(const struct assessor *assessor)
{
    const struct shell_node *node = assessor->node;
    bool git = node != NULL && node->word_count > 0 && strcmp(node->words[0].text, "git") == 0;
    for (size_t i = 1; node != NULL && !git && i < node->word_count; i++)
        if (strcmp(node->words[i].text, "-C") == 0 || strcmp(node->words[i].text, "-D") == 0 ||
            strncmp(node->words[i].text, "--chdir", 7) == 0)
            return true;
    return false;
}

bool local_place_is_sure(const struct assessor *assessor, const char *path)
{
    const struct going *going = &assessor->known->going;
    if (is_relative(path) && is_started_elsewhere(assessor))
        return false;
    if (!is_relative(path) || (going->directory == NULL && !going->astray) || is_led(assessor))
        return true;
    cleanup_free char *there = local_from_here(assessor, path);
    return !going->astray && place_of(there, assessor->cwd, assessor->roots) ==
                                 place_of(path, assessor->cwd, assessor->roots);
}

bool local_is_beyond(const struct assessor *assessor, const char *path)
{
    const char *cwd = assessor->cwd;
    cleanup_free char *there = local_from_here(assessor, path);
    if (is_relative(path) && (assessor->known->going.astray || is_started_elsewhere(assessor)))
        return false;
    return place_is_beyond(there, cwd, assessor->roots) &&
           (is_led(assessor) || place_is_beyond(path, cwd, assessor->roots));
}
