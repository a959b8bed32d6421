/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/build_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/sha256.h"
#include "command/code_file.h"

/* A file that was written to twice within this time may have the same times both times. */
#define CLOCK_TICK_NS ((int64_t)100 * 1000 * 1000)

/* What is cheap to compare. */
struct identity {
    uint64_t device, inode;
    uint64_t mode;
    int64_t size, modified_ns, changed_ns;
};

struct build_file {
    char *path;
    bool there;
    bool made;    /* and was not before the change that is told of */
    bool settled; /* its times would tell of another change */
    struct identity identity;
    unsigned char hash[SHA256_SIZE];
    uint64_t changed, call; /* as in struct build_change */
    uint64_t seen;          /* the look that it was last found in */
};

/* A directory that has been looked at; `whole` when the limits held all of it. */
struct place {
    char *path;
    bool whole;
    uint64_t changed, call;
    uint64_t moment; /* of the last look that was for one */
};

struct build_files {
    struct build_file *list;
    size_t count;
    struct place *places;
    size_t place_count;
    uint64_t changes, looks;
};

/* What packages, version control and caches fill. */
static const char *const left_out[] = {
    ".cache",     ".git",          ".gradle",       ".hg",         ".mypy_cache",
    ".next",      ".nox",          ".pytest_cache", ".ruff_cache", ".svn",
    ".terraform", ".tox",          ".venv",         "CMakeFiles",  "__pycache__",
    "target",     "site-packages", "node_modules",  "venv",        "bower_components",
};

bool build_files_leave_out(const char *name)
{
    return IS_IN(name, left_out);
}

struct build_files *build_files_new(void)
{
    struct build_files *files = XNEW(struct build_files);
    files->changes = 1;
    return files;
}

void build_files_free(struct build_files **files)
{
    struct build_files *freed = steal_pointer(files);
    if (freed == NULL)
        return;
    for (size_t i = 0; i < freed->count; i++)
        free(freed->list[i].path);
    for (size_t i = 0; i < freed->place_count; i++)
        free(freed->places[i].path);
    free(freed->list);
    free(freed->places);
    free(freed);
}

/* ---- one file -------------------------------------------------------------------------------- */

static int64_t nanoseconds(const struct timespec *time)
{
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

/* Through links: what they lead to is what runs. */
static bool identify(const char *path, struct identity *identity)
{
    struct stat status;
    *identity = (struct identity){0};
    if (stat(path, &status) != 0 || S_ISDIR(status.st_mode))
        return false;
    *identity = (struct identity){
        .device = (uint64_t)status.st_dev,
        .inode = (uint64_t)status.st_ino,
        .mode = (uint64_t)status.st_mode,
        .size = (int64_t)status.st_size,
        .modified_ns = nanoseconds(&status.st_mtim),
        .changed_ns = nanoseconds(&status.st_ctim),
    };
    return true;
}

static bool is_same(const struct identity *one, const struct identity *other)
{
    return one->device == other->device && one->inode == other->inode && one->mode == other->mode &&
           one->size == other->size && one->modified_ns == other->modified_ns &&
           one->changed_ns == other->changed_ns;
}

/* Of what cannot be read, or is too large, all that is cheap to compare. */
static void hash_content(const char *path, const struct identity *identity,
                         unsigned char hash[SHA256_SIZE])
{
    struct sha256 sum;
    size_t length;
    uint64_t executable = identity->mode & 0111;
    cleanup_free char *text = fd_read_file(path, BUILD_FILES_BYTES, false, &length);
    sha256_init(&sum);
    sha256_add(&sum, &executable, sizeof(executable));
    if (text != NULL)
        sha256_add(&sum, text, length);
    else
        sha256_add(&sum, identity, sizeof(*identity));
    sha256_finish(&sum, hash);
}

static bool has_settled(const struct identity *identity)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return identity->changed_ns < nanoseconds(&now) - CLOCK_TICK_NS;
}

/* Whether it is another than it was. */
static bool refresh(struct build_file *file)
{
    struct identity identity;
    unsigned char hash[SHA256_SIZE] = {0};
    bool there = identify(file->path, &identity);
    if (there == file->there && is_same(&identity, &file->identity) && file->settled)
        return false;
    if (there)
        hash_content(file->path, &identity, hash);
    bool changed = there != file->there || memcmp(hash, file->hash, sizeof(hash)) != 0;
    file->there = there;
    file->identity = identity;
    file->settled = !there || has_settled(&identity);
    memcpy(file->hash, hash, sizeof(hash));
    return changed;
}

/* ---- one place ------------------------------------------------------------------------------- */

static struct place *find_place(const struct build_files *files, const char *path)
{
    for (size_t i = 0; i < files->place_count; i++)
        if (strcmp(files->places[i].path, path) == 0)
            return &files->places[i];
    return NULL;
}

static struct build_file *find_file(const struct build_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->list[i].path, path) == 0)
            return &files->list[i];
    return NULL;
}

struct look {
    struct build_files *files;
    const char *place;
    uint64_t call;
    bool first;
    bool whole;
    size_t entries, found;
    char **directories; /* still to be read, nearest first; NULL-terminated */
    size_t directory_count;
};

static void note_file(struct look *look, struct build_file *file, bool is_new)
{
    bool was_there = file->there;
    file->seen = look->files->looks;
    if (refresh(file) && !(look->first && is_new)) {
        file->changed = ++look->files->changes;
        file->call = look->call;
        file->made = file->there && !was_there;
    }
}

static void found(struct look *look, const char *path)
{
    struct build_files *files = look->files;
    struct build_file *file = find_file(files, path);
    bool is_new = file == NULL;
    if (++look->found > BUILD_FILES_MAX || (is_new && files->count == BUILD_FILES_ALL)) {
        look->whole = false;
        return;
    }
    if (is_new) {
        files->list = xreallocarray(files->list, files->count + 1, sizeof(*files->list));
        file = &files->list[files->count++];
        *file = (struct build_file){.path = xstrdup(path), .changed = 1};
    }
    note_file(look, file, is_new);
}

static bool is_left_out(const char *name)
{
    return build_files_leave_out(name) || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* A link to a directory is no directory here. */
static bool is_directory(const struct dirent *entry, const char *path)
{
    struct stat status;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void take_entry(struct look *look, const char *directory, const struct dirent *entry)
{
    cleanup_free char *path =
        xasprintf("%s/%s", strcmp(directory, "/") == 0 ? "" : directory, entry->d_name);
    if (is_directory(entry, path)) {
        if (is_left_out(entry->d_name))
            return;
        look->directories =
            xreallocarray(look->directories, look->directory_count + 2, sizeof(*look->directories));
        look->directories[look->directory_count++] = xstrdup(path);
        look->directories[look->directory_count] = NULL;
    } else if (code_file_named(path + strlen(look->place))) {
        found(look, path);
    }
}

static void read_directory(struct look *look, const char *path)
{
    const struct dirent *entry;
    DIR *directory = opendir(path);
    if (directory == NULL) {
        /* Who may enter it runs what is there by its name. */
        look->whole = look->whole && access(path, X_OK) != 0;
        return;
    }
    while ((entry = readdir(directory)) != NULL && look->whole) {
        if (++look->entries > BUILD_FILES_ENTRIES)
            look->whole = false;
        else
            take_entry(look, path, entry);
    }
    closedir(directory);
}

/* What lies nearer the top comes first: much in one corner hides nothing elsewhere above. */
static void read_place(struct look *look)
{
    size_t next = 0;
    read_directory(look, look->place);
    for (int depth = 0; depth < BUILD_FILES_DEPTH; depth++)
        for (size_t end = look->directory_count; next < end; next++)
            read_directory(look, look->directories[next]);
    strv_free(&look->directories);
}

static struct place *place_of(struct build_files *files, const char *path)
{
    struct place *place = find_place(files, path);
    if (place != NULL)
        return place;
    files->places = xreallocarray(files->places, files->place_count + 1, sizeof(*files->places));
    place = &files->places[files->place_count++];
    *place = (struct place){.path = xstrdup(path)};
    return place;
}

void build_files_look(struct build_files *files, const char *path, uint64_t call)
{
    struct place *place = place_of(files, path);
    struct look look = {
        .files = files, .place = path, .call = call, .first = place->changed == 0, .whole = true};
    files->looks++;
    read_place(&look);
    /* What is gone, or lies beyond what was read. */
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i].seen != files->looks && path_is_beneath(files->list[i].path, path))
            note_file(&look, &files->list[i], false);
    if (look.first) {
        place->changed = 1;
    } else if (place->whole && !look.whole) {
        place->changed = ++files->changes;
        place->call = call;
    }
    place->whole = look.whole;
}

void build_files_look_at(struct build_files *files, const char *path, uint64_t moment)
{
    if (place_of(files, path)->moment == moment)
        return;
    build_files_look(files, path, 0);
    place_of(files, path)->moment = moment;
}

/* ---- what stands there --------------------------------------------------------------------------
 */

static int by_path(const void *left, const void *right)
{
    const struct build_file *const *one = left, *const *other = right;
    return strcmp((*one)->path, (*other)->path);
}

bool build_files_sum(const struct build_files *files, const char *path, struct sha256 *sum)
{
    const struct place *place = find_place(files, path);
    cleanup_free const struct build_file **there = xcalloc(files->count + 1, sizeof(*there));
    size_t count = 0;
    if (place == NULL || place->changed == 0 || !place->whole)
        return false;
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i].there && path_is_beneath(files->list[i].path, path))
            there[count++] = &files->list[i];
    qsort(there, count, sizeof(*there), by_path);
    sha256_add(sum, path, strlen(path) + 1);
    for (size_t i = 0; i < count; i++) {
        sha256_add(sum, there[i]->path, strlen(there[i]->path) + 1);
        sha256_add(sum, there[i]->hash, sizeof(there[i]->hash));
    }
    return true;
}

/* ---- asking ---------------------------------------------------------------------------------- */

uint64_t build_files_newest(const struct build_files *files, const char *path)
{
    const struct place *place = find_place(files, path);
    uint64_t newest = place != NULL ? place->changed : 0;
    for (size_t i = 0; place != NULL && i < files->count; i++)
        if (files->list[i].changed > newest && path_is_beneath(files->list[i].path, path))
            newest = files->list[i].changed;
    return newest;
}

static int newest_first(const void *left, const void *right)
{
    const struct build_change *one = left, *other = right;
    return one->number < other->number ? 1 : one->number > other->number ? -1 : 0;
}

size_t build_files_changes(const struct build_files *files, const char *path, uint64_t since,
                           struct build_change *changes, size_t limit)
{
    const struct place *place = find_place(files, path);
    struct build_change *all = xcalloc(files->count + 1, sizeof(*all));
    size_t count = 0;
    for (size_t i = 0; place != NULL && i < files->count; i++) {
        const struct build_file *file = &files->list[i];
        if (file->changed > since && path_is_beneath(file->path, path))
            all[count++] = (struct build_change){.path = file->path,
                                                 .number = file->changed,
                                                 .made = file->made,
                                                 .gone = !file->there,
                                                 .call = file->call};
    }
    if (place != NULL && place->changed > since)
        all[count++] = (struct build_change){
            .path = place->path, .number = place->changed, .call = place->call};
    qsort(all, count, sizeof(*all), newest_first);
    for (size_t i = 0; i < count && i < limit; i++)
        changes[i] = all[i];
    free(all);
    return count;
}
