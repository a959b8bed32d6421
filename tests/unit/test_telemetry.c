/* SPDX-License-Identifier: MIT */
/* What is counted, how it is sent over real sockets, and what happens when it is not taken. */
#include "config.h"

#include "record/telemetry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "http_fixture.h"
#include "record/metrics.h"
#include "record/telemetry_options.h"

#define TAKEN "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
#define BUSY "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
#define WRONG "HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n"
#define STEP_MS 50

struct fixture {
    struct clock_fake clock;
    struct loop *loop;
    struct http_fixture *server;
    struct telemetry *telemetry;
    struct strbuf complaints;
    char endpoint[80];
};

static void on_trouble(void *argument, const char *message)
{
    struct fixture *fixture = argument;
    strbuf_addf(&fixture->complaints, "%s\n", message);
}

static int set_up(void **state)
{
    struct fixture *fixture = XNEW(struct fixture);
    struct error error = ERROR_INIT;
    clock_fake_init(&fixture->clock, 1000);
    fixture->loop = loop_new(&fixture->clock.clock);
    fixture->server = http_fixture_new(fixture->loop);
    snprintf(fixture->endpoint, sizeof(fixture->endpoint),
             "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:%d/",
             http_fixture_port(fixture->server));
    const char *const environment[] = {
        fixture->endpoint, "OTEL_EXPORTER_OTLP_HEADERS=api-key=a%20b, x=y",
        "OTEL_METRIC_EXPORT_INTERVAL=5000", "OTEL_RESOURCE_ATTRIBUTES=host.name=here", NULL};
    fixture->telemetry = telemetry_new(fixture->loop, environment, on_trouble, fixture, &error);
    if (fixture->telemetry == NULL)
        fail_msg("%s", error.message);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    telemetry_free(&fixture->telemetry);
    http_fixture_free(&fixture->server);
    loop_free(&fixture->loop);
    strbuf_free(&fixture->complaints);
    free(fixture);
    return 0;
}

static void script(struct fixture *fixture, const char *const *replies, size_t count)
{
    struct http_fixture_reply list[4];
    for (size_t i = 0; i < count; i++)
        list[i] = (struct http_fixture_reply){.text = replies[i]};
    http_fixture_script(fixture->server, list, count);
}

/* Until so many requests have come, or the deadline of a test that hangs. */
static void wait_requests(struct fixture *fixture, size_t count)
{
    for (int i = 0; i < 60 * 1000 / STEP_MS && http_fixture_requests(fixture->server) < count; i++)
        loop_step(fixture->loop, STEP_MS);
    assert_int_equal(http_fixture_requests(fixture->server), count);
}

static void wait_complaint(struct fixture *fixture)
{
    for (int i = 0; i < 60 * 1000 / STEP_MS && fixture->complaints.length == 0; i++)
        loop_step(fixture->loop, STEP_MS);
    assert_true(fixture->complaints.length > 0);
}

/* Timers run when the clock is moved. */
static void advance(struct fixture *fixture, int64_t ms)
{
    fixture->clock.now_ms += ms;
    for (int i = 0; i < 3; i++)
        loop_step(fixture->loop, 0);
}

static void decide(struct fixture *fixture)
{
    static char *argv[] = {(char *)"secret-command", NULL};
    struct command_spec spec = {.argv = argv};
    const struct call call = {.tool = CALL_SHELL,
                              .spec = &spec,
                              .decision = {.kind = REVIEW_APPROVED, .source = DECIDED_BY_USER}};
    const struct prompt prompt = {.id = 1};
    telemetry_observer()->decided(fixture->telemetry, &call, &prompt);
}

static void finish(struct fixture *fixture, unsigned attempts)
{
    static char *argv[] = {(char *)"secret-command", NULL};
    struct command_spec spec = {.argv = argv};
    const struct call call = {
        .tool = CALL_SHELL,
        .spec = &spec,
        .attempts = {{.type = SANDBOX_TYPE_LINUX, .result = {.duration_ms = 40}},
                     {.result = {.duration_ms = 2000}}},
        .attempt_count = attempts,
        .opinion = {.status = OPINION_SUCCESS,
                    .level = RISK_HIGH,
                    .categories = 1,
                    .latency_ms = 300,
                    .description = "secret-description"},
    };
    telemetry_observer()->finished(fixture->telemetry, &call);
}

/* The metric of that name in what was sent last. */
static json_t *sent_metric(const struct fixture *fixture, const char *name, json_t **request)
{
    const char *body = strstr(http_fixture_last(fixture->server), "\r\n\r\n");
    assert_non_null(body);
    *request = json_parse(body + 4, strlen(body + 4), NULL);
    assert_non_null(*request);
    json_t *resource = json_array_get(json_object_get(*request, "resourceMetrics"), 0);
    json_t *scope = json_array_get(json_object_get(resource, "scopeMetrics"), 0);
    json_t *list = json_object_get(scope, "metrics"), *metric;
    size_t i;
    json_array_foreach(list, i, metric)
    {
        if (strcmp(json_string_value(json_object_get(metric, "name")), name) == 0)
            return metric;
    }
    fail_msg("%s was not sent", name);
    return NULL;
}

static json_t *point_of(json_t *metric, const char *kind)
{
    json_t *data = json_object_get(metric, kind);
    assert_int_equal(json_integer_value(json_object_get(data, "aggregationTemporality")), 2);
    return json_array_get(json_object_get(data, "dataPoints"), 0);
}

static void assert_attributes(json_t *point, const char *expected)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    json_t *attribute;
    size_t i;
    json_array_foreach(json_object_get(point, "attributes"), i, attribute)
    {
        json_t *value = json_object_get(attribute, "value");
        strbuf_addf(&text, "%s=%s ", json_string_value(json_object_get(attribute, "key")),
                    json_string_value(json_object_get(value, "stringValue")));
    }
    assert_string_equal(strbuf_str(&text), expected);
}

static void counts_are_sent_after_a_while(void **state)
{
    struct fixture *fixture = *state;
    const char *const taken[] = {TAKEN};
    script(fixture, taken, 1);
    decide(fixture);
    decide(fixture);
    finish(fixture, 2);
    advance(fixture, 4999);
    assert_int_equal(http_fixture_requests(fixture->server), 0);
    advance(fixture, 1);
    wait_requests(fixture, 1);
    const char *last = http_fixture_last(fixture->server);
    assert_non_null(strstr(last, "POST /v1/metrics HTTP/1.1\r\n"));
    assert_non_null(strstr(last, "Content-Type: application/json\r\n"));
    assert_non_null(strstr(last, "api-key: a b\r\n"));
    assert_non_null(strstr(last, "x: y\r\n"));
    assert_non_null(strstr(last, "{\"key\":\"host.name\",\"value\":{\"stringValue\":\"here\"}}"));
    assert_null(strstr(last, "secret"));
    json_t *request, *point;
    point = point_of(sent_metric(fixture, "assent.approval.requested", &request), "sum");
    assert_string_equal(json_string_value(json_object_get(point, "asInt")), "2");
    assert_attributes(point, "tool=shell approved=approved ");
    json_decref(request);
    point = point_of(sent_metric(fixture, "assent.tool_decision", &request), "sum");
    assert_attributes(point, "tool=shell decision=approved source=user ");
    json_decref(request);
    point = point_of(sent_metric(fixture, "assent.sandbox_outcome", &request), "sum");
    assert_attributes(point, "tool=shell outcome=escalated ");
    json_decref(request);
    point = point_of(sent_metric(fixture, "assent.sandbox_outcome.escalated_duration", &request),
                     "histogram");
    assert_string_equal(json_string_value(json_object_get(point, "count")), "1");
    assert_float_equal(json_real_value(json_object_get(point, "sum")), 2000, 0.1);
    json_decref(request);
    point = point_of(sent_metric(fixture, "assent.sandbox_assessment", &request), "sum");
    assert_int_equal(json_array_size(json_object_get(point, "attributes")), 3);
    json_decref(request);
    /* Nothing new, nothing sent. */
    advance(fixture, 100000);
    assert_int_equal(http_fixture_requests(fixture->server), 1);
}

/* After a failure that may pass it is tried again, later each time, and nothing is lost. */
static void what_was_not_taken_comes_again(void **state)
{
    struct fixture *fixture = *state;
    const char *const replies[] = {BUSY, BUSY, TAKEN};
    json_t *request;
    script(fixture, replies, 3);
    decide(fixture);
    advance(fixture, 5000);
    wait_requests(fixture, 1);
    wait_complaint(fixture);
    assert_non_null(strstr(strbuf_str(&fixture->complaints), "status 503"));
    advance(fixture, TELEMETRY_PAUSE_FIRST_MS / 2 - 1);
    assert_int_equal(http_fixture_requests(fixture->server), 1);
    decide(fixture);
    advance(fixture, TELEMETRY_PAUSE_FIRST_MS);
    wait_requests(fixture, 2);
    for (int i = 0; i < 60000 / STEP_MS && http_fixture_requests(fixture->server) < 3; i++) {
        advance(fixture, TELEMETRY_PAUSE_FIRST_MS / 4);
        loop_step(fixture->loop, STEP_MS);
    }
    assert_int_equal(http_fixture_requests(fixture->server), 3);
    json_t *point = point_of(sent_metric(fixture, "assent.tool_decision", &request), "sum");
    assert_string_equal(json_string_value(json_object_get(point, "asInt")), "2");
    json_decref(request);
    /* One complaint is enough. */
    assert_null(strstr(strchr(strbuf_str(&fixture->complaints), '\n') + 1, "status"));
}

static void what_is_refused_is_not_repeated(void **state)
{
    struct fixture *fixture = *state;
    const char *const replies[] = {WRONG, TAKEN};
    script(fixture, replies, 2);
    decide(fixture);
    advance(fixture, 5000);
    wait_requests(fixture, 1);
    wait_complaint(fixture);
    advance(fixture, 1000000);
    assert_int_equal(http_fixture_requests(fixture->server), 1);
}

/* The end does not wait for the interval. */
static void the_end_sends_what_is_left(void **state)
{
    struct fixture *fixture = *state;
    const char *const taken[] = {TAKEN};
    script(fixture, taken, 1);
    decide(fixture);
    telemetry_free(&fixture->telemetry);
    assert_int_equal(http_fixture_requests(fixture->server), 1);
}

static void hostile_variety_is_bounded(void **state)
{
    struct metrics *metrics = metrics_new(1);
    (void)state;
    for (int i = 0; i < 3 * METRICS_SERIES_MAX; i++) {
        char value[16];
        snprintf(value, sizeof(value), "%d", i);
        const char *const attributes[] = {"key", value, NULL};
        metrics_count(metrics, METRIC_TOOL_DECISION, attributes);
    }
    const char *const resource[] = {NULL};
    cleanup_json json_t *request = metrics_request(metrics, resource, 2);
    cleanup_free char *text = json_line(request);
    size_t points = 0;
    for (const char *at = text; (at = strstr(at, "\"asInt\"")) != NULL; at++)
        points++;
    assert_int_equal(points, METRICS_SERIES_MAX + 1);
    assert_non_null(strstr(text,
                           "{\"key\":\"otel.metric.overflow\",\"value\":{\"stringValue\":\"true\"}"
                           "}],\"startTimeUnixNano\":\"1000000\",\"timeUnixNano\":\"2000000\","
                           "\"asInt\":\"1000\"}"));
    metrics_free(&metrics);
}

static void variables_are_checked(void **state)
{
    static const struct {
        const char *variable, *message;
    } wrong[] = {
        {"OTEL_EXPORTER_OTLP_ENDPOINT=unix:/x", "OTEL_EXPORTER_OTLP_ENDPOINT must begin with http"},
        {"OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "http/json only"},
        {"OTEL_EXPORTER_OTLP_HEADERS=key", "must be name=value"},
        {"OTEL_EXPORTER_OTLP_HEADERS=a b=c", "must be name=value"},
        {"OTEL_EXPORTER_OTLP_HEADERS=a=%0d%0aevil: 1", "must be name=value"},
        {"OTEL_EXPORTER_OTLP_TIMEOUT=soon", "OTEL_EXPORTER_OTLP_TIMEOUT must be milliseconds"},
        {"OTEL_METRIC_EXPORT_INTERVAL=0", "OTEL_METRIC_EXPORT_INTERVAL must be milliseconds"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        const char *const environment[] = {wrong[i].variable, NULL};
        struct telemetry_options options;
        struct error error = ERROR_INIT;
        assert_int_equal(telemetry_options_read(environment, &options, &error), -1);
        if (strstr(error.message, wrong[i].message) == NULL)
            fail_msg("%s: %s", wrong[i].variable, error.message);
        telemetry_options_clear(&options);
    }
}

static void variables_say_where_to(void **state)
{
    static const struct {
        const char *variables[3], *url;
    } cases[] = {
        {{NULL}, "http://localhost:4318/v1/metrics"},
        {{"OTEL_EXPORTER_OTLP_ENDPOINT=https://h/p/", NULL}, "https://h/p/v1/metrics"},
        {{"OTEL_EXPORTER_OTLP_ENDPOINT=", NULL}, "http://localhost:4318/v1/metrics"},
        {{"OTEL_EXPORTER_OTLP_ENDPOINT=http://a", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://b/x",
          NULL},
         "http://b/x"},
    };
    static const char *const disabled[] = {"OTEL_SDK_DISABLED=true", NULL};
    struct telemetry_options options;
    struct error error = ERROR_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_int_equal(telemetry_options_read(cases[i].variables, &options, &error), 1);
        assert_string_equal(options.url, cases[i].url);
        assert_int_equal(options.interval_ms, TELEMETRY_INTERVAL_MS);
        telemetry_options_clear(&options);
    }
    assert_int_equal(telemetry_options_read(disabled, &options, &error), 0);
    telemetry_options_clear(&options);
}

int main(void)
{
#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_SERVER(counts_are_sent_after_a_while),   WITH_SERVER(what_was_not_taken_comes_again),
        WITH_SERVER(what_is_refused_is_not_repeated), WITH_SERVER(the_end_sends_what_is_left),
        cmocka_unit_test(hostile_variety_is_bounded), cmocka_unit_test(variables_are_checked),
        cmocka_unit_test(variables_say_where_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
