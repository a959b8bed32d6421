/* SPDX-License-Identifier: MIT */
/* `assent log stats`: what the operator is asked for, so that it shows what to allow. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"
#include "log_stats_text.h"
#include "record/log_index.h"
#include "record/log_stats.h"
#include "record/log_view.h"
#include "tool_log.h"

static int add_named(struct log_stats *stats, const char *directory, const char *name,
                     const struct log_query *query, struct error *error)
{
    struct log_query own = *query;
    char *console;
    struct log_index *index = log_view_open(directory, name, &own.session, &console, error);
    if (index == NULL)
        return -1;
    log_stats_add(stats, index, &own);
    log_index_free(&index);
    free(console);
    return 0;
}

struct adding {
    struct log_stats *stats;
    const struct log_query *query;
};

static bool add_one(void *argument, const struct log_index *index, const char *console)
{
    struct adding *adding = argument;
    (void)console;
    log_stats_add(adding->stats, index, adding->query);
    return true;
}

int tool_log_stats(const struct options *options, const char *directory, const char *name,
                   const struct log_query *query, struct error *error)
{
    if (query->agent != NULL || query->decision != NULL || query->source != NULL ||
        query->risk != NULL || query->text != NULL || query->call != 0)
        return error_set(error, 0, _("log stats takes a session, --since and --until only"));
    struct log_stats *stats = log_stats_new();
    struct adding all = {.stats = stats, .query = query};
    int result = name != NULL ? add_named(stats, directory, name, query, error)
                              : log_index_each(directory, add_one, &all, error);
    cleanup_json json_t *told = result == 0 ? log_stats_result(stats) : NULL;
    if (result == 0 && options_bool(options, OPTION_JSON)) {
        cleanup_free char *line = json_dumps(told, JSON_COMPACT | JSON_REAL_PRECISION(6));
        puts(line);
    } else if (result == 0) {
        log_stats_text(told, stdout);
    }
    log_stats_free(&stats);
    return result;
}
