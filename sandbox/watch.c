/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/watch.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sandbox/aside.h"
#include "sandbox/inside.h"
#include "sandbox/mounts.h"
#include "sandbox/watch_state.h"

/* Who puts something new in the place of what was moved away does so in two steps; a placeholder
 * between them would be in the way. The command stands still for so long: it could take the name.
 */
enum { HOLD_AFTER_MS = 100 };
/* How long a git of the host's may take to write a configuration. */
enum { WRITES_FOR_MS = 1000 };
/* A command that has gone on so often in a row is ended. */
enum { RESTLESS_MAX = 20 };

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- telling ---------------------------------------------------------------------------- */

static void tell(struct watch *watch, struct watch_state *state, const char *path, const char *what)
{
    if (state->reported)
        return;
    cleanup_free char *told = xasprintf("%s (%s)", path, what);
    report_alarm(watch->report, told);
    state->reported = true;
}

#define TOLD_CHANGED "changed while the command ran"

static void compare_with(struct watch *watch, size_t index, const struct watch_state *now)
{
    const struct protect_item *item = &watch->protect->items[index];
    if (watch_state_is_changed(&watch->states[index], now, item))
        tell(watch, &watch->states[index], item->path, TOLD_CHANGED);
}

static void compare(struct watch *watch, size_t index)
{
    const struct watch_state now = watch_state_look(watch->protect->items[index].path);
    compare_with(watch, index, &now);
}

/* ---- watching directories --------------------------------------------------------------- */

static size_t directory_length(const char *path)
{
    return (size_t)(strrchr(path, '/') - path);
}

static const char *path_at(const struct watch *watch, size_t index)
{
    size_t items = watch->protect->count;
    return index < items ? watch->protect->items[index].path
                         : watch->shut->paths[index - items].path;
}

static bool is_watched(const struct watch *watch, size_t index)
{
    size_t items = watch->protect->count;
    return index < items || watch->shut->paths[index - items].watched;
}

/* The directory that `path` is in, and with a root those above it up to that: what is closed moves
 * with each of them. */
static void visit_directories(struct watch *watch, const char *path, const char *root,
                              void (*visit)(struct watch *watch, const char *directory))
{
    cleanup_free char *directory = xstrndup(path, directory_length(path));
    visit(watch, directory);
    while (root && directory_length(directory) >= strlen(root)) {
        directory[directory_length(directory)] = '\0';
        visit(watch, directory);
    }
}

static void visit_all(struct watch *watch,
                      void (*visit)(struct watch *watch, const char *directory))
{
    for (size_t i = 0; i < watch->protect->count + watch->shut->count; i++) {
        const char *path = path_at(watch, i);
        bool closed = i >= watch->protect->count;
        if (is_watched(watch, i))
            visit_directories(watch, path, closed ? protect_root_of(watch->protect, path) : NULL,
                              visit);
    }
}

static void count_directory(struct watch *watch, const char *directory)
{
    watch->directories += strset_add(&watch->counted, directory, strlen(directory));
}

static void add_directory(struct watch *watch, const char *directory)
{
    notice_add(&watch->notice, directory);
}

static void watch_directories(struct watch *watch)
{
    visit_all(watch, count_directory);
    strset_clear(&watch->counted);
    notice_open(&watch->notice, watch->directories);
    visit_all(watch, add_directory);
    watch->fd = watch->notice.fd;
}

void watch_add(struct watch *watch, const char *path)
{
    if (watch->fd >= 0)
        visit_directories(watch, path, protect_root_of(watch->protect, path), add_directory);
}

/* ---- covering --------------------------------------------------------------------------- */

/* Something in the place of a directory that was covered, made while the command could make it (a
 * link would do as well): nobody can tell whose it is, nor who of the command's has it open. A link
 * of the host's is never covered itself. */
static bool is_doubtful(const struct watch *watch, size_t index)
{
    const struct watch_state *state = &watch->states[index];
    const struct watch_state now = watch_state_look(watch->protect->items[index].path);
    return state->kept.whole && now.there && !now.covered &&
           (now.directory || !watch_state_is_known(state, &now));
}

/* So a new one takes its place, with what is as it was before. */
static void renew(struct watch *watch, size_t index)
{
    const char *path = watch->protect->items[index].path;
    struct watch_state *state = &watch->states[index];
    char aside[PATH_MAX];
    if (!aside_rename(path, aside) || mkdir(path, state->kept.mode) < 0)
        return;
    if (kept_tree_move(&state->kept, aside, path))
        return;
    state->reported = false; /* each time */
    tell(watch, state, path, "made anew while the command ran: the rest is set aside");
}

/* Who has just stopped has yet to leave its processor. */
static void note_still(struct watch *watch)
{
    enum { TRIES = 20 };
    watch->still = inside_runs();
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = watch->still;
        poll(NULL, 0, 1);
        watch->still = inside_runs();
        if (watch->still == before)
            return;
    }
}

/* Whatever stops here goes on, also a process of it that had stopped by itself: the kernel does not
 * tell the one from the other, and asking each process first would leave the command the time. What
 * comes into being from now on is the host's. */
static void stand_still(struct watch *watch)
{
    inside_signal(true, SIGSTOP);
    inside_wait_still();
    for (size_t i = 0; i < watch->protect->count; i++)
        watch->states[i].doubtful = is_doubtful(watch, i);
    note_still(watch);
    watch->hold_at_ms = now_ms() + (watch->ended ? 0 : HOLD_AFTER_MS);
}

/* Each may have been continued by a timer of its own, or by another one: what was taken for the
 * host's meanwhile may be the command's, and it may have it open. */
static bool is_restless(struct watch *watch)
{
    if (watch->hold_at_ms == 0 || inside_runs() == watch->still)
        return false;
    if (++watch->restless == RESTLESS_MAX) {
        report_alarm(watch->report, "the command went on when it was stopped: it is ended");
        inside_signal(true, SIGKILL);
    }
    for (size_t i = 0; i < watch->protect->count; i++)
        if (watch->states[i].taken)
            umount2(watch->protect->items[i].path, MNT_DETACH | UMOUNT_NOFOLLOW);
    stand_still(watch);
    return true;
}

static void go_on(struct watch *watch)
{
    for (size_t i = 0; i < watch->protect->count; i++)
        watch->states[i].taken = false;
    watch->restless = 0;
    if (!watch->stopped)
        inside_signal(true, SIGCONT);
    watch->hold_at_ms = 0;
}

void watch_note_signal(struct watch *watch, int number)
{
    if (number == SIGSTOP || number == SIGCONT)
        watch->stopped = number == SIGSTOP;
}

/* An empty directory holds the name of one: git fills it when it goes back to a branch that has it.
 * A placeholder it would remove first, and for that moment the name would be free. */
static int hold_name(struct watch *watch, size_t index)
{
    const struct protect_item *item = &watch->protect->items[index];
    struct watch_state *state = &watch->states[index];
    if (state->kept.whole) {
        if (mkdir(item->path, state->kept.mode) < 0)
            return errno == EEXIST ? 0 : -errno;
        state->made = true;
        return 0;
    }
    mode_t mask = umask(0);
    int result = placeholders_make(watch->placeholders, item->missing ?: PLACEHOLDER_SOCKET,
                                   item->path, item->content);
    umask(mask);
    return result;
}

/* What was removed leaves a name that the command could take: something takes it first. False
 * when it is not time for that. */
static bool take_name(struct watch *watch, size_t index)
{
    const struct protect_item *item = &watch->protect->items[index];
    struct watch_state *state = &watch->states[index];
    bool real = item->missing == PLACEHOLDER_NONE;
    if (real && watch->hold_at_ms == 0 && !state->lost)
        stand_still(watch);
    if (real && watch->hold_at_ms > now_ms())
        return false;
    state->lost = hold_name(watch, index) < 0;
    return true;
}

/* The command may have had its hands in what is there now. */
static void settle(struct watch *watch, size_t index, const struct stat *status)
{
    struct watch_state *state = &watch->states[index];
    if (!state->settle.known || placeholder_is(status))
        return;
    if (watch->hold_at_ms == 0)
        stand_still(watch);
    git_settle_act(&state->settle, watch->protect->items[index].path, watch->report);
}

/* Who is filling a directory that is doubtful is given the time for it; false when it is not over.
 */
static bool settle_directory(struct watch *watch, size_t index)
{
    struct watch_state *state = &watch->states[index];
    if (watch->hold_at_ms == 0 && is_doubtful(watch, index))
        stand_still(watch);
    if (state->doubtful && watch->hold_at_ms > now_ms())
        return false;
    if (state->doubtful)
        renew(watch, index);
    return true;
}

/* False when somebody may yet put something there. */
static bool cover_again(struct watch *watch, size_t index)
{
    const struct protect_item *item = &watch->protect->items[index];
    struct watch_state *state = &watch->states[index];
    struct stat status;
    if (lstat(item->path, &status) < 0) {
        state->doubtful = false;
        if (item->kind != PROTECT_READONLY || item->lent)
            return true;
        if (!take_name(watch, index))
            return false;
    } else {
        settle(watch, index, &status);
        if (!settle_directory(watch, index))
            return false;
    }
    protect_apply_item(item);
    compare(watch, index);
    watch_state_update(state, item);
    state->taken = (state->kept.whole || state->settle.known) && watch->hold_at_ms != 0;
    return true;
}

/* What covers a file that is protected as well may be itself alone. In a placeholder nothing can be
 * read. */
static bool can_be_read(const char *path)
{
    const struct watch_state now = watch_state_look(path);
    bool empty = now.covered && now.placeholder && !now.directory;
    return now.there && !empty && !(now.covered && mounts_is_closed(path));
}

/* What can be read by a closed name: what is there, or where a link there leads. NULL when that is
 * nothing. The caller frees. */
static char *find_bare(const struct shut_path *closed)
{
    struct stat status;
    if (!closed->watched || lstat(closed->path, &status) < 0)
        return NULL;
    char *place = S_ISLNK(status.st_mode) ? shut_target(closed->path, true) : xstrdup(closed->path);
    if (place && can_be_read(place))
        return place;
    free(place);
    return NULL;
}

static bool is_bare(const struct shut_path *closed)
{
    cleanup_free char *place = find_bare(closed);
    return place != NULL;
}

/* Between the one and the other it could be read. What is just being replaced can not be covered
 * yet; the event that tells of it comes afterwards. */
static void close_again(struct watch *watch, size_t index)
{
    const struct shut_path *closed = &watch->shut->paths[index];
    struct watch_state *state = &watch->states[watch->protect->count + index];
    cleanup_free char *place = find_bare(closed);
    if (place && (mounts_close_path(place) != -ENOENT || watch_state_look(place).there))
        tell(watch, state, closed->path, TOLD_CHANGED);
}

/* What is protected in a root is known by its path: in one that has another, nothing could be
 * covered again. A root that has gone is told of once. */
static void end_without_root(struct watch *watch)
{
    for (size_t i = 0; watch->protect->roots[i]; i++) {
        const struct watch_state now = watch_state_look(watch->protect->roots[i]);
        if (watch->roots[i].reported || watch_state_is_same(&watch->roots[i], &now))
            continue;
        inside_signal(true, SIGKILL);
        tell(watch, &watch->roots[i], watch->protect->roots[i],
             "moved while the command ran, which is ended");
    }
}

/* False when somebody may yet put something somewhere. */
static bool cover_all(struct watch *watch)
{
    bool waits = false;
    for (size_t i = 0; i < watch->protect->count; i++)
        if (!watch_state_look(watch->protect->items[i].path).covered)
            waits = !cover_again(watch, i) || waits;
    for (size_t i = 0; i < watch->shut->count; i++)
        close_again(watch, i);
    return !waits;
}

static void cover_bare(struct watch *watch)
{
    bool done;
    do
        done = cover_all(watch);
    while (is_restless(watch));
    if (watch->hold_at_ms != 0 && done)
        go_on(watch);
}

static void look_at_roots(struct watch *watch)
{
    size_t count = strv_length((const char *const *)watch->protect->roots);
    watch->roots = xcalloc(count + 1, sizeof *watch->roots);
    for (size_t i = 0; i < count; i++)
        watch->roots[i] = watch_state_look(watch->protect->roots[i]);
}

/* ---- the watch -------------------------------------------------------------------------- */

void watch_open(struct watch *watch, const struct protect *protect, const struct shut *shut,
                struct placeholders *placeholders, const struct report *report)
{
    *watch = (struct watch){.fd = -1,
                            .protect = protect,
                            .shut = shut,
                            .placeholders = placeholders,
                            .first_ours = placeholders->path_count,
                            .report = report};
    size_t count = protect->count + shut->count;
    bool bare = false;
    if (count == 0)
        return;
    watch->states = xcalloc(count, sizeof *watch->states);
    watch_directories(watch);
    look_at_roots(watch);
    for (size_t i = 0; i < count; i++) {
        if (is_watched(watch, i))
            watch->states[i] = watch_state_look(path_at(watch, i));
        struct watch_state *state = &watch->states[i];
        if (i < protect->count && protect->items[i].kind == PROTECT_READONLY &&
            git_settle_is_about(protect->items[i].path))
            git_settle_open(&state->settle, protect->items[i].path);
        bare = bare ||
               (i < protect->count ? !state->covered : is_bare(&shut->paths[i - protect->count]));
    }
    if (bare) /* changed between looking for it and now */
        cover_bare(watch);
}

int watch_time_left(const struct watch *watch)
{
    if (watch->hold_at_ms == 0)
        return -1;
    int64_t left = watch->hold_at_ms - now_ms();
    return left > 0 ? (int)left : 0;
}

void watch_keep(struct watch *watch)
{
    struct kept_tree_limit limit = KEPT_TREE_LIMIT;
    for (size_t i = 0; watch->states && i < watch->protect->count; i++) {
        const struct protect_item *item = &watch->protect->items[i];
        const struct watch_state *state = &watch->states[i];
        if (item->kind == PROTECT_READONLY && item->missing == PLACEHOLDER_NONE &&
            state->directory && watch_state_look(item->path).covered)
            kept_tree_read(&watch->states[i].kept, item->path, &limit);
    }
}

void watch_act(struct watch *watch)
{
    notice_take(&watch->notice);
    end_without_root(watch);
    cover_bare(watch);
}

/* What is covered as it was needs one look to say so. */
static bool is_untouched(struct watch *watch, size_t index)
{
    const struct watch_state now = watch_state_look(watch->protect->items[index].path);
    if (now.covered)
        compare_with(watch, index, &now);
    return now.covered;
}

/* Is somebody about to replace a configuration? A lock that is older was left behind. */
static bool is_being_written(const struct watch *watch)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    for (size_t i = 0; i < watch->protect->count; i++) {
        struct stat status;
        char lock[PATH_MAX];
        if (watch->states[i].settle.known &&
            snprintf(lock, sizeof lock, "%s.lock", watch->protect->items[i].path) <
                (int)sizeof lock &&
            lstat(lock, &status) == 0 && now.tv_sec - status.st_ctim.tv_sec <= WRITES_FOR_MS / 1000)
            return true;
    }
    return false;
}

static void look_at_all(struct watch *watch)
{
    bool bare = false;
    for (size_t i = 0; i < watch->protect->count; i++)
        bare = !is_untouched(watch, i) || bare;
    for (size_t i = 0; i < watch->shut->count; i++)
        bare = bare || is_bare(&watch->shut->paths[i]);
    if (bare) /* it may have ended before we could look */
        cover_bare(watch);
    for (size_t i = 0; bare && i < watch->protect->count; i++)
        compare(watch, i);
}

/* One that nobody has put anything into. */
static void remove_empty(const char *directory)
{
    umount2(directory, MNT_DETACH | UMOUNT_NOFOLLOW);
    rmdir(directory);
}

/* What the host's git is writing now the command may have had its hands in (git_settle.h): nobody
 * would look at that any more. */
void watch_finish(struct watch *watch)
{
    int64_t end = now_ms() + WRITES_FOR_MS;
    if (!watch->states)
        return;
    watch->ended = true;
    do {
        while (is_being_written(watch) && now_ms() < end)
            poll(NULL, 0, 1);
        look_at_all(watch);
    } while (is_being_written(watch) && now_ms() < end);
    placeholders_remove_from(watch->placeholders, watch->first_ours, true);
    for (size_t i = 0; i < watch->protect->count; i++)
        if (watch->states[i].made)
            remove_empty(watch->protect->items[i].path);
}
