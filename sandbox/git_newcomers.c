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
#include "sandbox/nearby.h"

/* A look takes some milliseconds where there are many directories: no more than a part of the time
 * goes into it. */
enum { EVERY_MS = 1000, PART = 100 };
/* Who makes more of them runs tests of git. */
enum { REPOSITORIES_MAX = 256 };
/* Nobody reads more, and what makes names without end fills no memory of ours. */
enum { TOLD_MAX = 1024 };

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void git_newcomers_open(struct git_newcomers *newcomers, const struct protect *protect,
                        const struct report *report)
{
    *newcomers =
        (struct git_newcomers){.protect = protect, .report = report, .due_ms = now_ms() + EVERY_MS};
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

/* ---- telling ---------------------------------------------------------------------------- */

static void tell_once(struct git_newcomers *newcomers, const char *about, const char *told)
{
    if (strset_add(&newcomers->known, about, strlen(about)))
        report_alarm(newcomers->report, told);
}

/* Whoever makes more than that would go unseen in it else. */
static void tell_too_many(struct git_newcomers *newcomers, const char *told)
{
    tell_once(newcomers, told, told);
}

static void tell(const char *path, const char *harmless, void *argument)
{
    struct git_newcomers *newcomers = argument;
    (void)harmless;
    if (strset_has(&newcomers->known, path))
        return;
    if (newcomers->told == TOLD_MAX) {
        tell_too_many(newcomers, "more that git would run than is told of");
        return;
    }
    newcomers->told++;
    cleanup_free char *told =
        xasprintf("%s (git would run it: no git there until the command ends)", path);
    tell_once(newcomers, path, told);
}

/* ---- finding them ----------------------------------------------------------------------- */

static void consider(struct git_newcomers *newcomers, const char *repository)
{
    const struct protect *protect = newcomers->protect;
    if (strset_has(&protect->known_repositories, repository) ||
        protect_is_kept(protect, repository) || !protect_root_of(protect, repository) ||
        strset_has(&newcomers->known, repository))
        return;
    if (newcomers->count == REPOSITORIES_MAX) {
        tell_too_many(newcomers, "more new repositories than are looked into for git");
        return;
    }
    strset_add(&newcomers->known, repository, strlen(repository));
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
    cleanup_free char *linked = pointed ? NULL : nearby_resolve(git);
    if (pointed || linked)
        consider(argument, pointed ?: linked);
}

/* What was there is known from the start, as a command can make more than any limit. */
static void find(struct git_newcomers *newcomers)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (newcomers->nested.count == 0)
        nested_copy(&newcomers->nested, &newcomers->protect->nested, NESTED_MAX_NEW);
    nested_search_changed(&newcomers->nested, &newcomers->since, consider_found, newcomers);
    if (newcomers->nested.incomplete)
        tell_too_many(newcomers, "more new directories than are looked into for git");
    newcomers->since = now;
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
