/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agent_program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/program.h"
#include "command/shell.h"

/* The line from its program on. */
static const char *skip_variables(const char *line)
{
    for (size_t length;; line += length) {
        line += strspn(line, " \t");
        length = strcspn(line, " \t");
        bool variable = memchr(line, '=', length) != NULL;
        if (!variable && !(length == 3 && strncmp(line, "env", 3) == 0))
            return line;
    }
}

char *agent_program_label(const char *line)
{
    const char *word = skip_variables(line);
    size_t length = strcspn(word, " \t");
    const char *slash = memrchr(word, '/', length);
    const char *name = slash ? slash + 1 : word;
    return xstrndup(name, length - (size_t)(name - word));
}

/* Programs whose script is the agent. */
static bool is_interpreter(const char *name)
{
    static const char *const names[] = {"node", "nodejs", "bun", "deno", "python", "python3"};
    return IS_IN(name, names);
}

/* Caller frees. */
static char *name_of(const char *path)
{
    static const char *const endings[] = {".js", ".mjs", ".cjs"};
    const char *slash = strrchr(path, '/');
    char *name = xstrdup(slash ? slash + 1 : path);
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < COUNT(endings); i++)
        if (strcmp(dot, endings[i]) == 0) {
            name[dot - name] = '\0';
            break;
        }
    return name;
}

static void add_file(struct agent_program *program, const char *path)
{
    size_t count = 0;
    while (program->files[count])
        count++;
    if (count < AGENT_PROGRAM_FILES)
        program->files[count] = xstrdup(path);
}

static void take_script(struct agent_program *program, char *const *words, const char *cwd)
{
    while (*words && **words == '-')
        words++;
    free(steal_pointer(&program->name));
    cleanup_free char *path = !*words          ? NULL
                              : **words == '/' ? xstrdup(*words)
                                               : xasprintf("%s/%s", cwd, *words);
    cleanup_free char *real = path ? realpath(path, NULL) : NULL;
    if (!real)
        return;
    program->name = name_of(path);
    add_file(program, path);
    add_file(program, real);
}

static void take_words(struct agent_program *program, char *const *words, const char *cwd,
                       const char *search_path)
{
    struct program found;
    program_find(words[0], cwd, search_path, &found);
    if (found.path) {
        program->name = name_of(found.path);
        add_file(program, found.path);
        add_file(program, found.real);
        if (is_interpreter(program->name))
            take_script(program, words + 1, cwd);
    }
    program_clear(&found);
}

bool agent_program_find(const char *line, const char *cwd, const char *search_path,
                        struct agent_program *program)
{
    struct shell_script script;
    const char *command = skip_variables(line);
    *program = (struct agent_program){.name = NULL};
    shell_parse(command, strlen(command), &script);
    bool told = script.plain && script.count == 1 && script.constructs == 0;
    if (told)
        take_words(program, script.commands[0].argv, cwd, search_path);
    shell_script_clear(&script);
    return told;
}

void agent_program_clear(struct agent_program *program)
{
    free(program->name);
    for (size_t i = 0; i < AGENT_PROGRAM_FILES; i++)
        free(program->files[i]);
    *program = (struct agent_program){.name = NULL};
}
