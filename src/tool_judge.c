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
    *judge = (struct tool_judge){.options = NULL};
}

/* The workspace, or where nobody named one, the directory itself when it lies elsewhere. */
static const char *root_at(const struct tool_judge *judge, const char *cwd)
{
    return judge->workspace_named || path_is_beneath(cwd, judge->workspace) ? judge->workspace
                                                                            : cwd;
}

static struct turn_context *context_at(struct tool_judge *judge, const char *cwd,
                                       struct error *error)
{
    const char *root = root_at(judge, cwd);
    if (judge->context != NULL && strcmp(judge->context->root, root) == 0)
        return judge->context;
    turn_context_unref(&judge->context);
    judge->context = turn_context_imagined(judge->options, root, error);
    return judge->context;
}

/* What is known of a command, and what holds that. */
struct known {
    struct program program;
    char **roots;
    struct judgement_facts facts;
};

static int find_out(struct tool_judge *judge, char *const *argv, const char *cwd,
                    struct known *known, struct error *error)
{
    const struct turn_context *context = context_at(judge, cwd, error);
    if (context == NULL)
        return -1;
    const char *search_path =
        program_environment_get((const char *const *)judge->environment, "PATH");
    program_find(argv[0], cwd, search_path, &known->program);
    known->roots = turn_context_writable_roots(context);
    known->facts = (struct judgement_facts){
        .argv = (const char *const *)argv,
        .cwd = cwd,
        .context = context,
        .writable_roots = (const char *const *)known->roots,
        .program = &known->program,
        .search_path = search_path,
        .rules = {judge->rules},
        .broken = judge->warning,
        .missing_count = true,
        .shadow = judge->shadow,
    };
    return 0;
}

static void known_clear(struct known *known)
{
    program_clear(&known->program);
    strv_free(&known->roots);
}

int tool_judge_command(struct tool_judge *judge, char *const *argv, const char *cwd,
                       struct judgement *judgement, struct error *error)
{
    struct known known;
    if (find_out(judge, argv, cwd, &known, error) != 0)
        return -1;
    judgement_make(&known.facts, judgement);
    known_clear(&known);
    return 0;
}

bool tool_judge_asks(struct tool_judge *judge, char *const *argv, const char *cwd,
                     struct ladder **ladder)
{
    struct known known;
    struct judgement judgement;
    *ladder = NULL;
    if (find_out(judge, argv, cwd, &known, NULL) != 0)
        return false;
    judgement_make(&known.facts, &judgement);
    bool asks = judgement.requirement.kind == REQUIREMENT_NEEDS_APPROVAL;
    judgement_clear(&judgement);
    if (asks)
        *ladder = ladder_new(&known.facts, false);
    known_clear(&known);
    return asks;
}

bool tool_judge_rule_allows(struct tool_judge *judge, char *const *argv, const char *cwd,
                            const char *line)
{
    struct known known;
    if (find_out(judge, argv, cwd, &known, NULL) != 0)
        return false;
    bool allows = judgement_with_rule(&known.facts, line) == REQUIREMENT_SKIP;
    known_clear(&known);
    return allows;
}

bool tool_judge_connection(const struct tool_judge *judge, const json_t *received, const char *cwd,
                           struct tool_judge_connection *connection)
{
    const json_t *network = json_object_get(received, "network");
    const char *host = json_string_value(json_object_get(network, "host"));
    const char *protocol = json_string_value(json_object_get(network, "protocol"));
    if (host == NULL || protocol == NULL)
        return false;
    connection->port =
        xasprintf("%lld", (long long)json_integer_value(json_object_get(network, "port")));
    connection->project = xstrdup(root_at(judge, cwd));
    connection->project_id = judgement_project_id(connection->project);
    connection->to = (struct rules_connection){
        .host = host,
        .protocol = strcmp(protocol, "socks5-tcp") == 0 ? "socks5_tcp" : protocol,
        .port = connection->port,
        .project = connection->project,
        .project_id = connection->project_id,
    };
    return true;
}

void tool_judge_connection_clear(struct tool_judge_connection *connection)
{
    free(connection->port);
    free(connection->project);
    free(connection->project_id);
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
