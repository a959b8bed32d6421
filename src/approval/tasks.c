/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/tasks.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/json.h"

#define FILE_MAX ((size_t)1024 * 1024)
#define NAME_MAX_LENGTH 64

struct names {
    char **list;
    size_t count;
};

static bool is_name(const char *text, size_t length)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                  "_-:.";
    if (length == 0 || length > NAME_MAX_LENGTH || text[0] == '-' || text[0] == '.')
        return false;
    for (size_t i = 0; i < length; i++)
        if (strchr(letters, text[i]) == NULL)
            return false;
    return true;
}

static void add_name(struct names *names, const char *text, size_t length)
{
    if (!is_name(text, length) || names->count == TASKS_MAX)
        return;
    for (size_t i = 0; i < names->count; i++)
        if (strlen(names->list[i]) == length && memcmp(names->list[i], text, length) == 0)
            return;
    names->list = xreallocarray(names->list, names->count + 2, sizeof(*names->list));
    names->list[names->count++] = xstrndup(text, length);
    names->list[names->count] = NULL;
}

static char *read_file(const char *directory, const char *name, size_t *length)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    return fd_read_file(path, FILE_MAX, true, length);
}

/* ---- one function for each kind of file ------------------------------------------------------ */

/* NAME… : and not NAME := */
static void read_makefile(const char *line, size_t length, struct names *names)
{
    const char *colon = memchr(line, ':', length);
    if (colon == NULL || colon == line || (colon + 1 < line + length && colon[1] == '='))
        return;
    for (const char *at = line; at < colon;) {
        size_t size = 0;
        while (at + size < colon && at[size] != ' ' && at[size] != '\t')
            size++;
        add_name(names, at, size);
        at += size + 1;
    }
}

/* NAME [PARAMETER…]: and not NAME := */
static void read_justfile(const char *line, size_t length, struct names *names)
{
    const char *colon = memchr(line, ':', length);
    size_t start = length > 0 && line[0] == '@', size = start;
    if (colon == NULL || (colon + 1 < line + length && colon[1] == '='))
        return;
    while (line + size < colon && line[size] != ' ')
        size++;
    add_name(names, line + start, size - start);
}

/* [tasks.NAME] */
static void read_mise(const char *line, size_t length, struct names *names)
{
    static const char head[] = "[tasks.";
    const char *end = memchr(line, ']', length);
    if (end == NULL || length < sizeof(head) || memcmp(line, head, sizeof(head) - 1) != 0)
        return;
    const char *name = line + sizeof(head) - 1;
    size_t size = (size_t)(end - name);
    bool quoted = size > 2 && (*name == '"' || *name == '\'');
    add_name(names, name + quoted, size - 2 * quoted);
}

static void read_lines(const char *directory, const char *const *files,
                       void (*read_line)(const char *line, size_t length, struct names *names),
                       struct names *names)
{
    size_t length;
    cleanup_free char *text = NULL;
    for (; *files != NULL && text == NULL; files++)
        text = read_file(directory, *files, &length);
    for (const char *at = text; at != NULL && *at != '\0';) {
        size_t size = strcspn(at, "\n");
        if (*at != ' ' && *at != '\t' && *at != '#')
            read_line(at, size, names);
        at += size + (at[size] == '\n');
    }
}

static void read_package(const char *directory, struct names *names)
{
    size_t length;
    const char *name;
    json_t *script;
    cleanup_free char *text = read_file(directory, "package.json", &length);
    cleanup_json json_t *package = text != NULL ? json_parse(text, length, NULL) : NULL;
    json_object_foreach(json_object_get(package, "scripts"), name,
                        script) if (json_is_string(script)) add_name(names, name, strlen(name));
}

/* ---- runners --------------------------------------------------------------------------------- */

enum origin { FROM_MAKEFILE, FROM_PACKAGE, FROM_JUSTFILE, FROM_MISE, FROM_HERE };

static const struct runner {
    const char *words[2]; /* in front of the task's name */
    enum origin origin;
    const char *fixed[12];
} runners[] = {
    {{"make", NULL}, FROM_MAKEFILE, {NULL}},
    {{"npm", "run"}, FROM_PACKAGE, {NULL}},
    {{"pnpm", "run"}, FROM_PACKAGE, {NULL}},
    {{"yarn", "run"}, FROM_PACKAGE, {NULL}},
    {{"bun", "run"}, FROM_PACKAGE, {NULL}},
    {{"just", NULL}, FROM_JUSTFILE, {NULL}},
    {{"mise", "run"}, FROM_MISE, {NULL}},
    {{"cargo", NULL}, FROM_HERE, {"build", "check", "test", "clippy", "fmt", "doc", "bench", NULL}},
    {{"go", NULL}, FROM_HERE, {"build", "test", "vet", "fmt", "list", "doc", NULL}},
};

static size_t runner_words(const struct runner *runner)
{
    return runner->words[1] != NULL ? 2 : 1;
}

static bool runs(const struct runner *runner, const char *const *argv)
{
    for (size_t i = 0; i < runner_words(runner); i++)
        if (argv[i] == NULL || strcmp(argv[i], runner->words[i]) != 0)
            return false;
    return argv[runner_words(runner)] != NULL;
}

static void read_tasks(const struct runner *runner, const char *directory, struct names *names)
{
    static const char *const makefiles[] = {"GNUmakefile", "makefile", "Makefile", NULL};
    static const char *const justfiles[] = {"justfile", "Justfile", ".justfile", NULL};
    static const char *const mises[] = {"mise.toml", ".mise.toml", NULL};
    switch (runner->origin) {
    case FROM_MAKEFILE:
        read_lines(directory, makefiles, read_makefile, names);
        break;
    case FROM_JUSTFILE:
        read_lines(directory, justfiles, read_justfile, names);
        break;
    case FROM_MISE:
        read_lines(directory, mises, read_mise, names);
        break;
    case FROM_PACKAGE:
        read_package(directory, names);
        break;
    case FROM_HERE:
        for (size_t i = 0; runner->fixed[i] != NULL; i++)
            add_name(names, runner->fixed[i], strlen(runner->fixed[i]));
        break;
    }
}

char **tasks_of(const char *const *argv, const char *directory, size_t *words)
{
    struct names names = {NULL, 0};
    for (size_t i = 0; i < COUNT(runners); i++) {
        if (!runs(&runners[i], argv))
            continue;
        read_tasks(&runners[i], directory, &names);
        *words = runner_words(&runners[i]);
        break;
    }
    return names.list;
}
