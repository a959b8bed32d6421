/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/nested.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/closed.h"
#include "sandbox/listing.h"

struct search {
    struct nested *nested;
    nested_found *found;
    void *argument;
    bool counts_links;
    char **known; /* sorted; directories that need no new search. NULL: none */
    size_t known_count;
    char **later; /* directories of dependencies */
    size_t later_count;
    struct listing *listing; /* large */
};

/* ---- directories ------------------------------------------------------------------------ */

/* Full at 0, 1, 3, 7 … entries: doubled. */
static void append(char ***list, size_t *count, char *path)
{
    if ((*count & (*count + 1)) == 0)
        *list = xreallocarray(*list, 2 * (*count + 1), sizeof **list);
    (*list)[(*count)++] = path;
}

static void add_known(struct nested *nested, char *path, ino_t inode)
{
    size_t count = nested->count;
    append(&nested->directories, &nested->count, path);
    if ((count & (count + 1)) == 0) /* as the list has grown */
        nested->inodes = xreallocarray(nested->inodes, 2 * (count + 1), sizeof *nested->inodes);
    nested->inodes[count] = inode;
}

static int compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool is_known(const struct search *search, const char *path)
{
    return search->known && bsearch(&path, search->known, search->known_count,
                                    sizeof *search->known, compare) != NULL;
}

/* What is beside one of these is looked at first. */
static bool holds_dependencies(const char *name, size_t length)
{
    static const char *const NAMES[] = {"node_modules", ".venv",  "venv",   "site-packages",
                                        "vendor",       "target", ".cargo", "bower_components"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strlen(NAMES[i]) == length && strncmp(name, NAMES[i], length) == 0)
            return true;
    return false;
}

bool nested_is_dependency(const char *directory)
{
    for (const char *name = directory; *(name += strspn(name, "/")); name += strcspn(name, "/"))
        if (holds_dependencies(name, strcspn(name, "/")))
            return true;
    return false;
}

static void add_directory(struct search *search, const char *directory, const char *name, bool last)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path ||
        is_known(search, path))
        return;
    if (last || holds_dependencies(name, strlen(name)))
        append(&search->later, &search->later_count, xstrdup(path));
    else if (search->nested->count < search->nested->limit)
        add_known(search->nested, xstrdup(path), 0);
    else
        search->nested->incomplete = true;
}

/* ---- entries ---------------------------------------------------------------------------- */

enum part {
    PART_HEAD = 1,
    PART_OBJECTS = 2,
    PART_REFS = 4,
    PART_BARE = 7,
    PART_GIT = 8,
    PART_CLOSED = 16,
    PART_BARRED = 32,
    PART_COMMON = 64, /* in the place of objects and refs */
};

static unsigned part_of(const char *name)
{
    static const struct {
        const char *name;
        enum part part;
    } PARTS[] = {{".git", PART_GIT},
                 {"HEAD", PART_HEAD},
                 {"objects", PART_OBJECTS},
                 {"refs", PART_REFS},
                 {"commondir", PART_COMMON}};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        if (strcmp(name, PARTS[i].name) == 0)
            return PARTS[i].part;
    return closed_is_name(name) ? PART_CLOSED : 0;
}

/* ---- the search ------------------------------------------------------------------------- */

/* Else a command could hide in a directory of such a name what is closed. */
static bool is_looked_into(const struct search *search, unsigned part)
{
    return part == 0 || part == PART_HEAD || part == PART_COMMON || part == PART_CLOSED ||
           (part == PART_GIT && search->nested->in_git);
}

/* By what is permitted in fact: to faccessat() the monitor's capabilities do not count. */
static bool can_search(int directory, struct stat *status)
{
    *status = (struct stat){.st_ino = 0};
    return fstatat(directory, ".", status, 0) == 0 || errno != EACCES;
}

/* Returns which parts of a repository it has; what lies beneath is added to the list. */
static unsigned look_into(struct search *search, size_t index)
{
    const char *directory = search->nested->directories[index];
    ino_t *inode = &search->nested->inodes[index];
    struct stat status;
    unsigned parts = 0;
    cleanup_fd int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || !can_search(fd, &status)) {
        parts = fd >= 0 || errno == EACCES ? PART_BARRED : 0;
        *inode = lstat(directory, &status) == 0 ? status.st_ino : 0;
        return parts;
    }
    *inode = status.st_ino;
    listing_start(search->listing);
    for (const struct dirent64 *entry; (entry = listing_next(search->listing, fd));) {
        unsigned part = part_of(entry->d_name);
        parts |= part;
        if (is_looked_into(search, part) && listing_is_directory(fd, entry))
            add_directory(search, directory, entry->d_name, false);
    }
    /* Of these names there are others too, and what is called so already can be made to look like a
     * repository's: then there is little to be found in it, and much to look through. */
    bool bare = (parts & PART_BARE) == PART_BARE;
    if (parts & PART_OBJECTS)
        add_directory(search, directory, "objects", bare);
    if (parts & PART_REFS)
        add_directory(search, directory, "refs", bare);
    return parts;
}

/* There only files can be in it, and the few names that matter are quicker asked for than listed.
 */
static bool is_leaf(const struct stat *status)
{
    return S_ISDIR(status->st_mode) && status->st_nlink == 2 && (status->st_mode & S_IRUSR) &&
           (status->st_mode & S_IXUSR);
}

static bool has(int directory, const char *name)
{
    struct stat status;
    return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Those of a repository, if it is one: what it leads to by commondir, or by symlinks in the place
 * of its directories, lies elsewhere. */
static unsigned leaf_parts(int directory)
{
    if (!has(directory, "HEAD"))
        return 0;
    return PART_HEAD | (has(directory, "commondir") ? PART_COMMON : 0) |
           (has(directory, "objects") ? PART_OBJECTS : 0) |
           (has(directory, "refs") ? PART_REFS : 0);
}

/* False: it has to be listed. */
static bool look_into_leaf(const struct search *search, size_t index, unsigned *parts)
{
    const char *directory = search->nested->directories[index];
    struct stat status;
    if (!search->counts_links)
        return false;
    cleanup_fd int fd = open(directory, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) < 0 || !is_leaf(&status))
        return false;
    search->nested->inodes[index] = status.st_ino;
    *parts = leaf_parts(fd);
    if (search->nested->in_git) /* all that matters there, and those are many */
        return true;
    *parts |= has(fd, ".git") ? PART_GIT : 0;
    for (const char *const *name = CLOSED_IN_WORKSPACE; *name; name++)
        *parts |= has(fd, *name) ? PART_CLOSED : 0;
    return true;
}

static bool is_bare(unsigned parts)
{
    return (parts & PART_BARE) == PART_BARE || ((parts & PART_HEAD) && (parts & PART_COMMON));
}

static void look_and_tell(struct search *search, size_t index)
{
    const char *directory = search->nested->directories[index];
    unsigned parts;
    if (!look_into_leaf(search, index, &parts))
        parts = look_into(search, index);
    if (parts & PART_GIT)
        search->found(directory, NESTED_WORKTREE, search->argument);
    if (is_bare(parts))
        search->found(directory, NESTED_BARE, search->argument);
    if (parts & PART_CLOSED)
        search->found(directory, NESTED_CLOSED, search->argument);
    if (parts & PART_BARRED)
        search->found(directory, NESTED_BARRED, search->argument);
}

static void go_through(struct search *search, size_t next)
{
    struct nested *nested = search->nested;
    for (;;) {
        for (; next < nested->count; next++)
            look_and_tell(search, next);
        if (search->later_count == 0)
            break;
        char *path = search->later[--search->later_count];
        if (nested->count < nested->limit) {
            add_known(nested, path, 0);
        } else {
            nested->incomplete = true;
            free(path);
        }
    }
    free(search->later);
    search->later = NULL;
}

bool nested_is_barred(const char *directory)
{
    cleanup_fd int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    return fd < 0 ? errno == EACCES : !can_search(fd, &status);
}

void nested_search(struct nested *nested, const char *root, nested_found *found, void *argument)
{
    struct search search = {.nested = nested,
                            .found = found,
                            .argument = argument,
                            .counts_links = listing_counts_links(root),
                            .listing = xmalloc(sizeof(struct listing))};
    size_t first = nested->count;
    add_known(nested, xstrdup(root), 0);
    nested->barred = look_into(&search, first) & PART_BARRED;
    go_through(&search, first + 1);
    free(search.listing);
}

void nested_copy(struct nested *nested, const struct nested *from, size_t more)
{
    *nested = (struct nested){.limit = from->count + more, .in_git = from->in_git};
    for (size_t i = 0; i < from->count; i++)
        add_known(nested, xstrdup(from->directories[i]), from->inodes[i]);
}

/* The times of file systems are the coarse clock's, or finer. */
static bool has_changed(struct nested *nested, size_t index, const struct timespec *since)
{
    struct stat status;
    if (lstat(nested->directories[index], &status) < 0) {
        nested->inodes[index] = 0; /* what comes next may have the same */
        return false;
    }
    return status.st_ino != nested->inodes[index] || status.st_ctim.tv_sec > since->tv_sec ||
           (status.st_ctim.tv_sec == since->tv_sec && status.st_ctim.tv_nsec >= since->tv_nsec);
}

bool nested_has_changed(struct nested *nested, const struct timespec *since, char **except)
{
    for (size_t i = 0; i < nested->count; i++) {
        const char *directory = nested->directories[i];
        char **one = except;
        if (!has_changed(nested, i, since))
            continue;
        while (*one && strcmp(*one, directory) != 0)
            one++;
        if (!*one)
            return true;
    }
    return false;
}

void nested_search_changed(struct nested *nested, const struct timespec *since, nested_found *found,
                           void *argument)
{
    struct search search = {.nested = nested,
                            .found = found,
                            .argument = argument,
                            .listing = xmalloc(sizeof(struct listing))};
    size_t before = nested->count;
    bool all = nested->incomplete;
    nested->incomplete = false;
    for (size_t i = 0; i < before; i++) {
        if (!all && !has_changed(nested, i, since))
            continue;
        if (!search.known) {
            search.known = xmemdup(nested->directories, before * sizeof *nested->directories);
            search.known_count = before;
            qsort(search.known, before, sizeof *search.known, compare);
        }
        look_and_tell(&search, i);
    }
    go_through(&search, before);
    free(search.known);
    free(search.listing);
}

void nested_free(struct nested *nested)
{
    for (size_t i = 0; i < nested->count; i++)
        free(nested->directories[i]);
    free(nested->directories);
    free(nested->inodes);
    *nested = (struct nested){0};
}
