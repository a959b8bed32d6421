/* SPDX-License-Identifier: MIT */
/*
 * telemetry: counts what is asked, decided and sandboxed (metrics.h), and sends the numbers by
 * OTLP/HTTP with JSON. An observer of the orchestrator; nothing of a command, a path or a name gets
 * into it.
 *
 * A batch is sent some time after something was counted, and when the console ends. There is never
 * more than one under way and none waits: what could not be sent is in the next, because numbers
 * are cumulative. After a failure that may pass, the next comes after a growing pause.
 */
#ifndef ASSENT_RECORD_TELEMETRY_H
#define ASSENT_RECORD_TELEMETRY_H

#include "approval/observer.h"
#include "base/loop.h"

#define TELEMETRY_INTERVAL_MS 60000   /* OTEL_METRIC_EXPORT_INTERVAL's default */
#define TELEMETRY_PAUSE_FIRST_MS 1000 /* after a failure; doubled each time */
#define TELEMETRY_PAUSE_LONGEST_MS (int64_t)300000
#define TELEMETRY_END_MS 1000 /* that the end of a console waits for the last batch */

struct telemetry;

/* Where to, from OpenTelemetry's variables (OTEL_EXPORTER_OTLP_ENDPOINT and so on, `environment` as
 * environ). `complain` is told once what is wrong with sending. NULL with a message when a variable
 * makes no sense, or without one when OTEL_SDK_DISABLED says so. */
struct telemetry *telemetry_new(struct loop *loop, const char *const *environment,
                                void (*complain)(void *argument, const char *message),
                                void *argument, struct error *error);
/* Sends what was not sent, for TELEMETRY_END_MS at the longest; steps the loop. */
void telemetry_free(struct telemetry **telemetry);

const struct observer *telemetry_observer(void); /* its argument is the struct telemetry */

#endif
