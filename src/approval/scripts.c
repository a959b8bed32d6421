/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/scripts-int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "command/program.h"

#define FILES_MAX 1000
/* Of one, and of all together. */
#define TEXT_MAX ((size_t)1024 * 1024)
#define TEXTS_MAX (4 * TEXT_MAX)

/* The time is that of the last change of any kind, which nobody can set back. */
struct file {
    char *path;
    bool there, other; /* a file with bytes; a pipe, a directory */
    uint64_t size;
    bool run;      /* as a program */
    char *reader;  /* the program that reads it; NULL: its first line says which */
    bool compiled; /* nothing reads it */
    bool lines;    /* and is read line by line while it runs */
    char *text;    /* of what is run: all of it, or NULL when it is too long */
    int held;      /* descriptor, -1: it is not */
    uint64_t device, inode;
    struct timespec changed;
};

struct scripts {
    const struct scripts_place *place; /* while they are noted */
    struct file *list;
    size_t count;
    size_t texts;     /* bytes of them */
    bool unknown_run; /* something is run of which only the run itself tells what it is */
};

static int open_file(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static void identify(struct file *file, const struct stat *status)
{
    file->there = S_ISREG(status->st_mode);
    file->other = !file->there;
    file->device = file->there ? (uint64_t)status->st_dev : 0;
    file->inode = file->there ? (uint64_t)status->st_ino : 0;
    file->changed = file->there ? status->st_ctim : (struct timespec){0, 0};
    file->size = file->there ? (uint64_t)status->st_size : 0;
}

static bool is_same(const struct file *one, const struct file *other)
{
    return one->there == other->there && one->device == other->device &&
           one->inode == other->inode && one->changed.tv_sec == other->changed.tv_sec &&
           one->changed.tv_nsec == other->changed.tv_nsec;
}

static struct file look(char *path)
{
    struct stat status;
    struct file file = {.path = path, .held = -1};
    if (stat(path, &status) == 0)
        identify(&file, &status);
    return file;
}

/* Where there is nothing yet, what counts is the place as it is written. */
static bool is_writable(const struct scripts *scripts, const char *path)
{
    cleanup_free char *physical = realpath(path, NULL);
    for (const char *const *root = scripts->place->roots; root != NULL && *root != NULL; root++)
        if (path_is_beneath(physical != NULL ? physical : path, *root) ||
            path_is_beneath(path, *root))
            return true;
    return false;
}

static size_t note_in(struct scripts *scripts, const char *word, const char *directory)
{
    cleanup_free char *path = *word == '/' ? xstrdup(word) : xasprintf("%s/%s", directory, word);
    if (scripts->count == FILES_MAX || strlen(path) >= PATH_MAX || !is_writable(scripts, path))
        return SCRIPTS_NO_FILE;
    scripts->list = xreallocarray(scripts->list, scripts->count + 1, sizeof(*scripts->list));
    scripts->list[scripts->count] = look(steal_pointer(&path));
    return scripts->count++;
}

size_t scripts_add(struct scripts *scripts, const char *word, const char *directory)
{
    const struct scripts_place *place = scripts->place;
    size_t there = SCRIPTS_NO_FILE;
    if (*word == '\0' || *word == '-')
        return SCRIPTS_NO_FILE;
    size_t file = note_in(scripts, word, place->cwd);
    if (*word == '/')
        return file;
    if (place->there != NULL)
        there = note_in(scripts, word, place->there);
    return directory == NULL ? SCRIPTS_NO_FILE : directory == place->cwd ? file : there;
}

/* From where the descriptor stands; NULL when it is not as long as it was. Caller frees. */
static char *read_text(int fd, uint64_t size)
{
    char *text = size <= TEXT_MAX ? xcalloc((size_t)size + 1, 1) : NULL;
    size_t length = 0;
    ssize_t count = 1;
    while (text != NULL && count > 0 && length <= size) {
        count = read(fd, text + length, (size_t)size + 1 - length);
        length += count > 0 ? (size_t)count : 0;
    }
    if (text == NULL || (count == 0 && length == size))
        return text;
    free(text);
    return NULL;
}

static bool is_compiled(int fd)
{
    char head[PROGRAM_HEAD];
    ssize_t length = pread(fd, head, sizeof(head), 0);
    return length > 0 && program_is_machine_code(head, (size_t)length);
}

void scripts_mark_unknown(struct scripts *scripts)
{
    scripts->unknown_run = true;
}

/* What is shown and what is noted are one file: the one that is opened here. */
bool scripts_mark_run(struct scripts *scripts, size_t index, const char *reader, bool lines)
{
    struct file *file = index != SCRIPTS_NO_FILE ? &scripts->list[index] : NULL;
    struct stat status;
    if (file == NULL && scripts->count == FILES_MAX)
        scripts_mark_unknown(scripts); /* one of those that were left out */
    if (file == NULL || !file->there) {
        if (file != NULL && file->other)
            scripts_mark_unknown(scripts);
        return false;
    }
    file->run = true;
    file->lines = lines;
    free(file->reader);
    file->reader = reader != NULL ? xstrdup(reader) : NULL;
    cleanup_fd int fd = open_file(file->path);
    if (fd < 0 || fstat(fd, &status) != 0)
        return true;
    identify(file, &status);
    file->compiled = reader == NULL && file->there && is_compiled(fd);
    if (file->there && file->size <= TEXTS_MAX - scripts->texts)
        file->text = read_text(fd, file->size);
    scripts->texts += file->text != NULL ? (size_t)file->size : 0;
    return true;
}

struct scripts *scripts_new(const struct scripts_place *place)
{
    struct scripts *scripts = XNEW(struct scripts);
    scripts->place = place;
    return scripts;
}

const char *scripts_there(const struct scripts *scripts)
{
    return scripts->place->there;
}

void scripts_noted(struct scripts *scripts)
{
    scripts->place = NULL;
}

void scripts_free(struct scripts **scripts)
{
    struct scripts *freed = steal_pointer(scripts);
    scripts_release(freed);
    for (size_t i = 0; freed != NULL && i < freed->count; i++) {
        free(freed->list[i].path);
        free(freed->list[i].text);
        free(freed->list[i].reader);
    }
    free(freed != NULL ? freed->list : NULL);
    free(freed);
}

const char *scripts_changed(const struct scripts *scripts)
{
    for (size_t i = 0; scripts != NULL && i < scripts->count; i++) {
        const struct file *then = &scripts->list[i];
        struct file now = look(then->path);
        if (!is_same(&now, then))
            return then->path;
    }
    return NULL;
}

static bool is_first_of_its_path(const struct scripts *scripts, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (scripts->list[i].run && strcmp(scripts->list[i].path, scripts->list[at].path) == 0)
            return false;
    return true;
}

bool scripts_unknown(const struct scripts *scripts)
{
    return scripts != NULL && scripts->unknown_run;
}

bool scripts_next(const struct scripts *scripts, size_t *at, struct script_text *text)
{
    for (; scripts != NULL && *at < scripts->count; ++*at) {
        const struct file *file = &scripts->list[*at];
        if (!file->run || !is_first_of_its_path(scripts, *at))
            continue;
        *text = (struct script_text){.path = file->path,
                                     .reader = file->reader,
                                     .bytes = file->text,
                                     .length = file->text != NULL ? (size_t)file->size : 0,
                                     .size = file->size,
                                     .compiled = file->compiled};
        ++*at;
        return true;
    }
    return false;
}

/* ---- while it runs --------------------------------------------------------------------------- */

bool scripts_can_hold(const struct scripts *scripts)
{
    for (size_t i = 0; scripts != NULL && i < scripts->count; i++)
        if (scripts->list[i].lines)
            return true;
    return false;
}

/* Times of a file tell changes that are a few milliseconds apart; its bytes tell all. */
static bool is_as_shown(const struct file *file, int fd)
{
    struct stat status;
    struct file now = *file;
    if (fstat(fd, &status) != 0)
        return false;
    identify(&now, &status);
    if (!is_same(&now, file))
        return false;
    cleanup_free char *text = file->text != NULL ? read_text(fd, file->size) : NULL;
    return file->text == NULL ||
           (text != NULL && memcmp(text, file->text, (size_t)file->size) == 0);
}

#ifdef F_SETLEASE
/* Nobody writes it from here on; where that cannot be had, nothing is held. */
static int lease(struct file *file, int *fd, struct error *error)
{
    if (fcntl(*fd, F_SETLEASE, F_RDLCK) == 0) {
        file->held = *fd;
        *fd = -1;
    } else if (errno == EAGAIN)
        return error_set(error, 0,
                         "another program has a script of it open for writing and could change it "
                         "while it runs: %s: submit it again when that has ended",
                         file->path);
    return 0;
}

static bool is_wanted(const struct file *file)
{
    return fcntl(file->held, F_GETLEASE) != F_RDLCK;
}
#else
static int lease(struct file *file, int *fd, struct error *error)
{
    (void)file;
    (void)fd;
    (void)error;
    return 0;
}

static bool is_wanted(const struct file *file)
{
    (void)file;
    return false;
}
#endif

static int hold(struct file *file, struct error *error)
{
    cleanup_fd int fd = open_file(file->path);
    if (fd < 0 && file->text == NULL) /* nor could it be read when it was noted */
        return 0;
    if (fd < 0)
        return error_set(error, errno, "%s", file->path);
    if (file->lines && lease(file, &fd, error) != 0)
        return -1;
    if (!is_as_shown(file, file->held >= 0 ? file->held : fd))
        return error_set(error, 0, "a script of it is not what was shown: %s: submit it again",
                         file->path);
    return 0;
}

int scripts_hold(struct scripts *scripts, struct error *error)
{
    for (size_t i = 0; scripts != NULL && i < scripts->count; i++) {
        if (scripts->list[i].run && hold(&scripts->list[i], error) != 0) {
            scripts_release(scripts);
            return -1;
        }
    }
    return 0;
}

const char *scripts_wanted(const struct scripts *scripts)
{
    for (size_t i = 0; scripts != NULL && i < scripts->count; i++)
        if (scripts->list[i].held >= 0 && is_wanted(&scripts->list[i]))
            return scripts->list[i].path;
    return NULL;
}

const char *scripts_release(struct scripts *scripts)
{
    const char *replaced = NULL;
    for (size_t i = 0; scripts != NULL && i < scripts->count; i++) {
        struct file *file = &scripts->list[i];
        struct stat status;
        if (file->held < 0)
            continue;
        if (stat(file->path, &status) != 0 || (uint64_t)status.st_dev != file->device ||
            (uint64_t)status.st_ino != file->inode)
            replaced = file->path;
        fd_close(&file->held);
    }
    return replaced;
}
