/* SPDX-License-Identifier: MIT */
/* telemetry_options: OpenTelemetry's standard variables, as far as metrics by OTLP/HTTP go. */
#ifndef ASSENT_RECORD_TELEMETRY_OPTIONS_H
#define ASSENT_RECORD_TELEMETRY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct telemetry_options {
    char *url;
    char **headers;  /* "Name: value", NULL-terminated */
    char **resource; /* names and values by turns, NULL-terminated */
    char *ca_file;   /* or NULL: the system's */
    int64_t timeout_ms, interval_ms;
};

/* 1; 0 when OTEL_SDK_DISABLED; -1 with a message that names the variable. Cleared by the caller in
 * any case. */
int telemetry_options_read(const char *const *environment, struct telemetry_options *options,
                           struct error *error);
void telemetry_options_clear(struct telemetry_options *options);

#endif
