/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "log_reading.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "log_stats_text.h"
#include "record/log_screen.h"
#include "record/log_stats.h"

struct log_reading {
    struct log_query query;
    char **wanted; /* consoles; NULL: all */
    struct log_files files;
    size_t at; /* the log that is read */
    struct log_index *index;
    bool indexed; /* the index is whole */
    struct log_search *search;
    struct log_stats *stats;
    size_t line; /* that is counted next */
    char *rows;
    size_t length;
    FILE *out; /* into `rows`; NULL: no memory */
    struct log_screen screen;
    bool (*found)(void *argument, const struct log_call *call);
    void *argument;
};

static bool print_call(void *argument, const struct log_call *call)
{
    log_screen_call(argument, call);
    return true;
}

struct log_reading *log_reading_new(const char *directory, const char *const *wanted,
                                    const struct log_query *query, bool stats, size_t columns)
{
    struct log_reading *reading = XNEW(struct log_reading);
    reading->query = *query;
    reading->wanted = strv_copy(wanted);
    reading->stats = stats ? log_stats_new() : NULL;
    reading->out = open_memstream(&reading->rows, &reading->length);
    reading->screen.out = reading->out;
    reading->screen.columns = columns;
    reading->found = print_call;
    reading->argument = &reading->screen;
    if (log_files_find(directory, &reading->files, NULL) < 0)
        reading->files = (struct log_files){0};
    return reading;
}

struct log_reading *
log_reading_new_calls(const char *directory, const char *const *wanted,
                      const struct log_query *query,
                      bool (*found)(void *argument, const struct log_call *call), void *argument)
{
    struct log_reading *reading = log_reading_new(directory, wanted, query, false, 0);
    reading->found = found;
    reading->argument = argument;
    return reading;
}

static bool is_wanted(const struct log_reading *reading, const char *console)
{
    return !reading->wanted || strv_has((const char *const *)reading->wanted, console);
}

static void next_log(struct log_reading *reading)
{
    log_search_free(&reading->search);
    log_index_free(&reading->index);
    reading->indexed = false;
    reading->line = 0;
    reading->at++;
}

/* A log that cannot be read has nothing to show. */
static void begin_log(struct log_reading *reading)
{
    const struct log_file *file = &reading->files.items[reading->at];
    if (is_wanted(reading, file->console))
        reading->index = log_index_begin(file, NULL);
    if (!reading->index)
        next_log(reading);
}

static bool read_log(struct log_reading *reading)
{
    if (reading->stats)
        return log_stats_step(reading->stats, reading->index, &reading->query, &reading->line);
    if (!reading->search)
        reading->search = log_search_new(reading->index, reading->files.items[reading->at].console,
                                         &reading->query);
    return log_search_step(reading->search, reading->found, reading->argument);
}

bool log_reading_step(struct log_reading *reading)
{
    if (!reading->out || reading->at == reading->files.count)
        return false;
    if (!reading->index)
        begin_log(reading);
    else if (!reading->indexed)
        reading->indexed = !log_index_step(reading->index);
    else if (!read_log(reading))
        next_log(reading);
    return reading->at < reading->files.count;
}

char *log_reading_text(struct log_reading *reading)
{
    if (!reading->out)
        return xstrdup("");
    if (reading->stats) {
        cleanup_json json_t *told = log_stats_result(reading->stats);
        log_stats_text(told, reading->out);
    }
    fflush(reading->out);
    bool ends = reading->length > 0 && reading->rows[reading->length - 1] == '\n';
    return xstrndup(reading->rows, reading->length - (ends ? 1 : 0));
}

void log_reading_free(struct log_reading **place)
{
    struct log_reading *reading = *place;
    if (!reading)
        return;
    log_search_free(&reading->search);
    log_index_free(&reading->index);
    log_stats_free(&reading->stats);
    log_files_clear(&reading->files);
    if (reading->out)
        fclose(reading->out);
    free(reading->rows);
    strv_free(&reading->wanted);
    free(reading);
    *place = NULL;
}
