/* SPDX-License-Identifier: MIT */
/* `assent log`: the sessions on record, the events of one, and whether the record is whole. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "config/arguments.h"
#include "config/config_file.h"
#include "config/help.h"
#include "config/options.h"
#include "config/paths.h"
#include "record/log_view.h"
#include "tool.h"
#include "tool_log.h"

enum { WORDS_MAX = 3 };

static int show(const struct options *options, const char *directory, const char *session,
                struct error *error)
{
    const struct log_view_options view = {
        .json = options_bool(options, OPTION_JSON),
        .follow = options_bool(options, OPTION_FOLLOW),
    };
    if (session || view.follow || view.json)
        return log_view_print(directory, session, &view, stdout, error);
    return log_view_list(directory, &view, stdout, error);
}

/* Options may stand before, between and behind the words. Returns how many words, or -1. */
static int read_words(struct options *options, int argc, char **argv, const char *words[WORDS_MAX],
                      struct error *error)
{
    int count = 0;
    for (;;) {
        int rest = arguments_parse(options, SUBCOMMAND_LOG, argc, argv, error);
        if (rest < 0 || rest >= argc)
            return rest < 0 ? -1 : count;
        if (count == WORDS_MAX)
            return error_set(error, 0, _("log takes one session at most"));
        words[count++] = argv[rest];
        argc -= rest;
        argv += rest;
    }
}

static bool is_verb(const char *word)
{
    static const char *const verbs[] = {"calls", "approved", "denied", "stats", "verify"};
    return IS_IN(word, verbs);
}

/* "What did I approve today?", unless another time is asked for. */
static void ask_for_approved(struct log_query *query)
{
    query->decision = "approved";
    query->source = "user";
    if (query->since_ms == 0 && query->until_ms == 0)
        query->since_ms = clock_day_start(NULL);
}

/* "c12", as the console shows it. Leaves *call alone for other words, among which ids of sessions
 * may begin like that. */
static bool read_call(const char *word, uint64_t *call)
{
    char *end;
    if (word[0] != 'c' || word[1] < '1' || word[1] > '9')
        return false;
    uint64_t number = strtoull(word + 1, &end, 10);
    if (*end != '\0')
        return false;
    *call = number;
    return true;
}

static int run(struct options *options, int count, const char *const *words, struct error *error)
{
    if (config_file_load(options, error) < 0)
        return -1;
    cleanup_free char *directory =
        paths_log_directory(options_string(options, OPTION_LOG_DIRECTORY));
    struct log_query query;
    bool verb = count > 0 && is_verb(words[0]);
    if (tool_log_query(options, &query, error) < 0)
        return -1;
    if (verb && strcmp(words[0], "approved") == 0)
        ask_for_approved(&query);
    if (verb && strcmp(words[0], "denied") == 0)
        query.denials = true;
    const char *const *names = words + verb;
    const char *last = count > verb ? words[count - 1] : "";
    if (read_call(last, &query.call))
        count--;
    if (count - verb > 1)
        return error_set(error, 0, _("log takes one session at most"));
    const char *name = count - verb == 1 ? names[0] : NULL;
    if (verb && strcmp(words[0], "verify") == 0)
        return tool_log_verify(options, directory, name, error);
    if (verb && strcmp(words[0], "stats") == 0)
        return tool_log_stats(options, directory, name, &query, error);
    if (query.call != 0 && !verb)
        return log_view_call(directory, name, query.call, stdout, error);
    if (verb || log_query_selects(&query))
        return tool_log_calls(options, directory, name, &query, error);
    return show(options, directory, name, error);
}

int tool_log(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    const char *words[WORDS_MAX] = {NULL};
    int count = read_words(options, argc, argv, words, &error);
    int result = -1;
    if (count >= 0 && options_bool(options, OPTION_HELP))
        result = help_print(stdout, SUBCOMMAND_LOG);
    else if (count >= 0)
        result = run(options, count, words, &error);
    options_free(&options);
    if (*error.message)
        tool_complain(argv[0], &error);
    return result >= 0 && fflush(stdout) == 0 ? result : TOOL_FAILED;
}
