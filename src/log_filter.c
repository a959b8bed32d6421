/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "log_filter.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/strbuf.h"

/* ---- times ----------------------------------------------------------------------------------- */

static int64_t day_start(struct tm *day)
{
    day->tm_hour = day->tm_min = day->tm_sec = 0;
    day->tm_isdst = -1;
    return (int64_t)mktime(day) * 1000;
}

/* "90min", "7d": so long ago. -1 when it is none. */
static int64_t read_age(const char *text)
{
    static const struct {
        const char *name;
        int64_t ms;
    } units[] = {{"s", 1000}, {"min", 60000}, {"h", 3600000}, {"d", 86400000}};
    char *unit;
    long long count = strtoll(text, &unit, 10);
    for (size_t i = 0; i < COUNT(units) && unit > text; i++)
        if (strcmp(unit, units[i].name) == 0 && count >= 0 && count < 100000000)
            return clock_wall_ms(NULL) - count * units[i].ms;
    return -1;
}

static int64_t read_day(const char *text)
{
    struct tm day = {0};
    const char *end = strptime(text, "%Y-%m-%d", &day);
    return end != NULL && *end == '\0' ? day_start(&day) : -1;
}

int log_filter_time(const char *text, int64_t *ms, struct error *error)
{
    *ms = strcmp(text, "today") == 0 ? clock_day_start(NULL) : read_day(text);
    if (*ms < 0)
        *ms = read_age(text);
    if (*ms < 0)
        *ms = clock_parse_utc(text, strlen(text));
    if (*ms < 0)
        return error_set(error, 0,
                         _("\"%s\" is no time: use today, 2026-11-21, 2026-11-21T09:08:07.123Z, or "
                           "an age such as 90min or 7d"),
                         text);
    return 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The value of "NAME=VALUE" or "--NAME=VALUE"; NULL when it is another word. */
static const char *value_of(const char *word, const char *name)
{
    size_t length = strlen(name);
    word += strncmp(word, "--", 2) == 0 ? 2 : 0;
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

/* 1: it is a filter, 0: it is text, -1 with a message. */
static int take_word(struct log_query *query, const char *word, struct error *error)
{
    const struct {
        const char *name;
        const char **place;
        int64_t *time;
    } filters[] = {
        {"agent", &query->agent, NULL},    {"decision", &query->decision, NULL},
        {"by", &query->source, NULL},      {"risk", &query->risk, NULL},
        {"since", NULL, &query->since_ms}, {"until", NULL, &query->until_ms},
    };
    for (size_t i = 0; i < COUNT(filters); i++) {
        const char *value = value_of(word, filters[i].name);
        if (value == NULL)
            continue;
        if (filters[i].time != NULL)
            return log_filter_time(value, filters[i].time, error) < 0 ? -1 : 1;
        *filters[i].place = value;
        return 1;
    }
    return 0;
}

static char **split(const char *line)
{
    char **words = xcalloc(strlen(line) / 2 + 2, sizeof(*words));
    size_t count = 0;
    for (line += strspn(line, " "); *line != '\0'; line += strspn(line, " ")) {
        size_t length = strcspn(line, " ");
        words[count++] = xstrndup(line, length);
        line += length;
    }
    return words;
}

int log_filter_parse(struct log_filter *filter, const char *line, struct error *error)
{
    struct strbuf text = STRBUF_INIT;
    int result = 0;
    *filter = (struct log_filter){.words = split(line)};
    for (char **word = filter->words; *word != NULL && result >= 0; word++) {
        result = take_word(&filter->query, *word, error);
        if (result == 0)
            strbuf_addf(&text, "%s%s", text.length > 0 ? " " : "", *word);
    }
    if (strcmp(line, "approved") == 0)
        filter->query = (struct log_query){
            .decision = "approved", .source = "user", .since_ms = clock_day_start(NULL)};
    else if (strcmp(line, "denied") == 0)
        filter->query = (struct log_query){.denials = true};
    else if (text.length > 0)
        filter->query.text = filter->text = strbuf_steal(&text);
    strbuf_free(&text);
    return result < 0 ? -1 : 0;
}

void log_filter_clear(struct log_filter *filter)
{
    strv_free(&filter->words);
    free(filter->text);
}
