/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_settle.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/aside.h"
#include "sandbox/git_harmless.h"

#define FILE_MAX ((size_t)1024 * 1024)

bool git_settle_is_about(const char *path)
{
    static const char *const NAMES[] = {"/config", "/config.worktree", "/.gitconfig"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(strrchr(path, '/'), NAMES[i]) == 0)
            return true;
    return false;
}

void git_settle_open(struct git_settle *settle, const char *path)
{
    size_t size;
    settle->known = fd_read_file(path, FILE_MAX, true, &size) ?: xstrdup("");
}

static void set_aside(const char *path, const struct report *report)
{
    cleanup_free char *told = xasprintf("%s (set aside: git would obey it)", path);
    aside_put(path);
    report_alarm(report, told);
}

/* Whoever is outside may replace it once more meanwhile; that has an event of its own. */
void git_settle_act(struct git_settle *settle, const char *path, const struct report *report)
{
    struct stat status;
    size_t size;
    bool all = false;
    if (lstat(path, &status) < 0)
        return;
    cleanup_free char *text = fd_read_file(path, FILE_MAX, true, &size);
    cleanup_free char *before = settle->known;
    settle->known = text ? git_harmless_change(before, text, size, &all) : xstrdup(before);
    settle->again = all && strcmp(settle->known, before) == 0 ? settle->again + 1 : 0;
    if (settle->again > GIT_SETTLE_AGAIN_MAX)
        return;
    if (!all)
        set_aside(path, report);
    fd_replace_cache(path, settle->known, strlen(settle->known), status.st_mode & 0777);
}
