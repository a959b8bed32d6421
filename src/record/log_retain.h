/* SPDX-License-Identifier: MIT */
/*
 * log_retain: which logs are kept. Each console has a log of its own, so that the record rotates
 * with the consoles; here those go that ended too long ago, and the oldest when all together are
 * too large. The log of a console that lives is never touched.
 */
#ifndef ASSENT_RECORD_LOG_RETAIN_H
#define ASSENT_RECORD_LOG_RETAIN_H

#include <stdint.h>

#include "base/clock.h"
#include "record/log_anchor.h"

struct log_limits {
    int64_t age_ms; /* since a log was written last */
    int64_t bytes;  /* of all logs together */
};

/* A log that goes: what its record holds of it afterwards. */
struct log_removal {
    const char *console;
    const struct log_head *head; /* as anchored; NULL when that is not known */
    int64_t bytes;
    const char *cause; /* "age", "size" */
};

/* Removes what is over the limits, with anchor and index. `removing` is called before each. */
void log_retain(const char *directory, const char *anchors, const struct log_limits *limits,
                const struct clock *clock,
                void (*removing)(void *argument, const struct log_removal *removal),
                void *argument);

#endif
