/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_config.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/fd.h"

#define FILE_MAX ((size_t)256 * 1024)
enum { INCLUDE_DEPTH_MAX = 4 }; /* git goes to 10; a chain is rarely longer than 2 */

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

/* "[core]", "[includeIf "gitdir:~/x"]": only the name before the quotes matters here. */
static void read_section(struct reader *reader)
{
    reader->at++;
    size_t length = strcspn(reader->at, "] \t\"\n");
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
            reader->at++;
            if (*reader->at == '\n')
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

/* A monitor that is no path is a command found elsewhere, or a truth value. */
static bool names_hooks(const struct reader *reader, const char *key, const char *value)
{
    return strcasecmp(reader->section, "core") == 0 &&
           (strcasecmp(key, "hookspath") == 0 || strcasecmp(key, "attributesfile") == 0 ||
            (strcasecmp(key, "fsmonitor") == 0 && strchr(value, '/')));
}

static bool names_include(const struct reader *reader, const char *key)
{
    return (strcasecmp(reader->section, "include") == 0 ||
            strcasecmp(reader->section, "includeif") == 0) &&
           strcasecmp(key, "path") == 0;
}

/* Makes it absolute and takes "." and ".." out; false when it cannot be. */
static bool resolve(const char *value, const char *base, const char *home, char path[PATH_MAX])
{
    char joined[PATH_MAX];
    int length;
    if (value[0] == '\0')
        return false;
    if (value[0] == '/')
        length = snprintf(joined, sizeof joined, "%s", value);
    else if (strncmp(value, "~/", 2) == 0)
        length = home ? snprintf(joined, sizeof joined, "%s/%s", home, value + 2) : -1;
    else
        length = base ? snprintf(joined, sizeof joined, "%s/%s", base, value) : -1;
    if (length < 0 || length >= PATH_MAX)
        return false;
    size_t used = 0;
    path[0] = '\0';
    for (char *part = joined; *part;) {
        part += strspn(part, "/");
        size_t size = strcspn(part, "/");
        if (size == 2 && memcmp(part, "..", 2) == 0)
            while (used > 0 && path[--used] != '/')
                continue;
        else if (size > 0 && !(size == 1 && part[0] == '.'))
            used += (size_t)snprintf(path + used, PATH_MAX - used, "/%.*s", (int)size, part);
        path[used] = '\0';
        part += size;
    }
    return used > 0;
}

struct walk {
    const char *worktree, *home;
    void (*found)(const char *path, void *argument);
    void *argument;
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

static void walk_file(const struct walk *walk, const char *file, int depth)
{
    char directory[PATH_MAX], path[PATH_MAX], value[PATH_MAX], key[64];
    size_t size;
    cleanup_free char *text = fd_read_file(file, FILE_MAX, false, &size);
    struct reader reader = {.at = text};
    const char *slash = strrchr(file, '/');
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - file) : 0, file);
    while (text && *reader.at) {
        if (!read_key(&reader, key, sizeof key))
            continue;
        reader.at++;
        read_value(&reader, value, sizeof value);
        bool hooks = names_hooks(&reader, key, value), include = names_include(&reader, key);
        if ((!hooks && !include) ||
            !resolve(value, hooks ? walk->worktree : directory, walk->home, path))
            continue;
        walk->found(path, walk->argument);
        if (include && depth > 0)
            walk_file(walk, path, depth - 1);
    }
}

void git_config_paths(const char *file, const char *worktree, const char *home,
                      void (*found)(const char *path, void *argument), void *argument)
{
    const struct walk walk = {worktree, home, found, argument};
    walk_file(&walk, file, INCLUDE_DEPTH_MAX);
}
