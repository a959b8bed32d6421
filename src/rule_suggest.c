/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "rule_suggest.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"

#define COMMANDS_MAX 1000 /* different ones, the newest */
#define RULES_MAX 50      /* tried on all of them */

/* One and the same command in one directory, however often it was asked about. */
struct answered {
    char *key;
    char **argv;
    char *cwd;
    char *line;
    char *risk;
    size_t approved, denied;
    char *rule; /* that is offered with it first, NULL: none */
    char *words;
    bool place, exact, program;
};

struct rule_suggest {
    struct tool_judge *judge;
    bool project;
    struct answered *commands;
    size_t count;
    struct rule_suggestion *rules;
    size_t rule_count;
    size_t tried; /* of them, those whose evidence is there */
    bool collected;
    json_t *settled; /* keys of commands that nobody would be asked about */
};

struct rule_suggest *rule_suggest_new(struct tool_judge *judge, bool project)
{
    struct rule_suggest *suggest = XNEW(struct rule_suggest);
    suggest->judge = judge;
    suggest->project = project;
    suggest->settled = json_object();
    return suggest;
}

static void answered_clear(struct answered *command)
{
    free(command->key);
    strv_free(&command->argv);
    free(command->cwd);
    free(command->line);
    free(command->risk);
    free(command->rule);
    free(command->words);
}

void rule_suggest_free(struct rule_suggest **place)
{
    struct rule_suggest *suggest = steal_pointer(place);
    if (suggest == NULL)
        return;
    for (size_t i = 0; i < suggest->count; i++)
        answered_clear(&suggest->commands[i]);
    for (size_t i = 0; i < suggest->rule_count; i++)
        free(suggest->rules[i].evidence);
    free(suggest->commands);
    free(suggest->rules);
    json_decref(suggest->settled);
    free(suggest);
}

/* ---- collecting ------------------------------------------------------------------------------ */

static struct answered *find_command(const struct rule_suggest *suggest, const char *key)
{
    for (size_t i = suggest->count; i > 0; i--)
        if (strcmp(suggest->commands[i - 1].key, key) == 0)
            return &suggest->commands[i - 1];
    return NULL;
}

/* The rule as it is offered first with a request for that. */
static void take_step(struct answered *command, const struct ladder *ladder, bool project)
{
    const struct ladder_step *step = &ladder->steps[ladder->suggested];
    cleanup_strbuf struct strbuf words = STRBUF_INIT;
    text_quote_argv(&words, (const char *const *)step->words);
    for (char **other = step->alternatives; other != NULL && *other != NULL; other++)
        strbuf_addf(&words, "%s%s", other == step->alternatives ? " " : "|", *other);
    command->rule =
        ladder_rule(ladder, ladder->suggested, project ? LADDER_PROJECT : LADDER_SESSION);
    command->words = strbuf_steal(&words);
    command->place = step->width == LADDER_PLACE;
    command->exact = step->exact;
    command->program = step->width == LADDER_PROGRAM;
}

/* NULL when nobody would be asked about it as things are now: no rule is needed. Takes argv over.
 */
static struct answered *add_command(struct rule_suggest *suggest, const char *key, char **argv,
                                    const char *cwd, const struct log_call *call)
{
    struct ladder *ladder = NULL;
    if (!tool_judge_asks(suggest->judge, argv, cwd, &ladder)) {
        json_object_set_new(suggest->settled, key, json_true());
        strv_free(&argv);
        return NULL;
    }
    if (suggest->count == COMMANDS_MAX) {
        answered_clear(&suggest->commands[0]);
        memmove(suggest->commands, suggest->commands + 1,
                (COMMANDS_MAX - 1) * sizeof(*suggest->commands));
        suggest->count--;
    }
    suggest->commands =
        xreallocarray(suggest->commands, suggest->count + 1, sizeof(*suggest->commands));
    struct answered *command = &suggest->commands[suggest->count++];
    *command = (struct answered){.key = xstrdup(key),
                                 .argv = argv,
                                 .cwd = xstrdup(cwd),
                                 .line = xstrdup(call->command),
                                 .risk = xstrdup(call->risk)};
    if (ladder != NULL)
        take_step(command, ladder, suggest->project);
    ladder_free(&ladder);
    return command;
}

static bool is_approved(const struct log_call *call)
{
    return strncmp(call->decision, "approved", strlen("approved")) == 0;
}

/* What the operator approved changed, what is not all there, and what is no command of ours or
 * asked for more than a rule gives says nothing of what one would do. */
static bool is_evidence(const struct log_call *call)
{
    const char *tool = json_string_value(json_object_get(call->received, "tool"));
    const char *permissions =
        json_string_value(json_object_get(call->received, "sandbox_permissions"));
    return (call->edited == NULL || !is_approved(call)) && tool != NULL &&
           strcmp(tool, "shell") == 0 && json_object_get(call->received, "network") == NULL &&
           json_object_get(call->received, "patch") == NULL &&
           json_object_get(call->received, "agent_tool") == NULL &&
           json_object_get(call->received, "argv_b64") == NULL &&
           json_object_get(call->received, "env") == NULL &&
           (permissions == NULL || strcmp(permissions, "use_default") == 0);
}

bool rule_suggest_call(void *argument, const struct log_call *call)
{
    struct rule_suggest *suggest = argument;
    struct error ignored = ERROR_INIT;
    const char *cwd = json_string_value(json_object_get(call->received, "cwd"));
    if (!is_evidence(call))
        return true;
    if (cwd == NULL || *cwd != '/')
        cwd = suggest->judge->workspace;
    cleanup_strv char **argv = tool_judge_argv(call->received, &ignored);
    if (argv == NULL || (suggest->project && !path_is_beneath(cwd, suggest->judge->workspace)))
        return true;
    cleanup_free char *text = xasprintf("%s\n%s", call->command, cwd);
    cleanup_json json_t *key = json_string_lossy(text, strlen(text));
    struct answered *command = find_command(suggest, json_string_value(key));
    if (command == NULL && json_object_get(suggest->settled, json_string_value(key)) == NULL)
        command = add_command(suggest, json_string_value(key), steal_pointer(&argv), cwd, call);
    if (command == NULL)
        return true;
    if (is_approved(call))
        command->approved++;
    else
        command->denied++;
    if (strcmp(call->risk, "high") == 0) {
        free(command->risk);
        command->risk = xstrdup(call->risk);
    }
    return true;
}

/* ---- trying ---------------------------------------------------------------------------------- */

static struct rule_suggestion *find_rule(const struct rule_suggest *suggest, const char *rule)
{
    for (size_t i = 0; i < suggest->rule_count; i++)
        if (strcmp(suggest->rules[i].rule, rule) == 0)
            return &suggest->rules[i];
    return NULL;
}

static int by_approved(const void *left, const void *right)
{
    const struct rule_suggestion *a = left, *b = right;
    return a->approved != b->approved ? (a->approved > b->approved ? -1 : 1)
                                      : strcmp(a->rule, b->rule);
}

static int by_times(const void *left, const void *right)
{
    const struct rule_evidence *a = left, *b = right;
    size_t times_a = a->approved + a->denied, times_b = b->approved + b->denied;
    return times_a != times_b ? (times_a > times_b ? -1 : 1) : strcmp(a->line, b->line);
}

/* Every rule that is offered with something that was approved; the commonest are tried. */
static void collect_rules(struct rule_suggest *suggest)
{
    for (size_t i = 0; i < suggest->count; i++) {
        const struct answered *command = &suggest->commands[i];
        if (command->rule == NULL || command->approved == 0)
            continue;
        struct rule_suggestion *rule = find_rule(suggest, command->rule);
        if (rule == NULL) {
            suggest->rules =
                xreallocarray(suggest->rules, suggest->rule_count + 1, sizeof(*suggest->rules));
            rule = &suggest->rules[suggest->rule_count++];
            *rule = (struct rule_suggestion){.rule = command->rule,
                                             .words = command->words,
                                             .place = command->place,
                                             .exact = command->exact,
                                             .program = command->program};
        }
        rule->approved += command->approved;
    }
    if (suggest->rule_count > 0)
        qsort(suggest->rules, suggest->rule_count, sizeof(*suggest->rules), by_approved);
    if (suggest->rule_count > RULES_MAX)
        suggest->rule_count = RULES_MAX;
    suggest->collected = true;
}

/* What the rule would have let run unasked of all that was asked, as the judgement has it. */
static void try_rule(const struct rule_suggest *suggest, struct rule_suggestion *rule)
{
    rule->approved = 0;
    for (size_t i = 0; i < suggest->count; i++) {
        const struct answered *command = &suggest->commands[i];
        if (!tool_judge_rule_allows(suggest->judge, command->argv, command->cwd, rule->rule))
            continue;
        rule->evidence = xreallocarray(rule->evidence, rule->count + 1, sizeof(*rule->evidence));
        rule->evidence[rule->count++] = (struct rule_evidence){command->line, command->risk,
                                                               command->approved, command->denied};
        rule->approved += command->approved;
        rule->denied += command->denied;
        rule->high = rule->high || strcmp(command->risk, "high") == 0;
    }
    if (rule->count > 0)
        qsort(rule->evidence, rule->count, sizeof(*rule->evidence), by_times);
}

/* Those that would have answered too few questions go. */
static void finish(struct rule_suggest *suggest)
{
    size_t kept = 0;
    for (size_t i = 0; i < suggest->rule_count; i++) {
        struct rule_suggestion *rule = &suggest->rules[i];
        if (rule->approved >= RULE_SUGGEST_APPROVED_LEAST)
            suggest->rules[kept++] = *rule;
        else
            free(rule->evidence);
    }
    suggest->rule_count = suggest->tried = kept;
    if (kept > 0)
        qsort(suggest->rules, kept, sizeof(*suggest->rules), by_approved);
}

bool rule_suggest_step(struct rule_suggest *suggest)
{
    if (!suggest->collected) {
        collect_rules(suggest);
        return true;
    }
    if (suggest->tried == suggest->rule_count) {
        finish(suggest);
        return false;
    }
    try_rule(suggest, &suggest->rules[suggest->tried++]);
    return true;
}

const struct rule_suggestion *rule_suggest_at(const struct rule_suggest *suggest, size_t index)
{
    return index < suggest->rule_count ? &suggest->rules[index] : NULL;
}
