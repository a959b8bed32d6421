/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "rule_lab.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "config/paths.h"
#include "log_reading.h"
#include "rule_suggest.h"
#include "rule_uses.h"

struct rule_lab {
    struct tool_judge now, with; /* without and with the rules that only report */
    struct log_reading *reading; /* NULL once the record has been read */
    struct rule_suggest *suggest;
    struct rule_uses *uses;
};

static int open_judge(const struct rule_lab_setup *setup, struct tool_judge *judge,
                      struct error *error)
{
    if (tool_judge_open(judge, setup->options, error) != 0)
        return -1;
    free(judge->workspace);
    judge->workspace = xstrdup(setup->session->context->root);
    judge->context = turn_context_ref(setup->session->context);
    rule_files_lend(setup->files, judge);
    return 0;
}

/* ---- what the rules did ---------------------------------------------------------------------- */

static void use_command(struct rule_lab *lab, char *const *argv, const char *cwd)
{
    struct judgement before, after;
    if (tool_judge_command(&lab->now, argv, cwd, &before, NULL) != 0)
        return;
    if (tool_judge_command(&lab->with, argv, cwd, &after, NULL) == 0) {
        rule_uses_command(lab->uses, &before, &after);
        judgement_clear(&after);
    }
    judgement_clear(&before);
}

static bool on_call(void *argument, const struct log_call *call)
{
    struct rule_lab *lab = argument;
    struct error ignored = ERROR_INIT;
    struct tool_judge_connection asked;
    const char *cwd = json_string_value(json_object_get(call->received, "cwd"));
    if (cwd == NULL || *cwd != '/')
        return true;
    if (tool_judge_connection(&lab->now, call->received, cwd, &asked)) {
        rule_uses_connection(lab->uses, &asked.to);
        tool_judge_connection_clear(&asked);
        return true;
    }
    cleanup_strv char **argv = tool_judge_argv(call->received, &ignored);
    if (argv != NULL)
        use_command(lab, argv, cwd);
    return true;
}

/* ---- from beginning to end ------------------------------------------------------------------- */

void *rule_lab_begin(void *argument, bool suggest, struct error *error)
{
    static const struct log_query asked = {.source = "user", .last = RULE_SUGGEST_CALLS_MAX},
                                  all = {.last = RULE_SUGGEST_CALLS_MAX};
    const struct rule_lab_setup *setup = argument;
    struct rule_lab *lab = XNEW(struct rule_lab);
    if (open_judge(setup, &lab->now, error) != 0 || open_judge(setup, &lab->with, error) != 0) {
        rule_lab_end(lab);
        return NULL;
    }
    lab->with.shadow = true;
    if (suggest)
        lab->suggest = rule_suggest_new(&lab->now, true);
    else
        lab->uses = rule_uses_new(lab->with.rules);
    cleanup_free char *directory =
        paths_log_directory(options_string(setup->options, OPTION_LOG_DIRECTORY));
    lab->reading = log_reading_new_calls(directory, NULL, suggest ? &asked : &all,
                                         suggest ? rule_suggest_call : on_call,
                                         suggest ? (void *)lab->suggest : lab);
    return lab;
}

bool rule_lab_step(void *argument)
{
    struct rule_lab *lab = argument;
    if (lab->reading != NULL) {
        if (!log_reading_step(lab->reading))
            log_reading_free(&lab->reading);
        return true;
    }
    return lab->suggest != NULL && rule_suggest_step(lab->suggest);
}

const struct rule_suggestion *rule_lab_suggestion(const void *argument, size_t index)
{
    const struct rule_lab *lab = argument;
    return rule_suggest_at(lab->suggest, index);
}

bool rule_lab_use(const void *argument, size_t index, struct rule_use *use)
{
    const struct rule_lab *lab = argument;
    return rule_uses_at(lab->uses, index, use);
}

void rule_lab_end(void *argument)
{
    struct rule_lab *lab = argument;
    log_reading_free(&lab->reading);
    rule_suggest_free(&lab->suggest);
    rule_uses_free(&lab->uses);
    tool_judge_clear(&lab->now);
    tool_judge_clear(&lab->with);
    free(lab);
}
