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

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
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
    size_t texts;     /* bytes of them */
    bool unknown_run; /* something is run of which only the run itself tells what it is */
};

/* Some words and, of a script's, what a shell makes of them. */
struct command {
    const char *const *words;
    const struct shell_word *read; /* NULL: they are taken as they are */
    size_t count;
    const char *directory; /* in which it runs: one of the place's, or NULL: not known */
};

static int open_file(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static void identify(struct file *file, const struct stat *status)
{
    file->there = S_ISREG(status->st_mode);
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

#define NO_FILE SIZE_MAX

static size_t note_in(struct scripts *scripts, const char *word, const char *directory)
{
    cleanup_free char *path = *word == '/' ? xstrdup(word) : xasprintf("%s/%s", directory, word);
    if (scripts->count == FILES_MAX || strlen(path) >= PATH_MAX || !is_writable(scripts, path))
        return NO_FILE;
    scripts->list = xreallocarray(scripts->list, scripts->count + 1, sizeof(*scripts->list));
    scripts->list[scripts->count] = look(steal_pointer(&path));
    return scripts->count++;
}

/* In each place where it may be meant. Returns the file that it names from `directory`. */
static size_t note(struct scripts *scripts, const char *word, const char *directory)
{
    const struct place *place = scripts->place;
    size_t there = NO_FILE;
    if (*word == '\0' || *word == '-')
        return NO_FILE;
    size_t file = note_in(scripts, word, place->cwd);
    if (*word == '/')
        return file;
    if (place->there != NULL)
        there = note_in(scripts, word, place->there);
    return directory == NULL ? NO_FILE : directory == place->cwd ? file : there;
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

/* What is shown and what is noted are one file: the one that is opened here. */
static bool mark_run(struct scripts *scripts, size_t index, bool lines)
{
    struct file *file = index != NO_FILE ? &scripts->list[index] : NULL;
    struct stat status;
    if (file == NULL || !file->there)
        return false;
    file->run = true;
    file->lines = lines;
    cleanup_fd int fd = open_file(file->path);
    if (fd < 0 || fstat(fd, &status) != 0)
        return true;
    identify(file, &status);
    if (file->there && file->size <= TEXTS_MAX - scripts->texts)
        file->text = read_text(fd, file->size);
    scripts->texts += file->text != NULL ? (size_t)file->size : 0;
    return true;
}

static bool is_literal(const struct command *command, size_t at)
{
    return command->read == NULL || command->read[at].literal;
}

static bool is_found(const struct command *command, size_t at)
{
    return is_literal(command, at) && (command->words[at][0] == '/' || command->directory != NULL);
}

static bool reads_lines(const char *program)
{
    return wrapper_is_shell(program) || strcmp(program, ".") == 0 || strcmp(program, "source") == 0;
}

/* Code among the operands, or a module's name: no operand needs to be a file. */
#define CODE_OPTIONS "-c -e -E -m -p -r --eval --print --command"

static void note_script(struct scripts *scripts, const char *script, const char *directory,
                        unsigned depth);

/* What a shell in it reads from its operands; not that of a shell on another host. */
static char *script_of(const struct command *command, const char *name)
{
    size_t index;
    return strcmp(wrapper_basename(name), "ssh") != 0
               ? wrapper_script(command->words, command->count, &index)
               : NULL;
}

/* What is run is the program behind the wrappers or, of a shell or another interpreter, the first
 * file behind it; or what stands in the script of `bash -c SCRIPT`. Returns the interpreter where
 * it is still to come, else NULL. */
static const char *note_words(struct scripts *scripts, const struct command *command,
                              unsigned depth)
{
    const char *const *words = command->words;
    size_t program = wrapper_skip(words, command->count);
    const char *name = program < command->count ? words[program] : "";
    bool reads = reads_lines(name) || shell_flow_is_interpreter(name);
    cleanup_free char *script = depth > 0 ? script_of(command, name) : NULL;
    const char *reader = reads && script == NULL ? name : NULL;
    bool code = wrapper_has_option(words + program, command->count - program, CODE_OPTIONS);
    for (size_t i = 0; i < command->count; i++) {
        size_t file = note(scripts, words[i], command->directory);
        if (i == program && strchr(name, '/') != NULL) {
            scripts->unknown_run |= !is_found(command, i);
            if (is_found(command, i))
                mark_run(scripts, file, true); /* if it is none, holding it does no harm */
        } else if (i > program && reader != NULL && words[i][0] != '-') {
            scripts->unknown_run |= !code && !is_found(command, i);
            if (is_found(command, i) && mark_run(scripts, file, reads_lines(reader)))
                reader = NULL;
        }
    }
    if (script != NULL)
        note_script(scripts, script, command->directory, depth - 1);
    return reader;
}

static void note_redirects(struct scripts *scripts, const struct shell_node *node,
                           const char *directory, const char *reader)
{
    for (size_t i = 0; i < node->redirect_count; i++) {
        const struct shell_word *target = &node->redirects[i].target;
        const struct command command = {&(const char *const){target->text}, target, 1, directory};
        if (node->redirects[i].kind != SHELL_FROM)
            continue;
        size_t file = note(scripts, target->text, directory);
        if (reader == NULL)
            continue;
        scripts->unknown_run |= !is_found(&command, 0);
        if (is_found(&command, 0))
            mark_run(scripts, file, reads_lines(reader));
    }
}

static void note_node(struct scripts *scripts, const struct shell_node *node, const char *directory,
                      unsigned depth)
{
    const char **words = shell_tree_argv(node);
    struct command command = {words, node->words, node->word_count, directory};
    if (wrapper_moves(words, node->word_count))
        command.directory = NULL;
    note_redirects(scripts, node, directory, note_words(scripts, &command, depth));
    free(words);
}

static bool may_leave(const struct shell_tree *tree, size_t first, unsigned depth);

/* `eval` runs its script in the shell itself; any other one is a shell of its own. */
static bool eval_may_leave(const char *const *words, size_t count, unsigned depth)
{
    size_t index;
    cleanup_free char *script = depth > 0 ? wrapper_script(words, count, &index) : NULL;
    if (script == NULL)
        return true;
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    bool may = may_leave(tree, 0, depth - 1);
    shell_tree_free(&tree);
    return may;
}

/* Does it go to another directory, or run what could? */
static bool goes_elsewhere(const struct shell_node *node, unsigned depth)
{
    static const char *const names[] = {"alias", "cd", "chdir", "popd", "pushd", "trap"};
    const char **words = shell_tree_argv(node);
    size_t program = wrapper_skip(words, node->word_count);
    const char *name = program < node->word_count ? words[program] : "";
    bool found = program < node->word_count && !node->words[program].literal;
    for (size_t i = 0; i < COUNT(names); i++)
        found = found || strcmp(name, names[i]) == 0;
    if (strcmp(name, "eval") == 0)
        found = eval_may_leave(words, node->word_count, depth);
    free(words);
    return found;
}

static bool may_leave(const struct shell_tree *tree, size_t first, unsigned depth)
{
    for (size_t i = first; i < tree->count; i++)
        if (goes_elsewhere(&tree->nodes[i], depth))
            return true;
    return false;
}

static void note_script(struct scripts *scripts, const char *script, const char *directory,
                        unsigned depth)
{
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    /* The place's is where the outermost script goes first. */
    const char *there = depth == NESTING_MAX - 1 ? scripts->place->there : NULL;
    if (may_leave(tree, there != NULL ? 1 : 0, depth))
        directory = NULL;
    else if (there != NULL)
        directory = there;
    for (size_t i = 0; i < tree->count; i++)
        note_node(scripts, &tree->nodes[i], directory, depth);
    shell_tree_free(&tree);
}

struct scripts *scripts_note(const char *const *argv, const char *cwd, const char *there,
                             const char *const *writable_roots)
{
    struct scripts *scripts = XNEW(struct scripts);
    const struct place place = {.roots = writable_roots, .cwd = cwd, .there = there};
    size_t count = strv_length(argv);
    const struct command command = {argv, NULL, count, wrapper_moves(argv, count) ? NULL : cwd};
    scripts->place = &place;
    note_words(scripts, &command, NESTING_MAX);
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
