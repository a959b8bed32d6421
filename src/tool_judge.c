/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tool_judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/path.h"
#include "command/program.h"
#include "config/environment.h"
#include "turn.h"

extern char **environ;

int tool_judge_open(struct tool_judge *judge, const struct options *options, struct error *error)
{
    *judge = (struct tool_judge){.options = options};
    judge->workspace_named = *options_string(options, OPTION_WORKSPACE) != '\0';
    judge->environment = environment_build(options, (const char *const *)environ);
    judge->workspace = turn_workspace(options, error);
    return judge->workspace != NULL ? 0 : -1;
}

void tool_judge_take(struct tool_judge *judge, struct rulebook *book)
{
    rules_free(&judge->rules);
    free(judge->warning);
    judge->rules = rulebook_rules(book);
    judge->warning = rulebook_warning(book);
}

void tool_judge_clear(struct tool_judge *judge)
{
    rules_free(&judge->rules);
    turn_context_unref(&judge->context);
    strv_free(&judge->environment);
    free(judge->warning);
    free(judge->workspace);
}

/* Of the workspace, or where nobody named one, of the directory itself when it lies elsewhere. */
static struct turn_context *context_at(struct tool_judge *judge, const char *cwd,
                                       struct error *error)
{
    const char *root = judge->workspace;
    if (!judge->workspace_named && !path_is_beneath(cwd, root))
        root = cwd;
    if (judge->context != NULL && strcmp(judge->context->root, root) == 0)
        return judge->context;
    turn_context_unref(&judge->context);
    judge->context = turn_context_imagined(judge->options, root, error);
    return judge->context;
}

int tool_judge_command(struct tool_judge *judge, char *const *argv, const char *cwd,
                       struct judgement *judgement, struct error *error)
{
    const struct turn_context *context = context_at(judge, cwd, error);
    if (context == NULL)
        return -1;
    const char *search_path =
        program_environment_get((const char *const *)judge->environment, "PATH");
    struct program program;
    program_find(argv[0], cwd, search_path, &program);
    cleanup_strv char **roots = turn_context_writable_roots(context);
    struct judgement_facts facts = {
        .argv = (const char *const *)argv,
        .cwd = cwd,
        .context = context,
        .writable_roots = (const char *const *)roots,
        .program = &program,
        .search_path = search_path,
        .rules = {judge->rules},
        .broken = judge->warning,
        .missing_count = true,
        .shadow = judge->shadow,
    };
    judgement_make(&facts, judgement);
    program_clear(&program);
    return 0;
}

char **tool_judge_argv(const json_t *question, struct error *error)
{
    char **argv = NULL;
    const char *script = NULL;
    if (json_get_strv_optional(question, "argv", 65536, &argv, error) != 0 ||
        json_get_string_optional(question, "command", &script, error) != 0 ||
        json_get_string_optional(question, "script", &script, error) != 0)
        return NULL;
    if ((argv != NULL) == (script != NULL) || (argv != NULL && argv[0] == NULL)) {
        error_set(error, 0, "expected \"argv\", not empty, or \"script\"");
        strv_free(&argv);
    } else if (argv == NULL) {
        const char *const words[] = {"bash", "-lc", script, NULL};
        argv = strv_copy(words);
    }
    return argv;
}
