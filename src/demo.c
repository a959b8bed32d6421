/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "demo.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "config/paths.h"

extern char **environ;

struct demo {
    char *directory;
    char *workspace;
    char *outside;
};

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)place;
    if (type == FTW_DP)
        return rmdir(path), 0;
    return unlink(path), 0;
}

/* Before anything else of the console runs, so that waiting holds nobody up. */
static int make_repository(const char *directory, struct error *error)
{
    char *argv[] = {(char[]){"git"}, (char[]){"init"}, (char[]){"-q"}, (char *)directory, NULL};
    pid_t pid;
    int status = 0, result = posix_spawnp(&pid, "git", NULL, NULL, argv, environ);
    if (result == ENOENT)
        return error_set(error, result,
                         _("the demo needs git: install it, or run assent without --demo"));
    if (result != 0)
        return error_errno(error, result, _("cannot start git"));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(error, 0, _("git could not make a repository in %s"), directory);
    return 0;
}

static int fill(struct demo *demo, struct error *error)
{
    static const char text[] = "# Demo\n\nA small project for the demo agent.\n";
    cleanup_free char *readme = xasprintf("%s/README.md", demo->workspace);
    int result;
    if (mkdir(demo->workspace, 0700) < 0 || mkdir(demo->outside, 0700) < 0)
        return error_errno(error, errno, _("cannot make %s"), demo->directory);
    if (make_repository(demo->workspace, error) < 0)
        return -1;
    if ((result = fd_replace_file(readme, text, sizeof text - 1, 0600)) < 0)
        return error_errno(error, -result, _("cannot write %s"), readme);
    return 0;
}

static char *cache_directory(void)
{
    const char *named = getenv("XDG_CACHE_HOME");
    if (named && named[0] == '/')
        return xstrdup(named);
    cleanup_free char *home = paths_home();
    return xasprintf("%s/.cache", home);
}

struct demo *demo_new(struct error *error)
{
    cleanup_free char *cache = cache_directory();
    int result = fd_make_directories(cache, 0700);
    if (result < 0) {
        error_errno(error, -result, _("cannot make %s for the demo"), cache);
        return NULL;
    }
    cleanup_free char *physical = realpath(cache, NULL);
    cleanup_free char *directory = xasprintf("%s/assent-demo-XXXXXX", physical ? physical : cache);
    if (!mkdtemp(directory)) {
        error_errno(error, errno, _("cannot make a directory for the demo in %s"), cache);
        return NULL;
    }
    struct demo *demo = XNEW(struct demo);
    demo->directory = steal_pointer(&directory);
    demo->workspace = xasprintf("%s/project", demo->directory);
    demo->outside = xasprintf("%s/outside", demo->directory);
    if (fill(demo, error) < 0)
        demo_free(&demo);
    return demo;
}

void demo_free(struct demo **place)
{
    struct demo *demo = *place;
    if (!demo)
        return;
    nftw(demo->directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(demo->directory);
    free(demo->workspace);
    free(demo->outside);
    free(demo);
    *place = NULL;
}

const char *demo_workspace(const struct demo *demo)
{
    return demo->workspace;
}

const char *demo_outside(const struct demo *demo)
{
    return demo->outside;
}
