/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_books.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/git_index.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "sandbox/aside.h"
#include "sandbox/git_links.h"
#include "sandbox/git_sequence.h"
#include "sandbox/protect.h"

#define FILE_MAX ((size_t)1024 * 1024)
#define INDEX_MAX ((size_t)128 * 1024 * 1024)
/* Of all of them when a command ends: it could leave thousands, and nobody would wait for that. */
#define INDEXES_MAX ((size_t)256 * 1024 * 1024)

void git_books_tell_aside(const struct report *report, const char *path)
{
    cleanup_free char *told = xasprintf("%s (set aside: git would obey it)", path);
    report_alarm(report, told);
}

void git_books_set_aside(const struct report *report, const char *path)
{
    if (aside_put(path))
        git_books_tell_aside(report, path);
}

/* ---- what is left to do of a rebase ----------------------------------------------------- */

/* "exec make" or "x make", after blanks. */
static bool is_command(const char *line, size_t length)
{
    size_t blanks = 0;
    while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
        blanks++;
    line += blanks;
    length -= blanks;
    for (size_t i = 0; i < 2; i++) {
        const char *word = i == 0 ? "exec" : "x";
        size_t size = strlen(word);
        if (length >= size && strncmp(line, word, size) == 0 &&
            (length == size || line[size] == ' ' || line[size] == '\t' || line[size] == '\r'))
            return true;
    }
    return false;
}

static char *read_todo(const char *directory, char path[PATH_MAX], size_t *size)
{
    return path_join(path, directory, "rebase-merge/git-rebase-todo")
               ? fd_read_file(path, FILE_MAX, true, size)
               : NULL;
}

void git_books_remember(struct git_books *books, const char *directory)
{
    char path[PATH_MAX];
    size_t size, count = strv_length((const char *const *)books->commands);
    cleanup_free char *text = read_todo(directory, path, &size);
    for (char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n");
        if (is_command(line, length)) {
            books->commands = xreallocarray(books->commands, count + 2, sizeof *books->commands);
            books->commands[count++] = xstrndup(line, length);
            books->commands[count] = NULL;
        }
        line += length + (line[length] == '\n');
    }
}

static bool was_there(const struct git_books *books, const char *line, size_t length)
{
    for (char **known = books->commands; known && *known; known++)
        if (strlen(*known) == length && strncmp(*known, line, length) == 0)
            return true;
    return false;
}

/* Each command that was not there before becomes a line that does nothing. */
static void tame_todo(struct git_books *books, const char *directory)
{
    char path[PATH_MAX];
    size_t size;
    cleanup_strbuf struct strbuf tame = STRBUF_INIT;
    cleanup_free char *text = read_todo(directory, path, &size);
    bool changed = text && strlen(text) != size;
    for (const char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n");
        bool command = is_command(line, length) && !was_there(books, line, length);
        changed = changed || command;
        strbuf_add(&tame, command ? "noop" : line, command ? 4 : length);
        strbuf_addch(&tame, '\n');
        line += length + (line[length] == '\n');
    }
    if (!text && path_join(path, directory, "rebase-merge/git-rebase-todo") && fd_file_type(path))
        git_books_set_aside(books->report, path); /* too long, or no file */
    if (!changed)
        return;
    git_books_set_aside(books->report, path);
    fd_replace_file(path, strbuf_str(&tame), tame.length, 0644);
}

/* Set aside unless it is a file that is harmless. */
static void tame_file(const struct git_books *books, const char *directory, const char *name,
                      bool (*is_harmless)(const char *text))
{
    char path[PATH_MAX];
    size_t size;
    if (!path_join(path, directory, name) || !fd_file_type(path))
        return;
    cleanup_free char *text = fd_read_file(path, FILE_MAX, true, &size);
    if (!text || strlen(text) != size || !is_harmless(text))
        git_books_set_aside(books->report, path);
}

/* ---- the index ------------------------------------------------------------------------- */

/* Bytes of an object's name. A linked worktree has the configuration two directories above. */
static size_t hash_size(const char *directory)
{
    static const char *const PLACES[] = {"config", "../../config"};
    char path[PATH_MAX];
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        cleanup_free char *text = path_join(path, directory, PLACES[i])
                                      ? fd_read_file(path, FILE_MAX, true, &size)
                                      : NULL;
        if (text && strcasestr(text, "objectformat"))
            return strcasestr(text, "sha256") ? GIT_SHA256_SIZE : GIT_SHA1_SIZE;
    }
    return GIT_SHA1_SIZE;
}

static void tame_index_file(struct git_books *books, const char *path)
{
    struct stat status;
    size_t size;
    if (lstat(path, &status) < 0 ||
        (!books->all && !git_links_is_later(&status.st_ctim, &books->since)))
        return;
    books->read += (size_t)status.st_size;
    cleanup_free char *bytes =
        books->read <= INDEXES_MAX ? fd_read_file(path, INDEX_MAX, true, &size) : NULL;
    if (!bytes || !git_index_is_harmless(bytes, size, books->hash))
        git_books_set_aside(books->report, path);
}

static void tame_shared_indexes(struct git_books *books, const char *directory)
{
    static const char SHARED[] = "sharedindex.";
    char path[PATH_MAX];
    DIR *list = opendir(directory);
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));)
        if (strncmp(entry->d_name, SHARED, strlen(SHARED)) == 0 &&
            !strstr(entry->d_name, ASIDE_SUFFIX) && path_join(path, directory, entry->d_name))
            tame_index_file(books, path);
    closedir(list);
}

static void tame_index(struct git_books *books, const char *directory)
{
    char path[PATH_MAX];
    if (!path_join(path, directory, "index"))
        return;
    books->hash = hash_size(directory);
    tame_index_file(books, path);
    tame_shared_indexes(books, directory);
}

/* What is to be remembered of resolved conflicts, "ID<tab>path<nul>": git copies those files into
 * its own directory, where the next command could read them. */
static bool are_inside(const char *records, size_t size)
{
    for (size_t at = 0; at < size; at += strlen(records + at) + 1) {
        const char *path = strchr(records + at, '\t');
        if (!path || !git_index_path_is_inside(path + 1))
            return false;
    }
    return true;
}

static void tame_resolutions(const struct git_books *books, const char *directory)
{
    char path[PATH_MAX];
    size_t size;
    if (!path_join(path, directory, "MERGE_RR") || !fd_file_type(path))
        return;
    cleanup_free char *records = fd_read_file(path, FILE_MAX, true, &size);
    if (!records || !are_inside(records, size))
        git_books_set_aside(books->report, path);
}

/* ---- all of them ------------------------------------------------------------------------ */

void git_books_tame(struct git_books *books, const char *directory, bool all)
{
    books->all = all;
    tame_index(books, directory);
    tame_resolutions(books, directory);
    tame_todo(books, directory);
    tame_file(books, directory, "rebase-merge/strategy", git_sequence_strategy_is_harmless);
    tame_file(books, directory, "sequencer/opts", git_sequence_options_are_harmless);
}
