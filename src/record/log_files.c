/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "record/log_anchor.h"

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return name[0] != '.' && length > end && strcmp(name + length - end, suffix) == 0;
}

static int only_logs(const struct dirent *entry)
{
    return ends_in(entry->d_name, LOG_FILES_SUFFIX);
}

static int only_anchors(const struct dirent *entry)
{
    return ends_in(entry->d_name, LOG_ANCHOR_SUFFIX);
}

static int by_age(const void *a, const void *b)
{
    const struct log_file *first = a;
    const struct log_file *second = b;
    if (first->changed.tv_sec != second->changed.tv_sec)
        return first->changed.tv_sec < second->changed.tv_sec ? -1 : 1;
    if (first->changed.tv_nsec != second->changed.tv_nsec)
        return first->changed.tv_nsec < second->changed.tv_nsec ? -1 : 1;
    return strcmp(first->path, second->path);
}

static void add_file(struct log_files *files, const char *directory, const char *name)
{
    struct stat status;
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    if (stat(path, &status) < 0)
        return;
    files->items[files->count++] = (struct log_file){
        .path = xstrdup(path),
        .console = xstrndup(name, (size_t)(strrchr(name, '.') - name)),
        .changed = status.st_mtim,
        .size = status.st_size,
    };
}

static int find(const char *directory, int (*wanted)(const struct dirent *entry),
                struct log_files *files)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, wanted, alphasort);
    *files = (struct log_files){0};
    if (count < 0)
        return errno == ENOENT ? 0 : -1;
    *files = (struct log_files){.items = xcalloc((size_t)count + 1, sizeof(*files->items))};
    for (int i = 0; i < count; i++) {
        add_file(files, directory, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    qsort(files->items, files->count, sizeof(*files->items), by_age);
    return 0;
}

int log_files_find(const char *directory, struct log_files *files, struct error *error)
{
    if (find(directory, only_logs, files) < 0)
        return error_errno(error, errno, "cannot read the directory of the session logs, %s",
                           directory);
    return 0;
}

int log_files_find_anchors(const char *anchors, struct log_files *files, struct error *error)
{
    if (find(anchors, only_anchors, files) < 0)
        return error_errno(error, errno, "cannot read the directory of the anchors, %s", anchors);
    return 0;
}

void log_files_clear(struct log_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].console);
    }
    free(files->items);
    *files = (struct log_files){0};
}

bool log_files_live(int fd)
{
    /* The writer holds the lock for as long as it lives. */
    if (flock(fd, LOCK_SH | LOCK_NB) < 0)
        return errno == EWOULDBLOCK;
    flock(fd, LOCK_UN);
    return false;
}
