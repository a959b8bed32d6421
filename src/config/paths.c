/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/path.h"

/* The value of a variable that holds an absolute path, or NULL. */
static const char *absolute_variable(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] == '/' ? value : NULL;
}

/* The home directory as /etc/passwd has it. Other user databases are read by libraries that a
 * static program cannot load: their users have HOME set. */
static char *recorded_home(void)
{
    FILE *file = fopen("/etc/passwd", "re");
    const struct passwd *entry = NULL;
    char *home = NULL;
    while (file && (entry = fgetpwent(file)) && entry->pw_uid != getuid())
        continue;
    if (entry && entry->pw_dir && entry->pw_dir[0] == '/')
        home = xstrdup(entry->pw_dir);
    if (file)
        fclose(file);
    return home ? home : xstrdup("/");
}

char *paths_home(void)
{
    const char *home = absolute_variable("HOME");
    return home ? xstrdup(home) : recorded_home();
}

static char *base_directory(const char *variable, const char *below_home)
{
    const char *base = absolute_variable(variable);
    if (base)
        return xasprintf("%s/assent", base);
    cleanup_free char *home = paths_home();
    return xasprintf("%s/%s/assent", home, below_home);
}

char *paths_config_directory(void)
{
    return base_directory("XDG_CONFIG_HOME", ".config");
}

char *paths_state_directory(void)
{
    return base_directory("XDG_STATE_HOME", ".local/state");
}

/* Ours, a real directory, and closed to others. */
static bool is_private(const struct stat *status)
{
    return S_ISDIR(status->st_mode) && status->st_uid == geteuid() && (status->st_mode & 0077) == 0;
}

int paths_make_private(const char *path, struct error *error)
{
    struct stat status;
    int result = fd_make_directories(path, 0700);
    if (result < 0)
        return error_errno(error, -result, "cannot make the directory %s", path);
    if (lstat(path, &status) != 0)
        return error_errno(error, errno, "cannot look at the directory %s", path);
    if (!is_private(&status))
        return error_set(error, EPERM,
                         "%s must be a directory that belongs to you and that nobody else can "
                         "open (chmod 700 %s)",
                         path, path);
    return 0;
}

/* Appends BASE/assent unless others can get into BASE. */
static void add_candidate(char **candidates, size_t *count, const char *base)
{
    struct stat status;
    if (stat(base, &status) == 0 && is_private(&status))
        candidates[(*count)++] = xasprintf("%s/assent", base);
}

char *paths_log_directory(const char *named)
{
    if (named[0])
        return xstrdup(named);
    cleanup_free char *state = paths_state_directory();
    return xasprintf("%s/sessions", state);
}

char **paths_runtime_candidates(void)
{
    char **candidates = xcalloc(3, sizeof *candidates);
    size_t count = 0;
    const char *named = absolute_variable("XDG_RUNTIME_DIR");
    cleanup_free char *usual = xasprintf("/run/user/%lu", (unsigned long)geteuid());
    add_candidate(candidates, &count, named ? named : usual);
    cleanup_free char *state = paths_state_directory();
    candidates[count] = xasprintf("%s/run", state);
    return candidates;
}

char *paths_runtime_directory(struct error *error)
{
    cleanup_strv char **candidates = paths_runtime_candidates();
    if (paths_make_private(candidates[0], error) < 0)
        return NULL;
    return xstrdup(candidates[0]);
}

bool paths_hold_own(const char *directory)
{
    char *own[] = {paths_config_directory(), paths_state_directory(), paths_home()};
    bool inside = false;
    for (size_t i = 0; i < COUNT(own); i++) {
        cleanup_free char *physical = realpath(own[i], NULL);
        inside = inside || path_is_beneath(physical ? physical : own[i], directory);
        free(own[i]);
    }
    return inside;
}

/* It lies where Assent's files are whatever the environment says. */
static bool is_usual(const char *path, const char *home)
{
    cleanup_free char *config = xasprintf("%s/.config/assent", home);
    cleanup_free char *state = xasprintf("%s/.local/state/assent", home);
    cleanup_free char *runtime = xasprintf("/run/user/%lu/assent", (unsigned long)geteuid());
    return path_is_beneath(path, config) || path_is_beneath(path, state) ||
           path_is_beneath(path, runtime);
}

bool paths_is_exposed(const char *path, const char *cwd)
{
    cleanup_free char *real = realpath(path, NULL);
    cleanup_free char *home = recorded_home();
    const char *place = real ? real : path;
    /* The home directory and what is above it are never a workspace. */
    return path_is_beneath(place, cwd) && !path_is_beneath(home, cwd) && !is_usual(place, home);
}

char *paths_expand(const char *path)
{
    if (path[0] != '~' || (path[1] != '\0' && path[1] != '/'))
        return xstrdup(path);
    cleanup_free char *home = paths_home();
    return xasprintf("%s%s", strcmp(home, "/") == 0 && path[1] ? "" : home, path + 1);
}
