/* SPDX-License-Identifier: MIT */
/* `assent rules suggest`: rules for what the operator has approved again and again. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/rules_write.h"
#include "config/paths.h"
#include "record/log_index.h"
#include "record/log_query.h"
#include "tool_judge.h"
#include "tool_rules_import.h"

#define APPROVED_LEAST 3 /* fewer may be chance */
#define SHOWN_MAX 10     /* commands of a rule that are listed */
#define CALLS_MAX 10000  /* the newest of a log that are looked at */

struct suggesting {
    struct tool_judge judge;
    json_t *rules; /* rule line: {words, approved: {command: times}, denied: {…}, count} */
    size_t commands;
};

/* ---- collecting ------------------------------------------------------------------------------ */

static void count_command(json_t *commands, const char *line)
{
    json_t *key = json_string_lossy(line, strlen(line));
    const json_t *old = json_object_get(commands, json_string_value(key));
    json_object_set_new(commands, json_string_value(key),
                        json_integer(old != NULL ? json_integer_value(old) + 1 : 1));
    json_decref(key);
}

/* What is kept of the rule that has this pattern. */
static json_t *entry_of(json_t *rules, char *const *words)
{
    const struct rules_line line = {.words = (const char *const *)words, .decision = RULE_ALLOW};
    cleanup_free char *text = rules_write_format(&line);
    json_t *key = json_string_lossy(text, strlen(text));
    json_t *entry = json_object_get(rules, json_string_value(key));
    if (entry == NULL) {
        cleanup_strbuf struct strbuf shown = STRBUF_INIT;
        text_quote_argv(&shown, (const char *const *)words);
        entry =
            json_pack("{s:o, s:{}, s:{}}", "words",
                      json_string_lossy(strbuf_str(&shown), shown.length), "approved", "denied");
        json_object_set_new(rules, json_string_value(key), entry);
    }
    json_decref(key);
    return entry;
}

/* Only what would be asked about again, as rules are now, needs a rule. */
static bool on_call(void *argument, const struct log_call *call)
{
    struct suggesting *suggesting = argument;
    struct error ignored = ERROR_INIT;
    struct judgement judgement;
    const char *cwd = json_string_value(json_object_get(call->received, "cwd"));
    cleanup_strv char **argv = tool_judge_argv(call->received, &ignored);
    if (argv == NULL)
        return true;
    if (cwd == NULL || *cwd != '/')
        cwd = suggesting->judge.workspace;
    if (tool_judge_command(&suggesting->judge, argv, cwd, &judgement, &ignored) != 0)
        return true;
    const struct approval_requirement *requirement = &judgement.requirement;
    if (requirement->kind == REQUIREMENT_NEEDS_APPROVAL && requirement->amendment != NULL) {
        bool approved = strncmp(call->decision, "approved", strlen("approved")) == 0;
        json_t *entry = entry_of(suggesting->rules, requirement->amendment);
        count_command(json_object_get(entry, approved ? "approved" : "denied"), call->command);
    }
    suggesting->commands++;
    judgement_clear(&judgement);
    return true;
}

static bool read_log(void *argument, const struct log_index *index, const char *console)
{
    static const struct log_query query = {.source = "user", .last = CALLS_MAX};
    log_query_run(index, console, &query, on_call, argument);
    return true;
}

/* ---- telling --------------------------------------------------------------------------------- */

static json_int_t total(json_t *commands)
{
    const char *command;
    json_t *times;
    json_int_t sum = 0;
    json_object_foreach(commands, command, times) sum += json_integer_value(times);
    return sum;
}

static void print_commands(json_t *commands)
{
    const char *command;
    json_t *times;
    size_t listed = 0;
    json_object_foreach(commands, command, times)
    {
        cleanup_free char *line = text_line(command, strlen(command), 100);
        if (listed++ < SHOWN_MAX)
            printf("  # %4d  %s\n", (int)json_integer_value(times), line);
    }
    if (listed > SHOWN_MAX)
        printf(_("  # and %zu more\n"), listed - SHOWN_MAX);
}

/* As lines for a rule file: what explains a rule is a comment. */
static void print_rule(const char *rule, json_t *entry)
{
    json_t *approved = json_object_get(entry, "approved");
    json_t *denied = json_object_get(entry, "denied");
    const char *words = json_string_value(json_object_get(entry, "words"));
    cleanup_free char *shown = text_line(words, strlen(words), 100);
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    text_escape(&line, rule, strlen(rule), 0);
    printf("%s\n", strbuf_str(&line));
    printf(_("  # would have answered %d questions that you approved:\n"), (int)total(approved));
    print_commands(approved);
    if (total(denied) > 0) {
        printf(_("  # WOULD ALSO HAVE ALLOWED what you did not approve:\n"));
        print_commands(denied);
    }
    printf(_("  # newly allows every command that begins with: %s\n"), shown);
}

static void print_json(const char *rule, json_t *entry)
{
    cleanup_json json_t *object = json_copy(entry);
    json_object_set_new(object, "rule", json_string(rule));
    json_object_set_new(object, "count", json_integer(total(json_object_get(entry, "approved"))));
    cleanup_free char *line = json_line(object);
    puts(line);
}

static void print_rules(const struct suggesting *suggesting, bool json)
{
    const char *rule;
    json_t *entry;
    size_t count = 0;
    json_object_foreach(suggesting->rules, rule, entry)
    {
        if (total(json_object_get(entry, "approved")) < APPROVED_LEAST)
            continue;
        count++;
        if (json)
            print_json(rule, entry);
        else
            print_rule(rule, entry);
    }
    if (count == 0 && !json)
        puts(_("# nothing that a rule could answer was approved three times"));
}

int tool_rules_suggest(const struct options *options, int count, char **files, struct error *error)
{
    (void)files;
    if (count > 0)
        return error_set(error, 0, _("rules suggest takes no arguments"));
    struct suggesting suggesting = {.rules = json_object()};
    int result = tool_judge_open(&suggesting.judge, options, error);
    if (result == 0) {
        struct rulebook *book = rulebook_open(suggesting.judge.workspace);
        tool_judge_take(&suggesting.judge, book);
        rulebook_free(&book);
        cleanup_free char *directory =
            paths_log_directory(options_string(options, OPTION_LOG_DIRECTORY));
        result = log_index_each(directory, read_log, &suggesting, error);
    }
    if (result == 0)
        print_rules(&suggesting, options_bool(options, OPTION_JSON));
    tool_judge_clear(&suggesting.judge);
    json_decref(suggesting.rules);
    return result;
}
