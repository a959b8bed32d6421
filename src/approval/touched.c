/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/touched.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "approval/build_files.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/path.h"
#include "base/text.h"
#include "risk/push_refs.h"

struct touched {
    struct name {
        char *path;
        bool gone;
    } names[TOUCHED_NAMES];
    size_t count; /* of all */
    bool partly;  /* not all was looked at */
};

/* A directory that is still to be read. What is there by then may be a link, or lie behind one. */
struct found {
    char *path; /* in the place, "" for that itself */
    ino_t inode;
};

struct queue {
    struct found *list;
    size_t count, next;
};

struct look {
    struct touched *touched;
    const char *const *places;
    size_t at; /* which of them it looks in */
    int fd;    /* of the place */
    dev_t device;
    int64_t since_ns, until_ms;
    size_t *entries; /* in all places */
    struct queue near, later;
};

/* What is seen of one directory. */
struct directory {
    const char *path; /* in the place */
    bool is_git, has_git;
    bool told; /* something in it is told of, or will be */
};

static void push(struct queue *queue, char *path, ino_t inode)
{
    queue->list = xreallocarray(queue->list, queue->count + 1, sizeof *queue->list);
    queue->list[queue->count++] = (struct found){path, inode};
}

static void clear(struct queue *queue)
{
    for (size_t i = 0; i < queue->count; i++)
        free(queue->list[i].path);
    free(queue->list);
}

static int64_t nanoseconds(const struct timespec *time)
{
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

int64_t touched_now(void)
{
    struct timespec now;
#ifdef CLOCK_REALTIME_COARSE
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
#else
    clock_gettime(CLOCK_REALTIME, &now);
#endif
    return nanoseconds(&now);
}

/* A file system that keeps whole seconds has only those to compare. */
static bool is_since(const struct timespec *time, int64_t since_ns)
{
    return time->tv_nsec == 0 ? (int64_t)time->tv_sec >= since_ns / 1000000000
                              : nanoseconds(time) >= since_ns;
}

static bool is_ref(const char *path)
{
    return strncmp(path, ".git/refs/", strlen(".git/refs/")) == 0;
}

/* Branches and tags stand first: a commit that is made twice is more than a file that is. */
static void add(struct touched *touched, char *path, bool gone)
{
    size_t at = touched->count < TOUCHED_NAMES ? touched->count : TOUCHED_NAMES;
    touched->count++;
    if (is_ref(path)) {
        if (at == TOUCHED_NAMES)
            free(touched->names[--at].path);
        memmove(touched->names + 1, touched->names, at * sizeof *touched->names);
        at = 0;
    }
    if (at < TOUCHED_NAMES) {
        touched->names[at].path = path;
        touched->names[at].gone = gone;
    } else {
        free(path);
    }
}

static void tell(struct look *look, const char *path, const char *end)
{
    add(look->touched,
        look->at == 0 ? xasprintf("%s%s", path, end)
                      : xasprintf("%s/%s%s", look->places[look->at], path, end),
        false);
}

static bool is_git(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash != NULL ? slash + 1 : path, ".git") == 0;
}

/* Every command of git that writes leaves some in these; where references are packed says nothing
 * of them. */
static bool is_left_out(const char *name)
{
    static const char *const names[] = {"COMMIT_EDITMSG", "ORIG_HEAD", "logs", "objects",
                                        "packed-refs"};
    return IS_IN(name, names);
}

/* As sandbox/placeholder.h has it. A file of a command's own could say as much in that form alone.
 */
static bool is_placeholder(const struct stat *status)
{
    return (status->st_mode & 07777) == (S_ISVTX | 0444) &&
           (S_ISSOCK(status->st_mode) || (S_ISREG(status->st_mode) && status->st_size <= 2));
}

/* Is that directory one that was looked in by itself? */
static bool is_done(const struct look *look, const char *path)
{
    if (look->at == 0)
        return false;
    cleanup_free char *whole = xasprintf("%s/%s", look->places[look->at], path);
    bool done = false;
    for (size_t i = 0; i < look->at && !done; i++)
        done = path_is_beneath(whole, look->places[i]);
    return done;
}

static void take_directory(struct look *look, struct directory *directory, const char *name,
                           char *path, const struct stat *status)
{
    bool here = status->st_dev == look->device, done = is_done(look, path);
    look->touched->partly |= !here && !done;
    if (here && !done) {
        directory->told |= is_since(&status->st_ctim, look->since_ns);
        push(build_files_leave_out(name) ? &look->later : &look->near, path, status->st_ino);
    } else {
        free(path);
    }
}

static void take_entry(struct look *look, struct directory *directory, const char *name,
                       const struct stat *status)
{
    char *path =
        *directory->path == '\0' ? xstrdup(name) : xasprintf("%s/%s", directory->path, name);
    directory->has_git |= strcmp(name, ".git") == 0;
    if (S_ISDIR(status->st_mode)) {
        take_directory(look, directory, name, path, status);
        return;
    }
    if (is_since(&status->st_ctim, look->since_ns) && !is_placeholder(status)) {
        directory->told = true;
        tell(look, path, "");
    }
    free(path);
}

static bool is_over(const struct look *look)
{
    return *look->entries >= TOUCHED_ENTRIES || clock_monotonic_ms(NULL) > look->until_ms;
}

static void read_entries(struct look *look, struct directory *directory, DIR *stream)
{
    const struct dirent *entry;
    struct stat status;
    while ((entry = readdir(stream)) != NULL) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            (directory->is_git && is_left_out(name)))
            continue;
        if (is_over(look)) {
            look->touched->partly = true;
            return;
        }
        ++*look->entries;
        if (fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0)
            take_entry(look, directory, name, &status);
    }
}

/* NULL: it cannot be read, or is another by now. */
static DIR *open_directory(const struct look *look, const struct found *found, struct stat *status)
{
    int fd = openat(look->fd, *found->path == '\0' ? "." : found->path,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool same = fd >= 0 && fstat(fd, status) == 0 && status->st_dev == look->device &&
                status->st_ino == found->inode;
    DIR *stream = same ? fdopendir(fd) : NULL;
    if (stream == NULL)
        fd_close(&fd);
    return stream;
}

static void read_directory(struct look *look, const struct found *found)
{
    const char *path = found->path;
    struct directory directory = {.path = path, .is_git = is_git(path)};
    struct stat status;
    DIR *stream = open_directory(look, found, &status);
    if (stream == NULL) {
        look->touched->partly = true;
        return;
    }
    read_entries(look, &directory, stream);
    closedir(stream);
    /* Placeholders come and go beside a .git, by which such a directory is written, not moved. */
    bool ours =
        directory.is_git || (directory.has_git && is_since(&status.st_mtim, look->since_ns));
    if (is_since(&status.st_ctim, look->since_ns) && !directory.told && !ours && *path != '\0')
        tell(look, path, "/");
}

static bool take_next(struct look *look, struct found *found)
{
    struct queue *queue = look->near.next < look->near.count ? &look->near : &look->later;
    if (queue->next == queue->count)
        return false;
    *found = queue->list[queue->next++]; /* the list itself moves as it grows */
    return true;
}

static void look_in(struct look *look)
{
    struct stat status;
    struct found found;
    look->fd = open(look->places[look->at], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (look->fd < 0 || fstat(look->fd, &status) != 0) {
        look->touched->partly |= errno != ENOENT;
        fd_close(&look->fd);
        return;
    }
    look->device = status.st_dev;
    push(&look->near, xstrdup(""), status.st_ino);
    while (take_next(look, &found)) {
        if (is_over(look)) {
            look->touched->partly = true;
            break;
        }
        read_directory(look, &found);
    }
    clear(&look->near);
    clear(&look->later);
    fd_close(&look->fd);
}

static void look_at(struct touched *touched, const char *const *places, int64_t since_ns)
{
    int64_t until_ms = clock_monotonic_ms(NULL) + TOUCHED_MS;
    size_t entries = 0;
    for (size_t i = 0; places != NULL && places[i] != NULL; i++) {
        struct look look = {.touched = touched,
                            .places = places,
                            .at = i,
                            .since_ns = since_ns,
                            .until_ms = until_ms,
                            .entries = &entries};
        bool done = false;
        for (size_t j = 0; j < i && !done; j++)
            done = path_is_beneath(places[i], places[j]);
        if (!done)
            look_in(&look);
    }
}

/* The sandbox's placeholders in a working tree are sockets, or a .git, and come and go. */
static bool may_be_held(const struct dirent *entry)
{
    return entry->d_type == DT_SOCK || strcmp(entry->d_name, ".git") == 0;
}

char **touched_before(const char *place)
{
    DIR *stream = opendir(place);
    char **names = xcalloc(TOUCHED_BEFORE + 1, sizeof *names);
    const struct dirent *entry;
    size_t count = 0;
    while (stream != NULL && (entry = readdir(stream)) != NULL && count < TOUCHED_BEFORE)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !may_be_held(entry))
            names[count++] = xstrdup(entry->d_name);
    if (stream == NULL || count == TOUCHED_BEFORE)
        strv_free(&names);
    if (stream != NULL)
        closedir(stream);
    return names;
}

static void look_for_gone(struct touched *touched, const char *place, char *const *before)
{
    touched->partly |= before == NULL;
    for (; before != NULL && *before != NULL; before++) {
        struct stat status;
        cleanup_free char *path = xasprintf("%s/%s", place, *before);
        if (lstat(path, &status) == 0 || errno != ENOENT)
            continue;
        add(touched, xstrdup(*before), true);
    }
}

/* ---- in words -------------------------------------------------------------------------------- */

/* Names are a command's own: one that looks like our words around it is quoted, and none is long.
 */
static char *shown(const char *path)
{
    cleanup_free char *quoted = push_quoted(path);
    return text_path_ends(quoted, strlen(quoted), TOUCHED_COLUMNS);
}

/* Of what git keeps there the names that it has for it; NULL: the path is its name. */
static const char *git_name(const char *path, const char **name)
{
    static const struct {
        const char *start, *one, *several;
    } kinds[] = {{".git/refs/heads/", N_("branch "), N_("branches")},
                 {".git/refs/tags/", N_("tag "), N_("tags")},
                 {".git/HEAD", N_("which branch is checked out"), NULL},
                 {".git/index", N_("git's index"), NULL},
                 {".git/config", N_("git's settings"), NULL}};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        size_t length = strlen(kinds[i].start);
        if (strncmp(path, kinds[i].start, length) != 0 ||
            (kinds[i].several == NULL && path[length] != '\0'))
            continue;
        *name = path + length;
        return kinds[i].several != NULL && **name == '\0' ? kinds[i].several : kinds[i].one;
    }
    return NULL;
}

static void add_name(struct wording *text, const char *path, bool gone)
{
    const char *name = "";
    const char *kind = git_name(path, &name);
    if (kind != NULL)
        wording_add_words(text, kind);
    if (kind != NULL && *name == '\0')
        return;
    cleanup_free char *safe = shown(kind != NULL ? name : path);
    wording_add(text, gone && kind == NULL ? N_("%s (gone)") : "%s", safe);
}

static void add_names(struct wording *text, const struct touched *touched)
{
    for (size_t i = 0; i < touched->count && i < TOUCHED_NAMES; i++) {
        wording_add_words(text, i > 0 ? ", " : N_("changed meanwhile: "));
        add_name(text, touched->names[i].path, touched->names[i].gone);
    }
    if (touched->count <= TOUCHED_NAMES)
        return;
    cleanup_free char *more = xasprintf("%zu", touched->count - TOUCHED_NAMES);
    wording_add(text, N_(" and %s more"), more);
}

/* What is elsewhere comes last. */
static int by_path(const void *left, const void *right)
{
    const struct name *one = left, *other = right;
    bool far = *one->path == '/', other_far = *other->path == '/';
    return far != other_far ? far - other_far : text_compare(one->path, other->path);
}

static void sort_names(struct touched *touched)
{
    size_t kept = touched->count < TOUCHED_NAMES ? touched->count : TOUCHED_NAMES, refs = 0;
    while (refs < kept && is_ref(touched->names[refs].path))
        refs++;
    qsort(touched->names, refs, sizeof *touched->names, by_path);
    qsort(touched->names + refs, kept - refs, sizeof *touched->names, by_path);
}

struct wording *touched_words(const char *const *places, char *const *before, int64_t since_ns,
                              bool *some)
{
    struct touched touched = {.count = 0};
    struct wording *text = wording_new();
    if (places != NULL && places[0] != NULL)
        look_for_gone(&touched, places[0], before);
    look_at(&touched, places, since_ns);
    sort_names(&touched);
    *some = touched.count > 0 || touched.partly;
    if (touched.count > 0)
        add_names(text, &touched);
    else
        wording_add_words(text, N_("no change was found"));
    if (touched.partly)
        wording_add_words(text, N_(" (not all of the workspace was looked at)"));
    for (size_t i = 0; i < TOUCHED_NAMES; i++)
        free(touched.names[i].path);
    return text;
}
