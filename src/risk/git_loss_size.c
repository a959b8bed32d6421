/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/git_loss_size.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/parts.h"

#define ENTRIES_MAX 1024 /* in all directories of one list */
#define DEPTH_MAX 32
#define TIME_MS 20
#define EXACT_MAX 10000 /* bytes */
#define BASES_MAX 8

struct measure {
    dev_t device;
    uint64_t files, bytes;
    size_t entries;
    int64_t until_ms;
    struct timespec newest; /* change */
    bool many;              /* there is more, beyond what is walked */
    bool hidden;            /* there is more that cannot be seen */
    bool late;              /* it takes too long */
};

static bool is_last(struct measure *measure)
{
    measure->many = measure->many || ++measure->entries > ENTRIES_MAX;
    measure->late = measure->late || clock_monotonic_ms(NULL) > measure->until_ms;
    return measure->many || measure->late;
}

static void note_change(struct measure *measure, const struct stat *status)
{
    const struct timespec *change = &status->st_ctim;
    if (change->tv_sec > measure->newest.tv_sec ||
        (change->tv_sec == measure->newest.tv_sec && change->tv_nsec > measure->newest.tv_nsec))
        measure->newest = *change;
}

static void add_directory(struct measure *measure, const char *path, unsigned depth);

static void add_entry(struct measure *measure, const char *path, unsigned depth)
{
    struct stat status;
    if (lstat(path, &status) != 0 || status.st_dev != measure->device)
        return;
    note_change(measure, &status);
    if (S_ISDIR(status.st_mode)) {
        add_directory(measure, path, depth + 1);
        return;
    }
    measure->files++;
    measure->bytes += S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

static void add_directory(struct measure *measure, const char *path, unsigned depth)
{
    DIR *directory = depth < DEPTH_MAX ? opendir(path) : NULL;
    if (directory == NULL) {
        measure->hidden = true;
        return;
    }
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (path_is_dots(entry->d_name))
            continue;
        if (is_last(measure))
            break;
        cleanup_free char *inner = xasprintf("%s/%s", path, entry->d_name);
        add_entry(measure, inner, depth);
    }
    closedir(directory);
}

static void add_time(struct strbuf *out, const struct timespec *change)
{
    strbuf_addf(out, "\t@%lld.%09ld", (long long)change->tv_sec, change->tv_nsec);
}

static uint64_t rounded(uint64_t bytes)
{
    uint64_t unit = 1;
    while (bytes >= EXACT_MAX && bytes / unit >= 100)
        unit *= 10;
    return bytes / unit * unit;
}

/* An edit that leaves the size as it was is one, too. */
static void add_file(struct strbuf *out, const struct stat *status)
{
    strbuf_addf(out, "%" PRIu64, rounded((uint64_t)status->st_size));
    if (status->st_size < EXACT_MAX)
        add_time(out, &status->st_ctim);
}

/* What comes behind one that has too much in it is not known. */
static void add_directory_size(struct strbuf *out, struct measure *measure, const char *path)
{
    if (measure->many)
        return;
    measure->hidden = false;
    add_directory(measure, path, 0);
    if (measure->many)
        strbuf_addch(out, '+');
    if (measure->many || measure->hidden)
        return;
    strbuf_addf(out, "%" PRIu64 "\t%" PRIu64, measure->files, rounded(measure->bytes));
    add_time(out, &measure->newest);
}

static void measure_name(struct strbuf *out, struct measure *measure, const char *path)
{
    struct stat status;
    measure->files = measure->bytes = 0;
    if (lstat(path, &status) != 0)
        return;
    measure->device = status.st_dev;
    if (S_ISREG(status.st_mode))
        add_file(out, &status);
    if (!S_ISDIR(status.st_mode))
        return;
    measure->newest = status.st_ctim;
    add_directory_size(out, measure, path);
}

/* Where the working directory of git is, resolved; NULL: it is not found. The caller frees. */
static char *place_of(const char *const *words, const char *cwd)
{
    bool there = strcmp(words[0], "-C") == 0;
    cleanup_free char *place = there && *words[1] != '/' ? xasprintf("%s/%s", cwd, words[1])
                                                         : xstrdup(there ? words[1] : cwd);
    return command_parts_directory(place, NULL);
}

/* The directories that names can be relative to: with these options the repository's, which is one
 * of those that have a .git. Git passes over some of these. Too many are none. The caller frees. */
static char **find_bases(const char *const *words, const char *cwd)
{
    cleanup_strv char **bases = xcalloc(BASES_MAX + 1, sizeof *bases);
    cleanup_free char *base = place_of(words, cwd);
    size_t count = 0;
    bool top = false;
    for (const char *const *word = words; *word != NULL && strcmp(*word, "--") != 0; word++)
        top = top || strcmp(*word, "--full-name") == 0 || strcmp(*word, "--no-relative") == 0;
    if (base != NULL && !top)
        bases[count++] = xstrdup(base);
    for (char *end = base != NULL ? base + strlen(base) : NULL; top && end != NULL;
         end = strrchr(base, '/')) {
        *end = '\0';
        cleanup_free char *books = xasprintf("%s/.git", base);
        struct stat status;
        if (lstat(books, &status) != 0)
            continue;
        if (count == BASES_MAX)
            return xcalloc(1, sizeof *bases);
        bases[count++] = xstrdup(base);
    }
    return steal_pointer(&bases);
}

/* Git quotes those that it cannot write as they are, and of a long one not all is known. */
static bool is_whole(const char *name, size_t length)
{
    static const char cut[] = "…";
    return length > 0 && *name != '"' &&
           (length < strlen(cut) || memcmp(name + length - strlen(cut), cut, strlen(cut)) != 0);
}

/* Those of a stash are none that are there. */
static bool is_measured(const struct git_loss *loss, const char *const *words)
{
    bool there = strcmp(words[0], "-C") == 0;
    bool stashed = strcmp(words[there ? 2 : 0], "stash") == 0;
    return *loss->seen != '\0' && !stashed &&
           (loss->kind == GIT_LOSES_FILES || loss->kind == GIT_LOSES_UNTRACKED ||
            loss->kind == GIT_LOSES_CHANGES);
}

static void measure_changed(struct strbuf *out, const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0)
        add_time(out, &status.st_ctim);
}

/* The line of one: behind what git has said of its size. */
static void add_size(struct strbuf *out, struct measure *measure, enum git_loss_kind kind,
                     const char *path)
{
    if (kind == GIT_LOSES_CHANGES)
        measure_changed(out, path);
    else
        measure_name(out, measure, path);
}

/* What has that name, from one of these; the caller frees. NULL: nothing, or one of two could be
 * meant. */
static char *find_named(char *const *bases, const char *name, size_t length)
{
    cleanup_free char *found = NULL;
    for (; is_whole(name, length) && *bases != NULL; bases++) {
        cleanup_free char *path = xasprintf("%s/%.*s", *bases, (int)length, name);
        struct stat status;
        if (name[length - 1] == '/')
            path[strlen(path) - 1] = '\0';
        if (strlen(path) >= PATH_MAX || lstat(path, &status) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = steal_pointer(&path);
    }
    return steal_pointer(&found);
}

void git_loss_measure(struct git_loss *loss, const char *const *words, const char *cwd)
{
    if (!is_measured(loss, words))
        return;
    cleanup_strv char **bases = find_bases(words, cwd);
    struct measure measure = {.until_ms = clock_monotonic_ms(NULL) + TIME_MS};
    struct strbuf sizes = STRBUF_INIT;
    const char *said = loss->sizes != NULL ? loss->sizes : "";
    for (const char *name = loss->seen, *end; (end = strchr(name, '\n')) != NULL; name = end + 1) {
        cleanup_free char *path = find_named(bases, name, (size_t)(end - name));
        strbuf_add(&sizes, said, strcspn(said, "\n"));
        said += strcspn(said, "\n");
        said += *said == '\n';
        if (path != NULL)
            add_size(&sizes, &measure, loss->kind, path);
        strbuf_addch(&sizes, '\n');
    }
    free(loss->sizes);
    loss->sizes = measure.late ? NULL : strbuf_steal(&sizes);
    strbuf_free(&sizes);
}
