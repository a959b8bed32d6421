/* SPDX-License-Identifier: MIT */
/* `assent rules suggest`: rules for what the operator has approved again and again. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "config/paths.h"
#include "record/log_index.h"
#include "record/log_query.h"
#include "rule_suggest.h"
#include "tool_rules_import.h"

#define SHOWN_MAX 10 /* commands of a rule that are listed */

static bool read_log(void *argument, const struct log_index *index, const char *console)
{
    static const struct log_query query = {.source = "user", .last = RULE_SUGGEST_CALLS_MAX};
    log_query_run(index, console, &query, rule_suggest_call, argument);
    return true;
}

/* ---- telling --------------------------------------------------------------------------------- */

/* Those that were approved, or those that were not. */
static void print_commands(const struct rule_suggestion *rule, bool approved)
{
    size_t listed = 0;
    for (size_t i = 0; i < rule->count; i++) {
        const struct rule_evidence *one = &rule->evidence[i];
        size_t times = approved ? one->approved : one->denied;
        if (times == 0)
            continue;
        cleanup_free char *line = text_line(one->line, strlen(one->line), 100);
        if (listed++ < SHOWN_MAX)
            printf("  # %4zu  %s%s\n", times, line,
                   strcmp(one->risk, "high") == 0 ? _("  (high risk)") : "");
    }
    if (listed > SHOWN_MAX)
        printf(_("  # and %zu more\n"), listed - SHOWN_MAX);
}

/* As lines for a rule file: what explains a rule is a comment. */
static void print_rule(const struct rule_suggestion *rule)
{
    cleanup_free char *shown = text_line(rule->words, strlen(rule->words), 100);
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    text_escape(&line, rule->rule, strlen(rule->rule), 0);
    printf("%s\n", strbuf_str(&line));
    printf(_("  # would have answered %d questions that you approved:\n"), (int)rule->approved);
    print_commands(rule, true);
    if (rule->denied > 0) {
        printf(_("  # WOULD ALSO HAVE ALLOWED what you did not approve:\n"));
        print_commands(rule, false);
    }
    if (rule->place)
        printf(_("  # newly lets what only reads read there: %s\n"), shown);
    else if (rule->exact)
        printf(_("  # newly allows exactly this: %s\n"), shown);
    else
        printf(_("  # newly allows every command that begins with: %s\n"), shown);
}

static json_t *times_of(const struct rule_suggestion *rule, bool approved)
{
    json_t *commands = json_object();
    for (size_t i = 0; i < rule->count; i++) {
        const struct rule_evidence *one = &rule->evidence[i];
        size_t times = approved ? one->approved : one->denied;
        json_t *key = json_string_lossy(one->line, strlen(one->line));
        /* The same in several directories. */
        json_int_t before = json_integer_value(json_object_get(commands, json_string_value(key)));
        if (times > 0)
            json_object_set_new(commands, json_string_value(key),
                                json_integer(before + (json_int_t)times));
        json_decref(key);
    }
    return commands;
}

static void print_json(const struct rule_suggestion *rule)
{
    cleanup_json json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:I, s:b, s:b}", "words",
        json_string_lossy(rule->words, strlen(rule->words)), "approved", times_of(rule, true),
        "denied", times_of(rule, false), "rule", json_string_lossy(rule->rule, strlen(rule->rule)),
        "count", (json_int_t)rule->approved, "exact", (int)rule->exact, "high_risk",
        (int)rule->high);
    cleanup_free char *line = json_line(object);
    puts(line);
}

static void print_rules(const struct rule_suggest *suggest, bool json)
{
    const struct rule_suggestion *rule;
    /* The console's list, made of the same record, is another. */
    if (!json)
        puts(_("# of your answers in all projects, for all projects; :suggest in a console: of its "
               "own"));
    for (size_t i = 0; (rule = rule_suggest_at(suggest, i)) != NULL; i++) {
        if (json)
            print_json(rule);
        else
            print_rule(rule);
    }
    if (rule_suggest_at(suggest, 0) == NULL && !json)
        puts(_("# nothing that a rule could answer was approved three times"));
}

int tool_rules_suggest(const struct options *options, int count, char **files, struct error *error)
{
    (void)files;
    if (count > 0)
        return error_set(error, 0, _("rules suggest takes no arguments"));
    struct tool_judge judge;
    struct rule_suggest *suggest = NULL;
    int result = tool_judge_open(&judge, options, error);
    if (result == 0) {
        struct rulebook *book = rulebook_open(judge.workspace);
        tool_judge_take(&judge, book);
        rulebook_free(&book);
        suggest = rule_suggest_new(&judge, false);
        cleanup_free char *directory =
            paths_log_directory(options_string(options, OPTION_LOG_DIRECTORY));
        result = log_index_each(directory, read_log, suggest, error);
    }
    if (result == 0) {
        while (rule_suggest_step(suggest))
            continue;
        print_rules(suggest, options_bool(options, OPTION_JSON));
    }
    rule_suggest_free(&suggest);
    tool_judge_clear(&judge);
    return result;
}
