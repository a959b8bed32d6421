/* SPDX-License-Identifier: MIT */
/*
 * log_repair: ends the logs of consoles that were killed: a torn last line is taken away, an event
 * "log_repaired" says so, and the log is anchored as ended.
 *
 * Only what verifies is repaired; a log that was altered stays as it is, for log_verify to tell.
 */
#ifndef ASSENT_RECORD_LOG_REPAIR_H
#define ASSENT_RECORD_LOG_REPAIR_H

#include "base/clock.h"

/* All logs of a directory; those of living consoles and those that have ended are left alone. What
 * cannot be repaired is left for the next time. Returns how many were repaired. */
unsigned log_repair(const char *directory, const char *anchors, const struct clock *clock);

#endif
