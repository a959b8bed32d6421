/* SPDX-License-Identifier: MIT */
/* `assent assess`: how bad a command can be. Asks the same assessor as the console does. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/loop.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "config/arguments.h"
#include "config/config_file.h"
#include "config/help.h"
#include "config/options.h"
#include "model_setup.h"
#include "risk/assessment.h"
#include "tool.h"
#include "tool_batch.h"

#define ROOTS_MAX 256

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *categories_json(unsigned categories)
{
    json_t *list = json_array();
    for (size_t i = 0; i < RISK_CATEGORY_COUNT; i++)
        if (categories & 1U << i)
            json_array_append_new(list, json_string(risk_category_name(1U << i)));
    return list;
}

static json_t *evidence_json(const struct assessment *assessment)
{
    json_t *list = json_array();
    for (size_t i = 0; i < assessment->evidence_count; i++) {
        const struct risk_evidence *evidence = &assessment->evidence[i];
        json_array_append_new(list,
                              json_pack("{s:I, s:I, s:s}", "start", (json_int_t)evidence->start,
                                        "end", (json_int_t)evidence->end, "why", evidence->why));
    }
    return list;
}

static json_t *assessment_json(const struct assessment *assessment)
{
    const char *description = assessment->description;
    return json_pack("{s:s, s:o, s:o, s:o}", "risk_level", risk_level_name(assessment->level),
                     "risk_categories", categories_json(assessment->categories), "description",
                     json_string_lossy(description, strlen(description)), "evidence",
                     evidence_json(assessment));
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_escaped(const char *text, size_t length, unsigned flags)
{
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, text, length, flags);
    puts(strbuf_str(&shown));
}

static void print_level(enum risk_level level, unsigned categories)
{
    printf(_("risk: %s"), risk_level_name(level));
    for (size_t i = 0; i < RISK_CATEGORY_COUNT; i++)
        if (categories & 1U << i)
            printf(" %s", risk_category_name(1U << i));
    putchar('\n');
}

static void print_text(const struct assessment *assessment, const char *line)
{
    cleanup_free char *description = assessment_describe(assessment);
    print_level(assessment->level, assessment->categories);
    print_escaped(description, strlen(description), TEXT_PROSE);
    for (size_t i = 0; i < assessment->evidence_count; i++) {
        const struct risk_evidence *evidence = &assessment->evidence[i];
        printf("  %s: ", _(evidence->why));
        print_escaped(line + evidence->start, evidence->end - evidence->start, 0);
    }
}

/* ---- the model ------------------------------------------------------------------------------- */

struct second {
    struct loop *loop;
    struct opinion opinion;
};

static void on_answer(void *argument, const struct opinion *opinion)
{
    struct second *second = argument;
    second->opinion = *opinion;
    loop_stop(second->loop);
}

static const char *status_words(enum opinion_status status)
{
    switch (status) {
    case OPINION_SUCCESS:
        return _("it answered");
    case OPINION_PARSE_ERROR:
        return _("its answer is not what it was asked for");
    case OPINION_NO_OUTPUT:
        return _("its answer is empty");
    case OPINION_TIMEOUT:
        return _("no answer in time");
    case OPINION_DISABLED:
        return _("none is configured (assessment.model)");
    default:
        return _("it could not be asked");
    }
}

/* Asks the configured model and waits for its answer: that is all that this program does. */
static int ask_model(const struct options *options, const struct model_question *question,
                     struct opinion *opinion, struct error *error)
{
    struct second second = {.loop = loop_new(NULL)};
    second.opinion = (struct opinion){.status = OPINION_DISABLED, .latency_ms = -1};
    struct model *model = model_setup(second.loop, options, error);
    if (model != NULL) {
        model_ask(model, question, on_answer, &second);
        loop_run(second.loop);
    }
    model_free(&model);
    loop_free(&second.loop);
    *opinion = second.opinion;
    return *error->message != '\0' ? -1 : 0;
}

static json_t *opinion_json(const struct opinion *opinion)
{
    json_t *object = json_pack("{s:s}", "status", opinion_status_name(opinion->status));
    if (opinion->status == OPINION_SUCCESS) {
        json_object_set_new(object, "risk_level", json_string(risk_level_name(opinion->level)));
        json_object_set_new(object, "risk_categories", categories_json(opinion->categories));
        json_object_set_new(object, "description",
                            json_string_lossy(opinion->description, strlen(opinion->description)));
    } else if (*opinion->detail != '\0') {
        json_object_set_new(object, "detail",
                            json_string_lossy(opinion->detail, strlen(opinion->detail)));
    }
    if (opinion->latency_ms >= 0)
        json_object_set_new(object, "latency_ms", json_integer(opinion->latency_ms));
    return object;
}

static void print_opinion(const struct opinion *opinion)
{
    printf(_("model: %s"), status_words(opinion->status));
    if (opinion->latency_ms >= 0)
        printf(_(", after %lld ms"), (long long)opinion->latency_ms);
    putchar('\n');
    if (opinion->status == OPINION_SUCCESS) {
        print_level(opinion->level, opinion->categories);
        print_escaped(opinion->description, strlen(opinion->description), TEXT_PROSE);
    } else if (*opinion->detail != '\0') {
        print_escaped(opinion->detail, strlen(opinion->detail), TEXT_PROSE);
    }
}

/* ---- questions ------------------------------------------------------------------------------- */

static json_t *answer_question(void *argument, const json_t *question, struct error *error)
{
    const char *cwd = argument;
    char **roots = NULL;
    const json_t *command = json_object_get(question, "command");
    if (!json_is_string(command)) {
        error_set(error, 0, "command: expected a string");
        return NULL;
    }
    if (json_get_string_optional(question, "cwd", &cwd, error) < 0 ||
        json_get_strv_optional(question, "writable_roots", ROOTS_MAX, &roots, error) < 0)
        return NULL;
    struct assessment assessment;
    assessment_of_line(json_string_value(command), json_string_length(command), cwd,
                       (const char *const *)roots, &assessment);
    strv_free(&roots);
    return assessment_json(&assessment);
}

static int print_json(const struct assessment *assessment, const struct opinion *opinion)
{
    cleanup_json json_t *answer = assessment_json(assessment);
    if (opinion->status != OPINION_NONE)
        json_object_set_new(answer, "model", opinion_json(opinion));
    cleanup_free char *text = json_line(answer);
    return puts(text) == EOF ? -1 : 0;
}

static int assess_one(const struct options *options, char *const *argv, const char *cwd,
                      struct error *error)
{
    const char *const roots[] = {cwd, NULL};
    struct assessment assessment;
    struct opinion opinion = {.status = OPINION_NONE};
    cleanup_free char *line = NULL;
    assessment_of_argv((const char *const *)argv, cwd, roots, &assessment, &line);
    const struct model_question question = {
        .argv = (const char *const *)argv, .line = line, .cwd = cwd, .roots = roots};
    if (options_bool(options, OPTION_ASK_MODEL) &&
        ask_model(options, &question, &opinion, error) < 0)
        return -1;
    tool_hint_script("assess", argv);
    if (options_bool(options, OPTION_JSON))
        return print_json(&assessment, &opinion);
    print_text(&assessment, line);
    if (opinion.status != OPINION_NONE)
        print_opinion(&opinion);
    return 0;
}

int tool_assess(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    int result = -1;
    int rest = arguments_parse(options, SUBCOMMAND_ASSESS, argc, argv, &error);
    bool batch = options_bool(options, OPTION_BATCH);
    cleanup_free char *cwd = getcwd(NULL, 0);
    if (rest >= 0 && options_bool(options, OPTION_HELP))
        result = help_print(stdout, SUBCOMMAND_ASSESS) == 0 ? 0 : -1;
    else if (rest >= 0 && (batch ? rest < argc : rest == argc))
        error_set(&error, 0,
                  batch ? "--batch reads standard input" : "which command? (-- COMMAND)");
    else if (rest >= 0 && batch)
        result = tool_batch_run(answer_question, cwd, &error);
    else if (rest >= 0 &&
             (!options_bool(options, OPTION_ASK_MODEL) || config_file_load(options, &error) == 0))
        result = assess_one(options, argv + rest, cwd, &error);
    options_free(&options);
    if (*error.message)
        tool_complain("assess", &error);
    return result == 0 && fflush(stdout) == 0 ? 0 : TOOL_FAILED;
}
