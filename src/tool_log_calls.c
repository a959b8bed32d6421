/* SPDX-License-Identifier: MIT */
/* `assent log calls`: the calls on record that somebody asks for. */
#include "config.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "log_filter.h"
#include "record/log_export.h"
#include "record/log_index.h"
#include "record/log_layout.h"
#include "record/log_query.h"
#include "record/log_screen.h"
#include "record/log_view.h"
#include "rulebook.h"
#include "tool_log.h"

/* 0 for no time. */
static int read_time(const struct options *options, enum option_id id, int64_t *ms,
                     struct error *error)
{
    const char *text = options_string(options, id);
    *ms = 0;
    return text[0] == '\0' ? 0 : log_filter_time(text, ms, error);
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static const char *given(const struct options *options, enum option_id id)
{
    const char *text = options_string(options, id);
    return text[0] != '\0' && strcmp(text, "any") != 0 ? text : NULL;
}

int tool_log_query(const struct options *options, struct log_query *query, struct error *error)
{
    *query = (struct log_query){.agent = given(options, OPTION_LOG_AGENT),
                                .decision = given(options, OPTION_LOG_DECISION),
                                .source = given(options, OPTION_LOG_SOURCE),
                                .risk = given(options, OPTION_LOG_RISK),
                                .text = given(options, OPTION_LOG_TEXT)};
    if (read_time(options, OPTION_LOG_SINCE, &query->since_ms, error) < 0)
        return -1;
    return read_time(options, OPTION_LOG_UNTIL, &query->until_ms, error);
}

/* ---- output ---------------------------------------------------------------------------------- */

static enum log_format format_of(const struct options *options)
{
    const char *format = options_string(options, OPTION_LOG_FORMAT);
    if (options_bool(options, OPTION_JSON) || strcmp(format, "json") == 0)
        return LOG_FORMAT_JSON;
    if (strcmp(format, "markdown") == 0)
        return LOG_FORMAT_MARKDOWN;
    return strcmp(format, "csv") == 0 ? LOG_FORMAT_CSV : LOG_FORMAT_TEXT;
}

struct printing {
    enum log_format format;
    struct log_screen screen; /* of a terminal; else columns are 0 */
    const struct log_query *query;
};

static struct printing printing_of(const struct options *options, const struct log_query *query)
{
    struct printing printing = {
        .format = format_of(options), .screen = {.out = stdout}, .query = query};
    if (printing.format == LOG_FORMAT_TEXT)
        printing.screen.columns = log_layout_columns(stdout);
    return printing;
}

static bool print_call(void *argument, const struct log_call *call)
{
    struct printing *printing = argument;
    if (printing->screen.columns > 0)
        log_screen_call(&printing->screen, call);
    else
        log_export_call(stdout, printing->format, call);
    return !ferror(stdout);
}

static bool print_finished(void *argument, const struct log_call *call)
{
    return call->finished == NULL || print_call(argument, call);
}

static bool print_unfinished(void *argument, const struct log_call *call)
{
    return call->finished != NULL || print_call(argument, call);
}

/* The calls that end in the lines from `line` on. */
static bool print_ended(const struct log_index *index, size_t line, const char *console,
                        const struct log_query *query, struct printing *printing)
{
    bool more = true;
    for (; line < log_index_count(index) && more; line++) {
        const struct log_entry *entry = log_index_at(index, line);
        struct log_query own = *query;
        if (entry->event != LOG_EVENT_FINISHED || (own.call != 0 && own.call != entry->call))
            continue;
        own.call = entry->call;
        more = log_query_run(index, console, &own, print_finished, printing);
    }
    return more;
}

/* A row has all that there is to say of a call once it has ended; those that never did come when
 * the console has. */
static void follow(struct log_index *index, const char *console, const struct log_query *query,
                   struct printing *printing)
{
    bool live = log_index_live(index);
    log_index_update(index);
    size_t line = log_index_count(index);
    bool more = log_query_run(index, console, query, print_finished, printing);
    while (live && more && fflush(stdout) == 0) {
        poll(NULL, 0, LOG_VIEW_FOLLOW_MS);
        live = log_index_live(index);
        log_index_update(index);
        more = print_ended(index, line, console, query, printing);
        line = log_index_count(index);
    }
    if (more)
        log_query_run(index, console, query, print_unfinished, printing);
}

static int print_named(const char *directory, const char *name, const struct log_query *query,
                       struct printing *printing, bool follows, struct error *error)
{
    struct log_query own = *query;
    char *console;
    struct log_index *index = log_view_open(directory, name, &own.session, &console, error);
    if (index == NULL)
        return -1;
    if (follows)
        follow(index, console, &own, printing);
    else
        log_query_run(index, console, &own, print_call, printing);
    log_index_free(&index);
    free(console);
    return 0;
}

static bool print_one(void *argument, const struct log_index *index, const char *console)
{
    struct printing *printing = argument;
    return log_query_run(index, console, printing->query, print_call, printing);
}

static int print_calls(const struct options *options, const char *directory, const char *name,
                       const struct log_query *query, struct error *error)
{
    struct printing printing = printing_of(options, query);
    bool follows = options_bool(options, OPTION_FOLLOW);
    log_export_begin(stdout, printing.format);
    /* Without a name, of one that goes on it is the newest. */
    if (name != NULL || follows)
        return print_named(directory, name, query, &printing, follows, error);
    return log_index_each(directory, print_one, &printing, error);
}

int tool_log_calls(const struct options *options, const char *directory, const char *name,
                   const struct log_query *query, struct error *error)
{
    struct rulebook *rules = NULL; /* as they are now */
    struct log_query own = *query;
    own.keeps_rule = rulebook_keeps;
    own.keeper = &rules;
    int result = print_calls(options, directory, name, &own, error);
    rulebook_free(&rules);
    return result;
}
