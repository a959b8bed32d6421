/* SPDX-License-Identifier: MIT */
/*
 * metrics: counters and histograms, and their form in OpenTelemetry's protocol (OTLP, JSON).
 *
 * They are cumulative: what could not be sent is in the next batch as well. Attributes are words of
 * ours, never an agent's text. Different sets of them are limited: what comes beyond goes into one
 * that says so, as OpenTelemetry's specification has it.
 */
#ifndef ASSENT_RECORD_METRICS_H
#define ASSENT_RECORD_METRICS_H

#include <jansson.h>
#include <stdint.h>

#define METRICS_SERIES_MAX 500 /* sets of attributes, of all metrics together */

enum metric {
    METRIC_APPROVAL_REQUESTED,
    METRIC_TOOL_DECISION,
    METRIC_SANDBOX_OUTCOME,
    METRIC_SANDBOX_OUTCOME_INITIAL, /* milliseconds, as those below */
    METRIC_SANDBOX_OUTCOME_ESCALATED,
    METRIC_SANDBOX_ASSESSMENT,
    METRIC_SANDBOX_ASSESSMENT_LATENCY,
    METRIC_COUNT,
};

struct metrics;

struct metrics *metrics_new(int64_t started_wall_ms);
void metrics_free(struct metrics **metrics);
/* Adds one to a counter. `attributes`: names and values by turns, NULL-terminated; copied. */
void metrics_count(struct metrics *metrics, enum metric metric, const char *const *attributes);
/* Adds a value to a histogram. */
void metrics_record(struct metrics *metrics, enum metric metric, const char *const *attributes,
                    int64_t ms);

/* An ExportMetricsServiceRequest; `resource`: names and values by turns, NULL-terminated. A new
 * reference; NULL when nothing was counted yet. */
json_t *metrics_request(const struct metrics *metrics, const char *const *resource,
                        int64_t now_wall_ms);

#endif
