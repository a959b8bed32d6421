/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_config.h"

#include <ctype.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/git_program.h"

#define FILE_MAX ((size_t)256 * 1024)
/* git goes as deep, and through any number; a file that includes itself is a great number. */
enum { INCLUDE_DEPTH_MAX = 10, INCLUDES_MAX = 100 };
enum { COMMAND_DEPTH_MAX = 3 }; /* of commands in quotes within commands */
enum { KEY_MAX = 64 };

struct reader {
    const char *at;
    char section[64];
};

static void skip_line(struct reader *reader)
{
    reader->at += strcspn(reader->at, "\n");
    if (*reader->at)
        reader->at++;
}

/* "[core]", "[includeIf "gitdir:~/x"]", in the old way "[filter.x]": only the first name matters
 * here. */
static void read_section(struct reader *reader)
{
    reader->at++;
    size_t length = strcspn(reader->at, ". ]\t\"\n");
    snprintf(reader->section, sizeof reader->section, "%.*s", (int)length, reader->at);
    bool quoted = false;
    for (; *reader->at && *reader->at != '\n'; reader->at++) {
        if (*reader->at == '\\' && reader->at[1])
            reader->at++;
        else if (*reader->at == '"')
            quoted = !quoted;
        else if (*reader->at == ']' && !quoted) {
            reader->at++;
            return;
        }
    }
}

static char unescape(char byte)
{
    switch (byte) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'b':
        return '\b';
    default:
        return byte;
    }
}

/* Goes past a backslash, and the end of the line if that is next, in Windows' way too; whether it
 * was. */
static bool continues(struct reader *reader)
{
    size_t length = reader->at[1] == '\r' ? 2 : 1;
    bool found = reader->at[length] == '\n';
    reader->at += found ? length : 1;
    return found;
}

/* The value up to the end of its line, quotes and escapes undone, comments and outer blanks gone;
 * a backslash at the end continues it. */
static void read_value(struct reader *reader, char *value, size_t size)
{
    size_t length = 0, kept = 0;
    bool quoted = false;
    reader->at += strspn(reader->at, " \t");
    for (; *reader->at && *reader->at != '\n'; reader->at++) {
        char byte = *reader->at;
        if (!quoted && (byte == '#' || byte == ';'))
            break;
        if (byte == '"') {
            quoted = !quoted;
            continue;
        }
        if (byte == '\\' && reader->at[1]) {
            if (continues(reader))
                continue;
            byte = unescape(*reader->at);
        }
        if (length + 1 < size)
            value[length++] = byte;
        if (quoted || !isspace((unsigned char)byte))
            kept = length;
    }
    value[kept] = '\0';
    skip_line(reader);
}

static bool names_path(const struct reader *reader, const char *key, enum git_config_what *what)
{
    static const struct {
        const char *section, *key;
        enum git_config_what what;
    } PATHS[] = {{"core", "hookspath", GIT_CONFIG_HOOKS},
                 {"core", "attributesfile", GIT_CONFIG_FILE},
                 {"init", "templatedir", GIT_CONFIG_HOOKS}};
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++)
        if (strcasecmp(reader->section, PATHS[i].section) == 0 &&
            strcasecmp(key, PATHS[i].key) == 0) {
            *what = PATHS[i].what;
            return true;
        }
    return false;
}

static bool names_include(const struct reader *reader, const char *key)
{
    return (strcasecmp(reader->section, "include") == 0 ||
            strcasecmp(reader->section, "includeif") == 0) &&
           strcasecmp(key, "path") == 0;
}

static bool is_relative(const char *value)
{
    return value[0] != '/' && value[0] != '~';
}

/* As /etc/passwd has it: a static program has nobody else to ask. */
static int join_home(const char *user, size_t length, const char *rest, char path[PATH_MAX])
{
    FILE *list = fopen("/etc/passwd", "re");
    int joined = -1;
    for (struct passwd *entry; list && joined < 0 && (entry = fgetpwent(list));)
        if (strlen(entry->pw_name) == length && strncmp(entry->pw_name, user, length) == 0)
            joined = snprintf(path, PATH_MAX, "%s%s", entry->pw_dir, rest);
    if (list)
        fclose(list);
    return joined;
}

/* Makes it absolute; false when it cannot be. What ".." leads to depends on the symlinks before it.
 */
static bool resolve(const char *value, const char *base, const char *home, char path[PATH_MAX])
{
    size_t name = strcspn(value, "/");
    int length = -1;
    if (value[0] == '/')
        length = snprintf(path, PATH_MAX, "%s", value);
    else if (value[0] == '~' && name > 1)
        length = join_home(value + 1, name - 1, value + name, path);
    else if (value[0] == '~' && home)
        length = snprintf(path, PATH_MAX, "%s%s", home, value + 1);
    else if (value[0] && value[0] != '~' && base)
        length = snprintf(path, PATH_MAX, "%s/%s", base, value);
    return length >= 0 && length < PATH_MAX;
}

struct walk {
    const char *worktree, *home;
    git_config_found *found;
    void *argument;
    bool relative; /* something depends on `worktree` */
    int includes;  /* that have been followed */
};

/* Goes to the "=" of the next variable and returns true with its name, or passes over something
 * else. */
static bool read_key(struct reader *reader, char *key, size_t size)
{
    reader->at += strspn(reader->at, " \t\r\n");
    if (*reader->at == '[') {
        read_section(reader);
        return false;
    }
    size_t length = strspn(reader->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789-");
    snprintf(key, size, "%.*s", (int)length, reader->at);
    reader->at += length;
    reader->at += strspn(reader->at, " \t");
    if (length > 0 && *reader->at == '=')
        return true;
    skip_line(reader);
    return false;
}

/* Goes to the next variable; false at the end. */
static bool read_variable(struct reader *reader, char key[KEY_MAX], char value[PATH_MAX])
{
    while (reader->at && *reader->at) {
        if (!read_key(reader, key, KEY_MAX))
            continue;
        reader->at++;
        read_value(reader, value, PATH_MAX);
        return true;
    }
    return false;
}

/* Windows' mark of UTF-8, which git passes over. */
static const char *skip_mark(const char *text)
{
    static const char MARK[] = "\xEF\xBB\xBF";
    size_t size = strlen(MARK);
    return text && strncmp(text, MARK, size) == 0 ? text + size : text;
}

static void walk_file(struct walk *walk, const char *file, int depth);

static void tell(struct walk *walk, const char *value, enum git_config_what what)
{
    char path[PATH_MAX];
    walk->relative = walk->relative || is_relative(value);
    if (resolve(value, walk->worktree, walk->home, path))
        walk->found(path, what, walk->argument);
}

/* What stands before it is the working tree, or the home directory. */
static void tell_rest(struct walk *walk, const char *rest)
{
    cleanup_free char *in_tree = xasprintf(".%s", rest), *in_home = xasprintf("~%s", rest);
    tell(walk, in_tree, GIT_CONFIG_WORD);
    tell(walk, in_home, GIT_CONFIG_WORD);
}

/* "cd tools && ./x": from then on names begin in that directory. */
static void change_directory(char directory[PATH_MAX], const char *word, const char *rest)
{
    cleanup_free char *into = rest           ? xasprintf(".%s", rest)
                              : directory[0] ? xasprintf("%s/%s", directory, word)
                                             : xstrdup(word);
    snprintf(directory, PATH_MAX, "%s", rest || strchr("/~", word[0]) == NULL ? into : word);
}

static void tell_beneath(struct walk *walk, const char *directory, const char *word,
                         enum git_config_what what)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, word);
    if (directory[0] && word[0] != '/')
        tell(walk, path, what);
}

/* A value without "/" is a program found elsewhere, or a truth value. */
static void tell_words(struct walk *walk, const char *command, int depth)
{
    struct git_program_words words = {.at = command};
    char word[PATH_MAX], directory[PATH_MAX] = "";
    bool program, changes = false, changed = false;
    while (git_program_next_word(&words, word, &program)) {
        if (changes || (changed && words.rest)) /* also behind "$(git rev-parse --show-toplevel)" */
            change_directory(directory, word, words.rest);
        else if (!words.rest && (!program || strchr(word, '/')))
            tell_beneath(walk, directory, word, program ? GIT_CONFIG_PROGRAM : GIT_CONFIG_WORD);
        changes = program && strcmp(word, "cd") == 0;
        changed = changed || changes;
        if (words.rest)
            tell_rest(walk, words.rest);
        else if (!program || strchr(word, '/'))
            tell(walk, word, program ? GIT_CONFIG_PROGRAM : GIT_CONFIG_WORD);
        if (depth > 0 && git_program_is_command(word))
            tell_words(walk, word, depth - 1);
    }
}

static void go_into(struct walk *walk, const char *file, const char *value, int depth)
{
    char directory[PATH_MAX], path[PATH_MAX];
    const char *slash = strrchr(file, '/');
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - file) : 0, file);
    if (!resolve(value, directory, walk->home, path))
        return;
    walk->found(path, GIT_CONFIG_FILE, walk->argument);
    if (depth > 0 && walk->includes++ < INCLUDES_MAX)
        walk_file(walk, path, depth - 1);
}

static void walk_file(struct walk *walk, const char *file, int depth)
{
    char value[PATH_MAX], key[KEY_MAX];
    size_t size;
    enum git_config_what what;
    cleanup_free char *text = fd_read_file(file, FILE_MAX, false, &size);
    struct reader reader = {.at = skip_mark(text)};
    while (read_variable(&reader, key, value)) {
        if (names_include(&reader, key))
            go_into(walk, file, value, depth);
        else if (names_path(&reader, key, &what))
            tell(walk, value, what);
        else if (git_program_is_named(reader.section, key, value))
            tell_words(walk, value, COMMAND_DEPTH_MAX);
    }
}

bool git_config_paths(const char *file, const char *worktree, const char *home,
                      git_config_found *found, void *argument)
{
    struct walk walk = {.worktree = worktree, .home = home, .found = found, .argument = argument};
    walk_file(&walk, file, INCLUDE_DEPTH_MAX);
    return walk.relative;
}

char *git_config_worktree(const char *file, const char *directory)
{
    char key[KEY_MAX], value[PATH_MAX], *found = NULL;
    size_t size;
    cleanup_free char *text = fd_read_file(file, FILE_MAX, false, &size);
    struct reader reader = {.at = skip_mark(text)};
    while (read_variable(&reader, key, value))
        if (strcasecmp(reader.section, "core") == 0 && strcasecmp(key, "worktree") == 0) {
            free(found);
            found = value[0] == '/' ? xstrdup(value) : xasprintf("%s/%s", directory, value);
        }
    return found;
}
