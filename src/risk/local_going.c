/* SPDX-License-Identifier: MIT */
/*
 * local_going: which directory a line has gone to, and where a path leads from there. A command is
 * led where a shell that is understood leads it (command/shell.h); any other may run where the line
 * was started, or there: the worse of the two is judged.
 */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
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

bool local_is_plain_directory(const struct assessor *assessor, const char *directory)
{
    char path[PATH_MAX];
    cleanup_free char *start = assessor->cwd != NULL ? realpath(assessor->cwd, NULL) : NULL;
    if (start == NULL || *directory == '~')
        return true;
    if (!path_join(path, start, directory))
        return false;
    cleanup_free char *named = place_straighten(path);
    cleanup_free char *real = realpath(named, NULL);
    return real == NULL || strcmp(real, named) == 0;
}

static bool is_led(const struct assessor *assessor)
{
    const struct going *going = &assessor->known->going;
    const struct shell_script *script = assessor->script;
    if (going->directory == NULL || going->astray || script == NULL || !script->understood ||
        assessor->node == NULL || !local_is_plain_directory(assessor, going->directory))
        return false;
    for (size_t i = 0; i < script->count; i++)
        if (script->commands[i].start == assessor->node->start)
            return script->commands[i].place == SHELL_THERE || shell_script_runs_near(script, i);
    return false;
}

void local_go(const struct assessor *assessor, const char *directory)
{
    struct going *going = &assessor->known->going;
    going->astray = going->astray || is_open(directory);
    if (is_open(directory))
        return;
    char *joined = !is_relative(directory) || going->directory == NULL
                       ? place_straighten(directory)
                       : local_from_here(assessor, directory);
    free(going->directory);
    going->directory = joined;
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

bool local_path_is_sure(const struct assessor *assessor, const char *path)
{
    const struct going *going = &assessor->known->going;
    bool stays = going->directory == NULL && !going->astray;
    return !is_relative(path) || (!is_started_elsewhere(assessor) && (stays || is_led(assessor)));
}

bool local_place_is_sure(const struct assessor *assessor, const char *path)
{
    if (local_path_is_sure(assessor, path))
        return true;
    if (assessor->known->going.astray || is_started_elsewhere(assessor))
        return false;
    cleanup_free char *there = local_from_here(assessor, path);
    return place_of(there, assessor->cwd, assessor->roots) ==
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
