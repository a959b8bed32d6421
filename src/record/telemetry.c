/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/telemetry.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/random.h"
#include "network/http.h"
#include "record/metrics.h"
#include "record/telemetry_options.h"

#define ANSWER_MAX 65536

struct telemetry {
    struct loop *loop;
    struct http *http;
    struct http_transfer *transfer; /* under way, or NULL */
    struct loop_timer *timer;
    struct telemetry_options options;
    struct metrics *metrics;
    bool changed;     /* something was counted that no batch holds which was taken */
    int64_t pause_ms; /* before the next try, 0: the last one was taken */
    bool complained;
    void (*complain)(void *argument, const char *message);
    void *argument;
};

/* ---- sending --------------------------------------------------------------------------------- */

static void start_timer(struct telemetry *telemetry, int64_t ms)
{
    if (telemetry->transfer == NULL && !loop_timer_running(telemetry->timer))
        loop_timer_start(telemetry->timer, ms);
}

/* Several consoles whose collector comes back do not all try at the same moment. */
static int64_t jittered(int64_t ms)
{
    uint16_t random;
    random_fill(&random, sizeof(random));
    return ms / 2 + ms / 2 * random / UINT16_MAX;
}

static bool may_pass(const struct http_answer *answer)
{
    if (answer->outcome == HTTP_ANSWERED)
        return answer->status == 429 || answer->status == 502 || answer->status == 503 ||
               answer->status == 504;
    return answer->outcome == HTTP_TIMED_OUT || answer->outcome == HTTP_RESET ||
           answer->outcome == HTTP_FAILED;
}

static void complain(struct telemetry *telemetry, const struct http_answer *answer)
{
    if (telemetry->complained || telemetry->complain == NULL)
        return;
    telemetry->complained = true;
    cleanup_free char *message =
        answer->outcome == HTTP_ANSWERED
            ? xasprintf("telemetry is not taken: the collector answers with status %ld",
                        answer->status)
            : xasprintf("telemetry cannot be sent: %s (OTEL_EXPORTER_OTLP_ENDPOINT)",
                        answer->message != NULL ? answer->message : "no answer");
    telemetry->complain(telemetry->argument, message);
}

static void pause_sending(struct telemetry *telemetry, const struct http_answer *answer)
{
    int64_t asked = answer->retry_after_s * 1000;
    telemetry->pause_ms =
        telemetry->pause_ms == 0 ? TELEMETRY_PAUSE_FIRST_MS : telemetry->pause_ms * 2;
    if (telemetry->pause_ms > TELEMETRY_PAUSE_LONGEST_MS)
        telemetry->pause_ms = TELEMETRY_PAUSE_LONGEST_MS;
    if (asked > TELEMETRY_PAUSE_LONGEST_MS)
        asked = TELEMETRY_PAUSE_LONGEST_MS;
    int64_t pause = jittered(telemetry->pause_ms);
    start_timer(telemetry, asked > pause ? asked : pause);
}

static void on_done(void *argument, const struct http_answer *answer)
{
    struct telemetry *telemetry = argument;
    bool taken = answer->outcome == HTTP_ANSWERED && answer->status >= 200 && answer->status < 300;
    telemetry->transfer = NULL;
    if (!taken)
        complain(telemetry, answer);
    if (!taken && may_pass(answer)) {
        telemetry->changed = true;
        pause_sending(telemetry, answer);
        return;
    }
    telemetry->pause_ms = 0;
    if (telemetry->changed)
        start_timer(telemetry, telemetry->options.interval_ms);
}

static void send_batch(void *argument)
{
    struct telemetry *telemetry = argument;
    cleanup_json json_t *request =
        metrics_request(telemetry->metrics, (const char *const *)telemetry->options.resource,
                        clock_wall_ms(loop_clock(telemetry->loop)));
    if (request == NULL || telemetry->transfer != NULL)
        return;
    cleanup_free char *body = json_line(request);
    const struct http_post post = {
        .url = telemetry->options.url,
        .body = body,
        .length = strlen(body),
        .headers = (const char *const *)telemetry->options.headers,
        .ca_file = telemetry->options.ca_file,
        .answer_max = ANSWER_MAX,
        .connect_ms = telemetry->options.timeout_ms,
        .total_ms = telemetry->options.timeout_ms,
    };
    struct error error = ERROR_INIT;
    telemetry->changed = false;
    telemetry->transfer = http_post(telemetry->http, &post, on_done, telemetry, &error);
    if (telemetry->transfer == NULL)
        complain(telemetry,
                 &(struct http_answer){.outcome = HTTP_FAILED, .message = error.message});
}

static void note_change(struct telemetry *telemetry)
{
    telemetry->changed = true;
    start_timer(telemetry, telemetry->options.interval_ms);
}

/* ---- counting -------------------------------------------------------------------------------- */

static void on_decided(void *argument, const struct call *call, const struct prompt *prompt)
{
    struct telemetry *telemetry = argument;
    const char *tool = call_tool_name(call->tool), *kind = review_kind_name(call->decision.kind);
    const char *const asked[] = {"tool", tool, "approved", kind, NULL};
    const char *const decided[] = {"tool", tool,     "decision",
                                   kind,   "source", decision_source_name(call->decision.source),
                                   NULL};
    if (prompt != NULL)
        metrics_count(telemetry->metrics, METRIC_APPROVAL_REQUESTED, asked);
    metrics_count(telemetry->metrics, METRIC_TOOL_DECISION, decided);
    note_change(telemetry);
}

/* NULL when it simply ended, or ran without a sandbox at once. */
static const char *outcome_of(const struct call *call)
{
    const struct attempt *first = &call->attempts[0];
    if (call->attempt_count == 0 || first->type == SANDBOX_TYPE_NONE)
        return NULL;
    if (call->attempt_count > 1)
        return "escalated";
    if (first->denial != NULL)
        return "denied";
    if (first->result.timed_out)
        return "timed_out";
    return first->result.outcome == RUN_SIGNALED ? "signal" : NULL;
}

static void count_outcome(struct telemetry *telemetry, const struct call *call)
{
    const char *outcome = outcome_of(call);
    if (outcome == NULL)
        return;
    const char *const attributes[] = {"tool", call_tool_name(call->tool), "outcome", outcome, NULL};
    metrics_count(telemetry->metrics, METRIC_SANDBOX_OUTCOME, attributes);
    metrics_record(telemetry->metrics, METRIC_SANDBOX_OUTCOME_INITIAL, attributes,
                   call->attempts[0].result.duration_ms);
    if (call->attempt_count > 1)
        metrics_record(telemetry->metrics, METRIC_SANDBOX_OUTCOME_ESCALATED, attributes,
                       call->attempts[1].result.duration_ms);
}

static char *categories_of(unsigned categories)
{
    char *text = xstrdup("");
    for (unsigned i = 0; i < RISK_CATEGORY_COUNT; i++) {
        if ((categories & 1U << i) == 0)
            continue;
        char *longer = xasprintf("%s%s%s", text, *text != '\0' ? ", " : "",
                                 risk_category_name((enum risk_category)(1U << i)));
        free(text);
        text = longer;
    }
    return text;
}

static void count_assessment(struct telemetry *telemetry, const struct call *call)
{
    const struct opinion *opinion = &call->opinion;
    if (opinion->status == OPINION_NONE || opinion->status == OPINION_ASKING ||
        opinion->status == OPINION_DISABLED)
        return;
    const char *status = opinion_status_name(opinion->status);
    cleanup_free char *categories = categories_of(opinion->categories);
    const char *const failed[] = {"status", status, NULL};
    const char *const assessed[] = {
        "status",          status,     "risk_level", risk_level_name(opinion->level),
        "risk_categories", categories, NULL};
    metrics_count(telemetry->metrics, METRIC_SANDBOX_ASSESSMENT,
                  opinion->status == OPINION_SUCCESS ? assessed : failed);
    if (opinion->latency_ms >= 0)
        metrics_record(telemetry->metrics, METRIC_SANDBOX_ASSESSMENT_LATENCY, failed,
                       opinion->latency_ms);
}

static void on_finished(void *argument, const struct call *call)
{
    struct telemetry *telemetry = argument;
    count_outcome(telemetry, call);
    count_assessment(telemetry, call);
    note_change(telemetry);
}

const struct observer *telemetry_observer(void)
{
    static const struct observer observer = {
        .name = "telemetry", .decided = on_decided, .finished = on_finished};
    return &observer;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void free_telemetry(struct telemetry **place)
{
    struct telemetry *telemetry = *place;
    loop_timer_free(&telemetry->timer);
    http_free(&telemetry->http);
    metrics_free(&telemetry->metrics);
    telemetry_options_clear(&telemetry->options);
    free(telemetry);
    *place = NULL;
}

struct telemetry *telemetry_new(struct loop *loop, const char *const *environment,
                                void (*complain_to)(void *argument, const char *message),
                                void *argument, struct error *error)
{
    struct telemetry *telemetry = XNEW(struct telemetry);
    telemetry->loop = loop;
    telemetry->complain = complain_to;
    telemetry->argument = argument;
    telemetry->metrics = metrics_new(clock_wall_ms(loop_clock(loop)));
    if (telemetry_options_read(environment, &telemetry->options, error) == 1)
        telemetry->http = http_new(loop, error);
    if (telemetry->http == NULL)
        free_telemetry(&telemetry);
    else
        telemetry->timer = loop_timer_new(loop, send_batch, telemetry);
    return telemetry;
}

void telemetry_free(struct telemetry **place)
{
    struct telemetry *telemetry = *place;
    if (telemetry == NULL)
        return;
    int64_t end = clock_monotonic_ms(NULL) + TELEMETRY_END_MS, now = 0;
    telemetry->complain = NULL;
    loop_timer_stop(telemetry->timer);
    if (telemetry->changed && telemetry->transfer == NULL)
        send_batch(telemetry);
    while (telemetry->transfer != NULL && (now = clock_monotonic_ms(NULL)) < end &&
           loop_step(telemetry->loop, (int)(end - now)))
        continue;
    free_telemetry(place);
}
