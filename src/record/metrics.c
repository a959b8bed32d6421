/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/metrics.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"

enum { CUMULATIVE = 2 }; /* AGGREGATION_TEMPORALITY_CUMULATIVE */

static const struct {
    const char *name, *unit, *description;
    bool histogram;
} table[METRIC_COUNT] = {
    [METRIC_APPROVAL_REQUESTED] = {"assent.approval.requested", "{request}",
                                   "Requests that the operator was asked about", false},
    [METRIC_TOOL_DECISION] = {"assent.tool_decision", "{decision}",
                              "Decisions about calls, and what took them", false},
    [METRIC_SANDBOX_OUTCOME] = {"assent.sandbox_outcome", "{call}",
                                "Sandboxed calls that did not simply end", false},
    [METRIC_SANDBOX_OUTCOME_INITIAL] = {"assent.sandbox_outcome.initial_duration", "ms",
                                        "How long the first attempt of such a call ran", true},
    [METRIC_SANDBOX_OUTCOME_ESCALATED] = {"assent.sandbox_outcome.escalated_duration", "ms",
                                          "How long its second attempt ran", true},
    [METRIC_SANDBOX_ASSESSMENT] = {"assent.sandbox_assessment", "{assessment}",
                                   "Assessments by a model", false},
    [METRIC_SANDBOX_ASSESSMENT_LATENCY] = {"assent.sandbox_assessment_latency", "ms",
                                           "How long a model took to assess", true},
};

static const double bounds[] = {5,    10,   25,   50,    75,    100,   250,   500,
                                1000, 2500, 5000, 10000, 30000, 60000, 300000};
#define BOUND_COUNT (COUNT(bounds))

/* One set of attributes of a metric. */
struct series {
    enum metric metric;
    char **attributes;
    uint64_t count;
    uint64_t buckets[BOUND_COUNT + 1]; /* histograms, as the rest */
    int64_t sum, least, most;
};

struct metrics {
    int64_t started_ms;
    struct series *series;
    size_t count;
};

struct metrics *metrics_new(int64_t started_wall_ms)
{
    struct metrics *metrics = XNEW(struct metrics);
    metrics->started_ms = started_wall_ms;
    return metrics;
}

void metrics_free(struct metrics **place)
{
    struct metrics *metrics = *place;
    if (metrics == NULL)
        return;
    for (size_t i = 0; i < metrics->count; i++)
        strv_free(&metrics->series[i].attributes);
    free(metrics->series);
    free(metrics);
    *place = NULL;
}

/* ---- counting -------------------------------------------------------------------------------- */

static bool same(char *const *have, const char *const *wanted)
{
    while (*have != NULL && *wanted != NULL && strcmp(*have, *wanted) == 0) {
        have++;
        wanted++;
    }
    return *have == NULL && *wanted == NULL;
}

static struct series *find(const struct metrics *metrics, enum metric metric,
                           const char *const *attributes)
{
    for (size_t i = 0; i < metrics->count; i++)
        if (metrics->series[i].metric == metric && same(metrics->series[i].attributes, attributes))
            return &metrics->series[i];
    return NULL;
}

static struct series *series_of(struct metrics *metrics, enum metric metric,
                                const char *const *attributes)
{
    static const char *const overflow[] = {"otel.metric.overflow", "true", NULL};
    struct series *series = find(metrics, metric, attributes);
    if (series != NULL)
        return series;
    /* There is one place more for each metric. */
    if (metrics->count >= METRICS_SERIES_MAX) {
        series = find(metrics, metric, overflow);
        attributes = overflow;
    }
    if (series != NULL)
        return series;
    metrics->series = xreallocarray(metrics->series, metrics->count + 1, sizeof(*metrics->series));
    series = &metrics->series[metrics->count++];
    *series = (struct series){.metric = metric, .attributes = strv_copy(attributes)};
    return series;
}

void metrics_count(struct metrics *metrics, enum metric metric, const char *const *attributes)
{
    series_of(metrics, metric, attributes)->count++;
}

void metrics_record(struct metrics *metrics, enum metric metric, const char *const *attributes,
                    int64_t ms)
{
    struct series *series = series_of(metrics, metric, attributes);
    size_t bucket = 0;
    while (bucket < BOUND_COUNT && (double)ms > bounds[bucket])
        bucket++;
    series->buckets[bucket]++;
    series->least = series->count == 0 || ms < series->least ? ms : series->least;
    series->most = series->count == 0 || ms > series->most ? ms : series->most;
    series->sum += ms;
    series->count++;
}

/* ---- OTLP ------------------------------------------------------------------------------------ */

/* Whole numbers of 64 bits are strings in Protocol Buffers' JSON. */
static json_t *whole(uint64_t number)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, number);
    return json_string(text);
}

static json_t *nanoseconds(int64_t wall_ms)
{
    return whole((uint64_t)wall_ms * 1000000);
}

static json_t *attributes_json(const char *const *attributes)
{
    json_t *list = json_array();
    for (; attributes[0] != NULL && attributes[1] != NULL; attributes += 2)
        json_array_append_new(list, json_pack("{s:s, s:{s:s}}", "key", attributes[0], "value",
                                              "stringValue", attributes[1]));
    return list;
}

static void put_histogram(json_t *point, const struct series *series)
{
    json_t *counts = json_array(), *edges = json_array();
    for (size_t i = 0; i <= BOUND_COUNT; i++)
        json_array_append_new(counts, whole(series->buckets[i]));
    for (size_t i = 0; i < BOUND_COUNT; i++)
        json_array_append_new(edges, json_real(bounds[i]));
    json_object_set_new(point, "count", whole(series->count));
    json_object_set_new(point, "sum", json_real((double)series->sum));
    json_object_set_new(point, "min", json_real((double)series->least));
    json_object_set_new(point, "max", json_real((double)series->most));
    json_object_set_new(point, "bucketCounts", counts);
    json_object_set_new(point, "explicitBounds", edges);
}

static json_t *point_json(const struct metrics *metrics, const struct series *series,
                          int64_t now_ms)
{
    json_t *point = json_pack(
        "{s:o, s:o, s:o}", "attributes", attributes_json((const char *const *)series->attributes),
        "startTimeUnixNano", nanoseconds(metrics->started_ms), "timeUnixNano", nanoseconds(now_ms));
    if (table[series->metric].histogram)
        put_histogram(point, series);
    else
        json_object_set_new(point, "asInt", whole(series->count));
    return point;
}

/* NULL when nothing was counted. */
static json_t *metric_json(const struct metrics *metrics, enum metric metric, int64_t now_ms)
{
    json_t *points = json_array();
    for (size_t i = 0; i < metrics->count; i++)
        if (metrics->series[i].metric == metric)
            json_array_append_new(points, point_json(metrics, &metrics->series[i], now_ms));
    if (json_array_size(points) == 0) {
        json_decref(points);
        return NULL;
    }
    json_t *data =
        json_pack("{s:i, s:o}", "aggregationTemporality", CUMULATIVE, "dataPoints", points);
    if (!table[metric].histogram)
        json_object_set_new(data, "isMonotonic", json_true());
    return json_pack("{s:s, s:s, s:s, s:o}", "name", table[metric].name, "description",
                     table[metric].description, "unit", table[metric].unit,
                     table[metric].histogram ? "histogram" : "sum", data);
}

json_t *metrics_request(const struct metrics *metrics, const char *const *resource,
                        int64_t now_wall_ms)
{
    if (metrics->count == 0)
        return NULL;
    json_t *list = json_array();
    for (int metric = 0; metric < METRIC_COUNT; metric++) {
        json_t *object = metric_json(metrics, (enum metric)metric, now_wall_ms);
        if (object != NULL)
            json_array_append_new(list, object);
    }
    return json_pack("{s:[{s:{s:o}, s:[{s:{s:s, s:s}, s:o}]}]}", "resourceMetrics", "resource",
                     "attributes", attributes_json(resource), "scopeMetrics", "scope", "name",
                     "assent", "version", PACKAGE_VERSION, "metrics", list);
}
