/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/scripts.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/path.h"
#include "command/shell.h"

#define FILES_MAX 1000

/* The time is that of the last change of any kind, which nobody can set back. */
struct file {
    char *path;
    bool there;
    uint64_t device, inode;
    struct timespec changed;
};

struct scripts {
    const char *const *roots; /* while they are noted */
    struct file *list;
    size_t count;
};

static struct file look(char *path)
{
    struct stat status;
    struct file file = {.path = path};
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return file;
    file.there = true;
    file.device = (uint64_t)status.st_dev;
    file.inode = (uint64_t)status.st_ino;
    file.changed = status.st_ctim;
    return file;
}

/* Where there is nothing yet, what counts is the place as it is written. */
static bool is_writable(const struct scripts *scripts, const char *path)
{
    cleanup_free char *physical = realpath(path, NULL);
    for (const char *const *root = scripts->roots; root != NULL && *root != NULL; root++)
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

static void note(struct scripts *scripts, const char *word, const char *cwd, const char *there)
{
    if (*word == '\0' || *word == '-')
        return;
    note_in(scripts, word, cwd);
    if (there != NULL && *word != '/')
        note_in(scripts, word, there);
}

static void note_node(struct scripts *scripts, const struct shell_node *node, const char *cwd,
                      const char *there)
{
    for (size_t i = 0; i < node->word_count; i++)
        note(scripts, node->words[i].text, cwd, there);
    for (size_t i = 0; i < node->redirect_count; i++)
        if (node->redirects[i].kind == SHELL_FROM)
            note(scripts, node->redirects[i].target.text, cwd, there);
}

struct scripts *scripts_note(const char *const *argv, const char *cwd, const char *there,
                             const char *const *writable_roots)
{
    struct scripts *scripts = XNEW(struct scripts);
    const char *script = shell_wrapped_script(argv);
    scripts->roots = writable_roots;
    if (script != NULL) {
        struct shell_tree *tree = shell_tree_new(script, strlen(script));
        for (size_t i = 0; i < tree->count; i++)
            note_node(scripts, &tree->nodes[i], cwd, there);
        shell_tree_free(&tree);
    }
    for (size_t i = 0; script == NULL && argv[i] != NULL; i++)
        note(scripts, argv[i], cwd, there);
    scripts->roots = NULL;
    return scripts;
}

void scripts_free(struct scripts **scripts)
{
    struct scripts *freed = steal_pointer(scripts);
    for (size_t i = 0; freed != NULL && i < freed->count; i++)
        free(freed->list[i].path);
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
