/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_newcomers.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/statx.h"
#include "sandbox/git_books.h"
#include "sandbox/git_code.h"
#include "sandbox/git_pointer.h"
#include "sandbox/nearby.h"

/* Most commands have ended before the first look, for which all directories are gone through. Those
 * that follow take some milliseconds where there are many: no more than a part of the time goes
 * into them. */
enum { FIRST_US = 200 * 1000, EVERY_US = 1000 * 1000, SOON_US = 2 * 1000, PART = 20 };
/* Who makes more of them that stay runs tests of git. */
enum { PLACES_MAX = 1024 };
/* Nobody reads more, and what makes names without end fills no memory of ours. */
enum { CODE_MAX = 1024 };

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void git_newcomers_open(struct git_newcomers *newcomers, const struct protect *protect,
                        const struct report *report)
{
    *newcomers = (struct git_newcomers){
        .protect = protect, .report = report, .due_us = now_us() + FIRST_US, .stir = {.fd = -1}};
    clock_gettime(CLOCK_REALTIME_COARSE, &newcomers->since); /* as the file systems' */
}

/* Without a list of the directories that were there, or with half of one, what is new is not known.
 */
int git_newcomers_time_left(const struct git_newcomers *newcomers)
{
    const struct protect *protect = newcomers->protect;
    if (!protect || protect->nested.count == 0 || protect->nested.incomplete)
        return -1;
    int64_t left = newcomers->due_us - now_us();
    return left > 0 ? (int)((left + 999) / 1000) : 0;
}

int git_newcomers_fd(const struct git_newcomers *newcomers)
{
    return newcomers->protect && !newcomers->stirred ? newcomers->stir.fd : -1;
}

void git_newcomers_stir(struct git_newcomers *newcomers)
{
    newcomers->stirred = true;
    newcomers->due_us = newcomers->pause_until_us;
}

/* ---- telling ---------------------------------------------------------------------------- */

static void tell_once(struct git_newcomers *newcomers, const char *told)
{
    if (strset_add(&newcomers->known, told, strlen(told)))
        report_alarm(newcomers->report, told);
}

static void tell_about(const struct git_newcomers *newcomers, const char *path, const char *what)
{
    cleanup_free char *told = xasprintf("%s (%s)", path, what);
    report_alarm(newcomers->report, told);
}

/* ---- what git would run ----------------------------------------------------------------- */

static void note(const char *path, const char *harmless, void *argument)
{
    struct git_newcomers *newcomers = argument;
    (void)harmless;
    newcomers->found = newcomers->found || !protect_is_kept(newcomers->protect, path);
}

/* What is noted of that path; NULL: there is no room in the list. */
static struct git_newcomers_code *code_at(struct git_newcomers *newcomers, const char *path)
{
    for (size_t i = 0; i < newcomers->code_count; i++)
        if (strcmp(newcomers->code[i].path, path) == 0)
            return &newcomers->code[i];
    if (newcomers->code_count == CODE_MAX)
        return NULL;
    newcomers->code =
        xreallocarray(newcomers->code, newcomers->code_count + 1, sizeof *newcomers->code);
    struct git_newcomers_code *code = &newcomers->code[newcomers->code_count++];
    *code = (struct git_newcomers_code){.path = xstrdup(path)};
    return code;
}

/* How often that was set aside in this directory; of all together that have no room in the list. */
static unsigned *times_of(struct git_newcomers *newcomers, struct git_newcomers_code *code)
{
    struct statx status;
    if (!code)
        return &newcomers->uncounted;
    cleanup_free char *directory =
        xstrndup(code->path, (size_t)(strrchr(code->path, '/') - code->path));
    if (statx(AT_FDCWD, directory, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &status) <
        0)
        return &code->times;
    uint64_t born =
        (uint64_t)status.stx_btime.tv_sec * 1000000000 + (uint64_t)status.stx_btime.tv_nsec;
    if (status.stx_ino != code->directory || born != code->born)
        code->times = 0;
    code->directory = status.stx_ino;
    code->born = born;
    return &code->times;
}

static void tell_of(struct git_newcomers *newcomers, struct git_newcomers_code *code, bool done)
{
    if (!code)
        tell_once(newcomers, "more that git would run than is told of");
    else if (!code->told && done)
        git_books_tell_aside(newcomers->report, code->path);
    else if (!code->told)
        tell_about(newcomers, code->path, "git would run it: no git there until the command ends");
    if (code)
        code->told = true;
}

static void set_aside(const char *path, const char *harmless, void *argument)
{
    struct git_newcomers *newcomers = argument;
    if (protect_is_kept(newcomers->protect, path)) /* not the command's */
        return;
    struct git_newcomers_code *code = code_at(newcomers, path);
    unsigned *times = times_of(newcomers, code);
    tell_of(newcomers, code, git_code_set_aside(newcomers->protect, path, harmless));
    if (++*times > GIT_NEWCOMERS_AGAIN_MAX && !newcomers->endless) {
        newcomers->endless = true;
        tell_about(newcomers, path, "made again each time it is set aside: the command is ended");
    }
}

/* ---- new repositories ------------------------------------------------------------------- */

/* Is it none that was there? Theirs only the host can change. */
static bool is_new(const struct git_newcomers *newcomers, const char *path)
{
    const struct protect *protect = newcomers->protect;
    return !strset_has(&protect->known_repositories, path) && !protect_is_kept(protect, path) &&
           protect_root_of(protect, path);
}

static void consider(struct git_newcomers *newcomers, const char *place)
{
    if (strset_has(&newcomers->known, place) || !is_new(newcomers, place))
        return;
    if (newcomers->count == PLACES_MAX) {
        tell_once(newcomers, "more new repositories than are looked into for git");
        return;
    }
    strset_add(&newcomers->known, place, strlen(place));
    newcomers->places =
        xreallocarray(newcomers->places, newcomers->count + 1, sizeof *newcomers->places);
    newcomers->places[newcomers->count++] = xstrdup(place);
}

static void consider_found(const char *directory, enum nested_kind kind, void *argument)
{
    char git[PATH_MAX];
    if (kind == NESTED_BARE)
        consider(argument, directory);
    else if (kind == NESTED_WORKTREE && path_join(git, directory, ".git"))
        consider(argument, git);
}

/* Makes room where there is none. */
static void forget_gone(struct git_newcomers *newcomers)
{
    size_t kept = 0;
    for (size_t i = 0; i < newcomers->count; i++) {
        char *place = newcomers->places[i];
        if (fd_file_type(place)) {
            newcomers->places[kept++] = place;
            continue;
        }
        strset_remove(&newcomers->known, place);
        free(place);
    }
    newcomers->count = kept;
}

/* What was there is known from the start, as a command can make more than any limit. */
static void find(struct git_newcomers *newcomers)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (newcomers->nested.count == 0) {
        nested_copy(&newcomers->nested, &newcomers->protect->nested, NESTED_MAX_NEW);
        stir_open(&newcomers->stir);
    }
    if (newcomers->count == PLACES_MAX)
        forget_gone(newcomers);
    nested_search_changed(&newcomers->nested, &newcomers->since, consider_found, newcomers);
    if (newcomers->nested.incomplete)
        tell_once(newcomers, "more new directories than are looked into for git");
    newcomers->since = now;
}

/* ---- looking into them ------------------------------------------------------------------ */

static void visit_directory(struct git_newcomers *newcomers, const char *directory,
                            git_code_found *found)
{
    char hooks[PATH_MAX];
    stir_add(&newcomers->stir, directory, true);
    if (path_join(hooks, directory, "hooks"))
        stir_add(&newcomers->stir, hooks, false);
    git_code_visit(newcomers->protect, directory, found, newcomers);
}

/* A .git is one before git says so. */
static bool is_repository(const char *directory)
{
    return strcmp(strrchr(directory, '/'), "/.git") == 0 || git_pointer_is_repository(directory);
}

/* With where it has its configuration and hooks from. */
static void visit_repository(struct git_newcomers *newcomers, const char *directory,
                             git_code_found *found)
{
    char path[PATH_MAX];
    if (!is_repository(directory))
        return;
    visit_directory(newcomers, directory, found);
    if (!path_join(path, directory, "commondir") || !fd_file_type(path))
        return;
    if (git_pointer_is_odd(path, GIT_POINTER_COMMON, directory))
        found(path, NULL, newcomers);
    cleanup_free char *common = git_pointer_read(path, GIT_POINTER_COMMON, directory);
    if (common && is_new(newcomers, common))
        visit_directory(newcomers, common, found);
}

/* Where `git`, a .git that is no directory, leads. */
static void follow(struct git_newcomers *newcomers, const char *git, git_code_found *found)
{
    cleanup_free char *directory = xstrndup(git, (size_t)(strrchr(git, '/') - git));
    stir_add(&newcomers->stir, directory, true);
    if (git_pointer_is_odd(git, GIT_POINTER_DOT_GIT, directory))
        found(git, NULL, newcomers);
    cleanup_free char *pointed = git_pointer_read(git, GIT_POINTER_DOT_GIT, directory);
    cleanup_free char *linked = pointed ? NULL : nearby_resolve(git);
    if (pointed || linked)
        consider(newcomers, pointed ?: linked);
}

static void visit(struct git_newcomers *newcomers, git_code_found *found)
{
    for (size_t i = 0; i < newcomers->count; i++) { /* more while they are followed */
        const char *place = newcomers->places[i];
        mode_t type = fd_file_type(place);
        if (S_ISDIR(type))
            visit_repository(newcomers, place, found);
        else if (type)
            follow(newcomers, place, found);
    }
}

/* ---- looks ------------------------------------------------------------------------------ */

/* True when there are new ones, in which something may have been made before they were watched. */
static bool watch_directories(struct git_newcomers *newcomers)
{
    size_t count = newcomers->nested.count;
    bool more = newcomers->watched < count;
    while (newcomers->watched < count)
        stir_add(&newcomers->stir, newcomers->nested.directories[newcomers->watched++], false);
    return more;
}

bool git_newcomers_look(struct git_newcomers *newcomers)
{
    int64_t began = now_us();
    if (stir_take(&newcomers->stir))
        newcomers->watched = 0;
    find(newcomers);
    newcomers->stirred = watch_directories(newcomers);
    newcomers->found = false;
    visit(newcomers, note);
    int64_t now = now_us(), pause = (now - began) * PART;
    newcomers->pause_until_us = now + (pause > SOON_US ? pause : SOON_US);
    newcomers->due_us = now + (pause > EVERY_US ? pause : EVERY_US);
    if (newcomers->stirred)
        newcomers->due_us = newcomers->pause_until_us;
    return newcomers->found;
}

bool git_newcomers_set_aside(struct git_newcomers *newcomers)
{
    visit(newcomers, set_aside);
    return !newcomers->endless;
}

void git_newcomers_free(struct git_newcomers *newcomers)
{
    for (size_t i = 0; i < newcomers->count; i++)
        free(newcomers->places[i]);
    for (size_t i = 0; i < newcomers->code_count; i++)
        free(newcomers->code[i].path);
    free(newcomers->places);
    free(newcomers->code);
    nested_free(&newcomers->nested);
    strset_clear(&newcomers->known);
    stir_close(&newcomers->stir);
    *newcomers = (struct git_newcomers){.stir = {.fd = -1}};
}
