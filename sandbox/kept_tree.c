/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/kept_tree.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"

struct kept_entry {
    char *name; /* below the directory */
    mode_t mode;
    char *bytes; /* of a file, or where a link leads; NULL: a directory */
    size_t length;
};

enum { DEPTH_MAX = 8 };

/* ---- reading ---------------------------------------------------------------------------- */

/* A file's bytes, or where a link leads; NULL: neither, or longer than `limit`. */
static char *read_bytes(const char *path, mode_t mode, size_t limit, size_t *length)
{
    char target[PATH_MAX];
    if (!S_ISLNK(mode))
        return fd_read_file(path, limit, true, length);
    ssize_t size = readlink(path, target, sizeof target);
    if (size < 0 || (size_t)size > limit)
        return NULL;
    *length = (size_t)size;
    return xstrndup(target, *length);
}

static bool read_all(struct kept_tree *tree, const char *base, const char *directory, int depth,
                     struct kept_tree_limit *limit);

static bool read_one(struct kept_tree *tree, const char *base, const char *path, int depth,
                     struct kept_tree_limit *limit)
{
    struct stat status;
    if (limit->entries == 0 || lstat(path, &status) < 0)
        return false;
    struct kept_entry entry = {.name = xstrdup(path + strlen(base) + 1), .mode = status.st_mode};
    if (!S_ISDIR(entry.mode))
        entry.bytes = read_bytes(path, entry.mode, limit->bytes, &entry.length);
    limit->entries--;
    limit->bytes -= entry.length;
    tree->entries = xreallocarray(tree->entries, tree->count + 1, sizeof *tree->entries);
    tree->entries[tree->count++] = entry;
    return S_ISDIR(entry.mode) ? read_all(tree, base, path, depth - 1, limit) : entry.bytes != NULL;
}

static bool read_all(struct kept_tree *tree, const char *base, const char *directory, int depth,
                     struct kept_tree_limit *limit)
{
    char path[PATH_MAX];
    DIR *list = depth > 0 ? opendir(directory) : NULL;
    bool all = list != NULL;
    for (struct dirent *entry; all && (entry = readdir(list));)
        if (!path_is_dots(entry->d_name))
            all = path_join(path, directory, entry->d_name) &&
                  read_one(tree, base, path, depth, limit);
    if (list)
        closedir(list);
    return all;
}

void kept_tree_read(struct kept_tree *tree, const char *directory, struct kept_tree_limit *limit)
{
    struct stat status;
    if (lstat(directory, &status) < 0)
        return;
    tree->mode = status.st_mode & 0777;
    tree->whole = read_all(tree, directory, directory, DEPTH_MAX, limit);
    if (!tree->whole)
        kept_tree_free(tree);
}

void kept_tree_free(struct kept_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        free(tree->entries[i].name);
        free(tree->entries[i].bytes);
    }
    free(tree->entries);
    *tree = (struct kept_tree){.whole = false};
}

/* ---- moving ----------------------------------------------------------------------------- */

static bool is_same(const struct kept_entry *entry, const char *path)
{
    struct stat status;
    size_t length;
    if (lstat(path, &status) < 0 || (status.st_mode & S_IFMT) != (entry->mode & S_IFMT))
        return false;
    if (!entry->bytes)
        return true;
    cleanup_free char *bytes = read_bytes(path, status.st_mode, entry->length, &length);
    return bytes && length == entry->length && memcmp(bytes, entry->bytes, length) == 0;
}

static bool make(const struct kept_entry *entry, const char *path)
{
    if (!entry->bytes)
        return mkdir(path, entry->mode & 0777) == 0;
    if (S_ISLNK(entry->mode))
        return symlink(entry->bytes, path) == 0;
    return fd_replace_cache(path, entry->bytes, entry->length, entry->mode & 0777) == 0;
}

/* Below a directory that is a link by now nothing can be made, and so nothing is removed. */
static void move(const struct kept_entry *entry, const char *from, const char *directory)
{
    char old[PATH_MAX], new[PATH_MAX];
    if (path_join(old, from, entry->name) && path_join(new, directory, entry->name) &&
        is_same(entry, old) && make(entry, new) && entry->bytes)
        unlink(old);
}

bool kept_tree_move(const struct kept_tree *tree, const char *from, const char *directory)
{
    char path[PATH_MAX];
    if (!S_ISDIR(fd_file_type(from)))
        return false;
    for (size_t i = 0; i < tree->count; i++)
        move(&tree->entries[i], from, directory);
    for (size_t i = tree->count; i > 0; i--)
        if (!tree->entries[i - 1].bytes && path_join(path, from, tree->entries[i - 1].name))
            rmdir(path);
    return rmdir(from) == 0;
}
