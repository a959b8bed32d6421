/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/telemetry_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "record/telemetry.h"

#define DEFAULT_ENDPOINT "http://localhost:4318"
#define METRICS_PATH "/v1/metrics"
#define TIMEOUT_MS 10000
#define PAIRS_MAX 100

/* NULL when it is not set, or empty, which is the same. */
static const char *variable(const char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (; *environment != NULL; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return (*environment)[length + 1] != '\0' ? *environment + length + 1 : NULL;
    return NULL;
}

/* The one for metrics, else that for all signals. */
static const char *exporter_variable(const char *const *environment, const char *name)
{
    cleanup_free char *own = xasprintf("OTEL_EXPORTER_OTLP_METRICS_%s", name);
    cleanup_free char *all = xasprintf("OTEL_EXPORTER_OTLP_%s", name);
    const char *value = variable(environment, own);
    return value != NULL ? value : variable(environment, all);
}

static int read_url(const char *const *environment, struct telemetry_options *options,
                    struct error *error)
{
    const char *exact = variable(environment, "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
    const char *base = variable(environment, "OTEL_EXPORTER_OTLP_ENDPOINT");
    if (base == NULL)
        base = DEFAULT_ENDPOINT;
    size_t length = strlen(base);
    while (length > 0 && base[length - 1] == '/')
        length--;
    options->url =
        exact != NULL ? xstrdup(exact) : xasprintf("%.*s" METRICS_PATH, (int)length, base);
    if (strncasecmp(options->url, "http://", 7) == 0 ||
        strncasecmp(options->url, "https://", 8) == 0)
        return 0;
    return error_set(error, 0, "%s must begin with http:// or https://",
                     exact != NULL ? "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
                                   : "OTEL_EXPORTER_OTLP_ENDPOINT");
}

static int check_protocol(const char *const *environment, struct error *error)
{
    const char *protocol = exporter_variable(environment, "PROTOCOL");
    if (protocol == NULL || strcmp(protocol, "http/json") == 0)
        return 0;
    return error_set(
        error, 0, "OTEL_EXPORTER_OTLP_PROTOCOL is \"%.40s\": telemetry is sent as http/json only",
        protocol);
}

static int read_ms(const char *value, const char *name, int64_t fallback, int64_t *ms,
                   struct error *error)
{
    char *end = NULL;
    *ms = fallback;
    if (value == NULL)
        return 0;
    long long number = strtoll(value, &end, 10);
    if (*end != '\0' || number < 1 || number > 86400000)
        return error_set(error, 0, "%s must be milliseconds, from 1 to 86400000", name);
    *ms = number;
    return 0;
}

/* ---- lists: name=value,name=value, percent-encoded ------------------------------------------- */

static int hex_digit(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *place = digit != '\0' ? strchr(digits, digit | 0x20) : NULL;
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return place != NULL ? (int)(place - digits) : -1;
}

/* Without blanks at the ends; caller frees. NULL when it holds what no header may. */
static char *decode(const char *text, size_t length)
{
    struct strbuf out = STRBUF_INIT;
    bool wrong = false;
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < length; i++) {
        char byte = text[i];
        if (byte == '%' && i + 2 < length && hex_digit(text[i + 1]) >= 0 &&
            hex_digit(text[i + 2]) >= 0) {
            byte = (char)(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2]));
            i += 2;
        }
        wrong |= (unsigned char)byte < ' ' || byte == 0x7f;
        strbuf_addch(&out, byte);
    }
    if (wrong)
        strbuf_free(&out);
    return wrong ? NULL : strbuf_steal(&out);
}

/* Names and values by turns, behind those that are there; the caller frees. -1 when it is no such
 * list. */
static int read_pairs(const char *text, char ***pairs)
{
    size_t count = *pairs != NULL ? strv_length((const char *const *)*pairs) : 0;
    *pairs = xreallocarray(*pairs, count + (size_t)2 * PAIRS_MAX + 1, sizeof(char *));
    (*pairs)[count] = NULL;
    for (size_t pair = 0; text != NULL && *text != '\0'; pair++) {
        size_t length = strcspn(text, ","), name = strcspn(text, "=,");
        if (name == length || name == 0 || pair == PAIRS_MAX)
            return -1;
        (*pairs)[count] = decode(text, name);
        (*pairs)[count + 1] = NULL;
        if ((*pairs)[count] == NULL)
            return -1;
        (*pairs)[count + 1] = decode(text + name + 1, length - name - 1);
        if ((*pairs)[count + 1] == NULL)
            return -1;
        count += 2;
        (*pairs)[count] = NULL;
        text += length + (text[length] == ',');
    }
    return 0;
}

static bool is_token(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "!#$%&'*+-.^_`|~";
    return *name != '\0' && strspn(name, letters) == strlen(name);
}

static int read_headers(const char *const *environment, struct telemetry_options *options,
                        struct error *error)
{
    cleanup_strv char **pairs = NULL;
    int result = read_pairs(exporter_variable(environment, "HEADERS"), &pairs);
    size_t count = strv_length((const char *const *)pairs) / 2;
    options->headers = xcalloc(count + 2, sizeof(char *));
    options->headers[0] = xstrdup("Content-Type: application/json");
    for (size_t i = 0; i < count && result == 0; i++) {
        if (!is_token(pairs[2 * i]))
            result = -1;
        else
            options->headers[i + 1] = xasprintf("%s: %s", pairs[2 * i], pairs[2 * i + 1]);
    }
    if (result != 0)
        error_set(error, 0, "OTEL_EXPORTER_OTLP_HEADERS must be name=value,name=value");
    return result;
}

static int read_resource(const char *const *environment, struct telemetry_options *options,
                         struct error *error)
{
    const char *name = variable(environment, "OTEL_SERVICE_NAME");
    const char *const own[] = {"service.name", name != NULL ? name : "assent", "service.version",
                               PACKAGE_VERSION, NULL};
    options->resource = strv_copy(own);
    if (read_pairs(variable(environment, "OTEL_RESOURCE_ATTRIBUTES"), &options->resource) == 0)
        return 0;
    return error_set(error, 0, "OTEL_RESOURCE_ATTRIBUTES must be name=value,name=value");
}

/* ---- in all ---------------------------------------------------------------------------------- */

int telemetry_options_read(const char *const *environment, struct telemetry_options *options,
                           struct error *error)
{
    const char *disabled = variable(environment, "OTEL_SDK_DISABLED");
    const char *ca_file = exporter_variable(environment, "CERTIFICATE");
    *options = (struct telemetry_options){.ca_file = ca_file != NULL ? xstrdup(ca_file) : NULL};
    if (disabled != NULL && strcasecmp(disabled, "true") == 0)
        return 0;
    if (check_protocol(environment, error) < 0 || read_url(environment, options, error) < 0 ||
        read_headers(environment, options, error) < 0 ||
        read_resource(environment, options, error) < 0 ||
        read_ms(exporter_variable(environment, "TIMEOUT"), "OTEL_EXPORTER_OTLP_TIMEOUT", TIMEOUT_MS,
                &options->timeout_ms, error) < 0 ||
        read_ms(variable(environment, "OTEL_METRIC_EXPORT_INTERVAL"), "OTEL_METRIC_EXPORT_INTERVAL",
                TELEMETRY_INTERVAL_MS, &options->interval_ms, error) < 0)
        return -1;
    return 1;
}

void telemetry_options_clear(struct telemetry_options *options)
{
    /* They may hold a key. */
    for (char **header = options->headers; header != NULL && *header != NULL; header++)
        explicit_bzero(*header, strlen(*header));
    strv_free(&options->headers);
    strv_free(&options->resource);
    free(options->url);
    free(options->ca_file);
    *options = (struct telemetry_options){.url = NULL};
}
