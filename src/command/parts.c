/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/path.h"
#include "command/code_file.h"
#include "command/program.h"
#include "command/safety-int.h"

/* The constructs that the known-safe list looks through; redirections are looked at one by one. */
#define SAFE_CONSTRUCTS                                                                            \
    (SHELL_NULL_REDIRECT | SHELL_CD | SHELL_GLOB | SHELL_ENV_PREFIX | SHELL_WORKSPACE_REDIRECT |   \
     SHELL_HEREDOC_LITERAL | SHELL_HEREDOC_INPUT | SHELL_PROSE | SHELL_STATUS | SHELL_LOOKUP |     \
     SHELL_BANG)

/* Words and redirections of a command, or of all in a script, that are looked at: each may be a
 * file, which is looked for. Nobody reads more of them. */
#define LOOKED_AT_MAX 1000

/* What reads its arguments is not asked where it stands; nobody can, when nothing is to be safe. */
static bool may_be_safe(const struct safety_context *context)
{
    return context->program != NULL && !context->has_env && !context->has_stdin;
}

/* ---- redirections ---------------------------------------------------------------------------- */

static bool redirect_is_safe(const struct shell_redirect *redirect,
                             const struct safety_context *context)
{
    switch (redirect->kind) {
    case SHELL_COPY:
    case SHELL_HEREDOC:
        return true;
    case SHELL_FROM:
        return safety_path_text(redirect->target.text, context);
    case SHELL_TO:
    case SHELL_APPEND:
        return strcmp(redirect->target.text, "/dev/null") == 0;
    case SHELL_UPDATE:
    case SHELL_BOTH:
    case SHELL_HERE_STRING:
        break;
    }
    return false;
}

/* Is a part of the name hidden? What runs code unasked for, or says who may do what, is: .git,
 * .envrc, .vscode, the agents' own. */
static bool is_hidden(const char *path)
{
    return path[0] == '.' || strstr(path, "/.") != NULL;
}

/* A file of the workspace that a rule may speak of: none that something runs later. */
static bool redirect_is_inside(const struct shell_redirect *redirect,
                               const struct safety_context *context, const char *directory)
{
    struct safety_context there = *context;
    const char *text = redirect->target.text;
    there.cwd = directory;
    there.writable_roots = NULL;
    if (redirect->kind == SHELL_COPY || redirect->kind == SHELL_HEREDOC ||
        strcmp(text, "/dev/null") == 0)
        return true;
    text += strncmp(text, "./", 2) == 0 ? 2 : 0;
    cleanup_free char *path = xasprintf("%s/%s", directory, text);
    cleanup_free char *file = safety_path_behind(path);
    return file != NULL && path_is_beneath(file, context->root) && !is_hidden(text) &&
           !is_hidden(file + strlen(context->root)) && !code_file_runs(file) &&
           safety_path_text(file, &there);
}

static bool redirects_are_inside(const struct shell_node *node,
                                 const struct safety_context *context, const char *directory)
{
    for (size_t i = 0; i < node->redirect_count; i++)
        if (directory == NULL || !redirect_is_inside(&node->redirects[i], context, directory))
            return false;
    return true;
}

/* ---- working directories --------------------------------------------------------------------- */

char *command_parts_directory(const char *directory, const char *cwd)
{
    cleanup_free char *path =
        directory[0] == '/' ? xstrdup(directory) : xasprintf("%s/%s", cwd, directory + 2);
    return strlen(path) < PATH_MAX ? safety_path_behind(path) : NULL;
}

struct places {
    char *here, *there; /* owned; `there` NULL when the script has no directory */
};

static const char *place_of(const struct places *places, enum shell_place place)
{
    if (place == SHELL_HERE)
        return places->here;
    return place == SHELL_THERE ? places->there : NULL;
}

/* ---- commands -------------------------------------------------------------------------------- */

static bool is_builtin_only(const char *name)
{
    return strcmp(name, ":") == 0 || strcmp(name, "type") == 0 || strcmp(name, "command") == 0;
}

/* Stores the basename under which it was found; caller frees. */
static bool find_installed(const char *name, const struct safety_context *context, bool *manager,
                           char **found)
{
    struct program program;
    program_find(name, context->cwd, context->search_path, &program);
    bool installed = program_is_installed(&program, context->writable_roots) &&
                     !path_is_beneath(program.real, context->root);
    const char *slash = program.path != NULL ? strrchr(program.path, '/') : NULL;
    *found = slash != NULL ? xstrdup(slash + 1) : NULL;
    *manager = program_is_manager(&program);
    program_clear(&program);
    return installed;
}

static bool is_installed(const char *name, const struct safety_context *context)
{
    cleanup_free char *found = NULL;
    bool manager;
    return find_installed(name, context, &manager, &found);
}

/* "$(cat <<'EOF' …)" is its text only when that is the program of that name. */
static bool has_its_cat(const struct shell_command *command, const struct safety_context *context)
{
    return (command->constructs & SHELL_HEREDOC_LITERAL) == 0 || is_installed("cat", context);
}

/* A shell that does not find it says so and goes on. */
static bool is_missing(const char *name, const struct safety_context *context)
{
    struct program program;
    program_find(name, context->cwd, context->search_path, &program);
    bool missing = program.path == NULL && strchr(name, '/') == NULL;
    program_clear(&program);
    return missing && program_path_is_closed(context->search_path, context->writable_roots);
}

bool safety_installed_judge(const struct safety_words *words)
{
    cleanup_free char *name = NULL;
    bool manager;
    return find_installed(words->argv[0], words->context, &manager, &name) && !manager &&
           safety_programs_judge(name, words);
}

static bool words_are_safe(const char *const *argv, const struct shell_node *node,
                           const struct safety_context *context)
{
    struct safety_words words = {
        .argv = argv, .marks = node != NULL ? node->words : NULL, .context = context};
    /* Without operands it reads where it stands. */
    if (!safety_path_readable(context->cwd, context))
        return false;
    if (node != NULL && (is_builtin_only(argv[0]) || is_missing(argv[0], context)))
        return safety_programs_judge(argv[0], &words);
    return safety_installed_judge(&words);
}

static bool command_is_safe(const struct shell_command *command,
                            const struct safety_context *context)
{
    const struct shell_node *node = command->node;
    if ((command->constructs & ~(unsigned)SAFE_CONSTRUCTS) != 0)
        return false;
    if (!has_its_cat(command, context))
        return false;
    for (size_t i = 0; i < node->redirect_count; i++)
        if (!redirect_is_safe(&node->redirects[i], context))
            return false;
    return words_are_safe((const char *const *)command->argv, node, context);
}

/* A `cd` is safe when what follows is known to run there, or nothing follows. */
static bool cd_is_safe(const struct command_parts *parts, size_t index, const struct places *places,
                       const struct safety_context *context)
{
    const struct shell_command *command = &parts->script.commands[index];
    if (command->node->redirect_count > 0 || command->node->assignment_count > 0)
        return false;
    return index == 0 && places->there != NULL && safety_path_readable(places->there, context);
}

/* `directory` is NULL when it cannot be said. */
static bool is_safe_at(const struct shell_command *command, const struct safety_context *context,
                       const char *directory)
{
    struct safety_context there = *context;
    there.cwd = directory;
    return directory != NULL && command_is_safe(command, &there);
}

static bool part_is_safe_in(const struct command_parts *parts, size_t index,
                            const struct places *places, const struct safety_context *context)
{
    const struct shell_command *command = &parts->script.commands[index];
    if (strcmp(command->argv[0], "cd") == 0)
        return cd_is_safe(parts, index, places, context);
    switch (command->place) {
    case SHELL_HERE:
        return is_safe_at(command, context, places->here);
    case SHELL_THERE:
        return is_safe_at(command, context, places->there);
    case SHELL_EITHER:
        return is_safe_at(command, context, places->here) &&
               is_safe_at(command, context, places->there);
    case SHELL_ANYWHERE:
        break;
    }
    return false;
}

static bool part_is_safe(const struct command_parts *parts, size_t index,
                         const struct places *places, const struct safety_context *context)
{
    const char *program = parts->script.commands[index].argv[0];
    if (!may_be_safe(context))
        return false;
    if (part_is_safe_in(parts, index, places, context))
        return true;
    /* As if the place were the workspace; but no program comes out of the workspace either. */
    bool installed = strcmp(program, "cd") == 0 || is_installed(program, context);
    for (size_t i = 0; installed && context->places != NULL && context->places[i] != NULL; i++) {
        struct safety_context elsewhere = *context;
        elsewhere.root = context->places[i];
        if (!safety_path_is_secret(elsewhere.root) &&
            part_is_safe_in(parts, index, places, &elsewhere))
            return true;
    }
    return false;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static bool words_are_safe_somewhere(const char *const *argv, const struct safety_context *context)
{
    bool safe = words_are_safe(argv, NULL, context);
    bool installed = is_installed(argv[0], context);
    for (size_t i = 0; installed && !safe && context->places != NULL && context->places[i] != NULL;
         i++) {
        struct safety_context elsewhere = *context;
        elsewhere.root = context->places[i];
        safe = !safety_path_is_secret(elsewhere.root) && words_are_safe(argv, NULL, &elsewhere);
    }
    return safe;
}

static void read_words(const char *const *argv, const struct safety_context *context,
                       struct command_parts *parts)
{
    parts->exact = true;
    parts->count = 1;
    parts->list = XNEW(struct command_part);
    parts->list[0] = (struct command_part){
        .argv = argv,
        .directory = xstrdup(context->cwd),
        .safe = may_be_safe(context) && strv_length(argv) <= LOOKED_AT_MAX &&
                words_are_safe_somewhere(argv, context),
        .installed = context->program != NULL,
    };
}

/* Whoever has more words than are looked at is asked about. */
static bool is_too_long(const struct shell_script *script)
{
    size_t count = 0;
    for (size_t i = 0; i < script->count; i++)
        count += script->commands[i].node->word_count + script->commands[i].node->redirect_count;
    return count > LOOKED_AT_MAX;
}

static void read_commands(const struct safety_context *context, struct command_parts *parts)
{
    const struct shell_script *script = &parts->script;
    struct places places = {.here = xstrdup(context->cwd)};
    if (script->directory != NULL)
        places.there = command_parts_directory(script->directory, context->cwd);
    bool looked_at = !is_too_long(script);
    parts->count = script->count;
    parts->list = xcalloc(script->count, sizeof(*parts->list));
    for (size_t i = 0; i < script->count; i++) {
        const struct shell_command *command = &script->commands[i];
        const char *directory = place_of(&places, command->place);
        parts->list[i] = (struct command_part){
            .argv = (const char *const *)command->argv,
            .constructs = command->constructs,
            .directory = directory != NULL ? xstrdup(directory) : NULL,
            .redirects = (command->constructs & SHELL_WORKSPACE_REDIRECT) != 0,
            .inside = redirects_are_inside(command->node, context, looked_at ? directory : NULL),
            .safe = looked_at && part_is_safe(parts, i, &places, context),
            .installed = is_installed(command->argv[0], context) && has_its_cat(command, context),
        };
    }
    free(places.here);
    free(places.there);
}

void command_parts_read(const char *const *argv, const struct safety_context *context,
                        struct command_parts *parts)
{
    *parts = (struct command_parts){.exact = false};
    const char *script = context->program != NULL ? shell_wrapped_script(argv) : NULL;
    if (script == NULL) {
        read_words(argv, context, parts);
        return;
    }
    shell_parse(script, strlen(script), &parts->script);
    parts->exact = parts->script.understood;
    parts->reason = parts->script.reason;
    parts->constructs = parts->script.constructs;
    if (parts->exact)
        read_commands(context, parts);
}

void command_parts_clear(struct command_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        free(parts->list[i].directory);
    free(parts->list);
    shell_script_clear(&parts->script);
    *parts = (struct command_parts){.exact = false};
}

bool command_parts_safe(const struct command_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (!parts->list[i].safe)
            return false;
    return parts->exact && parts->count > 0;
}

bool safety_known_safe(const char *const *argv, const struct safety_context *context)
{
    struct command_parts parts;
    command_parts_read(argv, context, &parts);
    bool safe = command_parts_safe(&parts);
    command_parts_clear(&parts);
    return safe;
}
