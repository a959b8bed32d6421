/* SPDX-License-Identifier: MIT */
/* git_config: the paths that a git configuration file names as sources of code or of further
 * configuration. Reads just enough of the format (git-config(1)) for that. */
#ifndef ASSENT_SANDBOX_GIT_CONFIG_H
#define ASSENT_SANDBOX_GIT_CONFIG_H

#include <stdbool.h>

enum git_config_what {
    GIT_CONFIG_HOOKS,   /* directories of them: core.hooksPath, init.templateDir */
    GIT_CONFIG_FILE,    /* include.path, includeIf.*.path, core.attributesFile */
    GIT_CONFIG_PROGRAM, /* what git runs (git_program.h), by a path */
    GIT_CONFIG_WORD,    /* another word of such a command, which may be a file that it reads */
};

/* The path can have ".." and symlinks in it. */
typedef void git_config_found(const char *path, enum git_config_what what, void *argument);

/* Calls `found` with the absolute path of each of those in `file` and in what it includes, without
 * looking whether it exists. Relative ones lie in `worktree` (may be NULL: then they are left
 * out), relative includes beside the file; "~/" is `home` (may be NULL). Files over 256 KiB are not
 * read. True when there are relative ones: where git is, there they are. */
bool git_config_paths(const char *file, const char *worktree, const char *home,
                      git_config_found *found, void *argument);
/* The working tree that `file` gives the repository `directory`; NULL: none. The caller frees. */
char *git_config_worktree(const char *file, const char *directory);

#endif
