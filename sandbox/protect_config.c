/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/protect_config.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "sandbox/git_config.h"
#include "sandbox/protect_hooks.h"

/* A directory is none that a program reads; the word happens to be its name. */
static void protect_word(struct protect *protect, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        protect_add_way(protect, path, PLACEHOLDER_NONE);
}

/* git can do without a file, but not open what is none. */
static void protect_named(const char *path, enum git_config_what what, void *argument)
{
    struct protect *protect = argument;
    switch (what) {
    case GIT_CONFIG_HOOKS:
        protect_hooks_named(protect, path);
        break;
    case GIT_CONFIG_FILE:
        protect_add_way(protect, path, PLACEHOLDER_FILE);
        break;
    case GIT_CONFIG_PROGRAM:
        protect_add_way(protect, path, PLACEHOLDER_SOCKET);
        break;
    case GIT_CONFIG_WORD:
        protect_word(protect, path);
        break;
    }
}

static bool read_one(const struct protect_git *search, const char *directory, const char *name,
                     const char *base)
{
    char path[PATH_MAX];
    return path_join(path, directory, name) &&
           git_config_paths(path, base, search->home, protect_named, search->protect);
}

bool protect_config_of_operator(const struct protect_git *search, const char *base)
{
    bool relative = read_one(search, "/etc", "gitconfig", base);
    const char *settings = getenv("XDG_CONFIG_HOME"), *instead = getenv("GIT_CONFIG_GLOBAL");
    if (instead && instead[0] == '/')
        relative = git_config_paths(instead, base, search->home, protect_named, search->protect) ||
                   relative;
    if (settings && settings[0] == '/')
        relative = read_one(search, settings, "git/config", base) || relative;
    if (search->home) {
        relative = read_one(search, search->home, ".gitconfig", base) || relative;
        relative = read_one(search, search->home, ".config/git/config", base) || relative;
    }
    return relative;
}

bool protect_config_of_worktree(const struct protect_git *search, const char *directory,
                                const char *base)
{
    return read_one(search, directory, "config.worktree", base);
}

/* Those that a command may not change can be links to what it may. */
static void protect_linked_hooks(struct protect *protect, const char *directory)
{
    char hooks[PATH_MAX];
    if (!path_join(hooks, directory, "hooks"))
        return;
    cleanup_free char *elsewhere = S_ISLNK(fd_file_type(hooks)) ? realpath(hooks, NULL) : NULL;
    protect_add_links(protect, elsewhere ?: hooks, PROTECT_LINKS_DEEP);
}

bool protect_config_of_repository(const struct protect_git *search, const char *directory,
                                  const char *base)
{
    protect_linked_hooks(search->protect, directory);
    bool relative = read_one(search, directory, "config", base);
    relative = protect_config_of_worktree(search, directory, base) || relative;
    return protect_config_of_operator(search, base) || relative;
}

bool protect_config_everywhere(const struct protect_git *search, const char *directory,
                               const char *worktree)
{
    char config[PATH_MAX];
    if (!protect_config_of_repository(search, directory, worktree))
        return false;
    protect_config_of_repository(search, directory, directory);
    cleanup_free char *elsewhere =
        path_join(config, directory, "config") ? git_config_worktree(config, directory) : NULL;
    if (elsewhere)
        protect_config_of_repository(search, directory, elsewhere);
    return true;
}
