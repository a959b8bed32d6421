/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_newcomers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "sandbox/git_code.h"
#include "sandbox/git_links.h"
#include "sandbox/git_pointer.h"

/* A look takes some milliseconds where there are many directories: no more than a part of the time
 * goes into it. */
enum { EVERY_MS = 1000, PART = 100 };
/* Who makes more of them runs tests of git. */
enum { REPOSITORIES_MAX = 256 };

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void git_newcomers_open(struct git_newcomers *newcomers, const struct protect *protect,
                        const struct report *report)
{
    *newcomers = (struct git_newcomers){.protect = protect,
                                        .report = report,
                                        .nested = {.limit = NESTED_MAX},
                                        .due_ms = now_ms() + EVERY_MS};
    clock_gettime(CLOCK_REALTIME_COARSE, &newcomers->since); /* as the file systems' */
}

/* Without a list of the directories that were there, or with half of one, what is new is not known.
 */
int git_newcomers_time_left(const struct git_newcomers *newcomers)
{
    const struct protect *protect = newcomers->protect;
    if (!protect || protect->nested.count == 0 || protect->nested.incomplete)
        return -1;
    int64_t left = newcomers->due_ms - now_ms();
    return left > 0 ? (int)left : 0;
}

/* ---- finding them ----------------------------------------------------------------------- */

static void consider(struct git_newcomers *newcomers, const char *repository)
{
    const struct protect *protect = newcomers->protect;
    if (newcomers->count == REPOSITORIES_MAX ||
        strset_has(&protect->known_repositories, repository) ||
        protect_is_kept(protect, repository) || !protect_root_of(protect, repository) ||
        !strset_add(&newcomers->known, repository, strlen(repository)))
        return;
    newcomers->repositories = xreallocarray(newcomers->repositories, newcomers->count + 1,
                                            sizeof *newcomers->repositories);
    newcomers->repositories[newcomers->count++] = xstrdup(repository);
}

static void consider_found(const char *directory, enum nested_kind kind, void *argument)
{
    char git[PATH_MAX];
    if (kind == NESTED_BARE)
        consider(argument, directory);
    if (kind != NESTED_WORKTREE || !path_join(git, directory, ".git"))
        return;
    if (S_ISDIR(fd_file_type(git))) {
        consider(argument, git);
        return;
    }
    cleanup_free char *pointed = git_pointer_read(git, GIT_POINTER_DOT_GIT, directory);
    cleanup_free char *linked = pointed ? NULL : realpath(git, NULL);
    if (pointed || linked)
        consider(argument, pointed ?: linked);
}

static void find(struct git_newcomers *newcomers)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (newcomers->nested.count > 0)
        nested_search_changed(&newcomers->nested, &newcomers->since, consider_found, newcomers);
    else
        for (char **root = newcomers->protect->roots; *root; root++)
            nested_search(&newcomers->nested, *root, consider_found, newcomers);
    newcomers->since = now;
}

/* ---- telling ---------------------------------------------------------------------------- */

static void tell(const char *path, const char *harmless, void *argument)
{
    struct git_newcomers *newcomers = argument;
    (void)harmless;
    if (!strset_add(&newcomers->known, path, strlen(path)))
        return;
    cleanup_free char *told =
        xasprintf("%s (git would run it: no git there until the command ends)", path);
    report_alarm(newcomers->report, told);
}

void git_newcomers_look(struct git_newcomers *newcomers)
{
    int64_t began = now_ms();
    find(newcomers);
    for (size_t i = 0; i < newcomers->count; i++)
        git_code_visit(newcomers->protect, newcomers->repositories[i], tell, newcomers);
    int64_t pause = (now_ms() - began) * PART;
    newcomers->due_ms = now_ms() + (pause > EVERY_MS ? pause : EVERY_MS);
}

void git_newcomers_free(struct git_newcomers *newcomers)
{
    for (size_t i = 0; i < newcomers->count; i++)
        free(newcomers->repositories[i]);
    free(newcomers->repositories);
    nested_free(&newcomers->nested);
    strset_clear(&newcomers->known);
    *newcomers = (struct git_newcomers){0};
}
