/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/scripts.h"

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
#include "command/shell_flow.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"

#define FILES_MAX 1000
#define NESTING_MAX 4 /* scripts in scripts */
/* Of one, and of all together. */
#define TEXT_MAX ((size_t)1024 * 1024)
#define TEXTS_MAX (4 * TEXT_MAX)

/* The time is that of the last change of any kind, which nobody can set back. */
struct file {
    char *path;
    bool there;
    uint64_t size;
    bool run;   /* as a program */
    bool lines; /* and is read line by line while it runs */
    char *text; /* of what is run: all of it, or NULL when it is too long */
    int held;   /* descriptor, -1: it is not */
    uint64_t device, inode;
    struct timespec changed;
};

/* Where words are looked up. */
struct place {
    const char *const *roots;
    const char *cwd, *there;
};

struct scripts {
    const struct place *place; /* while they are noted */
    struct file *list;
    size_t count;
    size_t texts; /* bytes of them */
};

static int open_file(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static struct file look(char *path)
{
    struct stat status;
    struct file file = {.path = path, .held = -1};
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return file;
    file.there = true;
    file.device = (uint64_t)status.st_dev;
    file.inode = (uint64_t)status.st_ino;
    file.changed = status.st_ctim;
    file.size = (uint64_t)status.st_size;
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

static void note_in(struct scripts *scripts, const char *word, const char *directory)
{
    cleanup_free char *path = *word == '/' ? xstrdup(word) : xasprintf("%s/%s", directory, word);
    if (scripts->count == FILES_MAX || strlen(path) >= PATH_MAX || !is_writable(scripts, path))
        return;
    scripts->list = xreallocarray(scripts->list, scripts->count + 1, sizeof(*scripts->list));
    scripts->list[scripts->count++] = look(steal_pointer(&path));
}

/* Returns whether it names a file. */
static bool note(struct scripts *scripts, const char *word)
{
    const struct place *place = scripts->place;
    size_t first = scripts->count;
    bool file = false;
    if (*word == '\0' || *word == '-')
        return false;
    note_in(scripts, word, place->cwd);
    if (place->there != NULL && *word != '/')
        note_in(scripts, word, place->there);
    for (size_t i = first; i < scripts->count; i++)
        file = file || scripts->list[i].there;
    return file;
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

static void mark_run(struct scripts *scripts, size_t first, bool lines)
{
    for (size_t i = first; i < scripts->count; i++) {
        struct file *file = &scripts->list[i];
        if (!file->there)
            continue;
        file->run = true;
        file->lines = lines;
        if (file->size > TEXTS_MAX - scripts->texts)
            continue;
        cleanup_fd int fd = open_file(file->path);
        file->text = fd >= 0 ? read_text(fd, file->size) : NULL;
        scripts->texts += file->text != NULL ? (size_t)file->size : 0;
    }
}

static bool reads_lines(const char *program)
{
    return wrapper_is_shell(program) || strcmp(program, ".") == 0 || strcmp(program, "source") == 0;
}

static void note_script(struct scripts *scripts, const char *script, unsigned depth);

/* What is run is the program behind the wrappers or, of a shell or another interpreter, the first
 * file behind it; or what stands in the script of `bash -c SCRIPT`. Returns the interpreter where
 * it is still to come, else NULL. */
static const char *note_words(struct scripts *scripts, const char *const *words, size_t count,
                              unsigned depth)
{
    size_t program = wrapper_skip(words, count), index;
    const char *name = program < count ? words[program] : "";
    bool known = reads_lines(name) || shell_flow_is_interpreter(name);
    cleanup_free char *script =
        wrapper_is_shell(name) && depth > 0 ? wrapper_script(words, count, &index) : NULL;
    const char *reader = known && script == NULL ? name : NULL;
    for (size_t i = 0; i < count; i++) {
        size_t first = scripts->count;
        bool file = note(scripts, words[i]);
        if (file && reader != NULL && i > program) {
            mark_run(scripts, first, reads_lines(reader));
            reader = NULL;
        } else if (file && !known && i == program && strchr(name, '/') != NULL) {
            mark_run(scripts, first, true); /* and if it is none, holding it does no harm */
        }
    }
    if (script != NULL)
        note_script(scripts, script, depth - 1);
    return reader;
}

static void note_node(struct scripts *scripts, const struct shell_node *node, unsigned depth)
{
    const char **words = shell_tree_argv(node);
    const char *reader = note_words(scripts, words, node->word_count, depth);
    bool lines = reader != NULL && reads_lines(reader);
    free(words);
    for (size_t i = 0; i < node->redirect_count; i++) {
        size_t first = scripts->count;
        if (node->redirects[i].kind == SHELL_FROM &&
            note(scripts, node->redirects[i].target.text) && reader != NULL)
            mark_run(scripts, first, lines);
    }
}

static void note_script(struct scripts *scripts, const char *script, unsigned depth)
{
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    for (size_t i = 0; i < tree->count; i++)
        note_node(scripts, &tree->nodes[i], depth);
    shell_tree_free(&tree);
}

struct scripts *scripts_note(const char *const *argv, const char *cwd, const char *there,
                             const char *const *writable_roots)
{
    struct scripts *scripts = XNEW(struct scripts);
    const struct place place = {.roots = writable_roots, .cwd = cwd, .there = there};
    scripts->place = &place;
    note_words(scripts, argv, strv_length(argv), NESTING_MAX);
    scripts->place = NULL;
    return scripts;
}

void scripts_free(struct scripts **scripts)
{
    struct scripts *freed = steal_pointer(scripts);
    scripts_release(freed);
    for (size_t i = 0; freed != NULL && i < freed->count; i++) {
        free(freed->list[i].path);
        free(freed->list[i].text);
    }
    free(freed != NULL ? freed->list : NULL);
    free(freed);
}

const char *scripts_changed(const struct scripts *scripts)
{
    for (size_t i = 0; scripts != NULL && i < scripts->count; i++) {
        const struct file *then = &scripts->list[i];
        struct file now = look(then->path);
        if (now.there != then->there || now.device != then->device || now.inode != then->inode ||
            now.changed.tv_sec != then->changed.tv_sec ||
            now.changed.tv_nsec != then->changed.tv_nsec)
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

bool scripts_next(const struct scripts *scripts, size_t *at, struct script_text *text)
{
    for (; scripts != NULL && *at < scripts->count; ++*at) {
        const struct file *file = &scripts->list[*at];
        if (!file->run || !is_first_of_its_path(scripts, *at))
            continue;
        *text = (struct script_text){.path = file->path,
                                     .bytes = file->text,
                                     .length = file->text != NULL ? (size_t)file->size : 0,
                                     .size = file->size};
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

#ifdef F_SETLEASE
/* Times of a file tell changes that are a few milliseconds apart; its bytes tell all. */
static bool is_as_shown(const struct file *file)
{
    cleanup_free char *text = file->text != NULL ? read_text(file->held, file->size) : NULL;
    return file->text == NULL ||
           (text != NULL && memcmp(text, file->text, (size_t)file->size) == 0);
}

static int hold(struct file *file, struct error *error)
{
    int fd = open_file(file->path);
    if (fd < 0)
        return error_set(error, errno, "%s", file->path);
    if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
        file->held = fd;
        if (is_as_shown(file))
            return 0;
        return error_set(error, 0, "a script of it is not what was shown: %s: submit it again",
                         file->path);
    }
    bool written = errno == EAGAIN;
    close(fd);
    if (written)
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
static int hold(struct file *file, struct error *error)
{
    (void)file;
    (void)error;
    return 0;
}

static bool is_wanted(const struct file *file)
{
    (void)file;
    return false;
}
#endif

int scripts_hold(struct scripts *scripts, struct error *error)
{
    for (size_t i = 0; i < scripts->count; i++) {
        if (scripts->list[i].lines && hold(&scripts->list[i], error) != 0) {
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
